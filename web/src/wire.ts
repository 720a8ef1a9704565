// Generated from schema.json by `npm run types`: edit the server's schema.py instead.

/** A decision; `ply` is the position it was made in, so that late clicks do no harm. */
export interface Act {
  action: number;
  ply: number;
  then?: Array<number>;
}

/** Search one position. Interim answers go to the session's WebSocket. */
export interface Analyse {
  ply?: number | null;
  agent?: string | null;
  maxVisits?: number | null;
  reportDuringSearchEvery?: number;
}

/** Search every decision of the game, for the value graph and the list of mistakes. */
export interface AnalyseGame {
  agent?: string | null;
  maxVisits?: number | null;
}

/** KataGo's field names. `perspective` says whose view the numbers take. */
export interface Analysis {
  id: string;
  turnNumber: number;
  isDuringSearch: boolean;
  perspective: string;
  agent: string;
  rootInfo: RootInfo;
  moveInfos: Array<MoveInfo>;
  seconds: number;
  position: string;
}

/** An analysis, while it grows (`isDuringSearch`) and when it is done. */
export interface AnalysisMessage {
  type: "analysis";
  analysis: Analysis;
}

/** The score against a fixed opponent with its 95 % interval. */
export interface AnchorScore {
  score: number;
  low: number;
  high: number;
  games?: number;
}

/** Start a new session from a position of this one: what if? */
export interface Branch {
  ply: number;
  seats: Array<string>;
  seed?: number | null;
}

/** A checkpoint of a run; `spec` is its agent spec. */
export interface CheckpointInfo {
  name: string;
  spec: string;
  iteration: number;
  best: boolean;
}

/** The only message that a client may send over a WebSocket; use HTTP for everything else. */
export interface ClientMessage {
  type: "ping";
}

/** Compare two agents on one position. */
export interface Compare {
  ply?: number | null;
  agents: Array<string>;
  maxVisits?: number | null;
}

/** Two analyses of one position. */
export interface Comparison {
  analyses: Array<Analysis>;
}

/** Where the dice come from: the same seed and moves give the same dice. Where something is hidden, the seed would reveal it: until the end there is only its `seal`, the SHA-256 of the seed's digits. */
export interface Dice {
  seed: string | null;
  seal: string;
  rolls: number;
  histogram: Array<DiceCount>;
}

/** How often an outcome came up, and how often it was expected. */
export interface DiceCount {
  text: string;
  count: number;
  expected: number;
}

/** Something went wrong outside of a request. */
export interface ErrorMessage {
  type: "error";
  detail: string;
}

/** A decision or chance outcome as the viewer may see it; ply is that of the position before. Where the viewer cannot tell what happened (a card drawn face down), `action` is null. */
export interface EventInfo {
  ply: number;
  seat: number;
  action: number | null;
  text: string;
  sentence: string;
  touches: Array<string>;
  answer: boolean;
  forced: boolean;
}

/** A fact beside the board before and after. */
export interface FactChange {
  name: string;
  before: string;
  after: string;
}

/** A game of the catalogue, with the recommended scenario first. */
export interface GameInfo {
  name: string;
  title: string;
  summary: string;
  seats: string;
  picture: boolean;
  tour: boolean;
  version: number;
  compile_seconds: number;
  scenarios: Array<ScenarioInfo>;
}

/** What the new-game dialog needs to know about one game and scenario. */
export interface GameSetup {
  game: string;
  title: string;
  summary: string;
  num_seats: number;
  has_chance: boolean;
  has_hidden: boolean;
  opponents: Array<OpponentInfo>;
  default_opponent: string;
  adviser: string;
}

/** Whether a trained network was accepted. */
export interface GateDecision {
  iteration: number;
  accepted: boolean;
  score: number | null;
  low: number | null;
  high: number | null;
  games: number | null;
  note: string;
}

/** The games of an acceptance test. */
export interface GateResult {
  accepted: boolean;
  games: number;
  score: number;
  reason: string;
}

/** The value graph grew. */
export interface GraphMessage {
  type: "graph";
  graph: ValueGraph;
}

/** A position on the value graph and the event that follows it. */
export interface GraphPoint {
  ply: number;
  seat: number;
  values: Array<number> | null;
  text: string;
  sentence: string;
  loss: number | null;
  mark: string;
  best: string;
  best_sentence: string;
  best_line: Array<string>;
  reply: string;
  luck: Array<number> | null;
}

