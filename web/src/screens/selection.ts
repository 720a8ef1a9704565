// The state of choosing an action: the trail of clicks and the action it leads to.
import { useEffect, useMemo, useState } from "preact/hooks";
import { click, select, type Selection } from "../board/select";
import type { LegalAction } from "../wire";

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
): Choosing {
  const [wanted, setWanted] = useState<readonly string[]>([]);
  const [picked, setPicked] = useState<LegalAction | null>(null);
  useEffect(() => {
    setWanted([]);
    setPicked(null);
  }, [legal, ply]);
  const selection = useMemo(() => select(legal, wanted), [legal, wanted]);
  const only = selection.complete.length === 1 ? (selection.complete[0] as LegalAction) : null;
  const chosen = picked ?? only;

  const clickKey = (key: string): void => {
    const next = click(legal, selection.trail, key);
    if (!next) {
      setWanted([]);
      setPicked(null);
      return;
    }
    setWanted(next);
    setPicked(null);
    const after = select(legal, next);
    const [decided, another] = after.complete;
    if (decided && !another && after.matching.length === 1) onDecided(decided);
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
    while (shorter.length > 0 && select(legal, shorter).trail.length >= selection.trail.length) {
      shorter = shorter.slice(0, -1);
    }
    setWanted(shorter);
    return true;
  };
  return { selection, chosen, clickKey, choose, back };
}
