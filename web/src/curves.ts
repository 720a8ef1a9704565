// From the rows of a run's metrics to lines of charts. Pure; rows may lack any key.
import type { Line } from "./parts/Chart";

export type Row = Record<string, unknown>;

const number = (value: unknown): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null;

export function xOf(rows: readonly Row[], key: string): number[] {
  return rows.map((row, index) => number(row[key]) ?? index);
}

/** One line for each of these keys that any row has. */
export function linesOf(rows: readonly Row[], keys: Readonly<Record<string, string>>): Line[] {
  return Object.entries(keys)
    .filter(([key]) => rows.some((row) => number(row[key]) !== null))
    .map(([key, label]) => ({ label, values: rows.map((row) => number(row[key])) }));
}

/** Keys that end in `loss`, the sum of all first. */
export function lossKeys(rows: readonly Row[]): Record<string, string> {
  const found = new Set(rows.flatMap((row) => Object.keys(row)).filter((key) => /loss$/.test(key)));
  const names = [...found].sort((a, b) => a.length - b.length);
  return Object.fromEntries(
    names.map((key) => [key, key === "loss" ? "all together" : key.replace(/_?loss$/, "")]),
  );
}

interface Met {
  score?: unknown;
  low?: unknown;
  high?: unknown;
}

/** Score with interval against each fixed opponent, over the rows in which any was met. */
export function anchorLines(rows: readonly Row[]): { rows: Row[]; lines: Line[] } {
  const met = rows.filter((row) => Object.keys((row.anchors as object | null) ?? {}).length > 0);
  const names = new Set(met.flatMap((row) => Object.keys(row.anchors as object)));
  const at = (row: Row, name: string): Met => (row.anchors as Record<string, Met>)[name] ?? {};
  const lines = [...names].map((name) => ({
    label: name,
    values: met.map((row) => number(at(row, name).score)),
    low: met.map((row) => number(at(row, name).low)),
    high: met.map((row) => number(at(row, name).high)),
  }));
  return { rows: met, lines };
}
