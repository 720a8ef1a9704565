import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Board } from "../src/board/Board";
import { ActionList } from "../src/parts/ActionList";
import { TrailBox } from "../src/parts/TrailBox";
import { select } from "../src/board/select";
import type { LegalAction, Scene, Shape } from "../src/wire";
import { keyText } from "../src/words";

const scene: Scene = {
  width: 3,
  height: 2,
  facts: [],
  title: "",
  shapes: [
    { kind: "polygon", points: [[0, 0], [1, 0], [1, 1], [0, 1]], role: "wall", key: "cell:0", tip: "a wall" },
    { kind: "disc", points: [[1.5, 0.5]], radius: 0.4, role: "seat0", text: "A", key: "unit:1", layer: "pieces" },
    { kind: "line", points: [[0, 0], [1, 1]], role: "seat1-road", key: "edge:1" },
    { kind: "label", points: [[2, 1]], role: "label", text: "north", layer: "marks" },
  ],
  panels: [
    {
      width: 1, height: 1, title: "Hand", facts: [], panels: [],
      shapes: [{ kind: "disc", points: [[0.5, 0.5]], radius: 0.4, role: "card", key: "hand:ore" }],
    },
  ],
};

let host: HTMLElement;
function show(element: preact.VNode): HTMLElement {
  host = document.createElement("div");
  document.body.append(host);
  act(() => render(element, host));
  return host;
}
afterEach(() => {
  render(null, host);
  host.remove();
});

describe("a board", () => {
  it("draws every kind of shape with its role, and panels beside it", () => {
    const found = show(<Board scene={scene} />);
    expect(found.querySelectorAll(".shapes > g")).toHaveLength(5);
    expect(found.querySelector('[data-key="unit:1"]')?.getAttribute("class")).toContain("role-seat0");
    expect(found.querySelector("figcaption")?.textContent).toBe("Hand");
    expect(found.textContent).toContain("north");
  });

  it("offers targets as buttons for mouse and keyboard, in panels too", () => {
    const clicked = vi.fn();
    const found = show(
      <Board scene={scene} targets={new Set(["cell:0", "hand:ore"])} onKey={clicked} />,
    );
    const targets = [...found.querySelectorAll<SVGElement>(".target")];
    expect(targets.map((one) => one.dataset.key)).toEqual(["cell:0", "hand:ore"]);
    expect(targets[0]?.getAttribute("aria-label")).toBe("a wall");
    act(() => {
      targets[0]?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
      targets[1]?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    });
    expect(clicked.mock.calls.map((call) => call[0] as string)).toEqual(["cell:0", "hand:ore"]);
  });

  it("reads a number aloud with what it counts", () => {
    const card: Shape = { kind: "label", points: [[1, 1]], role: "text", text: "2", tip: "2 ore", key: "hand:ore" };
    const found = show(<Board scene={{ ...scene, shapes: [card] }} />);
    expect(found.querySelector('[role="img"]')?.getAttribute("aria-label")).toBe("2 ore");
  });

  it("marks what would be shot at apart from where one may go", () => {
    const found = show(<Board scene={scene} targets={new Set(["cell:0", "unit:1"])} aims={new Set(["cell:0"])} />);
    const [wall, unit] = [...found.querySelectorAll(".target")];
    expect(wall?.classList.contains("aim") && wall.querySelector(".sights") !== null).toBe(true);
    expect(wall?.getAttribute("aria-label")).toBe("Shoot at a wall");
    expect(unit?.classList.contains("aim") || unit?.querySelector(".sights")).toBeFalsy();
  });

  it("draws no guide around what is outlined as a target", () => {
    const guide: Shape = { kind: "line", points: [[0, 0], [1, 1]], role: "target", key: "cell:0", layer: "hints" };
    const guided = { ...scene, shapes: [...scene.shapes, guide] };
    const count = (targets: string[]): number => {
      const found = show(<Board scene={guided} targets={new Set(targets)} />).querySelectorAll(".shapes > g").length;
      render(null, host);
      host.remove();
      return found;
    };
    expect(count([]) - count(["cell:0"])).toBe(1);
    const found = show(<Board scene={guided} />);
    const names = [...found.querySelectorAll(".board-tools button")].map((one) => one.textContent);
    expect(names).toContain("Guides"); // Hint is another button
  });

  it("hides a layer when asked", () => {
    const found = show(<Board scene={scene} />);
    const button = [...found.querySelectorAll("button")].find((one) => one.textContent === "Pieces");
    act(() => button?.click());
    expect(found.querySelector('.shapes [data-key="unit:1"]')).toBeNull();
  });
});

