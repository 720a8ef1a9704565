import { render } from "preact";
import { describe, expect, it } from "vitest";
import { blocksOf, itemsOf, Markdown } from "../src/markdown";

const TEXT = "## Rules\n1. **Board.** 19 tiles\n   and `54` places\n2. Turn\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nx  y\n\nz\n```";

describe("rules written in Markdown", () => {
  it("fall into blocks; code keeps its blank lines", () => {
    expect(blocksOf(TEXT)).toHaveLength(4);
    expect(itemsOf("1. a\n   b\n2. c")).toEqual(["a b", "c"]);
  });
  it("are drawn as elements and never as HTML", () => {
    const host = document.createElement("div");
    render(<Markdown text={`${TEXT}\n\n<img src=x onerror=alert(1)>`} />, host);
    expect(host.querySelectorAll("ol > li")).toHaveLength(2);
    expect(host.querySelector("b")?.textContent).toBe("Board.");
    expect(host.querySelectorAll("tbody td")).toHaveLength(2);
    expect(host.querySelector("pre")?.textContent).toBe("x  y\n\nz");
    expect(host.querySelector("img")).toBeNull();
  });
});
