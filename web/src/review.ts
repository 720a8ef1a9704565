// What a review says about a game, in words and in shares that add up.
import { capital, saidText } from "./words";
import type { GraphPoint, SeatInfo, SessionState, SessionSummary, ValueGraph } from "./wire";

/** Chances to win from values in [-1, 1]: where several play, they are made to add up to one. */
export function chancesOf(values: readonly number[]): number[] {
  const chances = values.map((value) => Math.max(0, (value + 1) / 2));
  const sum = chances.reduce((total, chance) => total + chance, 0);
  return values.length > 2 && sum > 0 ? chances.map((chance) => chance / sum) : chances;
}

/** The seat of the only person, or null. */
export function ownSeat(seats: readonly SeatInfo[]): number | null {
  const people = seats.filter((seat) => seat.kind === "human");
  return people.length === 1 ? (people[0]?.seat ?? null) : null;
}

/** How a game ended, for whoever played it: "You lost 8 : 15". */
export function endText(state: Pick<SessionState, "result" | "seats">): string {
  const { result, seats } = state;
  if (!result) return "";
  const own = ownSeat(seats);
  if (own === null || !result.returns) return capital(result.text);
  const mine = result.returns[own] ?? 0;
  const best = Math.max(...result.returns);
  const won = mine === best && result.returns.some((value) => value < best);
  const verdict = won ? "You won" : mine < best ? "You lost" : "A draw";
  const resigned = result.reason === "resigned" ? " by resignation" : "";
  return `${verdict}${scoreLine(result.scores, own)}${resigned}`;
}

/** My points and those of the others; nothing where they only repeat who won. */
function scoreLine(scores: readonly number[], own: number): string {
  if (scores.every((score) => Math.abs(score) <= 1)) return "";
  const others = scores.filter((_, seat) => seat !== own);
  return ` ${[scores[own] ?? 0, ...others].map((score) => `${Math.round(score * 10) / 10}`).join(" : ")}`;
}

/** How a listed game stands or ended, for the only person who played it. */
export function listedText(session: Pick<SessionSummary, "status" | "result" | "seats">): string {
  const { status, result, seats } = session;
  if (status === "running") return "In progress";
  if (status === "paused") return "Paused";
  const own = ownSeat(seats);
  const winner = /^player (\d+) wins/.exec(result)?.[1];
  if (own === null || winner === undefined) return capital(result || status);
  const resigned = result.includes("resigned") ? " by resignation" : "";
  return `${Number(winner) === own + 1 ? "You won" : "You lost"}${resigned}`;
}

const points = (value: number): string => `${Math.round(50 * Math.abs(value))}`;

/** "3 mistakes cost 31 points of win chance, the dice cost 12." */
export function reviewText(graph: ValueGraph, seat: number): string {
  const account = graph.seats.find((one) => one.seat === seat);
  if (!account) return "";
  const marked = graph.points.filter((point) => point.seat === seat && point.mark);
  const cost = marked.reduce((total, point) => total + (point.loss ?? 0), 0);
  const many = marked.length === 1 ? "1 mistake" : `${marked.length} mistakes`;
  const decisions = marked.length
    ? `${many} cost ${points(cost)} points of win chance`
    : "No mistakes found";
  if (account.luck === null || account.luck === undefined) return `${decisions}.`;
  const dice = account.luck < 0 ? "cost" : "brought";
  return `${decisions}, the dice ${dice} ${points(account.luck)}.`;
}

/** How near the best a player decided, in per cent: 100 where nothing was given away. */
export function accuracyOf(meanLoss: number | null): string {
  return meanLoss === null ? "–" : `${Math.max(0, Math.round(100 - 50 * meanLoss))} %`;
}

/** What a marked decision cost, and what was better. */
export function mistakeText(point: GraphPoint): string {
  return `${saidText(point)}: costs ${(50 * (point.loss ?? 0)).toFixed(1)} points of win chance`;
}
