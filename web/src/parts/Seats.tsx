// The people and agents at a session, their points, who decides, and how far a search has come.
import type { JSX } from "preact";
import { seatColour } from "../palette";
import { chancesOf } from "../review";
import { countText, percentText, scoreText, secondsText } from "../words";
import type { Position, SeatInfo, Thinking } from "../wire";

export interface SeatsProps {
  seats: readonly SeatInfo[];
  position: Position;
  thinking?: Thinking | null;
  viewer?: number | null;
  values?: readonly number[] | null;
}

/** Where a score only says who won, the headline says it better than 1 and −1; nor does 0 : 0 say anything. */
export function saysOnlyWhoWon(scores: readonly (number | null)[]): boolean {
  const small = scores.every((score) => score !== null && Math.abs(score) <= 1);
  return small && (scores.some((score) => (score ?? 0) < 0) || scores.every((score) => score === 0));
}

export function Seats({ seats, position, thinking, viewer, values }: SeatsProps): JSX.Element {
  const onlyWhoWon = saysOnlyWhoWon(position.scores);
  return (
    <ul class={`seats${seats.length > 2 ? " many" : ""}`} aria-label="Players">
      {seats.map((seat) => (
        <li
          key={seat.seat}
          class={position.seat === seat.seat ? "deciding" : ""}
          style={{ "--seat": seatColour(seat.seat) }}
          aria-current={position.seat === seat.seat ? "true" : undefined}
        >
          <i class="seat-dot">{seat.seat + 1}</i>
          <span class="title" title={seat.title}>
            {seat.title}
            {viewer === seat.seat && seat.title !== "You" && <small> you</small>}
          </span>
          {thinking && thinking.seat === seat.seat && thinking.purpose === "move" && (
            <small class="thinks">thinks</small>
          )}
          {values && <small class="muted">{percentText(chancesOf(values)[seat.seat], 0)}</small>}
          <b class="score" title="points">
            {onlyWhoWon ? "" : scoreText(position.scores[seat.seat])}
          </b>
        </li>
      ))}
    </ul>
  );
}

export interface ThinkingBarProps {
  thinking: Thinking;
  onStop?: () => void;
}

const PURPOSES: Record<Thinking["purpose"], string> = {
  move: "Opponent is thinking",
  hint: "Looking for a hint",
  analyse: "Analysing this position",
  graph: "Reviewing the game",
  tree: "Growing a tree",
  compare: "Comparing",
};

const LOADING = 3; // seconds without a single visit: something is being compiled

/** What a search is doing: who waits, how far it is, or that it still gets ready. */
export function thinkingText(thinking: Thinking): string {
  const { queued, purpose, visits, limit, seconds } = thinking;
  const spent = secondsText(seconds);
  if (queued) return `Waiting for another search, ${spent}`;
  if (visits === 0 && seconds > LOADING) return `${PURPOSES[purpose]}: getting ready for the first time, ${spent}`;
  if (limit === 0) return `${PURPOSES[purpose]}, ${spent}`;
  return `${PURPOSES[purpose]}: ${countText(visits)} of ${countText(limit)} simulations, ${spent}`;
}

export function ThinkingBar({ thinking, onStop }: ThinkingBarProps): JSX.Element {
  const share = thinking.limit > 0 ? Math.min(1, thinking.visits / thinking.limit) : 0;
  return (
    <div class="thinking" role="status" aria-live="off">
      <span>
        {thinkingText(thinking)}
      </span>
      <progress value={share} max={1} />
      {onStop && (
        <button type="button" onClick={onStop} title="Use what has been found so far">
          {thinking.purpose === "move" ? "Stop and move" : "Stop"}
        </button>
      )}
    </div>
  );
}
