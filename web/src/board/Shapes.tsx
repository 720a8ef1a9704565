// The shapes of a scene. Pieces are groups that keep their name from scene to scene: they glide.
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Scene, Shape } from "../wire";
import { bodyOf, centreOf, round } from "./geometry";
import { isPieceShape } from "./motion";
import { ShapeView } from "./ShapeView";

interface Group {
  readonly name: string;
  readonly shapes: readonly Shape[];
}

/** Neighbouring shapes of one piece belong together; every other shape is a group of its own. */
export function groupsOf(shapes: readonly Shape[]): Group[] {
  const groups: { name: string; shapes: Shape[] }[] = [];
  const seen = new Map<string, number>();
  shapes.forEach((shape, index) => {
    const last = groups[groups.length - 1];
    const open = last?.shapes[0];
    if (open && isPieceShape(open) && isPieceShape(shape) && open.key === shape.key) {
      last.shapes.push(shape);
      return;
    }
    const plain = shape.key ? `${shape.kind} ${shape.key} ${shape.role}` : `${shape.kind} ${index}`;
    const name = isPieceShape(shape) ? `piece ${shape.key}` : plain;
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    groups.push({ name: count ? `${name} ${count}` : name, shapes: [shape] });
  });
  return groups;
}

interface ShapesProps {
  scene: Scene;
  hidden: ReadonlySet<string>; // layers
  targets?: ReadonlySet<string>; // outlined by themselves: a guide around them would be a second line
}

const NO_TARGETS: ReadonlySet<string> = new Set();

/** The same element comes back until the scene changes, so nothing is compared. */
export function Shapes({ scene, hidden, targets = NO_TARGETS }: ShapesProps): JSX.Element {
  const guided = useMemo(() => scene.shapes.some((shape) => shape.layer === "hints" && shape.key), [scene]);
  const outlined = guided ? targets : NO_TARGETS;
  return useMemo(() => {
    const isTwice = (shape: Shape): boolean => shape.layer === "hints" && outlined.has(shape.key ?? "");
    const shown = scene.shapes.filter((shape) => !hidden.has(shape.layer ?? "board") && !isTwice(shape));
    return (
      <g class="shapes">
        {groupsOf(shown).map(({ name, shapes }) =>
          isPieceShape(shapes[0] as Shape) ? (
            <Piece key={name} shapes={shapes} />
          ) : (
            <ShapeView key={name} shape={shapes[0] as Shape} />
          ),
        )}
      </g>
    );
  }, [scene, hidden, outlined]);
}

/** The outer group is moved by a transform that takes its time, the inner one undoes it at once. */
function Piece({ shapes }: { shapes: readonly Shape[] }): JSX.Element {
  const key = shapes[0]?.key ?? "";
  const body = bodyOf(new Map([[key, shapes]]), key) ?? (shapes[0] as Shape);
  const [x, y] = centreOf(body).map(round) as [number, number];
  return (
    <g class="glides" style={{ transform: `translate(${x}px, ${y}px)` }}>
      <g transform={`translate(${-x} ${-y})`}>
        {shapes.map((shape, index) => (
          <ShapeView key={index} shape={shape} />
        ))}
      </g>
    </g>
  );
}
