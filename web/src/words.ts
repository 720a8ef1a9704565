// How numbers, seats and agents are written on the page.
import type { OpponentInfo, Scene, SeatInfo } from "./wire";

export const CHANCE = -1;
export const OVER = -2;

export function percentText(share: number | null | undefined, digits = 1): string {
  return share === null || share === undefined ? "–" : `${(100 * share).toFixed(digits)} %`;
}

/** A value in [-1, 1] with its sign. */
export function valueText(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;
}

export function scoreText(score: number | null | undefined): string {
  if (score === null || score === undefined) return "?";
  return Number.isInteger(score) ? String(score) : score.toFixed(1);
}

export function countText(count: number): string {
  return count.toLocaleString("en-GB");
}

/** "1 game", "1,200 games" */
export function countedText(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? "" : "s"}`;
}

export function secondsText(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** 1.2 GB, 340 MB */
export function bytesText(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`;
}

export function dateText(date: string): string {
  const when = new Date(date);
  if (Number.isNaN(when.getTime())) return date;
  return when.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

/** Why a game does not begin at once; `seconds` is a laptop's time, 0 where nobody measured it. */
export function readyingText(title: string, seconds: number): string {
  const about = seconds ? `, which takes about ${secondsText(seconds)} on a laptop` : "";
  return `The rules of ${title} are compiled when it is first played on this machine${about}. After that it begins at once.`;
}

/** People count from one; seats in records, commands and messages count from zero. */
export function playerText(seat: number): string {
  return `player ${seat + 1}`;
}

export function seatName(seat: number, seats: readonly SeatInfo[]): string {
  if (seat === CHANCE) return "dice";
  if (seat === OVER) return "end";
  const title = seats.find((one) => one.seat === seat)?.title;
  if (title === undefined) return playerText(seat);
  // Three bots of one kind are told apart by their numbers.
  return seats.some((one) => one.seat !== seat && one.title === title) ? `${title} (${playerText(seat)})` : title;
}

/** Who plays, in the order of the seats: "You against 3 × Rule-based bot". */
export function companyText(seats: readonly SeatInfo[]): string {
  const told = (some: readonly SeatInfo[]): string => {
    const counts = new Map<string, number>();
    some.forEach((seat) => counts.set(seat.title, (counts.get(seat.title) ?? 0) + 1));
    return [...counts].map(([title, count]) => (count > 1 ? `${count} × ${title}` : title)).join(", ");
  };
  const people = seats.filter((seat) => seat.kind === "human");
  const others = seats.filter((seat) => seat.kind !== "human");
  if (people.length === 0 && seats.length === 2) return seats.map((seat) => seat.title).join(" against ");
  return [people, others].filter((some) => some.length > 0).map(told).join(" against ");
}

/** What happened or may be done, for people; the code of a game that writes no sentences. */
export function saidText(one: { text: string; sentence?: string }): string {
  return one.sentence || one.text;
}

/** A shape's key as people call it: the first words of its tip, else the key itself. */
export function keyText(scene: Scene, key: string): string {
  const shapes = [scene, ...(scene.panels ?? [])].flatMap((one) => one.shapes);
  const tip = shapes.find((shape) => shape.key === key && shape.tip)?.tip;
  return tip?.split(/[,:;]/)[0] || key.replace(":", " ");
}

/** A place that would be shot at, read aloud. */
export function aimText(place: string): string {
  return `Shoot at ${place}`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A layer of a drawing; Hint is the button that asks for a move. */
export function layerText(layer: string): string {
  return layer === "hints" ? "guides" : layer;
}

/** The heading of a group of actions: end-turn is End turn. */
export function groupText(group: string): string {
  return capital(group).replaceAll("-", " ");
}

/** An opponent's spec with another number of simulations. */
export function withSims(spec: string, sims: number): string {
  const [base = "", query = ""] = spec.split("?", 2);
  const kept = query.split("&").filter((part) => part && !part.startsWith("sims="));
  const named = base.includes(":") ? base : `${base}:`;
  return `${named}?${[...kept, `sims=${sims}`].join("&")}`;
}

/** What was measured of an opponent, or that nothing was. */
export function strengthText(opponent: OpponentInfo, sims: number | null, seats = 2): string {
  const best = opponent.strength[0];
  if (!best) return "Strength not measured here";
  const told = opponent.strength.slice(0, 2).map((one) => measuredText(one, seats));
  const known = seats > 2 ? `Wins ${told.join(" and ")}${shareText(seats)}` : `Beats ${told.join(" and ")}`;
  const other = opponent.searches && sims !== null && opponent.sims !== null && sims !== opponent.sims;
  return other ? `At ${opponent.sims} simulations: ${known}; at ${sims} not measured` : known;
}

/** How people have fared here against an opponent, and how long it thinks. */
export function recordText(opponent: OpponentInfo): string[] {
  const { people, seconds } = opponent;
  const told: string[] = [];
  if (people) {
    const interval = `${Math.round(100 * people.low)} to ${Math.round(100 * people.high)} %`;
    const drawn = people.drawn ? `, drawn ${people.drawn}` : "";
    told.push(`People here: won ${people.won}${drawn}, lost ${people.lost} (95 %: ${interval})`);
  }
  if (seconds !== null && seconds >= 0.05) told.push(`A move takes it about ${secondsText(seconds)}`);
  return told;
}

/** "Goal Rush in 53 % of 400 games (95 %: 48 to 58)"; "36 % of 200 games against 3 × the rule-based bot (…)" */
function measuredText(one: OpponentInfo["strength"][number], seats: number): string {
  const interval = `(95 %: ${Math.round(100 * one.low)} to ${Math.round(100 * one.high)})`;
  const games = `${percentText(one.score, 0)} of ${one.games} games`;
  if (seats > 2) return `${games} against ${seats - 1} × ${agentText(one.opponent)} ${interval}`;
  return `${agentText(one.opponent)} in ${games} ${interval}`;
}

/** Among several players half of the games is a lot: what everybody's share would be. */
function shareText(seats: number): string {
  return `, where ${Math.round(100 / seats)} % would be an equal share`;
}

/** An agent's spec as a name: goal-rush is Goal Rush; runs keep their spec. */
export function agentText(spec: string): string {
  const name = spec.replace(/^scripted:/, "");
  if (name === "scripted") return "the rule-based bot";
  const shipped = /^(best|best-hybrid)(?::?\?.*|:)?$/.exec(name)?.[1];
  if (shipped === "best") return "Strongest AI";
  if (shipped === "best-hybrid") return "AI helped by the rule-based bot";
  if (name === "random") return "random moves";
  const [, guide = "", sims = ""] = /^mcts:([a-z-]+)\?(?:.*&)?sims=(\d+)/.exec(name) ?? [];
  if (guide === "heuristic") {
    const ahead = sims === "1" ? "" : `, searching ${countText(Number(sims))} simulations`;
    return `hand-written evaluation${ahead}`;
  }
  if (guide) {
    const kind = guide === "none" ? "plain search" : `search guided by ${guide}`;
    const helped = name.includes("playout=scripted") ? ", helped by the rule-based bot" : "";
    return `${kind} with ${sims === "1" ? "1 simulation" : `${countText(Number(sims))} simulations`}${helped}`;
  }
  if (!/^[a-z-]+$/.test(name)) return spec;
  return name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => (dash ? " " : "") + letter.toUpperCase());
}

/** Whether an address leads only to the machine that the browser runs on. */
export function isThisMachine(host: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(host);
}

export function range(low: number, high: number): string {
  return `${Math.round(100 * low)}–${Math.round(100 * high)} %`;
}
