// What is laid over a board: how much a search likes each action, and lines of play.
// Pure: turns numbers and touched keys into arrows and spots.
import { placeOf, type Places, type Point } from "./geometry";

export interface Weighted {
  readonly touches: readonly string[];
  readonly weight: number; // share, 0 to 1
}

export interface Arrow {
  readonly from: Point;
  readonly to: Point;
  readonly weight: number;
}

export interface Spot {
  readonly at: Point;
  readonly key: string;
  readonly weight: number;
}

export interface Marks {
  readonly arrows: readonly Arrow[];
  readonly spots: readonly Spot[];
}

/** A piece is what stands on the ground: arrows begin at pieces. */
function isPiece(places: Places, key: string): boolean {
  const shapes = places.get(key);
  return shapes !== undefined && shapes.every((shape) => shape.kind === "disc");
}

/** The jumps of an action from a piece to where it acts, and the places it names on their own. */
export function stepsOf(
  places: Places,
  touches: readonly string[],
): { jumps: [string, string][]; alone: string[] } {
  const here = touches.filter((key) => places.has(key));
  const jumps: [string, string][] = [];
  const alone: string[] = [];
  for (let index = 0; index < here.length; index += 1) {
    const key = here[index] as string;
    const next = here[index + 1];
    const both = here.length === 2 && index === 0;
    if (next !== undefined && (isPiece(places, key) || both)) {
      jumps.push([key, next]);
      index += 1;
    } else {
      alone.push(key);
    }
  }
  return { jumps, alone };
}

/** Arrows and spots for weighted actions; what several actions share is added up. */
export function marksOf(places: Places, actions: readonly Weighted[]): Marks {
  const arrows = new Map<string, Arrow>();
  const spots = new Map<string, Spot>();
  const addSpot = (key: string, at: Point, weight: number): void => {
    spots.set(key, { at, key, weight: (spots.get(key)?.weight ?? 0) + weight });
  };
  for (const { touches, weight } of actions) {
    const { jumps, alone } = stepsOf(places, touches);
    for (const [first, second] of jumps) {
      const from = placeOf(places, first);
      const to = placeOf(places, second);
      if (!from || !to) continue;
      if (Math.hypot(from[0] - to[0], from[1] - to[1]) < 0.05) {
        addSpot(first, to, weight);
        continue;
      }
      const name = `${first}>${second}`;
      arrows.set(name, { from, to, weight: (arrows.get(name)?.weight ?? 0) + weight });
    }
    for (const key of alone) {
      const at = placeOf(places, key);
      if (at) addSpot(key, at, weight);
    }
  }
  const heaviest = <T extends { weight: number }>(found: Iterable<T>): T[] =>
    [...found].sort((a, b) => a.weight - b.weight);
  return { arrows: heaviest(arrows.values()), spots: heaviest(spots.values()) };
}

export function percent(share: number): string {
  const value = 100 * share;
  return value >= 9.95 ? `${Math.round(value)}` : value >= 0.95 ? value.toFixed(0) : "<1";
}
