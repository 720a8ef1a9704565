// Several decisions in one click, offered beside the legal actions: a destination further than one step, and
// the end of a phase. The server says what they consist of.
import { useEffect, useState } from "preact/hooks";
import { api } from "./api";
import type { LegalAction, Shortcut } from "./wire";

const FURTHER = "further";
const NONE: readonly LegalAction[] = [];
const steps = new WeakMap<LegalAction, readonly [number, ...number[]]>();

/** A shortcut as an action that can be chosen like any other. */
export function asAction(shortcut: Shortcut, group: string, number = -1): LegalAction {
  const { text, sentence, touches, ends_turn } = shortcut;
  const action = { action: number, text, sentence, touches, aims: [], group, ends_turn };
  const [first = number, ...then] = shortcut.actions;
  steps.set(action, [first, ...then]);
  return action;
}

export function isShortcut(action: LegalAction | null): boolean {
  return action !== null && action.action < 0;
}

/** What is sent for an action: itself, or the decisions of a shortcut. */
export function stepsOf(action: LegalAction): readonly [number, ...number[]] {
  return steps.get(action) ?? [action.action];
}

/** Where a piece could go by several decisions, asked for once it is selected. */
export function useRoutes(id: string, ply: number, piece: string | null): readonly LegalAction[] {
  const [found, setFound] = useState<{ name: string; routes: readonly LegalAction[] }>({ name: "", routes: NONE });
  const name = `${id} ${ply} ${piece}`;
  useEffect(() => {
    if (piece === null) return undefined;
    let current = true;
    api.routes(id, piece).then(
      (routes) => current && setFound({ name, routes: routes.map((one, at) => asAction(one, FURTHER, -2 - at)) }),
      () => undefined, // the steps one by one still work
    );
    return () => {
      current = false;
    };
  }, [name]);
  return piece !== null && found.name === name ? found.routes : NONE;
}
