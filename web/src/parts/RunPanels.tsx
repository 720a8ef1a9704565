// Beside the curves of a run: acceptance, checkpoints, and how it plays.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api } from "../api";
import { go } from "../router";
import type { GateDecision, RunDetail, RunMeasures } from "../wire";
import { percentText, range } from "../words";
import { Problem } from "./Notice";

/** The acceptance tests of a run; nothing for a run that tests nobody. */
export function Gates({ gates }: { gates: readonly GateDecision[] }): JSX.Element | null {
  if (gates.length === 0) return null;
  return (
    <section class="card">
      <h2>Acceptance</h2>
      <div class="scroll tall">
        <table>
          <tbody>
            {[...gates].reverse().slice(0, 100).map((gate) => (
              <tr key={gate.iteration}>
                <th scope="row">{gate.iteration}</th>
                <td>{gate.accepted ? "✓ accepted" : "✗ refused"}</td>
                <td class="number">{gate.games ? percentText(gate.score, 0) : "–"}</td>
                <td class="muted">
                  {gate.low !== null && gate.high !== null && `${range(gate.low, gate.high)} `}
                  {gate.games ? `${gate.games} games ` : ""}
                  {gate.note}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

export function Checkpoints({ detail }: { detail: RunDetail }): JSX.Element {
  const [problem, setProblem] = useState("");
  const play = async (spec: string): Promise<void> => {
    try {
      const setup = await api.setup(detail.summary.game);
      const seats = Array.from({ length: setup.num_seats }, (_, seat) => (seat ? spec : "human"));
      const session = await api.newSession({ game: setup.game, seats });
      go({ screen: "play", session: session.id });
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <section class="card">
      <h2>Checkpoints</h2>
      <Problem text={problem} onDismiss={() => setProblem("")} />
      {detail.checkpoints.length === 0 && <p class="hint">None kept yet.</p>}
      <ul class="checkpoints">
        {[...detail.checkpoints].reverse().map((one) => (
          <li key={one.spec}>
            <span>
              {one.name} <small class="muted">iteration {one.iteration}</small>
              {one.best && <span class="badge">best</span>}
            </span>
            <button type="button" onClick={() => void play(one.spec)}>
              Play it
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function MeasuresPanel({ run }: { run: string }): JSX.Element | null {
  const [measured, setMeasured] = useState<RunMeasures | null>(null);
  useEffect(() => {
    api.measures(run).then(setMeasured, () => undefined);
  }, [run]);
  if (!measured || (measured.measures.length === 0 && !measured.note)) return null;
  return (
    <section class="card">
      <h2>How it plays</h2>
      {measured.note && <p class="hint">{measured.note}</p>}
      <div class="scroll tall">
        <table>
          <tbody>
            {measured.measures.map((one) => (
              <tr key={`${one.agent} ${one.name}`}>
                <th scope="row">{one.name}</th>
                <td>{one.agent}</td>
                <td class="number">{one.mean.toPrecision(3)}</td>
                <td class="muted">
                  {one.low.toPrecision(3)} to {one.high.toPrecision(3)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
