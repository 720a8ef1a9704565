// From clicks on the board to an action. An action is a list of touched keys, in the order in which
// a person would click them, and the clicks so far are a *trail*.
import { useEffect, useMemo, useState } from "preact/hooks";
import type { LegalAction } from "../wire";

export interface Choice {
  readonly action: number;
  readonly text: string;
  readonly touches: readonly string[];
  readonly aims?: readonly string[]; // touched, but only aimed at
}

export interface Selection<C extends Choice> {
  readonly trail: readonly string[];
  readonly matching: readonly C[]; // actions that the trail may still become
  readonly complete: readonly C[]; // actions that the trail is
  readonly next: ReadonlySet<string>; // keys that may be clicked now
  readonly aims: ReadonlySet<string>; // those of them that would only be aimed at
}

const sorted = (keys: readonly string[]): string => [...keys].sort().join("\n");

/** What a trail means. Forced clicks (one key that every action needs next) are added to it. */
export function select<C extends Choice>(
  choices: readonly C[],
  wanted: readonly string[],
): Selection<C> {
  let trail = [...wanted];
  for (;;) {
    const matching = choices.filter((choice) => begins(choice.touches, trail));
    const complete = trail.length
      ? matching.filter((choice) => choice.touches.length === trail.length)
      : [];
    const onBoard = matching.filter((choice) => choice.touches.length > trail.length);
    const ahead = new Set(onBoard.map((choice) => choice.touches[trail.length] as string));
    const [only] = ahead;
    const forced =
      choices.length > 1 && ahead.size === 1 && onBoard.length > 1 && complete.length === 0 &&
      matching.length === onBoard.length;
    if (forced && only !== undefined) {
      trail = [...trail, only];
      continue;
    }
    const next = nextKeys(choices, trail, ahead);
    return { trail, matching, complete, next, aims: aimsAmong(onBoard, trail.length) };
  }
}

/** Keys at this place of the trail that every action which goes there only aims at. */
function aimsAmong(choices: readonly Choice[], at: number): ReadonlySet<string> {
  const aimed = new Set<string>();
  const entered = new Set<string>();
  for (const { touches, aims = [] } of choices) {
    const key = touches[at];
    if (key !== undefined) (aims.includes(key) ? aimed : entered).add(key);
  }
  return new Set([...aimed].filter((key) => !entered.has(key)));
}

/** The trail after a click, or null if the key means nothing here. */
export function click<C extends Choice>(
  choices: readonly C[],
  trail: readonly string[],
  key: string,
): string[] | null {
  const longer = [...trail, key];
  if (choices.some((choice) => begins(choice.touches, longer))) return longer;
  const reordered = choices.find((choice) => isShuffled(choice.touches, longer));
  if (reordered) return reordered.touches.slice(0, longer.length) as string[];
  const again = trail.indexOf(key);
  if (again >= 0) {
    // A second click takes the key out if what remains is a trail, else it goes back to there.
    const without = [...trail.slice(0, again), ...trail.slice(again + 1)];
    const stillFits = choices.some((choice) => begins(choice.touches, without));
    return stillFits ? without : trail.slice(0, again);
  }
  if (choices.some((choice) => choice.touches[0] === key)) return [key];
  return null;
}

const kindOf = (key: string): string => key.split(":", 1)[0] ?? "";

/** Pieces of a group, all keys of one kind, may be clicked in any order. */
function isShuffled(touches: readonly string[], keys: readonly string[]): boolean {
  const kind = kindOf(keys[0] ?? "");
  return (
    touches.length >= keys.length &&
    keys.every((key) => kindOf(key) === kind) &&
    sorted(touches.slice(0, keys.length)) === sorted(keys)
  );
}

function begins(touches: readonly string[], trail: readonly string[]): boolean {
  return trail.every((key, index) => touches[index] === key);
}

function nextKeys(
  choices: readonly Choice[],
  trail: readonly string[],
  ahead: ReadonlySet<string>,
): ReadonlySet<string> {
  const next = new Set(ahead);
  if (trail.length === 0) return next;
  for (const { touches } of choices) {
    for (const key of touches.slice(0, trail.length + 1)) {
      if (!next.has(key) && isShuffled(touches, [...trail, key])) next.add(key);
    }
  }
  return next;
}

/** The state of choosing: the trail of clicks and the action it leads to. */
export interface Choosing {
  readonly selection: Selection<LegalAction>;
  readonly chosen: LegalAction | null; // what Confirm sends
  readonly clickKey: (key: string) => void;
  readonly choose: (action: LegalAction) => void;
  readonly back: () => boolean; // false: there was nothing to go back from
}

export function useChoosing(
  legal: readonly LegalAction[],
  ply: number,
  onDecided: (action: LegalAction) => void,
  further: readonly LegalAction[] = [], // found while choosing; they begin nothing anew
): Choosing {
  const [wanted, setWanted] = useState<readonly string[]>([]);
  const [picked, setPicked] = useState<LegalAction | null>(null);
  useEffect(() => {
    setWanted([]);
    setPicked(null);
  }, [legal, ply]);
  const choices = useMemo(() => (further.length ? [...legal, ...further] : legal), [legal, further]);
  const selection = useMemo(() => select(choices, wanted), [choices, wanted]);
  const only = selection.complete.length === 1 ? (selection.complete[0] as LegalAction) : null;
  const chosen = picked ?? only;

  const clickKey = (key: string): void => {
    const next = click(choices, selection.trail, key);
    if (!next) {
      setWanted([]);
      setPicked(null);
      return;
    }
    setWanted(next);
    setPicked(null);
    const after = select(choices, next);
    const [decided, another] = after.complete;
    if (decided && !another && after.matching.length === 1) {
      setPicked(decided);
      onDecided(decided);
    } else if (after.matching.length === 1 && after.matching[0]) {
      // Only one action is left: what it would still touch need not be clicked.
      setPicked(after.matching[0]);
      onDecided(after.matching[0]);
    }
  };
  const choose = (action: LegalAction): void => {
    setWanted(action.touches);
    setPicked(action);
    onDecided(action);
  };
  const back = (): boolean => {
    if (wanted.length === 0 && !picked) return false;
    setPicked(null);
    // Forced clicks were not made by hand: going back passes over them.
    let shorter = wanted.slice(0, -1);
    while (shorter.length > 0 && select(choices, shorter).trail.length >= selection.trail.length) {
      shorter = shorter.slice(0, -1);
    }
    setWanted(shorter);
    return true;
  };
  return { selection, chosen, clickKey, choose, back };
}
