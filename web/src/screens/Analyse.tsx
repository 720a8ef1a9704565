// Understand a game: what a search thinks of each position, where value was won and lost, and why.
import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { api, type Search } from "../api";
import { Board } from "../board/Board";
import type { Weighted } from "../board/marks";
import { motionBetween } from "../board/motion";
import type { OverlayData } from "../board/Overlay";
import { AnalyseControls } from "../parts/AnalyseControls";
import { CandidateTable } from "../parts/CandidateTable";
import { ComparePanel } from "../parts/ComparePanel";
import { EventLog } from "../parts/EventLog";
import { Facts } from "../parts/Facts";
import { GameSheet } from "../parts/GameSheet";
import { Problem, Waiting } from "../parts/Notice";
import { Scrubber } from "../parts/Scrubber";
import { Seats, ThinkingBar } from "../parts/Seats";
import { SessionTabs } from "../parts/SessionBar";
import { Tabs } from "../parts/Tabs";
import { TreeExplorer } from "../parts/TreeExplorer";
import { marksOfGraph } from "../parts/ValueGraph";
import { useSetup } from "../opponents";
import { usePositions } from "../positions";
import { usePreference } from "../preferences";
import { ownSeat } from "../review";
import { go } from "../router";
import { analysisName, useSession, type Session } from "../session";
import { OVER } from "../words";
import type { Analysis, GameSetup, MoveInfo, Scene, SessionState, TreeNode } from "../wire";

const STRONGEST = 14; // overlays show the best candidates only
const GHOSTS = 5; // steps of a line that is pointed at

export function Analyse({ id, ply }: { id: string; ply: number | null }): JSX.Element {
  const session = useSession(id);
  if (!session.state) {
    return (
      <main class="lost">
        <Problem text={session.problem} />
        {!session.problem && <Waiting />}
      </main>
    );
  }
  const at = Math.min(ply ?? session.state.plies, session.state.plies);
  return <AnalyseSession session={session} state={session.state} ply={at} />;
}

interface AnalyseProps {
  session: Session;
  state: SessionState;
  ply: number;
}

