// One training run as the page knows it: asked for once, then kept up to date by messages.
import { useEffect, useState } from "preact/hooks";
import { api, listen } from "./api";
import type { Row } from "./curves";
import type { GateDecision, RunDetail, RunMessage } from "./wire";

export interface LiveRun {
  detail: RunDetail | null;
  rows: Row[];
  gates: GateDecision[];
  newest: string | null;
  problem: string;
}

/** A run as asked for, then kept up to date by the server's messages. */
export function useRun(name: string): LiveRun {
  const [live, setLive] = useState<LiveRun>({
    detail: null, rows: [], gates: [], newest: null, problem: "",
  });
  useEffect(() => {
    const ask = (): void => {
      api.run(name).then(
        (detail) =>
          setLive({
            detail,
            rows: detail.metrics,
            gates: detail.gates,
            newest: detail.games[0] ?? null,
            problem: "",
          }),
        (error: Error) => setLive((old) => ({ ...old, problem: error.message })),
      );
    };
    ask();
    const socket = listen<RunMessage>(
      `/api/runs/${encodeURIComponent(name)}/live`,
      (message) => {
        if (message.type === "error") {
          setLive((old) => ({ ...old, problem: message.detail }));
        } else if (message.type === "metrics") {
          setLive((old) => withRows(old, message));
        }
      },
      () => undefined,
    );
    return socket.close;
  }, [name]);
  return live;
}

type Rows = Extract<RunMessage, { type: "metrics" }>;

/** New rows from their place on: a run that was resumed writes its last rows anew. */
export function withRows(old: LiveRun, message: Rows): LiveRun {
  if (!old.detail) return old;
  const kept = old.rows.slice(0, message.first);
  const last = kept[kept.length - 1]?.iteration ?? 0;
  return {
    ...old,
    detail: { ...old.detail, summary: message.summary },
    rows: [...kept, ...message.rows],
    gates: [...old.gates.filter((gate) => gate.iteration <= last), ...message.gates],
    newest: message.newest_game ?? old.newest,
  };
}
