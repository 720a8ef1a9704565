// One shape of a scene as SVG. Colours come from the class of its role, widths from the palette.
import type { JSX } from "preact";
import { penOf, type Pen } from "../palette";
import type { Shape } from "../wire";
import { centreOf, extentOf, fittingSize, pathOf, round } from "./geometry";

const PLAIN_TEXT = 0.3; // height of a label in cells where the scene leaves it open

export function ShapeView({ shape }: { shape: Shape }): JSX.Element {
  const pen = penOf(shape.role);
  const named = shape.tip && shape.text; // read aloud as "1 brick", not as "1"
  return (
    <g
      class={pen.name}
      role={named ? "img" : undefined}
      aria-label={named ? shape.tip : undefined}
      data-key={shape.key || undefined}
      opacity={pen.opacity < 1 ? pen.opacity : undefined}
      style={shape.kind === "disc" ? placed(shape) : undefined}
    >
      {shape.tip && <title>{shape.tip}</title>}
      <Body shape={shape} pen={pen} />
      {shape.text && <Text shape={shape} text={shape.text} />}
    </g>
  );
}

/** A disc is drawn around nothing and moved to its place. */
function placed(shape: Shape): { transform: string } {
  const [x, y] = shape.points[0] as [number, number];
  return { transform: `translate(${round(x)}px, ${round(y)}px)` };
}

function Body({ shape, pen }: { shape: Shape; pen: Pen }): JSX.Element | null {
  const width = shape.width || pen.width;
  switch (shape.kind) {
    case "label":
      return null;
    case "line":
      return (
        <path
          class={pen.filled ? "stroke filled" : "stroke"}
          d={pathOf(shape.points, false)}
          stroke-width={width}
          stroke-dasharray={pen.dash}
        />
      );
    case "disc":
      return (
        <circle class="area" r={shape.radius} stroke-width={width} stroke-dasharray={pen.dash} />
      );
    default:
      return (
        <path
          class="area"
          d={pathOf(shape.points, true)}
          stroke-width={width}
          stroke-dasharray={pen.dash}
        />
      );
  }
}

function Text({ shape, text }: { shape: Shape; text: string }): JSX.Element {
  const [x, y] = shape.kind === "disc" ? [0, 0] : centreOf(shape);
  return (
    <text
      x={round(x)}
      y={round(y)}
      transform={shape.turn ? `rotate(${shape.turn} ${round(x)} ${round(y)})` : undefined}
      style={{ fontSize: `max(${round(textSize(shape))}px, var(--smallest, 0px))` }}
      text-anchor={(shape.anchor as "start" | "middle" | "end" | undefined) ?? "middle"}
    >
      {text}
    </text>
  );
}

/** The height of a shape's text as the game wants it, in cells. */
export function textSize(shape: Shape): number {
  if (shape.size) return shape.size;
  if (shape.kind === "label" || shape.kind === "line") return PLAIN_TEXT;
  const [width, height] = extentOf(shape);
  return Math.min(PLAIN_TEXT, fittingSize(shape.text ?? "", width * 0.88, height));
}