function AnalyseSession({ session, state, ply }: AnalyseProps): JSX.Element {
  const { id } = state;
  const [agent, setAgent] = useState(state.adviser);
  const [visits, setVisits] = usePreference("visits", 400);
  const [engine, setEngine] = usePreference("engine", true);
  const [showPrior, setShowPrior] = usePreference("show-prior", false);
  const [showVisits, setShowVisits] = usePreference("show-visits", true);
  const [sheet, setSheet] = useState(state.status === "over" && ply === state.plies ? "game" : "moves");
  const [pointed, setPointed] = useState<MoveInfo | null>(null);
  const [tree, setTree] = useState<TreeNode | null>(null);
  const [busy, setBusy] = useState(false);
  const setup = useSetup(state.game);
  const positions = usePositions(id, ply, state.plies);
  const position = positions.at(ply);
  const to = (next: number): void => go({ screen: "analyse", session: id, ply: next }, "replace");
  const search: Search = { ply, agent, maxVisits: visits };
  const analysis = findAnalysis(session, ply, agent);

  useStored(session, id);
  useEffect(() => {
    setTree(null);
    setPointed(null);
  }, [ply, agent]);

  const analyse = async (): Promise<void> => {
    const found = await session.ask(() => api.analyse(id, search));
    if (found) session.keep(found);
  };
  const stop = async (): Promise<void> => {
    setEngine(false); // or the next moment would begin anew
    const found = await session.ask(() => api.stopAnalysis(id));
    if (found) session.keepGraph(found);
  };
  // Analysing is one switch, showing it another; a known position is not searched again.
  const decides = position !== null && position.seat >= 0;
  const wanted = engine && decides && (!analysis || analysis.rootInfo.visits < visits / 2);
  useEffect(() => {
    if (!wanted) return undefined;
    const timer = setTimeout(() => void analyse(), 250);
    return () => clearTimeout(timer);
  }, [wanted, ply, agent, visits]);

  const openTree = async (path: number[]): Promise<void> => {
    setBusy(true);
    const node = await session.ask(() => api.tree(id, path, search));
    if (node) setTree(node);
    setBusy(false);
  };

  const overlays = useMemo(() => {
    if (tree && tree.path.length > 0) return [];
    return overlaysOf(analysis, showPrior, showVisits, pointed);
  }, [analysis, showPrior, showVisits, pointed, tree]);
  const before = position ? positions.at(position.ply - 1) : null;
  const motion = useMemo(
    () => before && position && motionBetween(before.scene, position.scene, position.event),
    [before, position],
  );
  const inTree = tree !== null && tree.path.length > 0;
  const scene: Scene | undefined = inTree ? tree.scene : position?.scene;
  const marks = marksOfGraph(session.graph);
  return (
    <main class="session analyse">
      <div class="board-area">
        {scene ? (
          <Board
            scene={scene}
            overlays={overlays}
            last={inTree ? [] : (position?.event?.touches ?? [])}
            motion={inTree ? null : motion}
            own={ownSeat(state.seats)}
          />
        ) : (
          <Waiting text={positions.problem || "Fetching the position…"} />
        )}
        {inTree && (
          <p class="under">
            <b>In the tree:</b> {tree.texts.join(" · ")}{" "}
            <button type="button" onClick={() => setTree(null)}>
              Back to the game
            </button>
          </p>
        )}
        <Scrubber ply={ply} plies={state.plies} onPly={to} marks={marks} ready={position !== null} />
      </div>
      <aside class="side">
        <SessionTabs state={state} screen="analyse" ply={ply} />
        <Problem text={session.problem} onDismiss={session.dismiss} />
        {position && (
          <Seats seats={state.seats} position={position} values={analysis?.rootInfo.values} />
        )}
        <AnalyseControls
          setup={setup}
          agent={agent}
          visits={visits}
          engine={engine}
          showPrior={showPrior}
          showVisits={showVisits}
          onAgent={setAgent}
          onVisits={setVisits}
          onEngine={(on) => (on ? setEngine(true) : void stop())}
          onPrior={setShowPrior}
          onShowVisits={setShowVisits}
        />
        {session.thinking && <ThinkingBar thinking={session.thinking} onStop={() => void stop()} />}
        <Tabs
          shown={sheet}
          onShow={setSheet}
          tabs={[
            {
              name: "moves",
              title: "Moves",
              content: () =>
                analysis ? (
                  <CandidateTable
                    analysis={analysis}
                    pointed={pointed?.action ?? null}
                    onPoint={setPointed}
                    onPick={(move) => {
                      setSheet("tree");
                      void openTree([move.action]);
                    }}
                  />
                ) : (
                  <NoAnalysis position={position?.seat ?? OVER} onAnalyse={() => void analyse()} />
                ),
            },
            {
              name: "game",
              title: "Game",
              content: () => (
                <GameSheet
                  session={session}
                  state={state}
                  ply={ply}
                  search={search}
                  to={to}
                  onRetry={(at) => void branch(session, state, at, setup)}
                />
              ),
            },
            {
              name: "tree",
              title: "Tree",
              content: () =>
                decides ? (
                  <TreeExplorer
                    node={tree}
                    busy={busy}
                    onPath={(path) => void openTree(path)}
                    onPoint={() => undefined}
                  />
                ) : (
                  <p class="hint">Nobody decides here.</p>
                ),
            },
            {
              name: "compare",
              title: "Compare",
              content: () =>
                setup && position && decides ? (
                  <ComparePanel
                    key={ply}
                    session={session}
                    id={id}
                    scene={position.scene}
                    opponents={setup.opponents}
                    search={search}
                  />
                ) : (
                  <p class="hint">Nobody decides here.</p>
                ),
            },
            {
              name: "log",
              title: "Log",
              content: () => (
                <EventLog
                  events={session.events}
                  seats={state.seats}
                  ply={ply}
                  marks={marks}
                  onPly={to}
                />
              ),
            },
            {
              name: "facts",
              title: "Facts",
              content: () => <Facts facts={scene?.facts ?? []} />,
            },
          ]}
        />
        {decides && <BranchButton session={session} state={state} ply={ply} setup={setup} />}
      </aside>
    </main>
  );
}

