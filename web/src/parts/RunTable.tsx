// The list of training runs.
import type { JSX } from "preact";
import type { RunSummary } from "../wire";
import { agentText, countText, dateText, percentText, secondsText } from "../words";
import { Link } from "./Link";

/** Running, finished or stopped; running ones stand out. */
export function StatusBadge({ summary }: { summary: RunSummary }): JSX.Element {
  const live = summary.status === "running";
  return <span class={live ? "badge live" : "badge"}>{summary.status}</span>;
}

export interface RunTableProps {
  runs: readonly RunSummary[];
  picked: readonly string[]; // to be compared
  onPick: (name: string) => void;
}

export function RunTable({ runs, picked, onPick }: RunTableProps): JSX.Element {
  return (
    <div class="scroll">
      <table class="runs">
        <thead>
          <tr>
            {["Compare", "Run", "Game", "Algorithm", "Iterations", "Games", "Time", "Score", "Last change"].map(
              (title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.name}>
              <td>
                <input
                  type="checkbox"
                  aria-label={`compare ${run.name}`}
                  checked={picked.includes(run.name)}
                  onChange={() => onPick(run.name)}
                />
              </td>
              <th scope="row">
                <Link to={{ screen: "training", run: run.name }}>{run.name}</Link>
                <StatusBadge summary={run} />
                {run.damage && <span class="badge" title={run.damage}>damaged</span>}
              </th>
              <td>{run.game}</td>
              <td>
                {run.algorithm} {run.preset && <small class="muted">{run.preset}</small>}
              </td>
              <td class="number">{countText(run.iterations)}</td>
              <td class="number">{run.games === null ? "–" : countText(run.games)}</td>
              <td class="number">
                {run.seconds === null ? "–" : secondsText(run.seconds)}
                {run.seconds_left !== null && (
                  <small class="muted"> {secondsText(run.seconds_left)} left</small>
                )}
              </td>
              <td>
                {Object.entries(run.anchors)
                  .map(([name, score]) => `${percentText(score, 0)} against ${agentText(name)}`)
                  .join(", ")}
              </td>
              <td>{dateText(run.changed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
