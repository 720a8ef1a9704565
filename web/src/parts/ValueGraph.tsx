// Values of every seat over the game as lines, mistakes as signs on them, luck as bars below.
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { seatColour } from "../palette";
import { accuracyOf, chancesOf } from "../review";
import { agentText, percentText, playerText, saidText, seatName } from "../words";
import type { GraphPoint, SeatInfo, ValueGraph as Graph } from "../wire";

const WIDTH = 600;
const HEIGHT = 150;
const LUCK = 34; // height of the strip of luck
const DASHES = ["", "6 3", "2 3", "8 3 2 3", "1 4", "12 4"]; // lines differ without colour too

export interface ValueGraphProps {
  graph: Graph;
  seats: readonly SeatInfo[];
  ply: number;
  plies: number;
  onPly: (ply: number) => void;
}

/** Points of one seat's line; positions that were not analysed are passed over. */
export function lineOf(
  points: readonly GraphPoint[],
  seat: number,
  x: (ply: number) => number,
  y: (chance: number) => number,
): string {
  return points
    .filter((point) => point.values)
    .map((point, index) => {
      const chance = chancesOf(point.values ?? [])[seat] ?? 0;
      return `${index ? "L" : "M"}${x(point.ply).toFixed(1)},${y(chance).toFixed(1)}`;
    })
    .join("");
}

export function ValueGraph({ graph, seats, ply, plies, onPly }: ValueGraphProps): JSX.Element {
  const svg = useRef<SVGSVGElement>(null);
  const x = (at: number): number => (plies ? (at / plies) * WIDTH : 0);
  const y = (chance: number): number => (1 - chance) * HEIGHT;
  const lucky = graph.points.filter((point) => point.luck);
  const most = Math.max(0.05, ...lucky.flatMap((point) => (point.luck ?? []).map(Math.abs)));
  const total = HEIGHT + (lucky.length ? LUCK + 6 : 0);
  const jump = (event: MouseEvent): void => {
    const box = svg.current?.getBoundingClientRect();
    if (!box?.width) return;
    onPly(Math.round(((event.clientX - box.left) / box.width) * plies));
  };
  const here = graph.points.find((point) => point.ply === ply);
  return (
    <figure class="value-graph">
      <svg
        ref={svg}
        viewBox={`0 -4 ${WIDTH} ${total + 8}`}
        preserveAspectRatio="none"
        onClick={jump}
        role="img"
        aria-label={`Win chance of each player over the game; at move ${ply}: ${chancesOf(here?.values ?? [])
          .map((chance, seat) => `${playerText(seat)} ${percentText(chance, 0)}`)
          .join(", ")}`}
      >
        <line class="zero" x1={0} x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
        <rect class="frame" x={0} y={0} width={WIDTH} height={HEIGHT} />
        {seats.map((seat) => (
          <path
            key={seat.seat}
            class="series"
            d={lineOf(graph.points, seat.seat, x, y)}
            stroke={seatColour(seat.seat)}
            stroke-dasharray={DASHES[seat.seat % DASHES.length]}
          />
        ))}
        {lucky.map((point) => (
          <Luck key={point.ply} point={point} x={x(point.ply)} most={most} wide={WIDTH / Math.max(plies, 1)} />
        ))}
        <line class="now" x1={x(ply)} x2={x(ply)} y1={-4} y2={total} />
      </svg>
      <div class="scale" aria-hidden="true">
        {[1, 0.5, 0].map((chance) => (
          <span key={chance} style={{ top: `${(100 * (4 + y(chance))) / (total + 8)}%` }}>
            {percentText(chance, 0)}
          </span>
        ))}
      </div>
      <div class="signs" aria-hidden="true">
        {graph.points
          .filter((point) => point.mark && point.values && point.seat >= 0)
          .map((point) => (
            <button
              key={point.ply}
              type="button"
              tabIndex={-1}
              class="sign"
              title={`Move ${point.ply + 1}: ${saidText(point)} ${point.mark}`}
              style={{
                left: `${(100 * x(point.ply)) / WIDTH}%`,
                top: `${(100 * (4 + y(chancesOf(point.values ?? [])[point.seat] ?? 0))) / (total + 8)}%`,
                color: seatColour(point.seat),
              }}
              onClick={() => onPly(point.ply)}
            >
              {point.mark}
            </button>
          ))}
      </div>
      <figcaption>
        {seats.map((seat) => (
          <span key={seat.seat} class="legend">
            <svg width="26" height="8" aria-hidden="true">
              <path
                d="M0,4L26,4"
                stroke={seatColour(seat.seat)}
                stroke-width="2.5"
                stroke-dasharray={DASHES[seat.seat % DASHES.length]}
              />
            </svg>{" "}
            {seatName(seat.seat, seats)}
          </span>
        ))}
        {lucky.length > 0 && <span class="muted">Bars below: the luck of the dice; up is good for {seatName(0, seats)}</span>}
        {graph.agent && (
          <span class="muted">
            <span title={graph.agent}>{agentText(graph.agent)}</span>, {graph.visits ?? "?"} simulations each,{" "}
            {graph.done} of {graph.total} positions
          </span>
        )}
      </figcaption>
    </figure>
  );
}

function Luck(props: { point: GraphPoint; x: number; most: number; wide: number }): JSX.Element {
  const { point, x, most, wide } = props;
  const luck = point.luck?.[0] ?? 0;
  const height = (Math.abs(luck) / most) * (LUCK / 2);
  const middle = HEIGHT + 6 + LUCK / 2;
  return (
    <rect
      class="luck"
      x={x - Math.max(1, wide * 0.4)}
      width={Math.max(2, wide * 0.8)}
      y={luck >= 0 ? middle - height : middle}
      height={Math.max(0.5, height)}
    />
  );
}

/** Decisions and dice apart: what each seat gave away and what fell to it. */
export function Accounts({ graph, seats }: { graph: Graph; seats: readonly SeatInfo[] }) {
  return (
    <table class="accounts">
      <thead>
        <tr>
          <th scope="col">Player</th>
          <th scope="col">Decisions</th>
          <th scope="col" title="100 % less the win chance given away per decision">
            Accuracy
          </th>
          <th scope="col">?!</th>
          <th scope="col">?</th>
          <th scope="col">??</th>
          <th scope="col" title="win chance that the dice gave or took">
            Luck
          </th>
        </tr>
      </thead>
      <tbody>
        {graph.seats.map((seat) => (
          <tr key={seat.seat}>
            <th scope="row">{seatName(seat.seat, seats)}</th>
            <td>
              {seat.analysed} of {seat.decisions}
            </td>
            <td>{accuracyOf(seat.mean_loss)}</td>
            <td>{seat.marks["?!"] ?? 0}</td>
            <td>{seat.marks["?"] ?? 0}</td>
            <td>{seat.marks["??"] ?? 0}</td>
            <td>{seat.luck === null || seat.luck === undefined ? "–" : percentText(seat.luck / 2)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function marksOfGraph(graph: Graph | null): ReadonlyMap<number, string> {
  return new Map(
    (graph?.points ?? []).filter((point) => point.mark).map((point) => [point.ply, point.mark]),
  );
}
