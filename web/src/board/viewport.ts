// Pan and zoom of a board: wheel, drag, pinch and buttons change the visible part of the scene.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { RefObject } from "preact";

export interface View {
  x: number;
  y: number;
  zoom: number; // 1: the whole scene
}

const LARGEST = 8;
const STILL = 6; // pixels that a finger may move and still be a click

export const WHOLE: View = { x: 0, y: 0, zoom: 1 };

/** Keep the visible part inside the scene. */
export function confine(view: View, width: number, height: number): View {
  const zoom = Math.min(LARGEST, Math.max(1, view.zoom));
  const clamp = (value: number, size: number): number =>
    Math.min(size - size / zoom, Math.max(0, value));
  return { zoom, x: clamp(view.x, width), y: clamp(view.y, height) };
}

/** Zoom by a factor so that the point (in cells) stays where it is. */
export function zoomAt(view: View, factor: number, at: readonly [number, number]): View {
  const zoom = Math.min(LARGEST, Math.max(1, view.zoom * factor));
  const keep = view.zoom / zoom;
  return { zoom, x: at[0] - (at[0] - view.x) * keep, y: at[1] - (at[1] - view.y) * keep };
}

/** Where something is and how large it is drawn, in cells. */
export interface Place {
  at: readonly [number, number];
  size: readonly [number, number];
}

const FINGER = 34; // pixels that a target is across, at least, where fingers tap
const READABLE = 8; // pixels of a usual text on the board; smaller ones are drawn larger and overlap
const NEAREST = 4; // a board is zoomed no further than this by itself, for fingers
const NEAREST_TEXT = 2; // and for eyes: names on a map may be small, what surrounds them counts too

/** How near a board must come for fingers and eyes. Sizes are in cells, null where there is none;
 * `scale` is the pixels of a cell where the whole board is shown. */
export function zoomFor(target: number | null, text: number | null, scale: number): number {
  const enough = (size: number | null, pixels: number): number =>
    size !== null && size * scale > 0 ? pixels / (size * scale) : 1;
  return Math.max(
    1,
    Math.min(NEAREST, enough(target, FINGER)),
    Math.min(NEAREST_TEXT, enough(text, READABLE)),
  );
}

/** How far a finger may miss, in cells: areas are hit anywhere, spots halfway to the next one. */
export function roomOf(areas: readonly Place[], spots: readonly Place[]): number | null {
  const rooms = areas.flatMap((one) => one.size);
  spots.forEach((one, index) =>
    spots.slice(index + 1).forEach((other) => {
      rooms.push(Math.hypot(one.at[0] - other.at[0], one.at[1] - other.at[1]));
    }),
  );
  return rooms.length ? Math.min(...rooms) : null;
}

/** The part of a board around some places. Where not all fit in: those near a point (the last step). */
export function viewAround(
  places: readonly Place[],
  near: readonly [number, number] | null,
  zoom: number,
  board: readonly [number, number],
): View {
  if (places.length === 0 || zoom <= 1) return WHOLE;
  const middle = (axis: 0 | 1): number => {
    const low = Math.min(...places.map((one) => one.at[axis] - one.size[axis] / 2));
    const high = Math.max(...places.map((one) => one.at[axis] + one.size[axis] / 2));
    const fits = high - low <= board[axis] / zoom;
    return near && !fits ? Math.min(high, Math.max(low, near[axis])) : (low + high) / 2;
  };
  const [x, y] = [middle(0) - board[0] / zoom / 2, middle(1) - board[1] / zoom / 2];
  return confine({ x, y, zoom }, board[0], board[1]);
}

export interface Viewport {
  view: View;
  viewBox: string;
  zoomBy: (factor: number) => void;
  fit: () => void;
  show: (view: View) => void;
  wasDragged: () => boolean;
  handlers: Record<string, (event: PointerEvent) => void>;
}

export function useViewport(
  svg: RefObject<SVGSVGElement | null>,
  width: number,
  height: number,
): Viewport {
  const [view, setView] = useState<View>(WHOLE);
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  const dragged = useRef(false);
  const started = useRef({ x: 0, y: 0 });

  useEffect(() => setView(WHOLE), [width, height]);

  const change = useCallback(
    (next: (view: View) => View) => setView((view) => confine(next(view), width, height)),
    [width, height],
  );

  const inCells = useCallback(
    (clientX: number, clientY: number): [number, number] => {
      const matrix = svg.current?.getScreenCTM();
      if (!matrix) return [0, 0];
      const point = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
      return [point.x, point.y];
    },
    [svg],
  );

  useEffect(() => {
    const element = svg.current;
    if (!element) return undefined;
    // Registered by hand: a passive listener could not keep the page from scrolling.
    const wheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
      event.preventDefault();
      const factor = Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015));
      change((view) => zoomAt(view, factor, inCells(event.clientX, event.clientY)));
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, [svg, change, inCells]);

  const down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    if (fingers.current.size === 0) {
      dragged.current = false;
      started.current = { x: event.clientX, y: event.clientY };
    }
    fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
  };
  const move = (event: PointerEvent): void => {
    const last = fingers.current.get(event.pointerId);
    if (!last) return;
    const far = Math.hypot(event.clientX - started.current.x, event.clientY - started.current.y);
    if (!dragged.current && far < STILL) return;
    if (!dragged.current) {
      dragged.current = true;
      svg.current?.setPointerCapture?.(event.pointerId);
    }
    const now = { x: event.clientX, y: event.clientY };
    if (fingers.current.size === 2) {
      const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1] ?? now;
      const before = Math.hypot(last.x - other.x, last.y - other.y);
      const after = Math.hypot(now.x - other.x, now.y - other.y);
      const middle = inCells((now.x + other.x) / 2, (now.y + other.y) / 2);
      if (before > 0) change((view) => zoomAt(view, after / before, middle));
    } else {
      const from = inCells(last.x, last.y);
      const to = inCells(now.x, now.y);
      change((view) => ({ ...view, x: view.x + from[0] - to[0], y: view.y + from[1] - to[1] }));
    }
    fingers.current.set(event.pointerId, now);
  };
  const up = (event: PointerEvent): void => {
    fingers.current.delete(event.pointerId);
  };

  return {
    view,
    viewBox: `${view.x} ${view.y} ${width / view.zoom} ${height / view.zoom}`,
    zoomBy: (factor) =>
      change((view) =>
        zoomAt(view, factor, [view.x + width / view.zoom / 2, view.y + height / view.zoom / 2]),
      ),
    fit: () => setView(WHOLE),
    show: setView,
    wasDragged: () => dragged.current,
    handlers: {
      onPointerDown: down,
      onPointerMove: move,
      onPointerUp: up,
      onPointerCancel: up,
      onPointerLeave: up,
    },
  };
}
