// Training runs: the list, and the live curves of one of them or of several on top of each other.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { api } from "../api";
import {
  anchorNames, anchorPlot, axisLabel, compared, lossPlot, totalLoss,
  type Axis, type NamedRows, type Plot,
} from "../curves";
import { Chart } from "../parts/Chart";
import { NewestGame } from "../parts/NewestGame";
import { Problem, Waiting } from "../parts/Notice";
import { Checkpoints, Gates, MeasuresPanel } from "../parts/RunPanels";
import { RunTable } from "../parts/RunTable";
import { LogPanel, PayoffPanel, RunHead, SettingsPanel } from "../parts/RunTools";
import { go } from "../router";
import { useRuns, type LiveRun } from "../run";
import { agentText } from "../words";
import type { RunSummary } from "../wire";

const REFRESH = 5000; // milliseconds between two looks at the list
const MOST = 6; // runs on top of each other: as many as there are dashes

export interface TrainingProps {
  run: string | null;
  others: readonly string[];
}

export function Training({ run, others }: TrainingProps): JSX.Element {
  return run === null ? <RunList /> : <RunPage key={run} names={[run, ...others].slice(0, MOST)} />;
}

function useRunList(): { runs: RunSummary[] | null; problem: string } {
  const [runs, setRuns] = useState<RunSummary[] | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const ask = (): void => {
      api.runs().then(
        (found) => {
          setRuns(found);
          setProblem("");
        },
        (error: Error) => setProblem(error.message),
      );
    };
    ask();
    const timer = setInterval(ask, REFRESH);
    return () => clearInterval(timer);
  }, []);
  return { runs, problem };
}

function RunList(): JSX.Element {
  const { runs, problem } = useRunList();
  const [picked, setPicked] = useState<string[]>([]);
  const pick = (name: string): void =>
    setPicked((old) => (old.includes(name) ? old.filter((one) => one !== name) : [...old, name]));
  const [first, ...others] = picked;
  return (
    <main class="training">
      <section class="card">
        <h1>Training runs</h1>
        <Problem text={problem} />
        {!runs && !problem && <Waiting />}
        {runs?.length === 0 && (
          <p>
            None yet. <code>stratagem train battlefield --budget 10m</code> starts one; it appears
            here while it runs.
          </p>
        )}
        {runs && runs.length > 0 && (
          <>
            <RunTable runs={runs} picked={picked} onPick={pick} />
            <p>
              <button
                type="button"
                disabled={picked.length < 2 || picked.length > MOST}
                onClick={() => first !== undefined && go({ screen: "training", run: first, others })}
              >
                Compare {picked.length > 1 ? `${picked.length} runs` : "runs"}
              </button>{" "}
              <small class="muted">Select 2 to {MOST} runs</small>
            </p>
          </>
        )}
      </section>
    </main>
  );
}

interface View {
  axis: Axis;
  smoothing: number;
}

function RunPage({ names }: { names: readonly string[] }): JSX.Element {
  const runs = useRuns(names);
  const [view, setView] = useState<View>({ axis: "time", smoothing: 0 });
  const [main] = runs;
  if (!main?.detail) {
    return (
      <main class="training">
        <Problem text={main?.problem ?? ""} />
        {!main?.problem && <Waiting />}
      </main>
    );
  }
  return (
    <main class="training run">
      <section class="card run-head">
        <h1>{runs.length > 1 ? `${runs.length} training runs` : "Training run"}</h1>
        {runs.map((run) => (
          <RunHead key={run.name} run={run} />
        ))}
        <Controls names={names} view={view} onView={setView} />
      </section>
      <Curves runs={runs} view={view} />
      <div class="columns">
        <SettingsPanel key={runs.length} runs={runs} />
        {runs.length > 1 && <h2 class="wide">More about {main.name}</h2>}
        <Checkpoints detail={main.detail} />
        <Gates gates={main.gates} />
        <MeasuresPanel run={main.name} />
        <PayoffPanel payoffs={main.detail.payoffs} />
        <LogPanel run={main.name} iteration={main.detail.summary.iterations} />
      </div>
    </main>
  );
}

