// The game as it is shown: what others do comes one step at a time, so that a person can follow it.
import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "./api";
import type { EventInfo, Position, SessionState } from "./wire";

const FETCHED = 24; // positions that are asked for at once
const BEFORE_DELAY = 120; // milliseconds: quick games go on without it
export const PACES: readonly [number, string][] = [
  [1500, "slow"],
  [600, "normal"],
  [400, "fast"],
  [0, "at once"],
];
export const PACE = 600; // milliseconds a step, unless chosen otherwise

export interface Playback {
  readonly state: SessionState; // as of the shown step: nobody can act on what is not seen yet
  readonly before: Position | null; // the position before the shown one
  readonly behind: number; // steps that happened and are still to be shown
  readonly turn: readonly EventInfo[]; // what others did since the person's last decision
  readonly skip: () => void;
  readonly replayTurn: () => void;
}

type Seated = Pick<SessionState, "seats">;

function isPerson(state: Seated, seat: number): boolean {
  return state.seats.some((one) => one.seat === seat && one.kind === "human");
}

/** Whether a person decided this; what was played for somebody without a choice was decided by nobody. */
function isDecision(state: Seated, event: EventInfo | undefined): boolean {
  return event !== undefined && !event.forced && isPerson(state, event.seat);
}

/** The step after the last decision of a person; 0 if nobody has decided yet. */
export function turnStart(state: Seated, events: readonly EventInfo[], upTo: number): number {
  for (let ply = Math.min(upTo, events.length); ply > 0; ply -= 1) {
    if (isDecision(state, events[ply - 1])) return ply;
  }
  return 0;
}

/** Where a page begins that has just been opened: at the start of a game that nobody has decided in. */
export function firstShown(state: SessionState): number {
  const people = state.seats.some((seat) => seat.kind === "human");
  const fresh = people && state.status === "running" && turnStart(state, state.events, state.plies) === 0;
  return fresh && state.events_from === 0 ? 0 : state.plies;
}

/** How long the page rests before the step at `ply` is shown: none before one's own. */
export function restBefore(state: Seated, event: EventInfo | undefined, pace: number): number {
  return isDecision(state, event) ? 0 : pace;
}

export function usePlayback(
  state: SessionState,
  events: readonly EventInfo[],
  pace: number,
): Playback {
  const known = useRef(new Map<number, Position>());
  const asked = useRef("");
  const [, redraw] = useState(0);
  const [wanted, setWanted] = useState(() => firstShown(state));
  const people = state.seats.some((seat) => seat.kind === "human" || seat.kind === "remote");
  const newest = state.plies;
  known.current.forEach((_, at) => at > newest && known.current.delete(at)); // taken back
  known.current.set(state.position.ply, state.position);
  let ply = pace === 0 || !people ? newest : Math.min(wanted, newest);
  while (ply < newest && known.current.has(ply + 1) && restBefore(state, events[ply], pace) === 0) {
    ply += 1; // one's own steps need no rest
  }
  const ready = known.current.has(ply) && known.current.has(ply + 1);

  useEffect(() => {
    if (wanted > newest || ((pace === 0 || !people) && wanted !== newest)) setWanted(newest);
  }, [wanted, newest, pace, people]);
  useEffect(() => {
    if (ply >= newest) return undefined;
    if (!ready) {
      const first = known.current.has(ply) ? ply + 1 : ply;
      const name = `${state.id} ${first} ${newest} ${state.revision}`;
      if (asked.current === name) return undefined;
      asked.current = name;
      api.positions(state.id, first, Math.min(FETCHED, newest + 1 - first)).then(
        (found) => {
          found.positions.forEach((one) => known.current.set(one.ply, one));
          redraw((count) => count + 1);
        },
        () => setWanted(newest), // what cannot be fetched is not worth waiting for
      );
      return undefined;
    }
    const timer = setTimeout(() => setWanted(ply + 1), pace);
    return () => clearTimeout(timer);
  }, [state.id, ply, ply < newest, ready, pace, ready ? 0 : newest]);

  // What the last step did shows only against the position before it, which a page that has just
  // been opened, or that shows the others' steps at once, does not have yet.
  const alone = ply === newest && ply > 0 && !known.current.has(ply - 1);
  useEffect(() => {
    if (!alone) return undefined;
    const timer = setTimeout(() => {
      api.positions(state.id, ply - 1, 1).then(
        (found) => {
          found.positions.forEach((one) => known.current.set(one.ply, one));
          redraw((count) => count + 1);
        },
        () => undefined, // then the step is marked by what it touched
      );
    }, BEFORE_DELAY);
    return () => clearTimeout(timer);
  }, [state.id, ply, alone]);

  const position = known.current.get(ply) ?? state.position;
  const behind = newest - position.ply;
  const start = turnStart(state, events, newest);
  return {
    state: behind > 0 ? asOf(state, position) : state,
    before: known.current.get(position.ply - 1) ?? null,
    behind,
    turn: people ? events.slice(start, position.ply) : [],
    skip: () => setWanted(newest),
    replayTurn: () => setWanted(start),
  };
}

/** A state as it was at an earlier position: nothing to decide, nothing decided yet. */
function asOf(state: SessionState, position: Position): SessionState {
  const { possible } = state;
  return {
    ...state,
    position,
    legal: [],
    trail: [],
    result: null,
    status: state.status === "over" ? "running" : state.status,
    possible: { ...possible, act: false, hint: false },
  };
}
