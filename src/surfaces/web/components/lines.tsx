import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type LineKind, piecesOf } from "./line-colours.ts";
import { count } from "./numbers.ts";

/** As high in styles.css. */
const rowHeight = 20;
/** Rows that are drawn above and below what is seen. */
const beyond = 40;
/** Most characters of a line that are drawn: a line of a megabyte would stop the page. */
const longestDrawn = 4000;

/** A part of a line that is marked: from `start` up to `end`. */
export type LineMark = { start: number; end: number; current?: boolean };
/** The colour of a whole line; a gap is shown where the other text has a line. */
type LineTone = "marked" | "added" | "removed" | "gap";

type Props = {
  label: string;
  lines: readonly string[];
  kinds?: readonly LineKind[];
  /** Without it lines are not numbered. */
  numberOf?: (index: number) => number | undefined;
  toneOf?: (index: number) => LineTone | undefined;
  marksOf?: (index: number) => readonly LineMark[] | undefined;
  /** Scrolls there when it changes. */
  show?: number;
  height?: string;
};

/** Any number of lines: only those that are seen are drawn. */
export function Lines({ label, lines, kinds, numberOf, toneOf, marksOf, show, height }: Props) {
  const frame = useRef<HTMLElement>(null);
  const [[from, to], setRange] = useState<[number, number]>([0, 120]);
  const measure = () => {
    const box = frame.current;
    if (!box) return;
    const first = Math.max(0, Math.floor(box.scrollTop / rowHeight) - beyond);
    const last = Math.ceil((box.scrollTop + box.clientHeight) / rowHeight) + beyond;
    setRange(([a, b]) => (a === first && b === last ? [a, b] : [first, last]));
  };
  useLayoutEffect(measure, [lines]);
  useEffect(() => {
    window.addEventListener("resize", measure);
    return () => window.removeEventListener("resize", measure);
  }, []);
  useLayoutEffect(() => {
    if (show === undefined || !frame.current) return;
    frame.current.scrollTop = Math.max(0, show * rowHeight - frame.current.clientHeight / 3);
    measure();
  }, [show, lines]);
  return (
    <section
      ref={frame}
      class="lines"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      style={height ? { maxHeight: height } : undefined}
      onScroll={measure}
    >
      <div class="lines-all" style={{ height: `${lines.length * rowHeight}px` }}>
        <pre class="lines-seen" style={{ transform: `translateY(${from * rowHeight}px)` }}>
          {lines.slice(from, to).map((line, offset) => {
            const index = from + offset;
            const kind = kinds?.[index] ?? "code";
            const marks = marksOf?.(index);
            return (
              <div key={index} class={`line ${kind} ${toneOf?.(index) ?? ""}`}>
                {numberOf && (
                  <span class="line-number" aria-hidden="true">
                    {numberOf(index)}
                  </span>
                )}
                <span class="line-text">
                  {marks ? <Marked line={line} marks={marks} /> : <Coloured line={line} kind={kind} />}
                </span>
              </div>
            );
          })}
        </pre>
      </div>
    </section>
  );
}

function Coloured({ line, kind }: { line: string; kind: LineKind }) {
  const visible = line.slice(0, longestDrawn);
  const rest = line.length - visible.length;
  return (
    <>
      {piecesOf(visible, kind).map(({ text, kind: colour }, index) =>
        colour ? (
          <span key={index} class={`piece-${colour}`}>
            {text}
          </span>
        ) : (
          text
        ),
      )}
      {rest > 0 && <span class="piece-comment"> … {count(rest)} more characters</span>}
    </>
  );
}

function Marked({ line, marks }: { line: string; marks: readonly LineMark[] }) {
  const pieces = [];
  let last = 0;
  for (const { start, end, current } of marks) {
    pieces.push(line.slice(last, start));
    pieces.push(
      <mark key={start} class={current ? "current" : undefined}>
        {line.slice(start, Math.min(end, start + longestDrawn))}
      </mark>,
    );
    last = end;
  }
  return (
    <>
      {pieces}
      {line.slice(last, last + longestDrawn)}
    </>
  );
}
