// From the rows of runs' metrics to lines of charts. Pure.
import type { Line } from "./parts/Chart";
import type { IterationMetrics } from "./wire";

export type Row = IterationMetrics;
export type Axis = "time" | "games" | "iterations";

/** A run's rows under the name that its lines have. */
export interface NamedRows {
  name: string;
  rows: readonly Row[];
}

/** One line with an x axis of its own. */
export interface Course {
  label: string;
  x: number[];
  y: (number | null)[];
  low?: (number | null)[];
  high?: (number | null)[];
}

export interface Plot {
  x: number[];
  lines: Line[];
}

const LONG = 2 * 3600; // seconds from which time is counted in hours

/** How the axis is called; time in hours if any run is long. */
export function axisLabel(axis: Axis, runs: readonly NamedRows[]): string {
  if (axis === "iterations") return "iteration";
  if (axis === "games") return "games";
  return isLong(runs) ? "hours" : "minutes";
}

function isLong(runs: readonly NamedRows[]): boolean {
  return runs.some((run) => (run.rows[run.rows.length - 1]?.seconds ?? 0) > LONG);
}

/** Where a row stands on the axis. */
export function placeOf(row: Row, axis: Axis, long: boolean): number {
  if (axis === "iterations") return row.iteration;
  if (axis === "games") return row.games;
  return row.seconds / (long ? 3600 : 60);
}

/** Exponential moving average; 0 changes nothing, near 1 flattens. Gaps stay gaps. */
export function smoothed(values: readonly (number | null)[], smoothing: number): (number | null)[] {
  let total = 0;
  let weight = 0; // kept beside the sum, so that the first values are not pulled towards zero
  return values.map((value) => {
    if (value === null) return null;
    total = smoothing * total + (1 - smoothing) * value;
    weight = smoothing * weight + (1 - smoothing);
    return total / weight;
  });
}

/** Courses on a common axis: every x of any of them, with nothing where a course has no point. */
export function overlay(courses: readonly Course[]): Plot {
  const x = [...new Set(courses.flatMap((course) => course.x))].sort((a, b) => a - b);
  const spread = (course: Course, values: readonly (number | null)[]): (number | null)[] => {
    const at = new Map(course.x.map((place, index) => [place, values[index] ?? null]));
    return x.map((place) => at.get(place) ?? null);
  };
  return {
    x,
    lines: courses.map((course) => ({
      label: course.label,
      values: spread(course, course.y),
      ...(course.low && course.high
        ? { low: spread(course, course.low), high: spread(course, course.high) }
        : {}),
    })),
  };
}

/** One number of each row of one run. */
function courseOf(
  run: NamedRows,
  label: string,
  axis: Axis,
  long: boolean,
  value: (row: Row) => number | null | undefined,
  smoothing: number,
): Course {
  const met = run.rows.filter((row) => typeof value(row) === "number");
  return {
    label,
    x: met.map((row) => placeOf(row, axis, long)),
    y: smoothed(met.map((row) => value(row) ?? null), smoothing),
  };
}

/** The same number of every run, a line each. */
export function compared(
  runs: readonly NamedRows[],
  axis: Axis,
  value: (row: Row) => number | null | undefined,
  smoothing: number,
): Plot {
  const long = isLong(runs);
  const courses = runs.map((run) => courseOf(run, run.name, axis, long, value, smoothing));
  return overlay(courses.filter((course) => course.x.length > 0));
}

/** Every loss of one run, the sum of all first; rows in which nothing was learned have none. */
export function lossPlot(run: NamedRows, axis: Axis, smoothing: number): Plot {
  const rows = run.rows.filter((row) => row.steps !== 0);
  const names = new Set(["total", ...rows.flatMap((row) => Object.keys(row.losses ?? {}))]);
  const trained = { name: run.name, rows };
  const long = isLong([run]);
  const courses = [...names].map((name) =>
    courseOf(trained, name, axis, long, (row) => row.losses?.[name], smoothing),
  );
  return overlay(courses.filter((course) => course.x.length > 0));
}

/** Names of the fixed opponents that any run met. */
export function anchorNames(runs: readonly NamedRows[]): string[] {
  return [...new Set(runs.flatMap((run) => run.rows.flatMap((row) => Object.keys(row.anchors ?? {}))))];
}

/** Scores with intervals: one run against each opponent, or each run against one of them. */
export function anchorPlot(
  runs: readonly NamedRows[],
  names: readonly string[],
  axis: Axis,
  label: (run: string, opponent: string) => string,
): Plot {
  const long = isLong(runs);
  const courses = runs.flatMap((run) =>
    names.map((name) => {
      const met = run.rows.filter((row) => row.anchors?.[name] !== undefined);
      return {
        label: label(run.name, name),
        x: met.map((row) => placeOf(row, axis, long)),
        y: met.map((row) => row.anchors?.[name]?.score ?? null),
        low: met.map((row) => row.anchors?.[name]?.low ?? null),
        high: met.map((row) => row.anchors?.[name]?.high ?? null),
      };
    }),
  );
  return overlay(courses.filter((course) => course.x.length > 0));
}

export const totalLoss = (row: Row): number | undefined =>
  row.steps === 0 ? undefined : row.losses?.["total"];
