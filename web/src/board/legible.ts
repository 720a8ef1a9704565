// Text on a board is never smaller than a person can read.
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

export const SMALLEST = 10.2; // pixels on the screen

/** Pixels of one cell where a drawing of this size is fitted into a box. */
export function scaleOf(box: { width: number; height: number }, width: number, height: number): number {
  return Math.min(box.width / width, box.height / height);
}

/** Keeps `--smallest`, the least size of a text in cells, right while the drawing changes its size. */
export function useSmallestText(svg: RefObject<SVGSVGElement | null>, width: number, height: number): void {
  useEffect(() => {
    const element = svg.current;
    if (!element || typeof ResizeObserver === "undefined") return undefined;
    const measure = (): void => {
      const scale = scaleOf(element.getBoundingClientRect(), width, height);
      if (scale > 0) element.style.setProperty("--smallest", `${(SMALLEST / scale).toFixed(4)}px`);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [svg, width, height]);
}