interface ControlsProps {
  names: readonly string[];
  view: View;
  onView: (view: View) => void;
}

function Controls({ names, view, onView }: ControlsProps): JSX.Element {
  const { runs } = useRunList();
  const [run = "", ...others] = names;
  const rest = (runs ?? []).filter((one) => !names.includes(one.name));
  const show = (wanted: string[]): void => go({ screen: "training", run, others: wanted }, "replace");
  return (
    <div class="controls">
      <label>
        x axis{" "}
        <select
          value={view.axis}
          onChange={(event) => onView({ ...view, axis: event.currentTarget.value as Axis })}
        >
          <option value="time">time</option>
          <option value="games">games</option>
          <option value="iterations">iterations</option>
        </select>
      </label>
      <label>
        smoothing{" "}
        <input
          type="range" min="0" max="0.98" step="0.02" value={view.smoothing}
          onInput={(event) => onView({ ...view, smoothing: Number(event.currentTarget.value) })}
        />{" "}
        {view.smoothing.toFixed(2)}
      </label>
      {rest.length > 0 && names.length < MOST && (
        <label>
          compare with{" "}
          <select
            value=""
            onChange={(event) => event.currentTarget.value && show([...others, event.currentTarget.value])}
          >
            <option value="">choose a run</option>
            {rest.map((one) => (
              <option key={one.name} value={one.name}>
                {one.name} ({one.game})
              </option>
            ))}
          </select>
        </label>
      )}
      {others.map((name) => (
        <button key={name} type="button" onClick={() => show(others.filter((one) => one !== name))}>
          Remove {name}
        </button>
      ))}
    </div>
  );
}

interface Drawn {
  title: string;
  plot: Plot;
  yRange?: [number, number];
}

function Curves({ runs, view }: { runs: readonly LiveRun[]; view: View }): JSX.Element {
  const { axis, smoothing } = view;
  const rows = runs.map((run) => run.rows);
  const named: NamedRows[] = useMemo(() => runs.map(({ name, rows }) => ({ name, rows })), rows);
  const charts = useMemo(() => chartsOf(named, axis, smoothing), [named, axis, smoothing]);
  const [main] = runs;
  return (
    <div class="charts">
      {charts.map(({ title, plot, yRange }) => (
        <Chart
          key={`${title} ${axis}`}
          title={title}
          xLabel={axisLabel(axis, named)}
          x={plot.x}
          lines={plot.lines}
          {...(yRange ? { yRange } : {})}
        />
      ))}
      {main?.newest && runs.length === 1 && <NewestGame run={main.name} game={main.newest} />}
    </div>
  );
}

/** One run: its opponents and losses on top of each other. Several: run upon run. */
function chartsOf(runs: readonly NamedRows[], axis: Axis, smoothing: number): Drawn[] {
  const [only] = runs;
  const anchors = anchorNames(runs);
  const speed: Drawn[] = [
    { title: "Games per second", plot: compared(runs, axis, (row) => row.games_per_s, smoothing) },
    { title: "Decisions per second", plot: compared(runs, axis, (row) => row.decisions_per_s, smoothing) },
  ];
  const found: Drawn[] =
    runs.length === 1 && only
      ? [
          {
            title: "Score against fixed opponents, with 95 % intervals",
            plot: anchorPlot(runs, anchors, axis, (_, opponent) => agentText(opponent)),
            yRange: [0, 1],
          },
          { title: "Losses", plot: lossPlot(only, axis, smoothing) },
          ...speed,
        ]
      : [
          ...anchors.map((name): Drawn => ({
            title: `Score against ${agentText(name)}, with 95 % intervals`,
            plot: anchorPlot(runs, [name], axis, (run) => run),
            yRange: [0, 1],
          })),
          { title: "Total loss", plot: compared(runs, axis, totalLoss, smoothing) },
          ...speed,
        ];
  return found.filter((one) => one.plot.lines.length > 0);
}
