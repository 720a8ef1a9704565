// Who can take a seat in a game, and what is known of those who have one.
import { useEffect, useState } from "preact/hooks";
import { api } from "./api";
import { recordText, strengthText } from "./words";
import type { GameSetup, OpponentInfo } from "./wire";

export function useSetup(game: string): GameSetup | null {
  const [setup, setSetup] = useState<GameSetup | null>(null);
  useEffect(() => {
    api.setup(game).then(setSetup, () => undefined);
  }, [game]);
  return setup;
}

const baseOf = (spec: string): string => (spec.split("?")[0] ?? "").replace(/:$/, "").replace(/@.*$/, "");
const simsOf = (spec: string): number | null => {
  const found = /[?&]sims=(\d+)/.exec(spec)?.[1];
  return found === undefined ? null : Number(found);
};

/** The listed opponent that sits at a table under this spec, whatever its number of simulations. */
export function opponentOf(agent: string, opponents: readonly OpponentInfo[]): OpponentInfo | null {
  const alike = opponents.filter((one) => baseOf(one.spec) === baseOf(agent));
  return alike.find((one) => one.spec === agent || one.sims === simsOf(agent)) ?? alike[0] ?? null;
}

/** How an opponent plays, its rating, whom it beats, and how people have fared. */
export function aboutText(opponent: OpponentInfo, sims: number | null, seats: number): string {
  const parts = [opponent.style, opponent.note, strengthText(opponent, sims, seats), ...recordText(opponent)];
  return `${parts.filter(Boolean).join(". ")}.`;
}

/** What is known of the agent at a seat; empty for people. */
export function aboutAgent(agent: string, setup: Pick<GameSetup, "opponents" | "num_seats">): string {
  const opponent = opponentOf(agent, setup.opponents);
  return opponent ? aboutText(opponent, simsOf(agent) ?? opponent.sims, setup.num_seats) : "";
}
