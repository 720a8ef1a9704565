import { describe, expect, it } from "vitest";
import { arrange } from "../src/board/Board";
import { bodyOf, centreOf, fittingSize, grownBy, shapesByKey } from "../src/board/geometry";
import { marksOf, percent } from "../src/board/marks";
import { confine, roomOf, viewAround, WHOLE, zoomAt, zoomFor } from "../src/board/viewport";
import { flatten, settingRows } from "../src/compare";
import { anchorNames, anchorPlot, axisLabel, compared, lossPlot, overlay, smoothed } from "../src/curves";
import { penOf, styleSheet } from "../src/palette";
import { byGroup, matching } from "../src/parts/ActionList";
import { columnsOf } from "../src/parts/Chart";
import { saysOnlyWhoWon, thinkingText } from "../src/parts/Seats";
import { nearestStep, specOf } from "../src/parts/SeatPicker";
import { lineOf } from "../src/parts/ValueGraph";
import { runOf } from "../src/positions";
import { format, parse } from "../src/router";
import { secondsLeft, withRows } from "../src/run";
import { sceneOf, unpack } from "../src/selfContained";
import { EMPTY, withMessage, withState } from "../src/session";
import { aboutAgent, opponentOf } from "../src/opponents";
import { listedText } from "../src/review";
import { agentText, companyText, countedText, readyingText, seatName, strengthText, valueText, withSims } from "../src/words";
import type { GraphPoint, IterationMetrics, LegalAction, OpponentInfo, RunDetail, RunSummary, Scene, SeatInfo, Shape, SessionState, Thinking } from "../src/wire";

const square = (x: number, y: number, key = ""): Shape => ({
  kind: "polygon",
  points: [[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]],
  role: "cell",
  key,
});
const disc = (x: number, y: number, key: string): Shape => ({
  kind: "disc",
  points: [[x, y]],
  radius: 0.3,
  role: "seat0",
  key,
});
const blank = { shapes: [], facts: [], title: "", panels: [] };
const scene = (...shapes: Shape[]): Scene => ({ ...blank, width: 4, height: 4, shapes });

describe("geometry", () => {
  it("draws outlines around a counter, not across its text", () => {
    const grown = grownBy(square(2, 3), 0.05);
    expect(grown[0]?.map((at) => Number(at.toFixed(2)))).toEqual([1.95, 2.95]);
    expect(grown[2]?.map((at) => Number(at.toFixed(2)))).toEqual([3.05, 4.05]);
  });
  it("finds the middle of a lopsided outline", () => {
    const shape = { ...square(0, 0), points: [[0, 0], [0.5, 0], [1, 0], [1, 1], [0, 1]] } as Shape;
    expect(centreOf(shape)[0]).toBeCloseTo(0.5);
    expect(centreOf(shape)[1]).toBeCloseTo(0.5);
  });
  it("takes the largest shape of a key as its body", () => {
    const places = shapesByKey(scene(square(0, 0, "u"), { ...disc(0.5, 0.9, "u"), radius: 0.05 }));
    expect(bodyOf(places, "u")?.kind).toBe("polygon");
    expect(bodyOf(places, "nobody")).toBeNull();
  });
  it("fits long texts by making them small", () => {
    expect(fittingSize("a long name", 1, 1)).toBeLessThan(fittingSize("A", 1, 1));
  });
});

describe("overlays", () => {
  const places = shapesByKey(scene(square(0, 0, "cell:a"), square(1, 0, "cell:b"), disc(0.5, 2, "agent:0")));
  it("draw an arrow from a piece to where it acts", () => {
    const { arrows, spots } = marksOf(places, [
      { touches: ["agent:0", "cell:a"], weight: 0.7 },
      { touches: ["agent:0", "cell:b"], weight: 0.3 },
    ]);
    expect(spots).toHaveLength(0);
    expect(arrows.map((arrow) => arrow.weight)).toEqual([0.3, 0.7]);
    expect(arrows[1]?.to[0]).toBeCloseTo(0.5);
  });
  it("add up what several actions share, and pass over keys that are elsewhere", () => {
    const { spots } = marksOf(places, [
      { touches: ["cell:a"], weight: 0.5 },
      { touches: ["cell:a", "hand:ore"], weight: 0.25 },
    ]);
    expect(spots).toHaveLength(1);
    expect(spots[0]?.weight).toBeCloseTo(0.75);
  });
  it("write shares in per cent", () => {
    expect([percent(0.004), percent(0.031), percent(0.5)]).toEqual(["<1", "3", "50"]);
  });
});

