// A game to look through: at a session, or inside a self-contained page that has no server.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { api } from "../api";
import { Board } from "../board/Board";
import { motionBetween } from "../board/motion";
import { CandidateTable } from "../parts/CandidateTable";
import { EventLog } from "../parts/EventLog";
import { Facts } from "../parts/Facts";
import { Problem, Waiting } from "../parts/Notice";
import { Scrubber } from "../parts/Scrubber";
import { Seats } from "../parts/Seats";
import { SessionTabs } from "../parts/SessionBar";
import { Tabs, type Tab } from "../parts/Tabs";
import { Mistakes } from "../parts/Mistakes";
import { Accounts, marksOfGraph, ValueGraph } from "../parts/ValueGraph";
import { usePositions } from "../positions";
import { go } from "../router";
import { ownSeat } from "../review";
import { useSession } from "../session";
import type {
  Analysis, EventInfo, Position, Replay as ReplayData, SeatInfo, ValueGraph as Graph,
} from "../wire";
import { saidText } from "../words";
import { sceneOf } from "../selfContained";
import { overlaysOf } from "./Analyse";

export interface ReplaySource {
  readonly seats: readonly SeatInfo[];
  readonly plies: number;
  readonly events: readonly EventInfo[];
  readonly graph: Graph | null;
  readonly at: (ply: number) => Position | null;
  readonly analysis: (ply: number) => Analysis | null;
}

interface ReplayViewProps {
  source: ReplaySource;
  ply: number;
  onPly: (ply: number) => void;
  head: JSX.Element;
}

export function ReplayView({ source, ply, onPly, head }: ReplayViewProps): JSX.Element {
  const [sheet, setSheet] = useState("log");
  const [kept, setKept] = useState<Position | null>(null);
  const asked = source.at(ply);
  useEffect(() => {
    if (asked) setKept(asked);
  }, [asked]);
  const position = asked ?? kept; // the old one stays while the new one travels
  const before = position ? source.at(position.ply - 1) : null;
  const motion = useMemo(
    () => before && position && motionBetween(before.scene, position.scene, position.event),
    [before, position],
  );
  const analysis = source.analysis(ply);
  const marks = marksOfGraph(source.graph);
  const tabs: Tab[] = [
    {
      name: "log",
      title: "Log",
      content: () => (
        <EventLog events={source.events} seats={source.seats} ply={ply} marks={marks} onPly={onPly} />
      ),
    },
    {
      name: "facts",
      title: "Facts",
      content: () => <Facts facts={position?.scene.facts ?? []} />,
    },
  ];
  const graph = source.graph;
  if (graph && graph.done > 0) {
    tabs.push({
      name: "value",
      title: "Value",
      content: () => (
        <div class="game-sheet">
          <ValueGraph graph={graph} seats={source.seats} ply={ply} plies={source.plies} onPly={onPly} />
          <Mistakes graph={graph} own={ownSeat(source.seats)} onPly={onPly} />
          <Accounts graph={graph} seats={source.seats} />
        </div>
      ),
    });
  }
  if (analysis) {
    tabs.push({ name: "moves", title: "Moves", content: () => <CandidateTable analysis={analysis} /> });
  }
  return (
    <main class="session replay">
      <div class="board-area">
        {position ? (
          <Board
            scene={position.scene}
            last={position.event?.touches ?? []}
            motion={motion}
            own={ownSeat(source.seats)}
            overlays={sheet === "moves" ? overlaysOf(analysis, false, true, null) : []}
          />
        ) : (
          <Waiting text="Fetching the position…" />
        )}
        <p class="under">
          {position?.event ? (
            <>
              <b>{saidText(position.event)}</b> <code>{position.event.text}</code>
            </>
          ) : (
            "The beginning"
          )}
        </p>
        <Scrubber ply={ply} plies={source.plies} onPly={onPly} marks={marks} ready={asked !== null} />
      </div>
      <aside class="side">
        {head}
        {position && <Seats seats={source.seats} position={position} />}
        <Tabs tabs={tabs} shown={sheet} onShow={setSheet} />
      </aside>
    </main>
  );
}

/** Replay of a session on the server. */
export function Replay({ id, ply }: { id: string; ply: number | null }): JSX.Element {
  const session = useSession(id);
  const plies = session.state?.plies ?? 0;
  const at = Math.min(ply ?? 0, plies);
  const positions = usePositions(id, at, plies);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    void session.ask(() => api.graph(id)).then((graph) => graph && session.keepGraph(graph));
    void session.ask(() => api.analyses(id)).then((found) => found?.forEach(session.keep));
  }, [id]);
  if (!session.state) {
    return (
      <main class="lost">
        <Problem text={session.problem} />
        {!session.problem && <Waiting />}
      </main>
    );
  }
  const { state } = session;
  const copy = async (): Promise<void> => {
    await navigator.clipboard?.writeText(window.location.href);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  const source: ReplaySource = {
    seats: state.seats,
    plies,
    events: session.events,
    graph: session.graph,
    at: positions.at,
    analysis: (wanted) =>
      [...session.analyses.values()].find((one) => one.turnNumber === wanted) ?? null,
  };
  return (
    <ReplayView
      source={source}
      ply={at}
      onPly={(next) => go({ screen: "replay", session: id, ply: next }, "replace")}
      head={
        <div class="session-bar">
          <SessionTabs state={state} screen="replay" ply={at} />
          <Problem text={session.problem || positions.problem} onDismiss={session.dismiss} />
          <div class="buttons">
            <button type="button" onClick={() => void copy()} title="Copy a link to this ply">
              {copied ? "Copied" : "Copy link"}
            </button>
            <a class="button" href={api.recordPath(id)} download={`${id}.jsonl`}>
              Download
            </a>
          </div>
        </div>
      }
    />
  );
}

/** Replay of a page that `stratagem replay --html` wrote; the ply is kept behind the # sign. */
export function SelfContained({ data }: { data: ReplayData }): JSX.Element {
  const read = (): number => Math.min(Number(location.hash.slice(1)) || 0, data.positions.length - 1);
  const [ply, setPly] = useState(read);
  useEffect(() => {
    const moved = (): void => setPly(read());
    window.addEventListener("hashchange", moved);
    return () => window.removeEventListener("hashchange", moved);
  }, []);
  const positions = useMemo(
    () =>
      data.positions.map((position) => ({
        ...position,
        scene: sceneOf(position.scene, data.shapes),
        outcomes: [],
      })),
    [data],
  );
  const source: ReplaySource = {
    seats: data.agents.map((agent, seat) => ({ seat, kind: "recorded", agent, title: agent })),
    plies: data.positions.length - 1,
    events: data.positions.flatMap((position) => position.event ?? []),
    graph: data.graph ?? null,
    at: (wanted) => positions[wanted] ?? null,
    analysis: (wanted) => data.analyses.find((one) => one.turnNumber === wanted) ?? null,
  };
  return (
    <ReplayView
      source={source}
      ply={ply}
      onPly={(next) => {
        setPly(next);
        history.replaceState(null, "", `#${next}`);
      }}
      head={
        <div class="session-bar">
          <strong class="game-title">{data.title}</strong>
          <p class="muted">
            <code>{data.game}</code>, version {data.version}, set-up {data.setup_seed}
          </p>
        </div>
      }
    />
  );
}
