// Places and outlines of shapes, in cells. Pure arithmetic: draws nothing.
import type { Scene, Shape } from "../wire";

export type Point = readonly [number, number];

/** The middle of a shape: where a number or the end of an arrow goes. */
export function centreOf(shape: Shape): Point {
  const points = shape.points as Point[];
  if (shape.kind === "line" && points.length > 2) {
    return points[Math.floor(points.length / 2)] as Point;
  }
  if (shape.kind === "polygon") return middleOfPolygon(points);
  let x = 0;
  let y = 0;
  for (const point of points) {
    x += point[0];
    y += point[1];
  }
  return [x / points.length, y / points.length];
}

/** Centre of gravity; a plain mean would lean towards the side with more corners. */
function middleOfPolygon(points: readonly Point[]): Point {
  let area = 0;
  let x = 0;
  let y = 0;
  points.forEach((here, index) => {
    const next = points[(index + 1) % points.length] as Point;
    const cross = here[0] * next[1] - next[0] * here[1];
    area += cross;
    x += (here[0] + next[0]) * cross;
    y += (here[1] + next[1]) * cross;
  });
  if (Math.abs(area) < 1e-9) return points[0] ?? [0, 0];
  return [x / (3 * area), y / (3 * area)];
}

/** Width and height of the box around a shape. */
export function extentOf(shape: Shape): Point {
  if (shape.kind === "disc") return [2 * (shape.radius ?? 0), 2 * (shape.radius ?? 0)];
  const xs = shape.points.map((point) => point[0] as number);
  const ys = shape.points.map((point) => point[1] as number);
  return [Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)];
}

/** The corners of a shape, moved away from its middle. */
export function grownBy(shape: Shape, by: number): Point[] {
  const [x, y] = centreOf(shape);
  const [width, height] = extentOf(shape);
  const [wider, higher] = [1 + (2 * by) / Math.max(width, by), 1 + (2 * by) / Math.max(height, by)];
  return shape.points.map((point) => [x + wider * ((point[0] ?? 0) - x), y + higher * ((point[1] ?? 0) - y)]);
}

export function pathOf(points: readonly (readonly number[])[], closed: boolean): string {
  const steps = points.map((point) => `${round(point[0] ?? 0)},${round(point[1] ?? 0)}`);
  return `M${steps.join("L")}${closed ? "Z" : ""}`;
}

export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** Size of a text that must fit a box; letters are taken to be 0.6 of their height wide. */
export function fittingSize(text: string, width: number, height: number): number {
  return Math.min(height * 0.62, width / (0.6 * Math.max(text.length, 1)));
}

export type Places = ReadonlyMap<string, readonly Shape[]>;

/** The shapes of a scene (without its panels) by their key, back to front. */
export function shapesByKey(scene: Scene): Places {
  const found = new Map<string, Shape[]>();
  for (const shape of scene.shapes) {
    if (!shape.key || shape.kind === "label") continue;
    const known = found.get(shape.key);
    if (known) known.push(shape);
    else found.set(shape.key, [shape]);
  }
  return found;
}

/** The shape of a key that is ringed: the largest, for instance the counter and not its sign. */
export function bodyOf(places: Places, key: string): Shape | null {
  const size = (shape: Shape): number => {
    const [width, height] = extentOf(shape);
    return shape.kind === "line" ? width + height : width * height;
  };
  const shapes = places.get(key) ?? [];
  const areas = shapes.filter((shape) => shape.kind !== "line");
  const from = areas.length ? areas : shapes;
  return from.reduce<Shape | null>((best, shape) => (best && size(best) >= size(shape) ? best : shape), null);
}

/** Where a key is on the board. */
export function placeOf(places: Places, key: string): Point | null {
  const body = bodyOf(places, key);
  return body && centreOf(body);
}