describe("pan and zoom", () => {
  it("keep the point under the pointer and the scene in sight", () => {
    const near = zoomAt(WHOLE, 2, [4, 4]);
    expect(near).toEqual({ zoom: 2, x: 2, y: 2 });
    expect(confine({ zoom: 2, x: 99, y: -5 }, 8, 8)).toEqual({ zoom: 2, x: 4, y: 0 });
    expect(confine({ zoom: 0.1, x: 3, y: 3 }, 8, 8)).toEqual({ zoom: 1, x: 0, y: 0 });
  });
  it("comes near enough for a finger, and no nearer", () => {
    const at = (x: number, y: number) => ({ at: [x, y] as const, size: [1, 1] as const });
    const board = [20, 20] as const;
    expect(zoomFor(1, null, 40)).toBe(1);
    expect(zoomFor(1, null, 17)).toBe(2);
    expect(zoomFor(2, 0.25, 17)).toBeCloseTo(8 / (0.25 * 17)); // eyes need more than fingers
    expect(zoomFor(2, 0.01, 17)).toBe(2);
    expect(roomOf([at(0, 0)], [at(0, 0), at(0.5, 0), at(3, 3)])).toBe(0.5);
    expect(roomOf([], [at(0, 0)])).toBeNull();
    expect(zoomFor(0.01, null, 17)).toBe(4);
    expect(zoomFor(null, null, 17)).toBe(1);
    expect(viewAround([at(5, 5)], null, 1, board)).toBe(WHOLE);
    expect(viewAround([at(4, 5), at(6, 5)], null, 2, board)).toEqual({ zoom: 2, x: 0, y: 0 });
    expect(viewAround([at(14, 15), at(16, 15)], null, 2, board)).toEqual({ zoom: 2, x: 10, y: 10 });
    // Too many to be shown at once: those near the last step.
    const all = [at(1, 10), at(19, 10)];
    expect(viewAround(all, [18, 1], 2, board)).toEqual({ zoom: 2, x: 10, y: 5 });
    expect(viewAround(all, null, 2, board)).toEqual({ zoom: 2, x: 5, y: 5 });
  });
  it("panels of a wide board also go below it", () => {
    const panel: Scene = { ...blank, width: 2, height: 1 };
    const wide: Scene = { ...blank, width: 16, height: 8 };
    const { beside, below } = arrange(wide, Array(8).fill(panel) as Scene[], 1);
    expect(below.length).toBeGreaterThan(0);
    // In two columns below the board: as many as beside it, where one column held fewer.
    expect(below.length).toBeGreaterThanOrEqual(beside.length);
    expect(arrange(wide, Array(8).fill(panel) as Scene[], 2).below.length).toBeLessThan(below.length);
    expect(arrange(scene(), [panel, panel], 1).below).toHaveLength(0);
  });
});

describe("palette", () => {
  it("knows roles of the package in two themes and is grey for others", () => {
    expect(penOf("seat0").name).toBe("role-seat0");
    expect(penOf("a-role-of-tomorrow").name).toBe("role-plain");
    const sheet = styleSheet();
    expect(sheet).toContain(".role-wall{");
    expect(sheet).toContain("[data-theme=dark] .role-wall{");
    expect(sheet).toContain("prefers-color-scheme: dark");
  });
});

describe("addresses", () => {
  it.each([
    "/", "/g/abc", "/g/abc/analyse?ply=12", "/g/abc/replay", "/replay", "/training",
    "/training/run%201", "/training/a?with=b%20c&with=d", "/leaderboard",
  ])("%s survives a reload", (path) => {
    const url = new URL(path, "http://host");
    expect(format(parse(url))).toBe(path);
  });
  it("says when there is nothing", () => {
    expect(parse(new URL("http://host/x/y")).screen).toBe("lost");
    expect(parse(new URL("http://host/g/abc/replay?ply=-3"))).toMatchObject({ ply: null });
  });
});

