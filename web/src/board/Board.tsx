// A scene on the page: the board with pan and zoom, and its panels beside it. Draws what it is
// given and reports which key was clicked; it knows no game.
import type { ComponentChildren, JSX, RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { usePreference } from "../preferences";
import { capital, layerText } from "../words";
import type { Scene, Shape } from "../wire";
import { bodyOf, centreOf, extentOf, shapesByKey } from "./geometry";
import { lastMarks, type Motion } from "./motion";
import { MotionView, Overlay, Rings, Targets, type OverlayData } from "./Overlay";
import { textSize } from "./ShapeView";
import { Shapes } from "./Shapes";
import { scaleOf, useSmallestText } from "./legible";
import { roomOf, useViewport, viewAround, zoomFor, type Place, type Viewport } from "./viewport";

const MARGIN = 0.12; // of a scene, in cells
const MANY = 9; // cells across, beyond which marks grow
const ASIDE = 0.17; // by which two overlays lie apart, in cells
type PanelSize = "beside" | "large" | "hidden";
const NEXT_SIZE: Record<PanelSize, PanelSize> = {
  beside: "large",
  large: "hidden",
  hidden: "beside",
};
const NOTHING: ReadonlySet<string> = new Set();

export interface BoardProps {
  scene: Scene;
  targets?: ReadonlySet<string>;
  aims?: ReadonlySet<string>; // targets that would be shot at, not entered
  trail?: readonly string[];
  last?: readonly string[];
  motion?: Motion | null; // arrows of the last step
  overlays?: readonly OverlayData[];
  onKey?: (key: string) => void;
  onHover?: (key: string | null) => void;
  own?: number | null; // the seat whose panels stand first
  small?: boolean;
}

export function Board(props: BoardProps): JSX.Element {
  const { scene, small } = props;
  const [hidden, setHidden] = useState<ReadonlySet<string>>(NOTHING);
  const layers = useMemo(() => layersOf(scene), [scene]);
  const toggle = (layer: string): void => {
    const next = new Set(hidden);
    if (!next.delete(layer)) next.add(layer);
    setHidden(next);
  };
  const panels = small ? [] : ownFirst(scene.panels ?? [], props.own ?? null);
  const [size, setSize] = usePreference<PanelSize>("panels", "beside");
  const shown = size === "hidden" ? [] : panels;
  const { beside, below } = arrange(scene, shown, size === "large" ? 2 : 1);
  const column = (some: readonly Scene[], name: string): JSX.Element | false =>
    some.length > 0 && (
      <div class={`panels ${name}`}>
        {some.map((panel, index) => (
          <Panel key={panel.title || index} {...props} scene={panel} motion={null} hidden={NOTHING} />
        ))}
      </div>
    );
  return (
    <div class={`board panels-${size}${small ? " small" : ""}${below.length ? " stacked" : ""}`}>
      <div class="board-column">
        <MainScene {...props} hidden={hidden} layers={layers} onLayer={toggle}>
          {panels.length > 0 && (
            <button
              type="button"
              class="sizes"
              onClick={() => setSize(NEXT_SIZE[size])}
              title="Panels: beside the board, large, or hidden"
            >
              Panels: {size}
            </button>
          )}
        </MainScene>
        {column(below, "below")}
      </div>
      {column(beside, "beside")}
    </div>
  );
}

const WIDE = 1.12; // a board that is wider than this leaves room below it
const SHARE = 2.2; // width of the board's column against that of the panels, see styles/session.css
const COLUMNS = 2; // of panels below the board, unless they are to be large

const ownTitle = (own: number): RegExp => new RegExp(`^(Player|Team) ${own + 1}\\b`);

/** A panel's title, with a word for whoever finds their own seat in it. */
export function titleFor(title: string, own: number | null): string {
  return own === null ? title : title.replace(ownTitle(own), (name) => `${name} (you)`);
}

/** One's own panels before all others, which keep their order. */
export function ownFirst(panels: readonly Scene[], own: number | null): readonly Scene[] {
  if (own === null) return panels;
  const title = ownTitle(own);
  const isOwn = (panel: Scene): boolean => title.test(panel.title ?? "");
  return [...panels.filter(isOwn), ...panels.filter((panel) => !isOwn(panel))];
}

/** Panels beside the board and, where the board is wide, below it: the shorter column gets more. */
export function arrange(
  scene: Scene,
  panels: readonly Scene[],
  enlarged: number,
): { beside: Scene[]; below: Scene[] } {
  const beside: Scene[] = [];
  const below: Scene[] = [];
  if (scene.width / scene.height < WIDE) return { beside: [...panels], below };
  const wide = SHARE / enlarged;
  const columns = enlarged > 1 ? 1 : COLUMNS;
  let left = wide * (scene.height / scene.width);
  let right = 0;
  for (const panel of panels) {
    const ratio = panel.height / panel.width;
    const more = (wide / columns ** 2) * ratio; // narrower, and one beside the other
    if (left + more < right + ratio) {
      below.push(panel);
      left += more;
    } else {
      beside.push(panel);
      right += ratio;
    }
  }
  return { beside, below };
}

/** Layers worth a switch: all but the ground. */
function layersOf(scene: Scene): string[] {
  const found = new Set(scene.shapes.map((shape) => shape.layer ?? "board"));
  found.delete("board");
  return [...found];
}

interface SceneProps extends BoardProps {
  hidden: ReadonlySet<string>;
}

interface MainProps extends SceneProps {
  layers: readonly string[];
  onLayer: (layer: string) => void;
  children: ComponentChildren;
}

function MainScene(props: MainProps): JSX.Element {
  const { scene, small, hidden, layers, onLayer } = props;
  const svg = useRef<SVGSVGElement>(null);
  const port = useViewport(svg, scene.width + 2 * MARGIN, scene.height + 2 * MARGIN);
  const [lens, setLens] = useState(false);
  const [pointer, setPointer] = useState<readonly [number, number] | null>(null);

  useShift(setLens);
  const stopFollowing = useAction(svg, port, props);
  useSmallestText(svg, (scene.width + 2 * MARGIN) / port.view.zoom, (scene.height + 2 * MARGIN) / port.view.zoom);
  const follow = (event: PointerEvent): void => {
    if (!lens || !svg.current) return;
    const matrix = svg.current.getScreenCTM();
    if (!matrix) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    setPointer([at.x, at.y]);
  };
  return (
    <div class="scene main" style={{ "--ratio": scene.width / scene.height }}>
      <svg
        ref={svg}
        class={port.view.zoom > 1 ? "zoomed" : ""}
        viewBox={port.viewBox}
        preserveAspectRatio="xMidYMid meet"
        role="group"
        aria-label="Board"
        {...(small ? {} : port.handlers)}
        onPointerMoveCapture={follow}
        onClick={(event) => {
          if (!port.wasDragged()) clickAt(event, props);
        }}
        onPointerOver={(event) => props.onHover?.(keyUnder(event.target))}
        onMouseLeave={() => props.onHover?.(null)}
      >
        <Drawing {...props} />
        {lens && pointer && !small && <Lens at={pointer} scene={scene} hidden={hidden} />}
      </svg>
      {!small && (
        <div class="board-tools" role="toolbar" aria-label="Board view">
          <button type="button" onClick={() => port.zoomBy(1.5)} title="Zoom in">
            +
          </button>
          <button type="button" onClick={() => port.zoomBy(1 / 1.5)} title="Zoom out">
            −
          </button>
          <button type="button" onClick={stopFollowing} title="Show the whole board">
            Fit
          </button>
          <button
            type="button"
            aria-pressed={lens}
            onClick={() => setLens(!lens)}
            title="Magnifying glass (hold Shift)"
          >
            Magnify
          </button>
          {layers.map((layer) => (
            <button
              key={layer}
              type="button"
              aria-pressed={!hidden.has(layer)}
              onClick={() => onLayer(layer)}
              title={`Show or hide ${layerText(layer)}`}
            >
              {capital(layerText(layer))}
            </button>
          ))}
          {props.children}
        </div>
      )}
    </div>
  );
}

const FINGERS = "(pointer: coarse), (max-width: 860px)"; // as in styles/narrow.css

/** On a small screen the board zooms to what may be tapped, else to what has just happened, as near
 * as fingers and eyes need it; Fit (what this returns) ends that. */
function useAction(svg: RefObject<SVGSVGElement | null>, port: Viewport, props: MainProps): () => void {
  const { scene, small, targets = NOTHING, trail = [], last = [] } = props;
  const follows = useRef(true);
  const names = [...targets].join(" ") || [...last].join(" ");
  useEffect(() => {
    const element = svg.current;
    if (small || !follows.current || !element || !window.matchMedia?.(FINGERS).matches) return;
    const places = shapesByKey(scene);
    const place = (key: string): Place[] => {
      const body = bodyOf(places, key);
      if (!body) return [];
      const [x, y] = centreOf(body);
      return [{ at: [x + MARGIN, y + MARGIN], size: extentOf(body) }];
    };
    const ofKind = (kind: Shape["kind"]): Place[] =>
      [...targets].filter((key) => bodyOf(places, key)?.kind === kind).flatMap(place);
    const room = roomOf(ofKind("polygon"), ofKind("disc")); // lines are drawn wide for fingers
    const board = [scene.width + 2 * MARGIN, scene.height + 2 * MARGIN] as const;
    const zoom = zoomFor(room, usualText(scene), scaleOf(element.getBoundingClientRect(), ...board));
    const happened = [...trail, ...last].flatMap(place);
    const tappable = [...targets].flatMap(place);
    port.show(viewAround(tappable.length ? tappable : happened, happened[0]?.at ?? null, zoom, board));
  }, [names, scene.width, scene.height]);
  return () => {
    follows.current = false;
    port.fit();
  };
}

/** The size of text of which half the texts on a board are smaller, in cells. */
export function usualText(scene: Scene): number | null {
  const sizes = scene.shapes.filter((shape) => shape.text).map(textSize);
  return sizes.sort((one, other) => one - other)[sizes.length >> 1] ?? null;
}

function Panel(props: SceneProps): JSX.Element {
  const { scene } = props;
  const svg = useRef<SVGSVGElement>(null);
  useSmallestText(svg, scene.width + 2 * MARGIN, scene.height + 2 * MARGIN);
  return (
    <figure class="scene panel" style={{ "--ratio": scene.width / scene.height }}>
      {scene.title && <figcaption>{titleFor(scene.title, props.own ?? null)}</figcaption>}
      <svg
        ref={svg}
        viewBox={`0 0 ${scene.width + 2 * MARGIN} ${scene.height + 2 * MARGIN}`}
        role="group"
        aria-label={scene.title || "Panel"}
        onClick={(event) => clickAt(event, props)}
        onPointerOver={(event) => props.onHover?.(keyUnder(event.target))}
        onMouseLeave={() => props.onHover?.(null)}
      >
        <Drawing {...props} />
      </svg>
    </figure>
  );
}

function Drawing(props: SceneProps): JSX.Element {
  const { scene, hidden, targets = NOTHING, aims = NOTHING, trail = [], last = [], overlays = [] } = props;
  const places = useMemo(() => shapesByKey(scene), [scene]);
  const scale = Math.max(1, Math.min(scene.width, scene.height) / MANY);
  const describe = (key: string): string =>
    places.get(key)?.find((shape) => shape.tip)?.tip ?? key.replace(":", " ");
  return (
    <g transform={`translate(${MARGIN} ${MARGIN})`}>
      <Shapes scene={scene} hidden={hidden} targets={targets} />
      <Rings places={places} keys={lastMarks(places, last, props.motion ?? null)} name="last" />
      {props.motion && <MotionView motion={props.motion} scale={scale} />}
      {overlays.map((overlay, index) => (
        <Overlay
          key={`${overlay.kind} ${index}`}
          places={places}
          overlay={overlay}
          aside={overlays.length > 1 && overlay.kind !== "line" ? (index ? -ASIDE : ASIDE) : 0}
          scale={scale}
        />
      ))}
      <Rings places={places} keys={trail} name="trail" />
      <Targets
        places={places}
        keys={targets}
        aims={aims}
        describe={describe}
        onKey={(key) => props.onKey?.(key)}
      />
    </g>
  );
}

/** A round glass of three times the size that follows the pointer. */
function Lens(props: { at: readonly [number, number]; scene: Scene; hidden: ReadonlySet<string> }) {
  const { at, scene, hidden } = props;
  const radius = Math.max(0.9, Math.min(scene.width, scene.height) / 5);
  return (
    <g class="lens">
      <clipPath id="lens">
        <circle cx={at[0]} cy={at[1]} r={radius} />
      </clipPath>
      <g clip-path="url(#lens)">
        <circle class="glass" cx={at[0]} cy={at[1]} r={radius} />
        <g transform={`translate(${-1.5 * at[0]} ${-1.5 * at[1]}) scale(2.5)`}>
          <g transform={`translate(${MARGIN} ${MARGIN})`}>
            <Shapes scene={scene} hidden={hidden} />
          </g>
        </g>
      </g>
      <circle class="rim" cx={at[0]} cy={at[1]} r={radius} />
    </g>
  );
}

function useShift(set: (held: boolean) => void): void {
  useEffect(() => {
    const key = (event: KeyboardEvent): void => {
      const typing = event.target instanceof HTMLInputElement;
      if (event.key === "Shift" && !event.repeat && !typing) set(event.type === "keydown");
    };
    window.addEventListener("keydown", key);
    window.addEventListener("keyup", key);
    return () => {
      window.removeEventListener("keydown", key);
      window.removeEventListener("keyup", key);
    };
  }, [set]);
}

function keyUnder(target: EventTarget | null): string | null {
  const element = target instanceof Element ? target.closest("[data-key]") : null;
  return element?.getAttribute("data-key") ?? null;
}

/** The topmost key under the pointer that may be clicked, else the topmost key of all. */
function clickAt(event: MouseEvent, props: BoardProps): void {
  const under = document.elementsFromPoint?.(event.clientX, event.clientY) ?? [];
  const keys = under.map(keyUnder).filter((key) => key !== null);
  const first = keyUnder(event.target);
  if (first !== null) keys.unshift(first);
  const wanted = keys.find((key) => props.targets?.has(key)) ?? keys[0];
  if (wanted !== undefined) props.onKey?.(wanted);
}
