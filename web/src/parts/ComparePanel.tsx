// Two agents, for instance two checkpoints, on one position side by side.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { api, type Search } from "../api";
import { Board } from "../board/Board";
import type { Session } from "../session";
import type { Comparison, OpponentInfo, Scene } from "../wire";
import { CandidateTable } from "./CandidateTable";

export interface ComparePanelProps {
  session: Session;
  id: string;
  scene: Scene;
  opponents: readonly OpponentInfo[];
  search: Search;
}

export function ComparePanel({ session, id, scene, opponents, search }: ComparePanelProps) {
  const searching = opponents.filter((one) => one.searches);
  const [first, setFirst] = useState(searching[0]?.spec ?? "");
  const [second, setSecond] = useState(searching[1]?.spec ?? searching[0]?.spec ?? "");
  const [found, setFound] = useState<Comparison | null>(null);
  const [busy, setBusy] = useState(false);
  const compare = async (): Promise<void> => {
    setBusy(true);
    const wanted: Search = { ply: search.ply, maxVisits: search.maxVisits };
    const answer = await session.ask(() => api.compare(id, [first, second], wanted));
    if (answer) setFound(answer);
    setBusy(false);
  };
  const chooser = (value: string, change: (spec: string) => void, label: string): JSX.Element => (
    <select aria-label={label} value={value} onChange={(event) => change(event.currentTarget.value)}>
      {searching.map((one) => (
        <option key={one.spec} value={one.spec}>
          {one.title}
        </option>
      ))}
    </select>
  );
  return (
    <div class="compare">
      <div class="row">
        {chooser(first, setFirst, "First agent")}
        {chooser(second, setSecond, "Second agent")}
        <button type="button" class="primary" disabled={busy || !first} onClick={() => void compare()}>
          {busy ? "Searching…" : "Compare"}
        </button>
      </div>
      {found && (
        <div class="side-by-side">
          {found.analyses.map((analysis, index) => {
            const total = Math.max(1, analysis.rootInfo.visits);
            const actions = analysis.moveInfos
              .filter((move) => move.visits / total > 0.02)
              .slice(0, 6)
              .map((move) => ({ touches: move.touches, weight: move.visits / total }));
            return (
              <div key={index}>
                <Board small scene={scene} overlays={[{ kind: "visits", actions }]} />
                <CandidateTable brief analysis={analysis} rows={6} />
              </div>
            );
          })}
        </div>
      )}
    </div>
  );
}
