// A line chart with uPlot: series over a common x axis, optional bands, colours of the theme.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { seatColour } from "../palette";

export interface Line {
  label: string;
  values: readonly (number | null)[];
  low?: readonly (number | null)[];
  high?: readonly (number | null)[];
}

export interface ChartProps {
  title: string;
  xLabel: string;
  x: readonly number[];
  lines: readonly Line[];
  yRange?: [number, number];
  height?: number;
}

const DENSE = 40; // points, from which they are not drawn one by one
const DASHES: number[][] = [[], [8, 4], [3, 3], [10, 3, 3, 3], [2, 5], [14, 5]];

/** Columns as uPlot wants them: x, then each line followed by its interval where it has one. */
export function columnsOf(x: readonly number[], lines: readonly Line[]): (number | null)[][] {
  const columns: (number | null)[][] = [[...x]];
  for (const line of lines) {
    columns.push([...line.values]);
    if (line.low && line.high) columns.push([...line.low], [...line.high]);
  }
  return columns;
}

/** The edges of bands are series too, but say nothing in a legend. */
function hideEdges(chart: uPlot): void {
  const rows = chart.root.querySelectorAll<HTMLElement>(".u-legend .u-series");
  chart.series.forEach((series, index) => {
    const row = rows[index];
    if (row && series.width === 0) row.style.display = "none";
  });
}

/** An upright line through each point of a line with intervals: a band needs two points to be seen. */
function drawWhiskers(chart: uPlot, bands: readonly uPlot.Band[], colours: readonly string[]): void {
  const [x = []] = chart.data;
  if (x.length >= DENSE) return;
  chart.ctx.save();
  bands.forEach((band, index) => {
    const [high, low] = band.series.map((at) => chart.data[at]);
    if (!low || !high) return;
    chart.ctx.strokeStyle = colours[index] ?? "";
    chart.ctx.lineWidth = devicePixelRatio;
    chart.ctx.beginPath();
    x.forEach((place, at) => {
      const [least, most] = [low[at], high[at]];
      if (least == null || most == null) return;
      const left = chart.valToPos(place, "x", true);
      chart.ctx.moveTo(left, chart.valToPos(least, "y", true));
      chart.ctx.lineTo(left, chart.valToPos(most, "y", true));
    });
    chart.ctx.stroke();
  });
  chart.ctx.restore();
}

function optionsOf(props: ChartProps, width: number, ink: string, grid: string): uPlot.Options {
  const series: uPlot.Series[] = [{ label: props.xLabel }];
  const bands: uPlot.Band[] = [];
  const edges: string[] = []; // colours of the bands
  props.lines.forEach((line, index) => {
    const stroke = seatColour(index);
    series.push({
      label: line.label,
      stroke,
      width: 2,
      dash: DASHES[index % DASHES.length],
      spanGaps: true,
      points: { show: props.x.length < DENSE, size: 5 },
      value: (_chart, value) => (value === null ? "–" : Number(value).toPrecision(4)),
    });
    if (line.low && line.high) {
      const edge: uPlot.Series = { stroke: "transparent", width: 0, spanGaps: true, points: { show: false } };
      const at = series.length;
      series.push({ ...edge, label: `${line.label} low` }, { ...edge, label: `${line.label} high` });
      bands.push({ series: [at + 1, at], fill: `${stroke}2e` });
      edges.push(stroke);
    }
  });
  const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
  return {
    width,
    height: props.height ?? 220,
    series,
    bands,
    scales: {
      x: { time: false },
      ...(props.yRange ? { y: { range: () => props.yRange as [number, number] } } : {}),
    },
    axes: [
      { ...axis, label: props.xLabel, labelSize: 18, size: 34 },
      { ...axis, size: 52 },
    ],
    legend: { live: true },
    hooks: { ready: [hideEdges], draw: [(chart) => drawWhiskers(chart, bands, edges)] },
    cursor: { drag: { x: true, y: false } },
  };
}

export function Chart(props: ChartProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const shape = props.lines.map((line) => `${line.label}${line.low ? "±" : ""}`).join("|");
  const dense = props.x.length >= DENSE;
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const build = (): void => {
      chart.current?.destroy();
      const look = getComputedStyle(element);
      const ink = look.getPropertyValue("--ink").trim() || "#222";
      const grid = look.getPropertyValue("--rule").trim() || "#ccc";
      const width = Math.max(240, element.clientWidth);
      chart.current = new uPlot(
        optionsOf(props, width, ink, grid),
        columnsOf(props.x, props.lines) as uPlot.AlignedData,
        element,
      );
    };
    build();
    const resized = new ResizeObserver(() => {
      const width = Math.max(240, element.clientWidth);
      if (chart.current && chart.current.width !== width) {
        chart.current.setSize({ width, height: props.height ?? 220 });
      }
    });
    resized.observe(element);
    const theme = new MutationObserver(build);
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      resized.disconnect();
      theme.disconnect();
      chart.current?.destroy();
      chart.current = null;
    };
  }, [shape, dense]);
  useEffect(() => {
    chart.current?.setData(columnsOf(props.x, props.lines) as uPlot.AlignedData);
  }, [props.x, props.lines]);
  return (
    <figure class="chart">
      <figcaption>{props.title}</figcaption>
      <div ref={box} />
    </figure>
  );
}
