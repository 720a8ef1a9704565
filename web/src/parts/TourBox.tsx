// The guided first game: what is explained now. A step ends when the player has done what it asks, or with Next.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api } from "../api";
import { usePreference } from "../preferences";
import type { EventInfo, Tour, TourStep, SeatInfo } from "../wire";

/** Where a tour is: the step, and the ply from which on actions count for it. */
export interface Progress {
  readonly step: number;
  readonly from: number;
}

export const tourName = (session: string): string => `tour.${session}`;

/** Whether the person has done what a step asks for since it was shown. */
export function isDone(
  step: TourStep | undefined,
  from: number,
  events: readonly EventInfo[],
  seats: readonly SeatInfo[],
): boolean {
  if (!step?.until) return false;
  const people = new Set(seats.filter((seat) => seat.kind === "human").map((seat) => seat.seat));
  return events.some((one) => one.ply >= from && people.has(one.seat) && one.text.startsWith(step.until));
}

interface TourBoxProps {
  id: string;
  game: string;
  events: readonly EventInfo[];
  seats: readonly SeatInfo[];
  plies: number;
}

export function TourBox({ id, game, events, seats, plies }: TourBoxProps): JSX.Element | null {
  const [progress, setProgress] = usePreference<Progress | null>(tourName(id), null);
  const [tour, setTour] = useState<Tour | null>(null);
  const wanted = progress !== null;
  useEffect(() => {
    if (wanted) api.tour(game.split(/[/?]/)[0] ?? game).then(setTour, () => setProgress(null));
  }, [wanted]);
  const step = progress === null ? undefined : tour?.steps[progress.step];
  const next = (): void => {
    if (!progress || !tour) return;
    const last = progress.step + 1 >= tour.steps.length;
    setProgress(last ? null : { step: progress.step + 1, from: plies });
  };
  const done = progress !== null && isDone(step, progress.from, events, seats);
  useEffect(() => {
    if (done) next();
  }, [done]);
  if (!progress || !tour || !step) return null;
  return (
    <div class="tour" role="status" aria-label="Your guided first game">
      <p>{step.text}</p>
      <div class="row">
        <small class="muted">
          {progress.step + 1} of {tour.steps.length}
        </small>
        <div class="push" />
        <button type="button" class="quiet" onClick={() => setProgress(null)}>
          End the tour
        </button>
        <button type="button" onClick={next}>
          {progress.step + 1 < tour.steps.length ? "Next" : "Done"}
        </button>
      </div>
    </div>
  );
}
