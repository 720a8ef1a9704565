// One session as the page knows it: asked for once, then kept up to date by the server's messages.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { api, listen, Refused } from "./api";
import type { Analysis, EventInfo, SessionMessage, SessionState, Thinking, ValueGraph } from "./wire";

export interface SessionView {
  readonly state: SessionState | null;
  readonly events: readonly EventInfo[];
  readonly thinking: Thinking | null;
  readonly analyses: ReadonlyMap<string, Analysis>; // by analysisName
  readonly graph: ValueGraph | null;
  readonly problem: string;
  readonly missing: boolean;
  readonly connected: boolean;
}

export const EMPTY: SessionView = {
  state: null,
  events: [],
  thinking: null,
  analyses: new Map(),
  graph: null,
  problem: "",
  missing: false,
  connected: true,
};

export function analysisName(ply: number, agent: string): string {
  return `${ply} ${agent}`;
}

/** The view after a state arrived; an older revision than the known one changes nothing. */
export function withState(view: SessionView, state: SessionState): SessionView {
  const known = view.state;
  if (known && known.id === state.id && state.revision < known.revision) return view;
  const before = known?.id === state.id ? view.events.slice(0, state.events_from) : [];
  // A gap means that messages were missed; what is known is shown until they are asked for.
  const events = [...before, ...state.events];
  return { ...view, state, events, thinking: state.thinking, problem: "" };
}

export function withAnalysis(view: SessionView, analysis: Analysis): SessionView {
  const analyses = new Map(view.analyses);
  analyses.set(analysisName(analysis.turnNumber, analysis.agent), analysis);
  return { ...view, analyses };
}

export function withMessage(view: SessionView, message: SessionMessage): SessionView {
  switch (message.type) {
    case "state":
      return withState(view, message.state);
    case "thinking":
      return { ...view, thinking: message.thinking };
    case "analysis":
      return withAnalysis(view, message.analysis);
    case "graph":
      return { ...view, graph: message.graph };
    case "error":
      return { ...view, problem: message.detail };
    case "pong":
      return view;
  }
}

export interface Session extends SessionView {
  /** Send something that answers with the new state; a refusal is shown, not thrown. */
  send: (request: () => Promise<SessionState>) => Promise<void>;
  /** Ask for something else; a refusal is shown. */
  ask: <T>(request: () => Promise<T>) => Promise<T | null>;
  keep: (analysis: Analysis) => void;
  keepGraph: (graph: ValueGraph) => void;
  dismiss: () => void;
}

export function useSession(id: string): Session {
  const [view, setView] = useState<SessionView>(EMPTY);
  const current = useRef(id);

  const fail = useCallback((error: unknown) => {
    const problem = error instanceof Error ? error.message : String(error);
    const missing = error instanceof Refused && error.status === 404;
    setView((view) => ({ ...view, problem, missing: missing && !view.state }));
  }, []);

  useEffect(() => {
    current.current = id;
    setView(EMPTY);
    let first = true;
    const refresh = (): void => {
      api.session(id, 0).then((state) => setView((view) => withState(view, state)), fail);
    };
    refresh();
    const live = listen<SessionMessage>(
      `/api/sessions/${encodeURIComponent(id)}/live`,
      (message) => setView((view) => withMessage(view, message)),
      (connected) => {
        setView((view) => ({ ...view, connected }));
        if (connected && !first) refresh(); // what was missed in between
        first = false;
      },
    );
    return live.close;
  }, [id, fail]);

  const ask = useCallback(
    async <T,>(request: () => Promise<T>): Promise<T | null> => {
      try {
        return await request();
      } catch (error) {
        fail(error);
        return null;
      }
    },
    [fail],
  );
  const send = useCallback(
    async (request: () => Promise<SessionState>) => {
      const state = await ask(request);
      if (state && state.id === current.current) setView((view) => withState(view, state));
    },
    [ask],
  );
  return {
    ...view,
    send,
    ask,
    keep: (analysis) => setView((view) => withAnalysis(view, analysis)),
    keepGraph: (graph) => setView((view) => ({ ...view, graph })),
    dismiss: () => setView((view) => ({ ...view, problem: "" })),
  };
}
