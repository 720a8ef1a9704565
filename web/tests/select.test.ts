import { describe, expect, it } from "vitest";
import { click, select, type Choice } from "../src/board/select";

const choice = (action: number, ...touches: string[]): Choice => ({
  action,
  text: `action ${action}`,
  touches,
});

// Two agents that act together, as in a battle: each names itself and then a cell.
const battle = [
  choice(0, "agent:0", "cell:a", "agent:1", "cell:x"),
  choice(1, "agent:0", "cell:a", "agent:1", "cell:y"),
  choice(2, "agent:0", "cell:b", "agent:1", "cell:x"),
  choice(3, "agent:0", "cell:b", "agent:1", "cell:a"),
];

describe("a trail of clicks", () => {
  it("ends in a place further away as soon as it is known", () => {
    const steps = [choice(0, "unit:1", "cell:a"), choice(1, "unit:2", "cell:b")];
    const further = [...steps, choice(-2, "unit:1", "cell:far")];
    expect([...select(steps, ["unit:1"]).next]).not.toContain("cell:far");
    expect([...select(further, ["unit:1"]).next]).toContain("cell:far");
    expect(select(further, ["unit:1", "cell:far"]).complete.map((one) => one.action)).toEqual([-2]);
  });
  it("tells what is aimed at from where one goes", () => {
    const shots = [choice(0, "agent:0", "cell:a"), { ...choice(1, "agent:0", "cell:far"), aims: ["cell:far"] }];
    expect([...select(shots, []).aims]).toEqual(["cell:far"]);
    const both = [...shots, choice(2, "agent:0", "cell:far")];
    expect([...select(both, []).aims]).toEqual([]);
  });
  it("makes forced clicks by itself", () => {
    const first = select(battle, []);
    expect(first.trail).toEqual(["agent:0"]);
    expect([...first.next].sort()).toEqual(["cell:a", "cell:b"]);
    const second = select(battle, click(battle, first.trail, "cell:b") ?? []);
    expect(second.trail).toEqual(["agent:0", "cell:b", "agent:1"]);
    expect([...second.next].sort()).toEqual(["cell:a", "cell:x"]);
  });

  it("ends in one action", () => {
    const trail = click(battle, ["agent:0", "cell:a", "agent:1"], "cell:y");
    const { complete, matching, next } = select(battle, trail ?? []);
    expect(complete.map((one) => one.action)).toEqual([1]);
    expect(matching).toHaveLength(1);
    expect(next.size).toBe(0);
  });

  it("does not offer the target of another piece", () => {
    const { next } = select(battle, ["agent:0", "cell:a", "agent:1"]);
    expect([...next].sort()).toEqual(["cell:x", "cell:y"]);
  });

  it("offers actions that touch the same shapes together", () => {
    const both = [choice(0, "agent:0", "cell:a"), choice(1, "agent:0", "cell:a"), choice(2, "cell:b")];
    const { complete } = select(both, ["agent:0", "cell:a"]);
    expect(complete.map((one) => one.action)).toEqual([0, 1]);
  });

  it("lets pieces of a group be clicked in any order, and taken out again", () => {
    const group = [
      choice(1, "piece:0"),
      choice(2, "piece:1"),
      choice(3, "piece:0", "piece:1"),
      choice(4, "piece:2"),
      choice(5, "piece:0", "piece:2"),
      choice(6, "piece:1", "piece:2"),
      choice(7, "piece:0", "piece:1", "piece:2"),
    ];
    const one = click(group, [], "piece:2") ?? [];
    const two = click(group, one, "piece:0") ?? [];
    expect(select(group, two).complete.map((found) => found.action)).toEqual([5]);
    const three = click(group, two, "piece:1") ?? [];
    expect(select(group, three).complete.map((found) => found.action)).toEqual([7]);
    const back = click(group, three, "piece:0") ?? [];
    expect(select(group, back).complete.map((found) => found.action)).toEqual([6]);
  });

  it("begins anew with another first shape, and ignores what means nothing", () => {
    const two = [choice(0, "unit:1", "cell:a"), choice(1, "unit:2", "cell:b")];
    expect(click(two, ["unit:1"], "unit:2")).toEqual(["unit:2"]);
    expect(click(two, ["unit:1"], "cell:z")).toBeNull();
    expect(click(two, ["unit:1"], "unit:1")).toEqual([]);
  });

  it("is not forced where an action without a shape exists", () => {
    const optional = [choice(0, "robber", "tile:1"), choice(1, "robber", "tile:2"), choice(2)];
    expect(select(optional, []).trail).toEqual([]);
  });

  it("does not play the only action by itself", () => {
    expect(select([choice(0, "deck")], []).trail).toEqual([]);
  });
});