/** One line of a run's metrics. */
export interface IterationMetrics {
  iteration: number;
  seconds: number;
  progress: number;
  budget_seconds?: number;
  imitation?: boolean;
  games: number;
  decisions: number;
  games_per_s: number;
  decisions_per_s: number;
  mean_plies?: number | null;
  play_seconds: number;
  train_seconds: number;
  steps: number;
  learning_rate: number;
  losses?: Record<string, number>;
  measures?: Record<string, MeanOf>;
  accepted?: boolean;
  gate?: GateResult | null;
  anchors?: Record<string, AnchorScore>;
  opponents?: Record<string, OpponentScore>;
  details?: Record<string, unknown>;
}

/** Take a free seat at a game between people on different devices. */
export interface Join {
  invitation: string;
  name?: string;
}

/** What was measured: the ladders of games that have one, and every match. */
export interface Leaderboard {
  ladders: Array<RatedGame>;
  rows: Array<LeaderboardRow>;
}

/** One measured match: the first agent's score against the second. */
export interface LeaderboardRow {
  game: string;
  agent: string;
  opponent: string;
  games: number;
  score: number;
  low: number;
  high: number;
  date: string;
  commit: string;
  command: string;
  training: Record<string, unknown> | null;
}

/** Something the deciding seat may do: as a code and as a sentence, the shapes it touches (in clicking order), and the group under which the list shows it, if the game has groups. */
export interface LegalAction {
  action: number;
  text: string;
  sentence: string;
  touches: Array<string>;
  aims: Array<string>;
  group: string;
  ends_turn: boolean;
}

/** The limits of this server. */
export interface Limits {
  sessions: number;
  sims: number;
  queued_searches: number;
  message_bytes: number;
  upload_bytes: number;
}

/** The node that a path of actions and chance outcomes leads to, and its children. */
export interface LookInTree {
  ply?: number | null;
  agent?: string | null;
  maxVisits?: number | null;
  path?: Array<number>;
  limit?: number;
}

/** A measure of play, averaged over games. */
export interface MeanOf {
  mean: number;
  count: number;
}

/** Mean and 95 % interval of one measure of play. */
export interface Measure {
  agent: string;
  name: string;
  mean: number;
  low: number;
  high: number;
  games: number;
}

/** New rows of a run's metrics, starting with row `first`; `gates` belong to them. It is also sent without rows when a run begins, ends or is stopped. Resuming a run may remove rows: whatever the client has from `first` on is replaced. */
export interface MetricsMessage {
  type: "metrics";
  summary: RunSummary;
  first: number;
  rows: Array<IterationMetrics>;
  gates: Array<GateDecision>;
  checkpoints: Array<CheckpointInfo>;
  payoffs: RunPayoffs;
  newest_game: string | null;
}

/** A candidate as rated by the search, from the deciding seat's point of view. */
export interface MoveInfo {
  move: string;
  sentence: string;
  action: number;
  order: number;
  visits: number;
  winrate: number | null;
  value: number | null;
  scoreLead: number | null;
  prior: number;
  loss: number | null;
  pv: Array<string>;
  pvActions: Array<number>;
  pvTouches: Array<Array<string>>;
  line: Array<string>;
  touches: Array<string>;
  played: boolean;
  mark: string;
}

/** Begin a game. One entry per seat. */
export interface NewSession {
  game: string;
  seats: Array<string>;
  seed?: number | null;
  invite?: Array<number>;
  name?: string;
  serious?: boolean;
  pace_ms?: number;
}

/** A player that can take a seat. Only measured strength is claimed. */
export interface OpponentInfo {
  spec: string;
  title: string;
  kind: "best" | "checkpoint" | "search" | "bot" | "random";
  searches: boolean;
  sims: number | null;
  note: string;
  style: string;
  seconds: number | null;
  people: PeopleResult | null;
  strength: Array<Strength>;
}

/** The learner's score against an opponent in the games it learned from. */
export interface OpponentScore {
  score: number;
  low: number;
  high: number;
  games?: number;
}

/** A chance outcome and its probability. */
export interface Outcome {
  text: string;
  probability: number;
}

/** Pause or continue a game between agents, and set its pace. */
export interface Pause {
  paused: boolean;
  pace_ms?: number | null;
}

/** How people scored against an agent on this machine, without hints or take-backs. */
export interface PeopleResult {
  games: number;
  won: number;
  drawn: number;
  lost: number;
  low: number;
  high: number;
}

/** Answer to a ping. */
export interface PongMessage {
  type: "pong";
}

/** One drawable moment of a game. Facts and shapes that the viewer cannot know are `?`. */
export interface Position {
  ply: number;
  seat: number;
  scene: Scene;
  scores: Array<number | null>;
  returns: Array<number> | null;
  event: EventInfo | null;
  outcomes: Array<Outcome>;
}

/** Several consecutive positions, for scrubbing without delay. */
export interface Positions {
  first: number;
  plies: number;
  positions: Array<Position>;
}

