// Positions of a session, fetched in runs and kept, so that scrubbing does not wait for the server.
import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "./api";
import type { Position } from "./wire";

const RUN = 24;

export interface PositionCache {
  at: (ply: number) => Position | null; // the asked one, or null while it travels
  problem: string;
}

/** First ply of the run that holds a ply. */
export function runOf(ply: number): number {
  return Math.floor(ply / RUN) * RUN;
}

export function usePositions(id: string, ply: number, plies: number): PositionCache {
  const known = useRef(new Map<number, Position>());
  const asked = useRef(new Set<string>());
  const [problem, setProblem] = useState("");
  const [, redraw] = useState(0);

  useEffect(() => {
    known.current = new Map();
    asked.current = new Set();
  }, [id]);

  useEffect(() => {
    const load = (first: number): void => {
      if (first < 0 || first > plies) return;
      const count = Math.min(RUN, plies + 1 - first);
      const name = `${id} ${first} ${count}`; // a longer game asks for its last run again
      if (asked.current.has(name)) return;
      asked.current.add(name);
      api.positions(id, first, count).then(
        (found) => {
          found.positions.forEach((position) => known.current.set(position.ply, position));
          setProblem("");
          redraw((count) => count + 1);
        },
        (error: Error) => {
          asked.current.delete(name);
          setProblem(error.message);
        },
      );
    };
    const here = runOf(ply);
    load(here);
    load(here + RUN);
    load(here - RUN);
  }, [id, ply, plies]);

  return { at: (wanted) => known.current.get(wanted) ?? null, problem };
}
