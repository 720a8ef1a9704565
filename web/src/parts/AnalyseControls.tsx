// Who analyses, how long, and which of its opinions the board shows.
import type { JSX } from "preact";
import type { GameSetup } from "../wire";
import { agentText } from "../words";

interface ControlsProps {
  setup: GameSetup | null;
  agent: string;
  visits: number;
  engine: boolean;
  showPrior: boolean;
  showVisits: boolean;
  onAgent: (agent: string) => void;
  onVisits: (visits: number) => void;
  onEngine: (on: boolean) => void;
  onPrior: (on: boolean) => void;
  onShowVisits: (on: boolean) => void;
}

export function AnalyseControls(props: ControlsProps): JSX.Element {
  const searching = props.setup?.opponents.filter((one) => one.searches) ?? [];
  const listed = searching.some((one) => one.spec === props.agent);
  return (
    <div class="controls">
      <label class="check">
        <input
          type="checkbox"
          checked={props.engine}
          onChange={(event) => props.onEngine(event.currentTarget.checked)}
        />
        Analyse
      </label>
      <select
        aria-label="Who analyses"
        value={props.agent}
        onChange={(event) => props.onAgent(event.currentTarget.value)}
      >
        {!listed && <option value={props.agent}>{agentText(props.agent)}</option>}
        {searching.map((one) => (
          <option key={one.spec} value={one.spec}>
            {one.title}
          </option>
        ))}
      </select>
      <select
        aria-label="Visits"
        value={props.visits}
        onChange={(event) => props.onVisits(Number(event.currentTarget.value))}
      >
        {[50, 100, 200, 400, 800, 1600, 3200].map((count) => (
          <option key={count} value={count}>
            {count} visits
          </option>
        ))}
      </select>
      <div class="shows">
        <span class="muted">Show on the board:</span>
        <label class="check prior" title="What the network likes before any search">
          <input
            type="checkbox"
            checked={props.showPrior}
            onChange={(event) => props.onPrior(event.currentTarget.checked)}
          />
          prior
        </label>
        <label class="check visits" title="What the search tried most">
          <input
            type="checkbox"
            checked={props.showVisits}
            onChange={(event) => props.onShowVisits(event.currentTarget.checked)}
          />
          visits
        </label>
      </div>
    </div>
  );
}
