// A WebSocket that comes back: after a lost connection it waits a little longer each time.
const FIRST_WAIT = 300;
const LONGEST_WAIT = 8000;

export interface Live {
  close: () => void;
}

export function listen<M>(
  path: string,
  onMessage: (message: M) => void,
  onConnection: (connected: boolean) => void,
): Live {
  let socket: WebSocket | null = null;
  let wait = FIRST_WAIT;
  let closed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const open = (): void => {
    const scheme = window.location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${window.location.host}${path}`);
    socket.onopen = () => {
      wait = FIRST_WAIT;
      onConnection(true);
    };
    socket.onmessage = (event) => onMessage(JSON.parse(String(event.data)) as M);
    socket.onclose = () => {
      if (closed) return;
      onConnection(false);
      timer = setTimeout(open, wait);
      wait = Math.min(LONGEST_WAIT, wait * 2);
    };
  };
  open();
  return {
    close: () => {
      closed = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}