/** Which buttons are enabled now. */
export interface Possible {
  act: boolean;
  take_back: boolean;
  hint: boolean;
  resign: boolean;
  stop: boolean;
  analyse: boolean;
  download: boolean;
  routes: boolean;
}

/** What an action would lead to, before it is made: the board, changed facts, odds. */
export interface Preview {
  action: number;
  text: string;
  sentence: string;
  position: Position;
  changes: Array<FactChange>;
}

/** Every 4xx answer: what was wrong and how to fix it, in one line. */
export interface Problem {
  detail: string;
}

/** The ladder of a game and scenario, the strongest player first. */
export interface RatedGame {
  game: string;
  anchor: string;
  date: string;
  rungs: Array<Rung>;
}

/** Play the same game again, by default with everybody one seat further. */
export interface Rematch {
  swap?: boolean;
  seed?: number | null;
}

/** A whole recorded game with every shape once: the data of a self-contained page. Its JSON, compressed with gzip and encoded in base64, is the text of the element `<script id="stratagem-replay" type="text/plain">`. */
export interface Replay {
  game: string;
  title: string;
  version: number;
  agents: Array<string>;
  setup_seed: string;
  shapes: Array<Shape>;
  positions: Array<ReplayPosition>;
  returns: Array<number> | null;
  graph: ValueGraph | null;
  analyses: Array<Analysis>;
}

/** A position of a replay; `event` is what led here. */
export interface ReplayPosition {
  ply: number;
  seat: number;
  scene: ReplayScene;
  scores: Array<number | null>;
  returns: Array<number> | null;
  event: EventInfo | null;
}

/** A scene whose shapes are indices into the replay's list of shapes. */
export interface ReplayScene {
  width: number;
  height: number;
  shapes: Array<number>;
  facts: Array<[string, string]>;
  title: string;
  panels: Array<ReplayScene>;
}

/** Resign for a seat; default: the person who decides, or the only person. */
export interface Resign {
  seat?: number | null;
}

/** How a game ended. */
export interface Result {
  reason: "finished" | "resigned";
  returns: Array<number> | null;
  scores: Array<number>;
  resigned_by: number | null;
  text: string;
}

/** The searched position as a whole. */
export interface RootInfo {
  visits: number;
  winrate: number;
  value: number;
  scoreLead: number | null;
  currentPlayer: number;
  values: Array<number>;
}

/** The rules of a game for people, as Markdown. */
export interface Rulebook {
  game: string;
  text: string;
}

/** One run: settings, every row of metrics, acceptance, checkpoints. */
export interface RunDetail {
  summary: RunSummary;
  settings: Record<string, unknown>;
  metrics: Array<IterationMetrics>;
  gates: Array<GateDecision>;
  checkpoints: Array<CheckpointInfo>;
  games: Array<string>;
  payoffs: RunPayoffs;
}

/** The end of a run's log, oldest line first. */
export interface RunLog {
  lines: Array<string>;
}

/** Measures of the newest (and the first) self-play games. */
export interface RunMeasures {
  measures: Array<Measure>;
  note: string;
}

export type RunMessage = MetricsMessage | ErrorMessage | PongMessage;

/** The learner's scores against each opponent of its population, over spans of iterations. */
export interface RunPayoffs {
  opponents: Array<string>;
  spans: Array<[number, number]>;
  games: Array<Array<number>>;
  scores: Array<Array<number | null>>;
}

/** A line in the list of runs. */
export interface RunSummary {
  name: string;
  game: string;
  algorithm: string;
  preset: string;
  seed: number | null;
  started: string;
  iterations: number;
  seconds: number | null;
  games: number | null;
  decisions: number | null;
  games_per_second: number | null;
  decisions_per_second: number | null;
  memory_bytes: number | null;
  progress: number;
  seconds_left: number | null;
  anchors: Record<string, number>;
  status: "running" | "finished" | "stopped";
  changed: string;
  damage: string;
}

/** A player of a ladder. */
export interface Rung {
  agent: string;
  rating: number;
  low: number;
  high: number;
  games: number;
}

/** A set-up of a game; `spec` is what `POST /api/sessions` takes. */
export interface ScenarioInfo {
  name: string;
  spec: string;
  title: string;
  summary: string;
  recommended: boolean;
}

/** Everything to draw, back to front, the panels beside it, and facts to print. */
export interface Scene {
  width: number;
  height: number;
  shapes: Array<Shape>;
  facts: Array<[string, string]>;
  title: string;
  panels: Array<Scene>;
}

/** What a seat gave away by its decisions, and gained by the dice. */
export interface SeatAccount {
  seat: number;
  decisions: number;
  analysed: number;
  total_loss: number;
  mean_loss: number | null;
  marks: Record<string, number>;
  luck: number | null;
}