describe("words", () => {
  const opponent = {
    spec: "best", title: "Best", kind: "best", searches: true, sims: 200, note: "",
    strength: [{ opponent: "random", games: 400, score: 0.99, low: 0.97, high: 1, command: "" }],
  } as OpponentInfo;
  it("change the simulations of a spec", () => {
    expect(withSims("best", 100)).toBe("best:?sims=100");
    expect(withSims("mcts:none?sims=200", 800)).toBe("mcts:none?sims=800");
    expect(withSims("run:a@b?temperature=0&sims=2", 4)).toBe("run:a@b?temperature=0&sims=4");
  });
  it("name agents as people do", () => {
    expect(agentText("goal-rush")).toBe("Goal Rush");
    expect(agentText("mcts:none?sims=1600")).toBe("plain search with 1,600 simulations");
    expect(agentText("mcts:none?sims=800&playout=scripted")).toBe(
      "plain search with 800 simulations, helped by the rule-based bot",
    );
    expect(agentText("mcts:heuristic?sims=1&determinizations=1")).toBe("hand-written evaluation");
    expect(agentText("run:first@step_000004")).toBe("run:first@step_000004");
    expect(agentText("best:?sims=200")).toBe("Strongest AI");
    expect(agentText("best-hybrid")).toBe("AI helped by the rule-based bot");
  });
  const table = ["You", "Rule-based bot", "Rule-based bot", "Strongest AI"].map((title, seat) => ({
    seat, title, agent: "", kind: seat ? "agent" : "human",
  })) as SeatInfo[];
  it("tell players of the same name apart", () => {
    expect(table.map((one) => seatName(one.seat, table))).toEqual([
      "You", "Rule-based bot (player 2)", "Rule-based bot (player 3)", "Strongest AI",
    ]);
    expect(companyText(table)).toBe("You against 2 × Rule-based bot, Strongest AI");
    expect(companyText(table.slice(2))).toBe("Rule-based bot against Strongest AI");
  });
  it("leave out scores that say nothing", () => {
    expect(saysOnlyWhoWon([0, 0])).toBe(true); // Connect Four, going on
    expect(saysOnlyWhoWon([1, -1])).toBe(true);
    expect(saysOnlyWhoWon([0.5, 0])).toBe(false);
    expect(saysOnlyWhoWon([2, 3, 3])).toBe(false);
    expect(saysOnlyWhoWon([0, null])).toBe(false);
  });
  it("say how a listed game ended for whoever played it", () => {
    const listed = (result: string, seats = table) => listedText({ status: "over", result, seats });
    expect(listed("player 2 wins")).toBe("You lost");
    expect(listed("player 2 wins: player 1 resigned")).toBe("You lost by resignation");
    expect(listed("player 1 wins")).toBe("You won");
    expect(listed("a draw")).toBe("A draw");
    expect(listed("player 2 wins", table.slice(1))).toBe("Player 2 wins");
  });
  it("know an opponent at the table whatever it is given to think", () => {
    const levels = [opponent, ...[50, 800].map((sims) => ({ ...opponent, spec: `mcts:none?sims=${sims}`, sims }))];
    expect(opponentOf("best:?sims=64&c_init=3", levels)?.spec).toBe("best");
    expect(opponentOf("mcts:none?sims=800", levels)?.spec).toBe("mcts:none?sims=800");
    expect(opponentOf("human", levels)).toBeNull();
    expect(aboutAgent("best:?sims=64", { opponents: levels, num_seats: 2 })).toContain("at 64 not measured");
  });
  it("claim no strength that was not measured", () => {
    expect(strengthText(opponent, 200)).toContain("99 %");
    const twice = { ...opponent, strength: [...opponent.strength, ...opponent.strength] };
    expect(strengthText(twice, 200)).toMatch(/^Beats random moves in .* and random moves in /);
    expect(strengthText(opponent, 400)).toContain("at 400 not measured");
    expect(strengthText({ ...opponent, strength: [] }, 200)).toContain("not measured");
  });
  it("say what a share of the games is worth where several play", () => {
    const strength = [{ opponent: "scripted", games: 200, score: 0.36, low: 0.3, high: 0.43, command: "" }];
    expect(strengthText({ ...opponent, strength }, 200, 4)).toBe(
      "Wins 36 % of 200 games against 3 × the rule-based bot (95 %: 30 to 43), where 25 % would be an equal share",
    );
  });
  it("say why there is nothing to see yet", () => {
    const thinking = { seat: 1, purpose: "move", queued: false, visits: 0, limit: 200, seconds: 1, agent: "best" } as Thinking;
    expect(thinkingText(thinking)).toBe("Opponent is thinking: 0 of 200 simulations, 1.0 s");
    expect(thinkingText({ ...thinking, seconds: 35 })).toContain("getting ready for the first time, 35 s");
    expect(thinkingText({ ...thinking, limit: 0 })).toBe("Opponent is thinking, 1.0 s");
    expect(readyingText("Hispania", 180)).toContain("about 3 min on a laptop");
    expect(readyingText("Hispania", 0)).not.toContain("about");
  });
  it("count one thing as one", () => {
    expect([countedText(1, "game"), countedText(1200, "game")]).toEqual(["1 game", "1,200 games"]);
  });
  it("send the spec as listed unless another number was chosen", () => {
    expect(specOf({ agent: "best", sims: null }, [opponent])).toBe("best");
    expect(specOf({ agent: "best", sims: 200 }, [opponent])).toBe("best");
    expect(specOf({ agent: "best", sims: 64 }, [opponent])).toBe("best:?sims=64");
    expect(specOf({ agent: "human", sims: 64 }, [opponent])).toBe("human");
    expect(nearestStep(250, 12800)).toBe(200);
    expect(nearestStep(99999, 400)).toBe(400);
  });
  it("write values with their sign", () => {
    expect([valueText(0.5), valueText(-0.25), valueText(null)]).toEqual(["+0.50", "−0.25", "–"]);
  });
});

