// Values of every seat over the game as lines, mistakes as signs on them, luck as bars below.
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { seatColour } from "../palette";
import { percentText, playerText, seatName, valueText, saidText } from "../words";
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
  y: (value: number) => number,
): string {
  return points
    .filter((point) => point.values)
    .map((point, index) => {
      const value = point.values?.[seat] ?? 0;
      return `${index ? "L" : "M"}${x(point.ply).toFixed(1)},${y(value).toFixed(1)}`;
    })
    .join("");
}

export function ValueGraph({ graph, seats, ply, plies, onPly }: ValueGraphProps): JSX.Element {
  const svg = useRef<SVGSVGElement>(null);
  const x = (at: number): number => (plies ? (at / plies) * WIDTH : 0);
  const y = (value: number): number => ((1 - value) / 2) * HEIGHT;
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
        aria-label={`Value of each seat over the game; at ply ${ply}: ${(here?.values ?? [])
          .map((value, seat) => `${playerText(seat)} ${valueText(value)}`)
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
      <div class="signs" aria-hidden="true">
        {graph.points
          .filter((point) => point.mark && point.values && point.seat >= 0)
          .map((point) => (
            <button
              key={point.ply}
              type="button"
              tabIndex={-1}
              class="sign"
              title={`ply ${point.ply}: ${saidText(point)} ${point.mark}, better: ${point.best_sentence || point.best}`}
              style={{
                left: `${(100 * x(point.ply)) / WIDTH}%`,
                top: `${(100 * (4 + y(point.values?.[point.seat] ?? 0))) / (total + 8)}%`,
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
            {seat.title}
          </span>
        ))}
        {lucky.length > 0 && <span class="muted">bars below: luck of the dice, player 1 up</span>}
        {graph.agent && (
          <span class="muted">
            {graph.agent}, {graph.visits ?? "?"} visits, {graph.done} of {graph.total} positions
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
          <th scope="col">Seat</th>
          <th scope="col">Decisions</th>
          <th scope="col" title="win rate given away per decision">
            Mean loss
          </th>
          <th scope="col">?!</th>
          <th scope="col">?</th>
          <th scope="col">??</th>
          <th scope="col" title="win rate that the dice gave or took">
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
            <td>{seat.mean_loss === null ? "–" : percentText(seat.mean_loss / 2)}</td>
            <td>{seat.marks["?!"] ?? 0}</td>
            <td>{seat.marks["?"] ?? 0}</td>
            <td>{seat.marks["??"] ?? 0}</td>
            <td>{percentText(seat.luck / 2)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Mistakes({ graph, onPly }: { graph: Graph; onPly: (ply: number) => void }) {
  const byPly = new Map(graph.points.map((point) => [point.ply, point]));
  const found = graph.mistakes.map((ply) => byPly.get(ply)).filter((point) => point !== undefined);
  if (found.length === 0) return <p class="hint">no marked decisions</p>;
  return (
    <ol class="mistakes">
      {found.map((point) => (
        <li key={point.ply}>
          <button type="button" onClick={() => onPly(point.ply)}>
            <b>{point.mark}</b> ply {point.ply}, {playerText(point.seat)}: {saidText(point)}, gave away{" "}
            {percentText((point.loss ?? 0) / 2)}
            {point.best && <> (better: {point.best_sentence || point.best})</>}
          </button>
        </li>
      ))}
    </ol>
  );
}

export function marksOfGraph(graph: Graph | null): ReadonlyMap<number, string> {
  return new Map(
    (graph?.points ?? []).filter((point) => point.mark).map((point) => [point.ply, point.mark]),
  );
}
