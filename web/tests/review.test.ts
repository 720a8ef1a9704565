import { describe, expect, it } from "vitest";
import { reasonsOf } from "../src/parts/HintBox";
import { lineOverlays } from "../src/screens/Analyse";
import { chancesOf, endText, mistakeText, reviewText } from "../src/review";
import { canStop } from "../src/screens/Play";
import type { Analysis, GraphPoint, MoveInfo, SessionState, Thinking, ValueGraph } from "../src/wire";

const seats = ["human", "agent"].map((kind, seat) => ({ seat, kind, agent: kind, title: kind }));
const ended = (returns: number[], scores: number[]): Pick<SessionState, "result" | "seats"> => ({
  seats: seats as SessionState["seats"],
  result: { reason: "finished", returns, scores, resigned_by: null, text: "player 2 wins" },
});

describe("the end of a game", () => {
  it("is told to whoever played it", () => {
    expect(endText(ended([-1, 1], [8, 15]))).toBe("You lost 8 : 15");
    expect(endText(ended([1, -1], [10, 7]))).toBe("You won 10 : 7");
    expect(endText(ended([0, 0], [0, 0]))).toBe("A draw");
    expect(endText(ended([-1, 1], [-1, 1]))).toBe("You lost"); // a score that only says who won
  });
});

const point = (ply: number, loss: number, mark: string): GraphPoint => ({
  ply, seat: 0, values: null, text: "d4", sentence: "Player 1 attacks d4", loss, mark, best: "x",
  best_sentence: "", best_line: [], reply: "", luck: null,
});

describe("a review", () => {
  it("counts mistakes and dice in points of win chance", () => {
    const account = {
      seat: 0, decisions: 9, analysed: 9, total_loss: 0.7, mean_loss: 0.1, marks: {}, luck: -0.24,
    };
    const points = [point(3, 0.4, "??"), point(5, 0.22, "?"), point(7, 0.01, "")];
    const graph = { points, seats: [account] } as unknown as ValueGraph;
    const text = "2 mistakes cost 31 points of win chance, the dice cost 12.";
    expect(reviewText(graph, 0)).toBe(text);
    const undiced = { points: [], seats: [{ ...account, luck: null }] } as unknown as ValueGraph;
    expect(reviewText(undiced, 0)).toBe("No mistakes found.");
    expect(mistakeText(point(3, 0.4, "??"))).toBe(
      "Player 1 attacks d4: costs 20.0 points of win chance",
    );
  });
  it("shows chances that add up where several play", () => {
    const chances = chancesOf([0.2, -0.3, -0.1, -0.2]);
    expect(chances.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1);
    expect(chancesOf([0.5, -0.5])).toEqual([0.75, 0.25]);
  });
});

describe("a hint", () => {
  it("gives reasons in words", () => {
    const moves = [
      { sentence: "Build a road", winrate: 0.62, loss: 0, scoreLead: 2 },
      { sentence: "End the turn", winrate: 0.54, loss: 0.16, scoreLead: 0 },
    ] as MoveInfo[];
    const reasons = reasonsOf({ moveInfos: moves } as Analysis);
    expect(reasons[0]).toBe("Wins about 62 % of the games from here.");
    expect(reasons[2]).toBe("Instead, “End the turn” costs 8.0 points of win chance.");
  });
});

describe("stop and move", () => {
  it("is offered as soon as the search has begun", () => {
    const thinking = { purpose: "move", queued: false } as Thinking;
    expect(canStop(thinking)).toBe(true);
    expect(canStop({ ...thinking, queued: true })).toBe(false);
    expect(canStop({ ...thinking, purpose: "hint" })).toBe(false);
  });
});

describe("a line of play on the board", () => {
  it("numbers its steps and leaves out the dice", () => {
    const move = { touches: ["a"], pvTouches: [["a"], [], ["b", "c"]] } as unknown as MoveInfo;
    expect(lineOverlays(move).map((one) => [one.label, one.actions[0]?.touches])).toEqual([
      ["1", ["a"]],
      ["3", ["b", "c"]],
    ]);
    const stored = { touches: ["a"] } as unknown as MoveInfo; // by an older version
    expect(lineOverlays(stored)).toHaveLength(1);
  });
});