describe("the list of actions", () => {
  it("finds every word in any order", () => {
    const actions = ["attack d4", "move c4/1 N", "move d4/1 S"].map(
      (text, action) => ({ action, text, sentence: "", touches: [], aims: [], group: "units", ends_turn: false }) as LegalAction,
    );
    expect(matching(actions, "D4 move").map((one) => one.action)).toEqual([2]);
    expect(matching(actions, "units")).toHaveLength(3);
    const columns = ["1", "4"].map((text, action) => ({
      action, text, sentence: `Drop a disc into column ${text}, row ${5 - Number(text)}`, touches: [],
      aims: [], group: "", ends_turn: true,
    }));
    expect(matching(columns, "4").map((one) => one.text)).toEqual(["4", "1"]); // the code first
    expect(matching(actions, "zzz")).toHaveLength(0);
    const mixed = ["move", "stay", "move", "stay"].map((group, action) => ({ ...actions[0], group, action }) as LegalAction);
    expect(byGroup(mixed).map((one) => one.action)).toEqual([0, 2, 1, 3]);
  });
});

describe("a session kept up to date", () => {
  const event = (ply: number) => ({ ply, seat: 0, action: 1, text: `e${ply}`, touches: [] });
  const state = (revision: number, from: number, count: number): SessionState =>
    ({
      id: "t", revision, events_from: from, thinking: null,
      events: Array.from({ length: count }, (_, index) => event(from + index)),
    }) as unknown as SessionState;
  it("puts new events behind the known ones, and forgets those taken back", () => {
    const first = withState(EMPTY, state(1, 0, 3));
    const second = withState(first, state(2, 3, 1));
    expect(second.events.map((one) => one.text)).toEqual(["e0", "e1", "e2", "e3"]);
    expect(withState(second, state(3, 1, 1)).events).toHaveLength(2);
  });
  it("is not set back by a message that comes late", () => {
    const newest = withState(EMPTY, state(5, 0, 5));
    expect(withState(newest, state(4, 0, 1))).toBe(newest);
  });
  it("shows problems that no request waited for", () => {
    expect(withMessage(EMPTY, { type: "error", detail: "worker died" }).problem).toBe("worker died");
  });
  it("asks for positions in runs", () => {
    expect([runOf(0), runOf(23), runOf(24)]).toEqual([0, 0, 24]);
  });
});

