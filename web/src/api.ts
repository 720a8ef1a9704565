// The server's HTTP interface, one function each. Errors carry the server's one-line reason.
import type {
  Analysis, Comparison, GameInfo, GameSetup, Ladder, NewTable, Positions, Preview,
  RunDetail, RunSummary, RunTactics, ServerInfo, TableState, TableSummary, TreeNode, ValueGraph,
} from "./wire";

export class Refused extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

type Query = Record<string, string | number | null | undefined>;

export function withQuery(path: string, query: Query = {}): string {
  const parts = Object.entries(query)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return parts.length ? `${path}?${parts.join("&")}` : path;
}

async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refused("the server does not answer: is `stratagem serve` still running?", 0);
  }
  if (answer.ok) return (await answer.json()) as T;
  throw new Refused(await reasonOf(answer), answer.status);
}

async function reasonOf(answer: Response): Promise<string> {
  try {
    const body = (await answer.json()) as { detail?: unknown };
    if (typeof body.detail === "string") return body.detail;
    if (body.detail !== undefined) return JSON.stringify(body.detail);
  } catch {
    // No JSON: the status line below says what there is to say.
  }
  return `${answer.status} ${answer.statusText}`;
}

function post<T>(path: string, body: unknown = {}): Promise<T> {
  return request<T>(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

const table = (id: string, rest = ""): string => `/api/tables/${encodeURIComponent(id)}${rest}`;
const run = (name: string, rest = ""): string => `/api/runs/${encodeURIComponent(name)}${rest}`;

export interface Search {
  ply?: number;
  agent?: string;
  maxVisits?: number;
}

export const api = {
  info: () => request<ServerInfo>("/api/info"),
  games: () => request<GameInfo[]>("/api/games"),
  setup: (game: string) => request<GameSetup>(withQuery("/api/setup", { game })),

  tables: () => request<TableSummary[]>("/api/tables"),
  newTable: (wanted: NewTable) => post<TableState>("/api/tables", wanted),
  table: (id: string, since?: number) => request<TableState>(withQuery(table(id), { since })),
  act: (id: string, action: number, ply: number) =>
    post<TableState>(table(id, "/act"), { action, ply }),
  takeBack: (id: string, to_ply?: number) =>
    post<TableState>(table(id, "/take-back"), to_ply === undefined ? {} : { to_ply }),
  resign: (id: string, seat?: number) =>
    post<TableState>(table(id, "/resign"), seat === undefined ? {} : { seat }),
  rematch: (id: string, swap: boolean) => post<TableState>(table(id, "/rematch"), { swap }),
  pause: (id: string, paused: boolean, pace_ms?: number) =>
    post<TableState>(table(id, "/pause"), pace_ms === undefined ? { paused } : { paused, pace_ms }),
  stop: (id: string) => post<TableState>(table(id, "/stop")),
  hint: (id: string) => post<Analysis>(table(id, "/hint")),
  branch: (id: string, ply: number, seats: string[]) =>
    post<TableState>(table(id, "/branch"), { ply, seats }),
  preview: (id: string, action: number, ply: number) =>
    request<Preview>(withQuery(table(id, "/preview"), { action, ply })),
  positions: (id: string, first: number, count: number) =>
    request<Positions>(withQuery(table(id, "/positions"), { first, count })),
  recordPath: (id: string) => table(id, "/record"),
  upload: (file: Blob) =>
    request<TableState>("/api/records", {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body: file,
    }),

  analyse: (id: string, search: Search) => post<Analysis>(table(id, "/analyse"), search),
  analyses: (id: string) => request<Analysis[]>(table(id, "/analyses")),
  compare: (id: string, agents: string[], search: Search) =>
    post<Comparison>(table(id, "/compare"), { ...search, agents }),
  tree: (id: string, path: number[], search: Search) =>
    post<TreeNode>(table(id, "/tree"), { ...search, path }),
  graph: (id: string) => request<ValueGraph>(table(id, "/graph")),
  stopAnalysis: (id: string) => post<ValueGraph>(table(id, "/analyse-stop")),
  analyseGame: (id: string, search: Search) => post<ValueGraph>(table(id, "/graph"), search),

  runs: () => request<RunSummary[]>("/api/runs"),
  run: (name: string) => request<RunDetail>(run(name)),
  tactics: (name: string) => request<RunTactics>(run(name, "/tactics")),
  openRunGame: (name: string, game: string) =>
    post<TableState>(run(name, `/games/${encodeURIComponent(game)}`)),
  ladder: () => request<Ladder>("/api/ladder"),
};
