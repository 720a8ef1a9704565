// What a role looks like. The table is the package's own palette.json: colours have one home.
// Colours become a style sheet with a light and a dark half, so a change of theme redraws nothing.
import table from "../../src/stratagem/evaluate/palette.json";

interface Colours {
  fill: string;
  stroke: string;
  text: string;
}

interface Look {
  light: Colours;
  dark: Colours;
  width?: number; // of an outline or a line, in cells
  opacity?: number;
  dash?: number[]; // in cells
}

interface Table {
  themes: Record<Theme, { paper: string; ink: string }>;
  series: { colours: string[]; hatches: string[] };
  plain: Look;
  roles: Record<string, Look>;
}

type Theme = "light" | "dark";

const palette = table as unknown as Table;
const THINNEST = 0.02; // outline in cells where the table names none

export interface Pen {
  name: string; // of the class that gives the colours
  filled: boolean;
  width: number;
  opacity: number;
  dash: string | undefined;
}

const pens = new Map<string, Pen>();

function lookOf(role: string): Look {
  return palette.roles[role] ?? palette.plain;
}

/** How a role is drawn; grey if nobody described it. */
export function penOf(role: string): Pen {
  let pen = pens.get(role);
  if (!pen) {
    const look = lookOf(role);
    pen = {
      name: role in palette.roles ? className(role) : "role-plain",
      filled: look.light.fill !== "none",
      width: look.width ?? THINNEST,
      opacity: look.opacity ?? 1,
      dash: look.dash?.join(" "),
    };
    pens.set(role, pen);
  }
  return pen;
}

/** The colour of a seat, or of the n-th series of a chart. */
export function seatColour(index: number): string {
  const { colours } = palette.series;
  return colours[index % colours.length] as string;
}

function className(role: string): string {
  return `role-${role.replaceAll(/[^A-Za-z0-9-]/g, "_")}`;
}

/** Rules that give every role its colours: `--fill`, `--stroke`, `--text`. */
export function styleSheet(): string {
  const rules = (theme: Theme, inside: (rule: string) => string): string => {
    const { paper, ink } = palette.themes[theme];
    const lines = [inside(`--paper:${paper};--board-ink:${ink}`)];
    const roles: [string, Look][] = [["role-plain", palette.plain]];
    for (const [role, look] of Object.entries(palette.roles)) roles.push([className(role), look]);
    for (const [name, look] of roles) {
      const { fill, stroke, text } = look[theme];
      lines.push(`.${name}{--fill:${fill};--stroke:${stroke};--text:${text}}`);
    }
    return lines.join("\n");
  };
  const light = rules("light", (rule) => `:root{${rule}}`);
  const dark = rules("dark", (rule) => `:root{${rule}}`);
  const forced = dark
    .split("\n")
    .map((line) => (line.startsWith(":root") ? `:root[data-theme=dark]${line.slice(5)}` : `[data-theme=dark] ${line}`))
    .join("\n");
  const asked = dark
    .split("\n")
    .map((line) =>
      line.startsWith(":root")
        ? `:root:not([data-theme=light])${line.slice(5)}`
        : `:root:not([data-theme=light]) ${line}`,
    )
    .join("\n");
  return `${light}\n@media (prefers-color-scheme: dark){\n${asked}\n}\n${forced}\n`;
}

/** Put the palette's rules into the page, once. */
export function installPalette(): void {
  if (document.getElementById("palette")) return;
  const style = document.createElement("style");
  style.id = "palette";
  style.textContent = styleSheet();
  document.head.append(style);
}
