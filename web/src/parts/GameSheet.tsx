// The whole game at a glance: values over time, what each player gave away, and the mistakes.
import type { JSX } from "preact";
import { api, type Search } from "../api";
import type { Session } from "../session";
import type { SessionState } from "../wire";
import { ownSeat, reviewText } from "../review";
import { Mistakes } from "./Mistakes";
import { Accounts, ValueGraph } from "./ValueGraph";

interface GameSheetProps {
  session: Session;
  state: SessionState;
  ply: number;
  search: Search;
  to: (ply: number) => void;
  onRetry: (ply: number) => void;
}

export function GameSheet({ session, state, ply, search, to, onRetry }: GameSheetProps): JSX.Element {
  const { graph } = session;
  const begin = async (): Promise<void> => {
    const wanted: Search = { agent: search.agent, maxVisits: search.maxVisits };
    const found = await session.ask(() => api.analyseGame(state.id, wanted));
    if (found) session.keepGraph(found);
  };
  const done = graph !== null && graph.done >= graph.total && graph.total > 0;
  const own = ownSeat(state.seats);
  const weighing = graph !== null && graph.running && graph.done >= graph.total;
  return (
    <div class="game-sheet">
      {graph && graph.done > 0 && own !== null && !graph.running && (
        <p class="verdict-line">
          <strong>{reviewText(graph, own)}</strong>
        </p>
      )}
      {graph && graph.done > 0 && (
        <ValueGraph graph={graph} seats={state.seats} ply={ply} plies={state.plies} onPly={to} />
      )}
      {(!done || graph?.running) && (
        <button type="button" class="primary" disabled={graph?.running} onClick={() => void begin()}>
          {weighing
            ? "Weighing the dice…"
            : graph?.running
              ? `Analysing… ${graph.done} of ${graph.total}`
              : "Analyse the whole game"}
        </button>
      )}
      {graph && graph.done > 0 && (
        <>
          <Mistakes graph={graph} own={own} onPly={to} onRetry={onRetry} />
          <Accounts graph={graph} seats={state.seats} />
        </>
      )}
    </div>
  );
}