function NoAnalysis({ position, onAnalyse }: { position: number; onAnalyse: () => void }) {
  if (position < 0) {
    return <p class="hint">{position === OVER ? "The game is over here." : "The dice decide here."}</p>;
  }
  return (
    <button type="button" class="primary" onClick={onAnalyse}>
      Analyse this position
    </button>
  );
}

/** Prior and visits as two different layers, and the line that is pointed at. */
export function overlaysOf(
  analysis: Analysis | null,
  prior: boolean,
  visits: boolean,
  pointed: MoveInfo | null,
): OverlayData[] {
  if (!analysis) return [];
  if (pointed) return lineOverlays(pointed);
  const total = Math.max(1, analysis.rootInfo.visits);
  const layer = (share: (move: MoveInfo) => number): Weighted[] =>
    analysis.moveInfos
      .filter((move) => share(move) > 0.015)
      .sort((a, b) => share(b) - share(a))
      .slice(0, STRONGEST)
      .map((move) => ({ touches: move.touches, weight: share(move) }));
  const found: OverlayData[] = [];
  if (prior) found.push({ kind: "prior", actions: layer((move) => move.prior) });
  if (visits) found.push({ kind: "visits", actions: layer((move) => move.visits / total) });
  return found;
}

/** The line of play behind a move, its steps numbered on the board. */
export function lineOverlays(move: MoveInfo): OverlayData[] {
  const steps = move.pvTouches?.length ? move.pvTouches : [move.touches];
  return steps.slice(0, GHOSTS).flatMap((touches, index): OverlayData[] =>
    touches.length ? [{ kind: "line", actions: [{ touches, weight: 1 }], label: String(index + 1) }] : [],
  );
}

/** The newest analysis of a position by this agent, whatever its number of visits is called. */
function findAnalysis(session: Session, ply: number, agent: string): Analysis | null {
  const exact = session.analyses.get(analysisName(ply, agent));
  if (exact) return exact;
  const base = agent.split("?")[0]?.replace(/:$/, "");
  for (const found of session.analyses.values()) {
    const name = found.agent.split("?")[0]?.replace(/:$/, "");
    if (found.turnNumber === ply && name === base) return found;
  }
  return null;
}

/** What was analysed before, by this page or another: it is stored with the game. */
function useStored(session: Session, id: string): void {
  useEffect(() => {
    void session.ask(() => api.graph(id)).then((graph) => graph && session.keepGraph(graph));
    void session.ask(() => api.analyses(id)).then((found) => found?.forEach(session.keep));
  }, [id]);
}

async function branch(
  session: Session,
  state: SessionState,
  ply: number,
  setup: GameSetup | null,
): Promise<void> {
  const seats = state.seats.map((seat) => {
    if (seat.kind !== "recorded") return seat.agent;
    return seat.seat === 0 ? "human" : (setup?.default_opponent ?? "human");
  });
  if (!seats.includes("human")) seats[0] = "human";
  const next = await session.ask(() => api.branch(state.id, ply, seats));
  if (next) go({ screen: "play", session: next.id });
}

/** Go on from here as a new game: what if? */
function BranchButton(props: { session: Session; state: SessionState; ply: number; setup: GameSetup | null }) {
  const { session, state, ply, setup } = props;
  return (
    <button
      type="button"
      onClick={() => void branch(session, state, ply, setup)}
      title="A new game from this position"
    >
      Play on from here
    </button>
  );
}