describe("curves", () => {
  const rows = [
    { iteration: 1, losses: { policy: 2, total: 3 }, anchors: {} },
    { iteration: 2, losses: { total: 2 }, anchors: { random: { score: 0.9, low: 0.8, high: 1 } } },
  ] as unknown as IterationMetrics[];
  const run = { name: "a", rows };
  it("are made of what the rows have", () => {
    expect(lossPlot(run, "iterations", 0)).toEqual({
      x: [1, 2],
      lines: [{ label: "total", values: [3, 2] }, { label: "policy", values: [2, null] }],
    });
    expect(anchorNames([run])).toEqual(["random"]);
    const plot = anchorPlot([run], ["random"], "iterations", (_, opponent) => opponent);
    expect(plot.x).toEqual([2]);
    expect(plot.lines[0]).toMatchObject({ label: "random", values: [0.9], low: [0.8], high: [1] });
    expect(columnsOf(plot.x, plot.lines)).toHaveLength(4);
  });
  it("leave out rows in which nothing was learned", () => {
    const filling = { iteration: 3, steps: 0, losses: { total: 0 } } as unknown as IterationMetrics;
    expect(lossPlot({ name: "a", rows: [...rows, filling] }, "iterations", 0).x).toEqual([1, 2]);
  });
  it("lie on top of each other by time, games or iterations", () => {
    const at = (seconds: number, games: number) =>
      ({ iteration: games, seconds, games, games_per_s: seconds }) as unknown as IterationMetrics;
    const runs = [
      { name: "a", rows: [at(60, 10), at(120, 20)] },
      { name: "b", rows: [at(90, 10)] },
    ];
    expect(compared(runs, "time", (row) => row.games_per_s, 0)).toEqual({
      x: [1, 1.5, 2],
      lines: [{ label: "a", values: [60, null, 120] }, { label: "b", values: [null, 90, null] }],
    });
    expect(compared(runs, "games", (row) => row.games_per_s, 0).x).toEqual([10, 20]);
    expect(axisLabel("time", runs)).toBe("minutes");
    expect(axisLabel("time", [...runs, { name: "c", rows: [at(9000, 1)] }])).toBe("hours");
    expect(overlay([])).toEqual({ x: [], lines: [] });
  });
  it("are smoothed without a pull to zero, and gaps stay gaps", () => {
    expect(smoothed([4, 4, null, 4], 0.9).map((value) => value?.toFixed(6))).toEqual([
      "4.000000", "4.000000", undefined, "4.000000",
    ]);
    expect(smoothed([1, 3], 0)).toEqual([1, 3]);
  });
  it("pass over positions that were not analysed", () => {
    const points = [
      { ply: 0, seat: 0, values: [0.5] }, { ply: 1, seat: 0, values: null }, { ply: 2, seat: 0, values: [-0.5] },
    ] as unknown as GraphPoint[];
    expect(lineOf(points, 0, (ply) => ply, (value) => value)).toBe("M0.0,0.8L2.0,0.3");
  });
});

describe("settings of runs", () => {
  it("stand side by side, differences first", () => {
    const one = { game: "x", seed: 1, search: { sims: 64 } };
    const two = { game: "x", seed: 2, search: { sims: 64, c: 1.5 } };
    expect([...flatten(one).keys()]).toEqual(["game", "seed", "search.sims"]);
    expect(settingRows([one, two]).map((row) => [row.key, row.differs])).toEqual([
      ["seed", true], ["search.c", true], ["game", false], ["search.sims", false],
    ]);
  });
});

describe("a running run", () => {
  const summary = { status: "running", seconds_left: 60 } as unknown as RunSummary;
  it("counts down between two messages", () => {
    expect(secondsLeft(summary, 1000, 11_000)).toBe(50);
    expect(secondsLeft(summary, 1000, 1_000_000)).toBe(0);
    expect(secondsLeft({ ...summary, status: "stopped" }, 1000, 2000)).toBeNull();
  });
  it("learns of checkpoints and of its end by messages", () => {
    const detail = { summary, checkpoints: [], payoffs: null } as unknown as RunDetail;
    const old = { name: "a", detail, rows: [], gates: [], newest: null, heard: 0, problem: "" };
    const message = {
      type: "metrics", summary: { ...summary, status: "finished" }, first: 0, rows: [], gates: [],
      checkpoints: [{ name: "step_000001" }], payoffs: null, newest_game: "000001",
    } as unknown as Parameters<typeof withRows>[1];
    const after = withRows(old, message);
    expect(after.detail?.summary.status).toBe("finished");
    expect(after.detail?.checkpoints).toHaveLength(1);
    expect(after.newest).toBe("000001");
  });
});

describe("a page that carries its game", () => {
  it("unpacks the game and puts shapes in their places", async () => {
    const replay = { game: "x", shapes: [disc(1, 1, "a"), square(0, 0)], positions: [] };
    const packed = await new Response(
      new Blob([JSON.stringify(replay)]).stream().pipeThrough(new CompressionStream("gzip")),
    ).arrayBuffer();
    const base64 = btoa(String.fromCharCode(...new Uint8Array(packed)));
    const found = await unpack(`\n${base64}\n`);
    expect(found.game).toBe("x");
    const small = { width: 1, height: 1, shapes: [1, 0, 1], facts: [], title: "", panels: [] };
    const whole = sceneOf({ ...small, panels: [{ ...small, shapes: [0] }] }, found.shapes);
    expect(whole.shapes.map((shape) => shape.kind)).toEqual(["polygon", "disc", "polygon"]);
    expect(whole.panels?.[0]?.shapes[0]?.key).toBe("a");
  });
});
