// Beside the curves of runs: what they are doing, settings, opponents, log.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api } from "../api";
import { settingRows } from "../compare";
import { secondsLeft, type LiveRun } from "../run";
import type { RunPayoffs, RunSummary } from "../wire";
import { bytesText, countedText, countText, secondsText } from "../words";
import { Problem } from "./Notice";
import { StatusBadge } from "./RunTable";

/** What a run has done and is doing, with a bar for its budget. */
export function RunHead({ run }: { run: LiveRun }): JSX.Element | null {
  const now = useClock(run.detail?.summary.status === "running");
  if (!run.detail) return <Problem text={run.problem} />;
  const { summary } = run.detail;
  const left = secondsLeft(summary, run.heard, now);
  return (
    <div class="run-line">
      <p>
        <strong>{summary.name}</strong> <StatusBadge summary={summary} /> {summary.game},{" "}
        {summary.algorithm}
        {summary.preset && `, preset ${summary.preset}`}
        {summary.seed !== null && `, seed ${summary.seed}`}
      </p>
      <progress max={1} value={shareDone(summary, left)} aria-label={`budget of ${summary.name}`} />
      <p class="figures">
        <span>{countedText(summary.iterations, "iteration")}</span>
        {summary.games !== null && <span>{countedText(summary.games, "game")}</span>}
        {summary.seconds !== null && <span>{secondsText(summary.seconds)}</span>}
        {left !== null && <span>{left > 0 ? `about ${secondsText(left)} left` : "finishing"}</span>}
        {summary.games_per_second !== null && <span>{summary.games_per_second.toFixed(1)} games/s</span>}
        {summary.decisions_per_second !== null && (
          <span>{countText(Math.round(summary.decisions_per_second))} decisions/s</span>
        )}
        {summary.memory_bytes !== null && <span>{bytesText(summary.memory_bytes)} memory</span>}
        <PlayingShare run={run} />
        <a href={api.csvAddress(summary.name)} download>
          CSV
        </a>
      </p>
      <Problem text={run.problem || summary.damage} />
    </div>
  );
}

/** The share of the budget that is gone by now: time goes on between two iterations. */
function shareDone(summary: RunSummary, left: number | null): number {
  if (left === null || summary.seconds === null) return summary.progress;
  const whole = summary.seconds + (summary.seconds_left ?? 0);
  return Math.min(1, Math.max(summary.progress, whole > 0 ? 1 - left / whole : 0));
}

function PlayingShare({ run }: { run: LiveRun }): JSX.Element | null {
  const last = run.rows[run.rows.length - 1];
  const both = last ? last.play_seconds + last.train_seconds : 0;
  if (!last || both <= 0) return null;
  const playing = Math.round((100 * last.play_seconds) / both);
  return (
    <span>
      {playing} % of the time playing, {100 - playing} % learning
    </span>
  );
}

/** The time, every second while it matters. */
function useClock(on: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    setNow(Date.now());
    if (!on) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [on]);
  return now;
}

/** Settings of all runs side by side; those that differ are always shown. */
export function SettingsPanel({ runs }: { runs: readonly LiveRun[] }): JSX.Element {
  const [all, setAll] = useState(runs.length === 1);
  const loaded = runs.filter((run) => run.detail !== null);
  const rows = settingRows(loaded.map((run) => run.detail?.settings ?? {}));
  const shown = all ? rows : rows.filter((row) => row.differs);
  return (
    <section class="card">
      <h2>Settings</h2>
      {runs.length > 1 && (
        <label class="inline">
          <input type="checkbox" checked={all} onChange={() => setAll(!all)} /> Show settings that are the same
        </label>
      )}
      {shown.length === 0 && <p class="hint">All settings are the same.</p>}
      <div class="scroll tall">
        <table class="settings">
          {loaded.length > 1 && (
            <thead>
              <tr>
                <th scope="col">Setting</th>
                {loaded.map((run) => (
                  <th key={run.name} scope="col">
                    {run.name}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {shown.map((row) => (
              <tr key={row.key} class={row.differs ? "differs" : undefined}>
                <th scope="row">{row.key}</th>
                {row.values.map((value, index) => (
                  <td key={loaded[index]?.name}>{value || "–"}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** What the learner scored against each opponent of its population, by spans of iterations. */
export function PayoffPanel({ payoffs }: { payoffs: RunPayoffs }): JSX.Element | null {
  if (payoffs.opponents.length === 0) return null;
  return (
    <section class="card wide">
      <h2>Score against its population</h2>
      <p class="hint">Rows are opponents in training games, columns are iterations.</p>
      <div class="scroll tall">
        <table class="payoffs">
          <thead>
            <tr>
              <th scope="col">Opponent</th>
              {payoffs.spans.map(([first, last]) => (
                <th key={first} scope="col" class="number">
                  {first === last ? first : `${first}–${last}`}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {payoffs.opponents.map((name, line) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {payoffs.spans.map(([first], place) => {
                  const score = payoffs.scores[line]?.[place] ?? null;
                  const games = payoffs.games[line]?.[place] ?? 0;
                  return (
                    <td
                      key={first}
                      class="number"
                      style={score === null ? undefined : { "--score": `${Math.round(55 * score)}%` }}
                      title={score === null ? "not met" : `${games} games`}
                    >
                      {score === null ? "" : score.toFixed(2)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** The end of what the terminal showed; read anew with every iteration. */
export function LogPanel({ run, iteration }: { run: string; iteration: number }): JSX.Element {
  const [lines, setLines] = useState<string[]>([]);
  useEffect(() => {
    let current = true;
    api.log(run).then(
      (log) => current && setLines(log.lines),
      () => undefined, // the next iteration asks again
    );
    return () => {
      current = false;
    };
  }, [run, iteration]);
  return (
    <section class="card wide">
      <h2>Log, newest first</h2>
      {lines.length === 0 && <p class="hint">Nothing yet.</p>}
      <pre class="log" tabIndex={0}>
        {[...lines].reverse().join("\n")}
      </pre>
    </section>
  );
}