/** Who plays which seat. */
export interface SeatInfo {
  seat: number;
  kind: "human" | "remote" | "agent" | "recorded";
  agent: string;
  title: string;
}

/** The server's version and limits. */
export interface ServerInfo {
  version: string;
  limits: Limits;
  workers: number;
  sessions: number;
}

export type SessionMessage = StateMessage | ThinkingMessage | AnalysisMessage | GraphMessage | ErrorMessage | PongMessage;

/** Everything the page draws of a session. `viewer` is the seat whose knowledge is shown (null: everything). `events` starts at the ply requested with `since`. */
export interface SessionState {
  id: string;
  game: string;
  title: string;
  version: number;
  num_seats: number;
  seats: Array<SeatInfo>;
  viewer: number | null;
  status: "running" | "paused" | "over" | "record";
  serious: boolean;
  pace_ms: number;
  plies: number;
  position: Position;
  legal: Array<LegalAction>;
  finish: Shortcut | null;
  trail: Array<EventInfo>;
  events: Array<EventInfo>;
  events_from: number;
  dice: Dice;
  thinking: Thinking | null;
  result: Result | null;
  possible: Possible;
  table: TableInfo | null;
  error: string | null;
  adviser: string;
  revision: number;
}

/** A line in the list of sessions. */
export interface SessionSummary {
  id: string;
  game: string;
  title: string;
  seats: Array<SeatInfo>;
  plies: number;
  status: "running" | "paused" | "over" | "record";
  result: string;
  created: string;
  changed: string;
}

/** A polygon, disc, line or label. `points` are the corners of a polygon, the ends and bends of a line, or the centre of a disc or label. `key` names what the shape stands for, so that actions can point at it: `cell:3,4`, `unit:12`, `card:ore`. Several shapes may share a key. `text` is centred in a polygon or disc. */
export interface Shape {
  kind: string;
  points: Array<[number, number]>;
  role: string;
  text?: string;
  radius?: number;
  key?: string;
  size?: number;
  width?: number;
  anchor?: string;
  turn?: number;
  tip?: string;
  layer?: string;
  seen_by?: number;
}

/** Several decisions of one player at once: `act` takes the first, and the rest as `then`. */
export interface Shortcut {
  actions: Array<number>;
  text: string;
  sentence: string;
  touches: Array<string>;
  ends_turn: boolean;
}

/** The game changed; the state is the one `GET /api/sessions/{id}?since=` would return. */
export interface StateMessage {
  type: "state";
  state: SessionState;
}

/** One measured match of exactly this opponent on this game and scenario. */
export interface Strength {
  opponent: string;
  games: number;
  score: number;
  low: number;
  high: number;
  command: string;
}

/** A game between people on different devices, as one of them sees it. */
export interface TableInfo {
  own: Array<number>;
  free: Array<number>;
  invitation: string | null;
  rematch: string | null;
}

/** Return to the last decision of a person, or to an earlier one. Dice stay the same. */
export interface TakeBack {
  to_ply?: number | null;
}

/** A thinking agent. */
export interface Thinking {
  seat: number;
  agent: string;
  visits: number;
  limit: number;
  seconds: number;
  queued: boolean;
  purpose: "move" | "hint" | "analyse" | "graph" | "tree" | "compare";
}

/** Progress of a search; null: it has ended. */
export interface ThinkingMessage {
  type: "thinking";
  thinking: Thinking | null;
}

/** A guided first game: the scenario, the opponent, and the steps in order. */
export interface Tour {
  game: string;
  opponent: string;
  steps: Array<TourStep>;
}

/** What is explained next, and the code of an action that completes the step. */
export interface TourStep {
  text: string;
  until: string;
}

/** An edge of the search tree. At a chance node `prior` is the probability. */
export interface TreeChild {
  action: number;
  text: string;
  sentence: string;
  prior: number;
  visits: number;
  value: number | null;
  kind: "decision" | "chance" | "over" | "unvisited";
  seat: number | null;
  children: number;
  touches: Array<string>;
}

/** A node of a search tree with its most visited children. */
export interface TreeNode {
  path: Array<number>;
  texts: Array<string>;
  kind: "decision" | "chance" | "over";
  seat: number;
  visits: number;
  value: number | null;
  scene: Scene;
  facts_hidden: boolean;
  children: Array<TreeChild>;
  total_children: number;
  agent: string;
}

/** Values for every seat over the game, with decisions and luck separated. */
export interface ValueGraph {
  agent: string | null;
  visits: number | null;
  done: number;
  total: number;
  running: boolean;
  points: Array<GraphPoint>;
  seats: Array<SeatAccount>;
  mistakes: Array<number>;
}
