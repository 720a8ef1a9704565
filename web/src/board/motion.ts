// What moved between two scenes, and what an event aimed at: arrows for the last step.
import type { EventInfo, Scene, Shape } from "../wire";
import { placeOf, shapesByKey, type Places, type Point } from "./geometry";
import { stepsOf, type Arrow } from "./marks";

const MOVED = 0.2; // of a cell: less than this is no move

export interface Motion {
  readonly moves: readonly Arrow[]; // a piece went from here to there
  readonly aims: readonly Arrow[]; // a piece that stayed acted on something: a shot, an attack
}

const distance = (from: Point, to: Point): number => Math.hypot(from[0] - to[0], from[1] - to[1]);

export function isPieceShape(shape: Shape): boolean {
  return shape.layer === "pieces" && !!shape.key;
}

type Step = Pick<EventInfo, "seat" | "touches">;

/** The arrows of the step from one scene to the next. Dice aim at nothing: what they name are places. */
export function motionBetween(before: Scene, after: Scene, step: Step | null): Motion {
  const old = shapesByKey(before);
  const now = shapesByKey(after);
  const pieces = new Set(after.shapes.filter(isPieceShape).map((shape) => shape.key as string));
  const moves: Arrow[] = [];
  const moved = new Set<string>();
  for (const key of pieces) {
    const from = placeOf(old, key);
    const to = placeOf(now, key);
    if (!from || !to || distance(from, to) < MOVED) continue;
    moves.push({ from, to, weight: 1 });
    moved.add(key);
  }
  return { moves, aims: step && step.seat >= 0 ? aimsOf(old, step.touches, moved) : [] };
}

function aimsOf(places: Places, touches: readonly string[], moved: ReadonlySet<string>): Arrow[] {
  const found: Arrow[] = [];
  for (const [first, second] of stepsOf(places, touches).jumps) {
    const from = placeOf(places, first);
    const to = placeOf(places, second);
    if (moved.has(first) || !from || !to || distance(from, to) < MOVED) continue;
    found.push({ from, to, weight: 1 });
  }
  return found;
}
