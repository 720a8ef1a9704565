import { describe, expect, it } from "vitest";
import { ownFirst, titleFor } from "../src/board/Board";
import { scaleOf, SMALLEST } from "../src/board/legible";
import { lastMarks, motionBetween } from "../src/board/motion";
import { shapesByKey } from "../src/board/geometry";
import { groupsOf } from "../src/board/Shapes";
import { sameTurn } from "../src/screens/Play";
import { firstShown, restBefore, turnStart } from "../src/playback";
import type { EventInfo, Scene, SessionState, Shape } from "../src/wire";

const seats = [
  { seat: 0, kind: "human", agent: "human", title: "You" },
  { seat: 1, kind: "agent", agent: "best", title: "best" },
] as SessionState["seats"];
const events = [1, 1, 0, -1, 1, 1].map(
  (seat, ply) => ({ ply, seat, action: 0, text: "x", sentence: "", touches: [], answer: false, forced: false }) as EventInfo,
);
const state = { seats, events, events_from: 0, plies: 6, status: "running" } as SessionState;

describe("a turn", () => {
  it("goes on while others only answer, and after dice", () => {
    const told = [0, -1, 1, 0].map((seat, ply) => ({ ...events[0], seat, ply, answer: seat === 1 }) as EventInfo);
    expect(sameTurn(0, 4, told, 0)).toBe(true);
    expect(sameTurn(0, 4, told.map((one) => ({ ...one, answer: false })), 0)).toBe(false);
    expect(sameTurn(3, 2, told, 0)).toBe(false); // taken back
  });
});

describe("steps of the others", () => {
  it("are those since the person's last decision", () => {
    expect(turnStart(state, events, 6)).toBe(3);
    expect(turnStart(state, events, 2)).toBe(0);
  });
  it("are shown from the beginning where nobody has decided yet", () => {
    expect(firstShown(state)).toBe(6);
    expect(firstShown({ ...state, events: events.slice(0, 2), plies: 2 })).toBe(0);
    expect(firstShown({ ...state, events: [], plies: 0, status: "over" })).toBe(0);
  });
  it("rest before each step but one's own", () => {
    expect(restBefore(state, events[1], 600)).toBe(600);
    expect(restBefore(state, events[2], 600)).toBe(0);
    expect(restBefore(state, events[3], 600)).toBe(600);
  });
  it("include what was played for a person who had no choice", () => {
    const refused = { ...events[2], ply: 5, forced: true } as EventInfo;
    const told = [...events.slice(0, 5), refused];
    expect(turnStart(state, told, 6)).toBe(3);
    expect(restBefore(state, refused, 600)).toBe(600);
  });
});

const cell = (key: string, x: number): Shape => ({
  kind: "polygon", points: [[x, 0], [x + 1, 0], [x + 1, 1], [x, 1]], role: "cell", key,
});
const piece = (key: string, x: number): Shape => ({
  kind: "disc", points: [[x + 0.5, 0.5]], role: "seat0", key, radius: 0.3, layer: "pieces",
});
const scene = (...shapes: Shape[]): Scene => ({ width: 4, height: 1, shapes, facts: [], title: "", panels: [] });
const ground = [cell("cell:0", 0), cell("cell:1", 1), cell("cell:2", 2)];

describe("the last step on the board", () => {
  it("has an arrow from where a piece stood to where it stands", () => {
    const before = scene(...ground, piece("unit:1", 0));
    const after = scene(...ground, piece("unit:1", 2));
    const { moves, aims } = motionBetween(before, after, { seat: 0, touches: ["unit:1", "cell:2"] });
    expect(moves).toHaveLength(1);
    expect(moves[0]?.from).toEqual([0.5, 0.5]);
    expect(aims).toEqual([]);
  });
  it("ends beside a piece, whose name stays readable, and never before the middle of its way", () => {
    const at = (x: number): Scene => scene(...ground, piece("unit:1", x));
    const step = { seat: 0, touches: ["unit:1"] };
    const [far] = motionBetween(at(0), at(2), step).moves;
    expect(far?.to[0]).toBeGreaterThan(2);
    expect(far?.to[0]).toBeLessThanOrEqual(2.2); // the piece begins there
    const [near] = motionBetween(at(0), at(0.5), step).moves;
    expect(near?.to[0]).toBeGreaterThan(0.75);
  });
  it("is marked by the piece that moved, not once more by the cell under it", () => {
    const step = { seat: 0, touches: ["unit:1", "cell:2"] };
    const after = scene(...ground, piece("unit:1", 2));
    const motion = motionBetween(scene(...ground, piece("unit:1", 0)), after, step);
    expect(lastMarks(shapesByKey(after), step.touches, motion)).toEqual(["unit:1"]);
  });
  it("is marked by a new piece rather than by a large area around it", () => {
    const column: Shape = { kind: "polygon", points: [[0, 0], [1, 0], [1, 6], [0, 6]], role: "frame", key: "column:0" };
    const before = scene(column, ...ground);
    const after = scene(column, ...ground, piece("disc:0", 0));
    const step = { seat: 0, touches: ["column:0", "cell:0"] };
    const motion = motionBetween(before, after, step);
    expect(motion.fresh).toEqual(["disc:0"]);
    expect(lastMarks(shapesByKey(after), step.touches, motion)).toEqual(["cell:0", "disc:0"]);
    expect(lastMarks(shapesByKey(after), step.touches, null)).toEqual(step.touches); // where nothing is known of before
  });
  it("has another where a piece stays and aims", () => {
    const before = scene(...ground, piece("unit:1", 0));
    const { moves, aims } = motionBetween(before, before, { seat: 0, touches: ["unit:1", "cell:2"] });
    expect(moves).toEqual([]);
    expect(aims).toHaveLength(1);
  });
  it("has none between places that the dice name", () => {
    const rolled = motionBetween(scene(...ground), scene(...ground), { seat: -1, touches: ["cell:0", "cell:2"] });
    expect(rolled).toEqual({ moves: [], aims: [], moved: [], fresh: [] });
  });
  it("lets all shapes of a piece glide together", () => {
    const mark: Shape = { ...piece("unit:1", 0), kind: "polygon", points: [[0, 0], [1, 0], [0, 1]] };
    const groups = groupsOf([...ground, piece("unit:1", 0), mark, piece("unit:2", 1)]);
    expect(groups.map((group) => group.name).slice(3)).toEqual(["piece unit:1", "piece unit:2"]);
    expect(groups[3]?.shapes).toHaveLength(2);
  });
});

describe("panels and text", () => {
  it("put one's own panel first", () => {
    const panels = ["Round 1", "Player 1: Halflings", "Player 2: Engineers", "Player 12"].map(
      (title) => ({ ...scene(), title }),
    );
    expect(ownFirst(panels, 1).map((panel) => panel.title)[0]).toBe("Player 2: Engineers");
    expect(ownFirst(panels, 0).map((panel) => panel.title)[0]).toBe("Player 1: Halflings");
    expect(ownFirst(panels, null)).toBe(panels);
    expect(titleFor("Player 1: Halflings", 0)).toBe("Player 1 (you): Halflings");
    expect(titleFor("Player 12", 0)).toBe("Player 12");
  });
  it("never fall below ten pixels", () => {
    expect(SMALLEST).toBeGreaterThanOrEqual(10);
    expect(scaleOf({ width: 500, height: 900 }, 10, 10)).toBe(50);
  });
});
