// What moved between two scenes, and what an event aimed at: arrows for the last step.
import type { EventInfo, Scene, Shape } from "../wire";
import { bodyOf, extentOf, placeOf, shapesByKey, type Places, type Point } from "./geometry";
import { stepsOf, type Arrow } from "./marks";

const MOVED = 0.2; // of a cell: less than this is no move
const HEAD = 0.06; // by which the tip of an arrow reaches beyond its end
const LARGE = 2; // times a new piece: what is that much longer says little about where it lies

export interface Motion {
  readonly moves: readonly Arrow[]; // a piece went from here to there
  readonly aims: readonly Arrow[]; // a piece that stayed acted on something: a shot, an attack
  readonly moved: readonly string[]; // the pieces that went somewhere
  readonly fresh: readonly string[]; // pieces that were not there before
}

const distance = (from: Point, to: Point): number => Math.hypot(from[0] - to[0], from[1] - to[1]);

export function isPieceShape(shape: Shape): boolean {
  return shape.layer === "pieces" && !!shape.key;
}

type Step = Pick<EventInfo, "seat" | "touches">;

/** An arrow that ends at the edge of what stands there: what a piece says stays readable. */
function arrowTo(from: Point, to: Point, places: Places, key: string): Arrow {
  const body = bodyOf(places, key);
  const room = body ? Math.min(...extentOf(body)) / 2 + HEAD : 0;
  const share = Math.min(0.45, room / distance(from, to));
  const end: Point = [to[0] - share * (to[0] - from[0]), to[1] - share * (to[1] - from[1])];
  return { from, to: end, weight: 1 };
}

/** What the last step is marked by: pieces that moved or came rather than the areas that they lie in. */
export function lastMarks(places: Places, touches: readonly string[], motion: Motion | null): readonly string[] {
  if (!motion) return touches;
  const left = touches.filter((key) => motion.moved.includes(key) || !motion.moved.some((one) => liesIn(places, one, key)));
  return motion.fresh.length === 0 ? left : withFresh(places, left, motion);
}

function liesIn(places: Places, piece: string, area: string): boolean {
  const [at, middle, body] = [placeOf(places, piece), placeOf(places, area), bodyOf(places, area)];
  if (!at || !middle || !body) return false;
  const [width, height] = extentOf(body);
  return Math.abs(at[0] - middle[0]) < width / 2 && Math.abs(at[1] - middle[1]) < height / 2;
}

function withFresh(places: Places, touches: readonly string[], motion: Motion): readonly string[] {
  const lengthOf = (key: string): number => {
    const body = bodyOf(places, key);
    return body ? Math.max(...extentOf(body)) : 0;
  };
  const most = LARGE * Math.max(...motion.fresh.map(lengthOf));
  const kept = touches.filter((key) => lengthOf(key) <= most);
  return [...kept, ...motion.fresh.filter((key) => !kept.includes(key))];
}

/** The arrows of the step from one scene to the next. Dice aim at nothing: what they name are places. */
export function motionBetween(before: Scene, after: Scene, step: Step | null): Motion {
  const old = shapesByKey(before);
  const now = shapesByKey(after);
  const pieces = new Set(after.shapes.filter(isPieceShape).map((shape) => shape.key as string));
  const moves: Arrow[] = [];
  const moved = new Set<string>();
  const fresh: string[] = [];
  for (const key of pieces) {
    const from = placeOf(old, key);
    const to = placeOf(now, key);
    if (!from && to) fresh.push(key);
    if (!from || !to || distance(from, to) < MOVED) continue;
    moves.push(arrowTo(from, to, now, key));
    moved.add(key);
  }
  return { moves, aims: step && step.seat >= 0 ? aimsOf(old, step.touches, moved) : [], moved: [...moved], fresh };
}

function aimsOf(places: Places, touches: readonly string[], moved: ReadonlySet<string>): Arrow[] {
  const found: Arrow[] = [];
  for (const [first, second] of stepsOf(places, touches).jumps) {
    const from = placeOf(places, first);
    const to = placeOf(places, second);
    if (moved.has(first) || !from || !to || distance(from, to) < MOVED) continue;
    found.push(arrowTo(from, to, places, second));
  }
  return found;
}
