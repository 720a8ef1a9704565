// The whole game at a glance: values over time, what each player gave away, and the mistakes.
import type { JSX } from "preact";
import { api, type Search } from "../api";
import type { Table } from "../table";
import type { TableState } from "../wire";
import { Accounts, Mistakes, ValueGraph } from "./ValueGraph";

interface GameSheetProps {
  table: Table;
  state: TableState;
  ply: number;
  search: Search;
  to: (ply: number) => void;
}

export function GameSheet({ table, state, ply, search, to }: GameSheetProps): JSX.Element {
  const { graph } = table;
  const begin = async (): Promise<void> => {
    const wanted: Search = { agent: search.agent, maxVisits: search.maxVisits };
    const found = await table.ask(() => api.analyseGame(state.id, wanted));
    if (found) table.keepGraph(found);
  };
  const done = graph !== null && graph.done >= graph.total && graph.total > 0;
  return (
    <div class="game-sheet">
      {graph && graph.done > 0 && (
        <ValueGraph graph={graph} seats={state.seats} ply={ply} plies={state.plies} onPly={to} />
      )}
      {!done && (
        <button type="button" class="primary" disabled={graph?.running} onClick={() => void begin()}>
          {graph?.running ? `Analysing… ${graph.done} of ${graph.total}` : "Analyse the whole game"}
        </button>
      )}
      {graph && graph.done > 0 && (
        <>
          <Accounts graph={graph} seats={state.seats} />
          <Mistakes graph={graph} onPly={to} />
        </>
      )}
    </div>
  );
}
