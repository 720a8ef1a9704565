// The guided first game: what is explained now. A step ends when the player has done what it asks, or with Next.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api } from "../api";
import { usePreference } from "../preferences";
import type { EventInfo, Lesson, LessonStep, SeatInfo } from "../wire";

/** Where a lesson is: the step, and the ply from which on actions count for it. */
export interface Progress {
  readonly step: number;
  readonly from: number;
}

export const lessonName = (session: string): string => `lesson.${session}`;

/** Whether the person has done what a step asks for since it was shown. */
export function isDone(
  step: LessonStep | undefined,
  from: number,
  events: readonly EventInfo[],
  seats: readonly SeatInfo[],
): boolean {
  if (!step?.until) return false;
  const people = new Set(seats.filter((seat) => seat.kind === "human").map((seat) => seat.seat));
  return events.some((one) => one.ply >= from && people.has(one.seat) && one.text.startsWith(step.until));
}

interface LessonBoxProps {
  id: string;
  game: string;
  events: readonly EventInfo[];
  seats: readonly SeatInfo[];
  plies: number;
}

export function LessonBox({ id, game, events, seats, plies }: LessonBoxProps): JSX.Element | null {
  const [progress, setProgress] = usePreference<Progress | null>(lessonName(id), null);
  const [lesson, setLesson] = useState<Lesson | null>(null);
  const wanted = progress !== null;
  useEffect(() => {
    if (wanted) api.lesson(game.split(/[/?]/)[0] ?? game).then(setLesson, () => setProgress(null));
  }, [wanted]);
  const step = progress === null ? undefined : lesson?.steps[progress.step];
  const next = (): void => {
    if (!progress || !lesson) return;
    const last = progress.step + 1 >= lesson.steps.length;
    setProgress(last ? null : { step: progress.step + 1, from: plies });
  };
  const done = progress !== null && isDone(step, progress.from, events, seats);
  useEffect(() => {
    if (done) next();
  }, [done]);
  if (!progress || !lesson || !step) return null;
  return (
    <div class="lesson" role="status" aria-label="Your guided first game">
      <p>{step.text}</p>
      <div class="row">
        <small class="muted">
          {progress.step + 1} of {lesson.steps.length}
        </small>
        <div class="push" />
        <button type="button" class="quiet" onClick={() => setProgress(null)}>
          End the tour
        </button>
        <button type="button" onClick={next}>
          {progress.step + 1 < lesson.steps.length ? "Next" : "Done"}
        </button>
      </div>
    </div>
  );
}
