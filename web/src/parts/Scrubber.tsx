// Move through a game: slider, buttons, keys, a typed ply, and playing by itself.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useKeys } from "../keys";

const SPEEDS: readonly [number, string][] = [
  [2000, "½×"],
  [1000, "1×"],
  [500, "2×"],
  [200, "5×"],
  [60, "16×"],
];

export interface ScrubberProps {
  ply: number;
  plies: number;
  onPly: (ply: number) => void;
  marks?: ReadonlyMap<number, string>;
  ready?: boolean; // false: the next position is still on its way
}

export function Scrubber({ ply, plies, onPly, marks, ready = true }: ScrubberProps): JSX.Element {
  const [playing, setPlaying] = useState(false);
  const [pause, setPause] = useState(1000);
  const to = (next: number): void => onPly(Math.max(0, Math.min(plies, next)));
  useEffect(() => {
    if (!playing || !ready) return undefined;
    if (ply >= plies) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => onPly(ply + 1), pause);
    return () => clearTimeout(timer);
  }, [playing, ply, plies, pause, ready]);

  const mistakes = [...(marks?.keys() ?? [])].sort((a, b) => a - b);
  const jump = (direction: 1 | -1): void => {
    const ahead =
      direction === 1
        ? mistakes.find((one) => one > ply)
        : [...mistakes].reverse().find((one) => one < ply);
    if (ahead !== undefined) to(ahead);
  };
  const toggle = (): void => {
    if (!playing && ply >= plies) to(0);
    setPlaying(!playing);
  };
  useKeys({
    ArrowLeft: () => to(ply - 1),
    ArrowRight: () => to(ply + 1),
    PageUp: () => to(ply - 10),
    PageDown: () => to(ply + 10),
    Home: () => to(0),
    End: () => to(plies),
    " ": toggle,
    n: () => jump(1),
    p: () => jump(-1),
  });
  return (
    <div class="scrubber">
      <div class="row">
        <button type="button" onClick={() => to(0)} title="First position (Home)" disabled={ply === 0}>
          |◀
        </button>
        <button type="button" onClick={() => to(ply - 1)} title="Back (←)" disabled={ply === 0}>
          ◀
        </button>
        <button type="button" class="primary" onClick={toggle} title="Autoplay or pause (Space)">
          {playing ? "Pause" : "Autoplay"}
        </button>
        <button type="button" onClick={() => to(ply + 1)} title="Forward (→)" disabled={ply >= plies}>
          ▶
        </button>
        <button type="button" onClick={() => to(plies)} title="Last position (End)" disabled={ply >= plies}>
          ▶|
        </button>
        <select
          aria-label="Speed"
          value={pause}
          onChange={(event) => setPause(Number(event.currentTarget.value))}
        >
          {SPEEDS.map(([wait, name]) => (
            <option key={wait} value={wait}>
              {name}
            </option>
          ))}
        </select>
        <label class="ply-field">
          move{" "}
          <input
            type="number"
            min={0}
            max={plies}
            value={ply}
            aria-label="Go to move"
            onChange={(event) => to(Number(event.currentTarget.value) || 0)}
          />{" "}
          of {plies}
        </label>
        {mistakes.length > 0 && (
          <>
            <button type="button" onClick={() => jump(-1)} title="Previous mistake (p)">
              ◀ ?
            </button>
            <button type="button" onClick={() => jump(1)} title="Next mistake (n)">
              ? ▶
            </button>
          </>
        )}
      </div>
      <input
        id="scrub"
        type="range"
        min={0}
        max={plies}
        value={ply}
        aria-label="Position of the game"
        onInput={(event) => to(Number(event.currentTarget.value))}
      />
    </div>
  );
}
