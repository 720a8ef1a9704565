// Training runs as the page knows them: asked for once, then kept up to date by messages.
import { useEffect, useState } from "preact/hooks";
import { api, listen } from "./api";
import type { Row } from "./curves";
import type { GateDecision, RunDetail, RunMessage, RunSummary } from "./wire";

export interface LiveRun {
  name: string;
  detail: RunDetail | null;
  rows: Row[];
  gates: GateDecision[];
  newest: string | null;
  heard: number; // when the summary came, in milliseconds since the epoch
  problem: string;
}

const NOTHING: Omit<LiveRun, "name"> = {
  detail: null, rows: [], gates: [], newest: null, heard: 0, problem: "",
};

/** Runs as asked for, then kept up to date by the server's messages; in the order of their names. */
export function useRuns(names: readonly string[]): LiveRun[] {
  const [known, setKnown] = useState<Record<string, LiveRun>>({});
  const wanted = names.join("\n");
  useEffect(() => {
    const change = (name: string, next: (old: LiveRun) => LiveRun): void =>
      setKnown((all) => ({ ...all, [name]: next(all[name] ?? { name, ...NOTHING }) }));
    const sockets = names.map((name) => {
      api.run(name).then(
        (detail) => change(name, () => asAsked(name, detail)),
        (error: Error) => change(name, (old) => ({ ...old, problem: error.message })),
      );
      return listen<RunMessage>(
        `/api/runs/${encodeURIComponent(name)}/live`,
        (message) => {
          if (message.type === "error") change(name, (old) => ({ ...old, problem: message.detail }));
          else if (message.type === "metrics") change(name, (old) => withRows(old, message));
        },
        () => undefined,
      );
    });
    return () => sockets.forEach((socket) => socket.close());
  }, [wanted]);
  return names.map((name) => known[name] ?? { name, ...NOTHING });
}

function asAsked(name: string, detail: RunDetail): LiveRun {
  return {
    name,
    detail,
    rows: detail.metrics,
    gates: detail.gates,
    newest: detail.games[0] ?? null,
    heard: Date.now(),
    problem: "",
  };
}

type Rows = Extract<RunMessage, { type: "metrics" }>;

/** New rows from their place on: a run that was resumed writes its last rows anew. */
export function withRows(old: LiveRun, message: Rows): LiveRun {
  if (!old.detail) return old;
  const kept = old.rows.slice(0, message.first);
  const last = kept[kept.length - 1]?.iteration ?? 0;
  const { summary, checkpoints, payoffs } = message;
  return {
    ...old,
    detail: { ...old.detail, summary, checkpoints, payoffs },
    rows: [...kept, ...message.rows],
    gates: [...old.gates.filter((gate) => gate.iteration <= last), ...message.gates],
    newest: message.newest_game ?? old.newest,
    heard: Date.now(),
  };
}

/** Seconds that a running run still needs now; null: it does not run, or nobody can tell. */
export function secondsLeft(summary: RunSummary, heard: number, now: number): number | null {
  if (summary.status !== "running" || summary.seconds_left === null) return null;
  return Math.max(0, summary.seconds_left - (now - heard) / 1000);
}
