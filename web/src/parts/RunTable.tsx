// The list of training runs.
import type { JSX } from "preact";
import type { RunSummary } from "../wire";
import { countText, dateText, percentText, secondsText } from "../words";
import { Link } from "./Link";

export function RunTable({ runs }: { runs: readonly RunSummary[] }): JSX.Element {
  return (
    <div class="scroll">
      <table class="runs">
        <thead>
          <tr>
            {["Run", "Game", "Algorithm", "Iterations", "Games", "Time", "Against anchors", "Changed"].map(
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
              <th scope="row">
                <Link to={{ screen: "training", run: run.name }}>{run.name}</Link>
                {run.active && <span class="badge live">live</span>}
                {run.damage && <span class="badge" title={run.damage}>damaged</span>}
              </th>
              <td>{run.game}</td>
              <td>
                {run.algorithm} {run.preset && <small class="muted">{run.preset}</small>}
              </td>
              <td class="number">{countText(run.iterations)}</td>
              <td class="number">{run.games === null ? "–" : countText(run.games)}</td>
              <td class="number">{run.seconds === null ? "–" : secondsText(run.seconds)}</td>
              <td>
                {Object.entries(run.anchors)
                  .map(([name, score]) => `${name} ${percentText(score, 0)}`)
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
