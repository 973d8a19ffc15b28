import { useRef } from "preact/hooks";
import { Legend } from "../../components/bar.tsx";
import { decimal } from "../../components/numbers.ts";
import { date, moment } from "../../components/time.tsx";
import { useWidth } from "../../components/width.ts";
import type { Figure, Measure, PastMeasurement } from "./eval-view.tsx";

const colours: Record<Figure["kind"], string> = {
  commit: "source-code",
  test: "source-document",
  note: "source-note",
  thread: "source-message",
  own: "source-experience",
};

const margins = { left: 40, right: 16, top: 12, bottom: 28 };
const lines = [0, 0.25, 0.5, 0.75, 1];

type Point = { x: number; at: string; figure: Figure };

type Props = { measurements: PastMeasurement[]; measure: Measure; title: string };

/** A line for each kind of question with its 95 % interval; plain BM25 dashed. Measurements stand at even distances. */
export function EvalChart({ measurements, measure, title }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const height = Math.round(Math.min(340, Math.max(220, width * 0.36)));
  const inner = { width: width - margins.left - margins.right, height: height - margins.top - margins.bottom };
  const xOf = (place: number) =>
    margins.left + (measurements.length === 1 ? inner.width / 2 : (inner.width * place) / (measurements.length - 1));
  const yOf = (value: number) => margins.top + inner.height * (1 - Math.max(0, Math.min(1, value)));
  const kinds = [...new Set(measurements.flatMap(({ figures }) => figures.map(({ kind }) => kind)))];
  const series = kinds.map((kind) => ({
    kind,
    points: measurements.flatMap(({ at, figures }, place): Point[] => {
      const figure = figures.find((each) => each.kind === kind && each.measure === measure);
      return figure ? [{ x: xOf(place), at, figure }] : [];
    }),
  }));
  const words = series
    .filter(({ points }) => points.length > 0)
    .map(({ kind, points }) => `${kind} ${points.map(({ figure }) => decimal(figure.dossier.mean)).join(", ")}`);
  const labelled = labelPlaces(measurements.length, inner.width);
  return (
    <figure class="chart" ref={frame}>
      <svg width={width} height={height} role="img" aria-label={`${title} over time: ${words.join("; ")}`}>
        {lines.map((value) => (
          <g key={value}>
            <line class="chart-line" x1={margins.left} x2={width - margins.right} y1={yOf(value)} y2={yOf(value)} />
            <text class="chart-label" x={margins.left - 6} y={yOf(value) + 4} text-anchor="end">
              {decimal(value)}
            </text>
          </g>
        ))}
        {measurements.map(({ at }, place) =>
          labelled.has(place) ? (
            <text
              key={at}
              class="chart-label"
              x={xOf(place)}
              y={height - 8}
              text-anchor={anchorOf(place, measurements.length)}
            >
              {date(at)}
            </text>
          ) : null,
        )}
        {series.map(({ kind, points }) => (
          <g key={kind} class={`chart-series ${colours[kind]}`}>
            <path class="chart-band" d={band(points, yOf)} />
            <path class="chart-beside" d={path(points, ({ figure }) => yOf(figure.bm25))} />
            <path class="chart-path" d={path(points, ({ figure }) => yOf(figure.dossier.mean))} />
            {points.map(({ x, at, figure }) => (
              <circle key={at} class="chart-point" cx={x} cy={yOf(figure.dossier.mean)} r={4}>
                <title>{`${kind}, ${moment(at)}: ${decimal(figure.dossier.mean, 3)} (BM25 ${decimal(figure.bm25, 3)}, ${figure.cases} cases)`}</title>
              </circle>
            ))}
          </g>
        ))}
      </svg>
      <figcaption>
        <Legend
          parts={series
            .filter(({ points }) => points.length > 0)
            .map(({ kind, points }) => ({
              name: `questions from ${kind === "own" ? "your own cases" : `${kind}s`}`,
              colour: colours[kind],
              amount: decimal(points.at(-1)!.figure.dossier.mean, 3),
            }))}
        />
        <p class="small soft">Dashed: plain BM25 on the same questions. Shaded: the 95 % interval.</p>
      </figcaption>
    </figure>
  );
}

function path(points: readonly Point[], yOf: (point: Point) => number): string {
  return points.map((point, at) => `${at === 0 ? "M" : "L"}${point.x.toFixed(1)},${yOf(point).toFixed(1)}`).join("");
}

function band(points: readonly Point[], yOf: (value: number) => number): string {
  if (points.length < 2) return "";
  const upper = points.map(({ x, figure }) => `${x.toFixed(1)},${yOf(figure.dossier.high).toFixed(1)}`);
  const lower = points.map(({ x, figure }) => `${x.toFixed(1)},${yOf(figure.dossier.low).toFixed(1)}`).reverse();
  return `M${[...upper, ...lower].join("L")}Z`;
}

/** Pixels that a date takes. */
const dateWidth = 96;

function labelPlaces(count: number, width: number): Set<number> {
  const step = Math.max(1, Math.ceil((count * dateWidth) / Math.max(1, width)));
  const places = new Set<number>();
  for (let place = count - 1; place >= 0; place -= step) places.add(place);
  return places;
}

function anchorOf(place: number, count: number): "start" | "middle" | "end" {
  if (count > 1 && place === 0) return "start";
  return count > 1 && place === count - 1 ? "end" : "middle";
}
