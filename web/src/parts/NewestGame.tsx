// The newest self-play game of a run on a small board.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api } from "../api";
import { Board } from "../board/Board";
import type { Position } from "../wire";
import { Link } from "./Link";

const FRAME = 350; // milliseconds that a position stays

/** The newest self-play game on a small board, playing by itself. */
export function NewestGame({ run, game }: { run: string; game: string }): JSX.Element | null {
  const [session, setSession] = useState<string | null>(null);
  const [positions, setPositions] = useState<Position[]>([]);
  const [at, setAt] = useState(0);
  useEffect(() => {
    let current = true;
    const fetchGame = async (): Promise<void> => {
      const opened = await api.openRunGame(run, game);
      const found = await api.positions(opened.id, 0, Math.min(100, opened.plies + 1));
      if (!current) return;
      setSession(opened.id);
      setPositions(found.positions);
      setAt(0);
    };
    fetchGame().catch(() => undefined); // it may have been deleted; the next one comes
    return () => {
      current = false;
    };
  }, [run, game]);
  useEffect(() => {
    if (positions.length < 2) return undefined;
    if (window.matchMedia?.("(prefers-reduced-motion: reduce)").matches) {
      setAt(positions.length - 1);
      return undefined;
    }
    const timer = setInterval(() => setAt((old) => (old + 1) % positions.length), FRAME);
    return () => clearInterval(timer);
  }, [positions]);
  const position = positions[at];
  if (!position) return null;
  return (
    <figure class="chart newest">
      <figcaption>
        Newest self-play game, ply {position.ply}{" "}
        {session && <Link to={{ screen: "replay", session, ply: position.ply }}>open</Link>}
      </figcaption>
      <Board small scene={position.scene} last={position.event?.touches ?? []} />
    </figure>
  );
}
