// From the rows of a run's metrics to lines of charts. Pure.
import type { Line } from "./parts/Chart";
import type { IterationMetrics } from "./wire";

export type Row = IterationMetrics;

export const iterationsOf = (rows: readonly Row[]): number[] => rows.map((row) => row.iteration);

/** One line for each loss that any row has, the sum of all first. */
export function lossLines(rows: readonly Row[]): Line[] {
  const names = new Set(["total", ...rows.flatMap((row) => Object.keys(row.losses ?? {}))]);
  return [...names]
    .filter((name) => rows.some((row) => row.losses?.[name] !== undefined))
    .map((name) => ({ label: name, values: rows.map((row) => row.losses?.[name] ?? null) }));
}

/** Score with interval against each fixed opponent, over the rows in which any was met. */
export function anchorLines(rows: readonly Row[]): { rows: Row[]; lines: Line[] } {
  const met = rows.filter((row) => Object.keys(row.anchors ?? {}).length > 0);
  const names = new Set(met.flatMap((row) => Object.keys(row.anchors ?? {})));
  const lines = [...names].map((name) => ({
    label: name,
    values: met.map((row) => row.anchors?.[name]?.score ?? null),
    low: met.map((row) => row.anchors?.[name]?.low ?? null),
    high: met.map((row) => row.anchors?.[name]?.high ?? null),
  }));
  return { rows: met, lines };
}