const actions: LegalAction[] = ["attack d4", "move c4 N", "pass"].map((text, action) => ({
  action,
  text,
  sentence: "",
  touches: action < 2 ? [`unit:${action}`] : [],
  aims: [],
  group: action < 2 ? "units" : "other",
  ends_turn: false,
}));

describe("the list of actions", () => {
  it("lists all of them, also those that no shape shows, and chooses with Enter", () => {
    const chosen = vi.fn();
    const confirmed = vi.fn();
    const nothing = (): void => undefined;
    const list = (current: number | null, ply = 0) => (
      <ActionList
        actions={actions} total={3} ply={ply} rest="Opponent's turn" chosen={current}
        onChoose={chosen} onPoint={nothing} onConfirm={confirmed}
      />
    );
    const found = show(list(null));
    expect(found.querySelectorAll("[data-action]")).toHaveLength(3);
    const input = found.querySelector("input") as HTMLInputElement;
    act(() => {
      input.value = "pass";
      input.dispatchEvent(new Event("input", { bubbles: true }));
    });
    expect(found.querySelectorAll("[data-action]")).toHaveLength(1);
    const enter = (): boolean =>
      input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    act(() => void enter());
    expect(chosen).toHaveBeenCalledWith(actions[2]);
    act(() => render(list(2), host));
    act(() => void enter());
    expect(confirmed).toHaveBeenCalledOnce();
    act(() => render(list(null, 1), host)); // decided: the search is not kept for the next decision
    expect(input.value).toBe("");
    expect(found.querySelectorAll("[data-action]")).toHaveLength(3);
  });
});

describe("codes of actions", () => {
  it("are shown to those who want them", () => {
    const told = actions.map((one) => ({ ...one, sentence: `Sentence ${one.action}` }));
    const nothing = (): void => undefined;
    const found = show(
      <ActionList
        actions={told} total={3} ply={0} rest="" chosen={null}
        onChoose={nothing} onPoint={nothing} onConfirm={nothing}
      />,
    );
    expect(found.querySelectorAll("code")).toHaveLength(0);
    act(() => (found.querySelector(".codes") as HTMLButtonElement).click());
    expect([...found.querySelectorAll("code")].map((one) => one.textContent)).toContain("pass");
  });
});

describe("the trail", () => {
  it("confirms only what is chosen", () => {
    const confirmed = vi.fn();
    const nothing = (): void => undefined;
    const box = (chosen: LegalAction | null) => (
      <TrailBox
        scene={scene} steps={[]} selection={select(actions, [])} chosen={chosen} confirm sending={false}
        canGoBack={false} onConfirmMode={nothing} onConfirm={confirmed} onBack={nothing}
        onChoose={nothing}
      />
    );
    const found = show(box(null));
    const button = found.querySelector("#confirm") as HTMLButtonElement;
    expect(button.disabled).toBe(true);
    act(() => render(box(actions[0] as LegalAction), host));
    expect(button.disabled).toBe(false);
    act(() => button.click());
    expect(confirmed).toHaveBeenCalledOnce();
  });

  it("calls what was clicked by its tip, else by its key", () => {
    expect(keyText(scene, "cell:0")).toBe("a wall");
    expect(keyText(scene, "unit:1")).toBe("unit 1");
    expect(keyText({ ...scene, panels: [] }, "hand:ore")).toBe("hand ore");
  });
});
