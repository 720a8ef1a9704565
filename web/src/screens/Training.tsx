// Training runs: the list, and the live curves of one of them.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { api } from "../api";
import { anchorLines, iterationsOf, lossLines } from "../curves";
import { Chart } from "../parts/Chart";
import { NewestGame } from "../parts/NewestGame";
import { Problem, Waiting } from "../parts/Notice";
import { Checkpoints, Gates, MeasuresPanel } from "../parts/RunPanels";
import { RunTable } from "../parts/RunTable";
import { useRun } from "../run";
import type { RunSummary } from "../wire";
import { countText, secondsText } from "../words";

export function Training({ run }: { run: string | null }): JSX.Element {
  return run === null ? <RunList /> : <Run key={run} name={run} />;
}

function RunList(): JSX.Element {
  const [runs, setRuns] = useState<RunSummary[] | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const ask = (): void => {
      api.runs().then(setRuns, (error: Error) => setProblem(error.message));
    };
    ask();
    const timer = setInterval(ask, 5000);
    return () => clearInterval(timer);
  }, []);
  return (
    <main class="training">
      <section class="card">
        <h1>Training runs</h1>
        <Problem text={problem} onDismiss={() => setProblem("")} />
        {!runs && !problem && <Waiting />}
        {runs?.length === 0 && (
          <p>
            None yet. <code>stratagem train battlefield --budget 10m</code> starts one; it appears
            here while it runs.
          </p>
        )}
        {runs && runs.length > 0 && <RunTable runs={runs} />}
      </section>
    </main>
  );
}

function Run({ name }: { name: string }): JSX.Element {
  const live = useRun(name);
  const { detail, rows } = live;
  const charts = useMemo(() => {
    const trained = rows.filter((row) => row.steps !== 0);
    return {
      losses: { rows: trained, lines: lossLines(trained) },
      anchors: anchorLines(rows),
      speed: [{ label: "games per second", values: rows.map((row) => row.games_per_s) }],
    };
  }, [rows]);
  if (!detail) {
    return (
      <main class="training">
        <Problem text={live.problem} />
        {!live.problem && <Waiting />}
      </main>
    );
  }
  const { summary } = detail;
  return (
    <main class="training run">
      <section class="card run-head">
        <h1>
          {summary.name} {summary.active && <span class="badge live">live</span>}
        </h1>
        <p>
          {summary.game}, {summary.algorithm}
          {summary.preset && `, preset ${summary.preset}`}: {countText(summary.iterations)} iterations,{" "}
          {summary.games === null ? "?" : countText(summary.games)} games
          {summary.seconds !== null && ` in ${secondsText(summary.seconds)}`}
          {summary.games_per_second !== null && `, ${summary.games_per_second.toFixed(1)} games/s`}.
        </p>
        <Problem text={live.problem || summary.damage} />
      </section>
      <div class="charts">
        {charts.anchors.lines.length > 0 && (
          <Chart
            title="Score against fixed opponents, with 95 % intervals"
            xLabel="iteration"
            x={iterationsOf(charts.anchors.rows)}
            lines={charts.anchors.lines}
            yRange={[0, 1]}
          />
        )}
        {charts.losses.lines.length > 0 && (
          <Chart
            title="Losses"
            xLabel="iteration"
            x={iterationsOf(charts.losses.rows)}
            lines={charts.losses.lines}
          />
        )}
        {rows.length > 0 && (
          <Chart title="Self-play" xLabel="iteration" x={iterationsOf(rows)} lines={charts.speed} />
        )}
        {live.newest && <NewestGame run={name} game={live.newest} />}
      </div>
      <div class="columns">
        <Gates gates={live.gates} />
        <Checkpoints detail={detail} />
        <MeasuresPanel run={name} />
      </div>
    </main>
  );
}
