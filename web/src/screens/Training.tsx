// Runs: a list, and for one of them live curves, acceptance, checkpoints and its newest game.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { api, listen } from "../api";
import { anchorLines, linesOf, lossKeys, xOf, type Row } from "../curves";
import { Board } from "../board/Board";
import { Chart } from "../parts/Chart";
import { Link } from "../parts/Link";
import { Problem, Waiting } from "../parts/Notice";
import { go } from "../router";
import { countText, dateText, percentText, range, secondsText } from "../words";
import type {
  GateDecision, Position, RunDetail, RunMessage, RunSummary, RunTactics,
} from "../wire";

const FRAME = 350; // milliseconds that a position of the newest game stays

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

function RunTable({ runs }: { runs: readonly RunSummary[] }): JSX.Element {
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

interface Live {
  detail: RunDetail | null;
  rows: Row[];
  gates: GateDecision[];
  newest: string | null;
  problem: string;
}

/** A run as asked for, then kept up to date by the server's messages. */
function useRun(name: string): Live {
  const [live, setLive] = useState<Live>({
    detail: null, rows: [], gates: [], newest: null, problem: "",
  });
  useEffect(() => {
    const ask = (): void => {
      api.run(name).then(
        (detail) =>
          setLive({
            detail,
            rows: detail.metrics as Row[],
            gates: detail.gates,
            newest: detail.games[0] ?? null,
            problem: "",
          }),
        (error: Error) => setLive((old) => ({ ...old, problem: error.message })),
      );
    };
    ask();
    const socket = listen<RunMessage>(
      `/api/runs/${encodeURIComponent(name)}/live`,
      (message) => {
        if (message.type === "error") {
          setLive((old) => ({ ...old, problem: message.detail }));
        } else if (message.type === "metrics") {
          setLive((old) => withRows(old, message));
        }
      },
      () => undefined,
    );
    return socket.close;
  }, [name]);
  return live;
}

type Rows = Extract<RunMessage, { type: "metrics" }>;

/** New rows from their place on: a run that was resumed writes its last rows anew. */
export function withRows(old: Live, message: Rows): Live {
  if (!old.detail) return old;
  const kept = old.rows.slice(0, message.first);
  const last = Number(kept[kept.length - 1]?.iteration ?? 0);
  return {
    ...old,
    detail: { ...old.detail, summary: message.summary },
    rows: [...kept, ...(message.rows as Row[])],
    gates: [...old.gates.filter((gate) => gate.iteration <= last), ...message.gates],
    newest: message.newest_game ?? old.newest,
  };
}

function Run({ name }: { name: string }): JSX.Element {
  const live = useRun(name);
  const { detail, rows } = live;
  const charts = useMemo(() => {
    const trained = rows.filter((row) => row.steps !== 0);
    return {
      losses: { rows: trained, lines: linesOf(trained, lossKeys(trained)) },
      anchors: anchorLines(rows),
      speed: linesOf(rows, { games_per_s: "games per second" }),
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
        <Problem text={live.problem} />
      </section>
      <div class="charts">
        {charts.anchors.lines.length > 0 && (
          <Chart
            title="Score against fixed opponents, with 95 % intervals"
            xLabel="iteration"
            x={xOf(charts.anchors.rows, "iteration")}
            lines={charts.anchors.lines}
            yRange={[0, 1]}
          />
        )}
        {charts.losses.lines.length > 0 && (
          <Chart
            title="Losses"
            xLabel="iteration"
            x={xOf(charts.losses.rows, "iteration")}
            lines={charts.losses.lines}
          />
        )}
        {charts.speed.length > 0 && (
          <Chart title="Self-play" xLabel="iteration" x={xOf(rows, "iteration")} lines={charts.speed} />
        )}
        {live.newest && <NewestGame run={name} game={live.newest} />}
      </div>
      <div class="columns">
        <Gates gates={live.gates} />
        <Checkpoints detail={detail} />
        <Tactics run={name} />
      </div>
    </main>
  );
}

function Gates({ gates }: { gates: readonly GateDecision[] }): JSX.Element {
  return (
    <section class="card">
      <h2>Acceptance</h2>
      {gates.length === 0 && <p class="hint">no decisions yet</p>}
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

function Checkpoints({ detail }: { detail: RunDetail }): JSX.Element {
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
      {detail.checkpoints.length === 0 && <p class="hint">none kept yet</p>}
      <ul class="checkpoints">
        {detail.checkpoints.map((one) => (
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

function Tactics({ run }: { run: string }): JSX.Element | null {
  const [tactics, setTactics] = useState<RunTactics | null>(null);
  useEffect(() => {
    api.tactics(run).then(setTactics, () => undefined);
  }, [run]);
  if (!tactics || (tactics.measures.length === 0 && !tactics.note)) return null;
  return (
    <section class="card">
      <h2>How it plays</h2>
      {tactics.note && <p class="hint">{tactics.note}</p>}
      <div class="scroll tall">
        <table>
          <tbody>
            {tactics.measures.map((one) => (
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

/** The newest self-play game on a small board, playing by itself. */
function NewestGame({ run, game }: { run: string; game: string }): JSX.Element | null {
  const [session, setSession] = useState<string | null>(null);
  const [positions, setPositions] = useState<Position[]>([]);
  const [at, setAt] = useState(0);
  useEffect(() => {
    let current = true;
    const fetchGame = async (): Promise<void> => {
      const opened = await api.openRunGame(run, game);
      const found = await api.positions(opened.id, 0, Math.min(100, opened.plies + 1));
      if (!current) return;
      setSession(opened.id);
      setPositions(found.positions);
      setAt(0);
    };
    fetchGame().catch(() => undefined); // it may have been tidied away; the next one comes
    return () => {
      current = false;
    };
  }, [run, game]);
  useEffect(() => {
    if (positions.length < 2) return undefined;
    if (window.matchMedia?.("(prefers-reduced-motion: reduce)").matches) {
      setAt(positions.length - 1);
      return undefined;
    }
    const timer = setInterval(() => setAt((old) => (old + 1) % positions.length), FRAME);
    return () => clearInterval(timer);
  }, [positions]);
  const position = positions[at];
  if (!position) return null;
  return (
    <figure class="chart newest">
      <figcaption>
        Newest self-play game, ply {position.ply}{" "}
        {session && <Link to={{ screen: "replay", session, ply: position.ply }}>open</Link>}
      </figcaption>
      <Board small scene={position.scene} last={position.event?.touches ?? []} />
    </figure>
  );
}
