// The server's interface: one function per HTTP route, and a WebSocket that comes back. Errors
// carry the server's one-line reason.
import type {
  Analysis, Comparison, GameInfo, GameSetup, Leaderboard, Tour, NewSession, Positions, Preview,
  Rulebook,  RunDetail, RunLog, RunMeasures, RunSummary, ServerInfo, SessionState, SessionSummary,
  Shortcut, TreeNode, ValueGraph,
} from "./wire";

export class Refused extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

type Query = Record<string, string | number | null | undefined>;

export function withQuery(path: string, query: Query = {}): string {
  const parts = Object.entries(query)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return parts.length ? `${path}?${parts.join("&")}` : path;
}

async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refused("the server does not answer: is `stratagem serve` still running?", 0);
  }
  if (answer.ok) return (await answer.json()) as T;
  throw new Refused(await reasonOf(answer), answer.status);
}

async function reasonOf(answer: Response): Promise<string> {
  try {
    const body = (await answer.json()) as { detail?: unknown };
    if (typeof body.detail === "string") return body.detail;
    if (body.detail !== undefined) return JSON.stringify(body.detail);
  } catch {
    // No JSON: the status line below says what there is to say.
  }
  return `${answer.status} ${answer.statusText}`;
}

function post<T>(path: string, body: unknown = {}): Promise<T> {
  return request<T>(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

const session = (id: string, rest = ""): string => `/api/sessions/${encodeURIComponent(id)}${rest}`;
const run = (name: string, rest = ""): string => `/api/runs/${encodeURIComponent(name)}${rest}`;

export interface Search {
  ply?: number;
  agent?: string;
  maxVisits?: number;
}

export const api = {
  info: () => request<ServerInfo>("/api/info"),
  games: () => request<GameInfo[]>("/api/games"),
  picturePath: (game: string): string => withQuery("/api/picture", { game }),
  rules: (game: string) => request<Rulebook>(withQuery("/api/rules", { game })),
  tour: (game: string) => request<Tour>(withQuery("/api/tour", { game })),
  setup: (game: string) => request<GameSetup>(withQuery("/api/setup", { game })),

  sessions: () => request<SessionSummary[]>("/api/sessions"),
  newSession: (wanted: NewSession) => post<SessionState>("/api/sessions", wanted),
  join: (id: string, invitation: string, name: string) =>
    post<SessionState>(session(id, "/join"), { invitation, name }),
  session: (id: string, since?: number) => request<SessionState>(withQuery(session(id), { since })),
  act: (id: string, action: number, ply: number, then: readonly number[] = []) =>
    post<SessionState>(session(id, "/act"), { action, ply, ...(then.length ? { then } : {}) }),
  routes: (id: string, piece: string) => request<Shortcut[]>(withQuery(session(id, "/routes"), { piece })),
  takeBack: (id: string, to_ply?: number) =>
    post<SessionState>(session(id, "/take-back"), to_ply === undefined ? {} : { to_ply }),
  resign: (id: string, seat?: number) =>
    post<SessionState>(session(id, "/resign"), seat === undefined ? {} : { seat }),
  rematch: (id: string, swap: boolean) => post<SessionState>(session(id, "/rematch"), { swap }),
  pause: (id: string, paused: boolean, pace_ms?: number) =>
    post<SessionState>(session(id, "/pause"), pace_ms === undefined ? { paused } : { paused, pace_ms }),
  stop: (id: string) => post<SessionState>(session(id, "/stop")),
  hint: (id: string) => post<Analysis>(session(id, "/hint")),
  branch: (id: string, ply: number, seats: string[]) =>
    post<SessionState>(session(id, "/branch"), { ply, seats }),
  preview: (id: string, action: number, ply: number) =>
    request<Preview>(withQuery(session(id, "/preview"), { action, ply })),
  positions: (id: string, first: number, count: number) =>
    request<Positions>(withQuery(session(id, "/positions"), { first, count })),
  recordPath: (id: string) => session(id, "/record"),
  upload: (file: Blob) =>
    request<SessionState>("/api/records", {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body: file,
    }),

  analyse: (id: string, search: Search) => post<Analysis>(session(id, "/analyse"), search),
  analyses: (id: string) => request<Analysis[]>(session(id, "/analyses")),
  compare: (id: string, agents: string[], search: Search) =>
    post<Comparison>(session(id, "/compare"), { ...search, agents }),
  tree: (id: string, path: number[], search: Search) =>
    post<TreeNode>(session(id, "/tree"), { ...search, path }),
  graph: (id: string) => request<ValueGraph>(session(id, "/graph")),
  stopAnalysis: (id: string) => post<ValueGraph>(session(id, "/analyse-stop")),
  analyseGame: (id: string, search: Search) => post<ValueGraph>(session(id, "/graph"), search),

  runs: () => request<RunSummary[]>("/api/runs"),
  run: (name: string) => request<RunDetail>(run(name)),
  log: (name: string) => request<RunLog>(run(name, "/log")),
  csvAddress: (name: string) => run(name, "/metrics.csv"),
  measures: (name: string) => request<RunMeasures>(run(name, "/measures")),
  openRunGame: (name: string, game: string) =>
    post<SessionState>(run(name, `/games/${encodeURIComponent(game)}`)),
  leaderboard: () => request<Leaderboard>("/api/leaderboard"),
};

const FIRST_WAIT = 300;
const LONGEST_WAIT = 8000;

export interface Live {
  close: () => void;
}

/** A WebSocket that comes back: after a lost connection it waits a little longer each time. */
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
