// What lies over the shapes: legal targets, the trail of clicks, the last move, search overlays.
import type { JSX } from "preact";
import { aimText } from "../words";
import type { Shape } from "../wire";
import { bodyOf, centreOf, grownBy, pathOf, round, type Places, type Point } from "./geometry";
import type { Motion } from "./motion";
import { marksOf, percent, type Arrow, type Spot, type Weighted } from "./marks";

const FINGER = 0.24; // smallest radius of a target, in cells
const AROUND = 0.05; // by which an outline stands off from a counter, whose text it would cross

/** The outline of a shape again, for rings and click areas. */
function outlineOf(shape: Shape, grow: number, smallest: number): JSX.Element {
  if (shape.kind === "disc") {
    const [x, y] = shape.points[0] as Point;
    const radius = Math.max((shape.radius ?? 0) + grow, smallest);
    return <circle cx={round(x)} cy={round(y)} r={round(radius)} />;
  }
  const points = shape.kind === "polygon" && shape.layer === "pieces" ? grownBy(shape, AROUND) : shape.points;
  return <path d={pathOf(points, shape.kind === "polygon")} />;
}

interface RingProps {
  places: Places;
  keys: Iterable<string>;
  name: string;
}

export function Rings({ places, keys, name }: RingProps): JSX.Element {
  return (
    <g class={`rings ${name}`}>
      {[...keys].map((key) => {
        const shape = bodyOf(places, key);
        return (
          shape && (
            <g key={key} class={`ring ${shape.kind}`}>
              {outlineOf(shape, 0.05, 0.12)}
            </g>
          )
        );
      })}
    </g>
  );
}

interface TargetProps {
  places: Places;
  keys: Iterable<string>;
  aims: ReadonlySet<string>;
  describe: (key: string) => string;
  onKey: (key: string) => void;
}

/** Keys that may be clicked now, as buttons: reached with Tab, pressed with Enter or Space. */
export function Targets({ places, keys, aims, describe, onKey }: TargetProps): JSX.Element {
  return (
    <g class="targets">
      {[...keys]
        .filter((key) => places.has(key))
        .map((key) => (
          <g
            key={key}
            class={aims.has(key) ? "target aim" : "target"}
            data-key={key}
            role="button"
            tabIndex={0}
            aria-label={aims.has(key) ? aimText(describe(key)) : describe(key)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" && event.key !== " ") return;
              event.preventDefault();
              event.stopPropagation();
              onKey(key);
            }}
          >
            <TargetShape shape={bodyOf(places, key)} />
            {aims.has(key) && <Sights shape={bodyOf(places, key)} />}
          </g>
        ))}
    </g>
  );
}

function TargetShape({ shape }: { shape: Shape | null }): JSX.Element | null {
  return shape && <g class={shape.kind}>{outlineOf(shape, 0.02, FINGER)}</g>;
}

/** Cross hairs: what is shot at differs from what is entered without colour, too. */
function Sights({ shape }: { shape: Shape | null }): JSX.Element | null {
  if (!shape) return null;
  const [x, y] = centreOf(shape).map(round) as [number, number];
  return <path class="sights" d={`M${x - 0.16},${y}h0.32M${x},${y - 0.16}v0.32`} />;
}

/** Where pieces went in the last step, and what they aimed at. */
export function MotionView({ motion, scale }: { motion: Motion; scale: number }): JSX.Element {
  const draw = (arrow: Arrow, index: number, kind: string): JSX.Element => (
    <path
      key={`${kind} ${index}`}
      class={kind}
      d={`M${round(arrow.from[0])},${round(arrow.from[1])}L${round(arrow.to[0])},${round(arrow.to[1])}`}
      stroke-width={round(0.08 * scale)}
      marker-end="url(#arrow-head)"
    />
  );
  return (
    <g class="motion">
      {motion.moves.map((arrow, index) => draw(arrow, index, "move"))}
      {motion.aims.map((arrow, index) => draw(arrow, index, "aim"))}
    </g>
  );
}

export interface OverlayData {
  readonly kind: "prior" | "visits" | "line";
  readonly actions: readonly Weighted[];
  readonly label?: string; // default: the share in per cent
}

/** `aside` moves the marks a little, so that two overlays lie beside and not upon each other. */
export function Overlay(props: {
  places: Places;
  overlay: OverlayData;
  aside: number;
  scale: number; // of marks: a map of many cells needs larger ones
}) {
  const { places, overlay, aside, scale } = props;
  const { arrows, spots } = marksOf(places, overlay.actions);
  const most = Math.max(1e-9, ...arrows.map((a) => a.weight), ...spots.map((s) => s.weight));
  const labelOf = (mark: { weight: number }): string =>
    mark.weight > most / 5 ? (overlay.label ?? percent(mark.weight)) : "";
  // Neither all alike where nothing stands out, nor invisible where there are many.
  const sizeOf = (mark: { weight: number }): number =>
    0.4 * (mark.weight / most) + 0.6 * Math.min(1, mark.weight);
  return (
    <g class={`overlay ${overlay.kind}`}>
      {spots.map((spot) => (
        <SpotView
          key={spot.key}
          spot={spot}
          share={sizeOf(spot)}
          label={labelOf(spot)}
          aside={aside * scale}
          scale={scale}
        />
      ))}
      {arrows.map((arrow, index) => (
        <ArrowView
          key={index}
          arrow={arrow}
          share={sizeOf(arrow)}
          label={labelOf(arrow)}
          aside={aside * scale}
          scale={scale}
        />
      ))}
    </g>
  );
}

interface MarkProps {
  share: number; // size, 0 to 1
  label: string;
  aside: number;
  scale: number;
}

/** Priors are hollow, visits filled: so two overlays can be distinguished without colour. */
function SpotView({ spot, share, label, aside, scale }: MarkProps & { spot: Spot }) {
  const radius = scale * (0.1 + 0.22 * Math.sqrt(share));
  return (
    <g transform={`translate(${round(spot.at[0] + aside)} ${round(spot.at[1])})`}>
      <circle class="spot" r={round(radius)} />
      {label && (
        <text class="mark" font-size={round(scale * (0.16 + 0.1 * share))}>
          {label}
        </text>
      )}
    </g>
  );
}

function ArrowView({ arrow, share, label, aside, scale }: MarkProps & { arrow: Arrow }) {
  const [dx, dy] = [arrow.to[0] - arrow.from[0], arrow.to[1] - arrow.from[1]];
  const length = Math.hypot(dx, dy);
  const x = arrow.from[0] - (aside * dy) / length;
  const y = arrow.from[1] + (aside * dx) / length;
  const at = [x + 0.62 * dx, y + 0.62 * dy] as const;
  return (
    <g class="arrow" style={{ opacity: 0.35 + 0.65 * share }}>
      <path
        d={`M${round(x + 0.18 * dx)},${round(y + 0.18 * dy)}L${round(x + dx)},${round(y + dy)}`}
        stroke-width={round(scale * (0.03 + 0.09 * share))}
        marker-end="url(#arrow-head)"
      />
      {label && (
        <text class="mark" x={round(at[0])} y={round(at[1])} font-size={0.22 * scale}>
          {label}
        </text>
      )}
    </g>
  );
}
