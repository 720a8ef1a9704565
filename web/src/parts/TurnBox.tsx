// What the others have just done: the step that is being shown, then everything since one's last move.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { seatColour } from "../palette";
import { PACES, type Playback } from "../playback";
import { saidText } from "../words";
import type { EventInfo } from "../wire";

const FOLDED = 4; // of the newest steps are listed until all are asked for

export interface TurnBoxProps {
  playback: Playback;
  pace: number;
  onPace: (pace: number) => void;
}

export function TurnBox({ playback, pace, onPace }: TurnBoxProps): JSX.Element | null {
  const [all, setAll] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const { turn, behind } = playback;
  const newest = turn.length;
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight; // the newest is in sight
  }, [newest]);
  if (turn.length === 0 && behind === 0) return null;
  const shown = all ? turn : turn.slice(-FOLDED);
  return (
    <div class="turn" aria-label="What the others did">
      <div class="row">
        <strong>{behind > 0 ? "Others are moving" : "Since your last move"}</strong>
        <div class="push" />
        {behind > 0 ? (
          <button type="button" id="skip" onClick={playback.skip}>
            Skip ({behind})
          </button>
        ) : (
          <button type="button" id="replay-turn" onClick={playback.replayTurn}>
            Replay turn
          </button>
        )}
        <select
          aria-label="Speed of the others' moves"
          value={pace}
          onChange={(event) => onPace(Number(event.currentTarget.value))}
        >
          {!PACES.some(([known]) => known === pace) && <option value={pace}>{pace} ms</option>}
          {PACES.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <ol ref={list}>
        {turn.length > shown.length && (
          <li class="more">
            <button type="button" class="link" onClick={() => setAll(true)}>
              {turn.length - shown.length} earlier
            </button>
          </li>
        )}
        {shown.map((event) => (
          <Step key={event.ply} event={event} />
        ))}
      </ol>
      <p class="unseen" role="log" aria-live="polite">
        {turn.length > 0 && saidText(turn[turn.length - 1] as EventInfo)}
      </p>
    </div>
  );
}

function Step({ event }: { event: EventInfo }): JSX.Element {
  const colour = event.seat >= 0 ? seatColour(event.seat) : "var(--soft)";
  return (
    <li style={{ "--seat": colour }} title={event.text}>
      {saidText(event)}
    </li>
  );
}
