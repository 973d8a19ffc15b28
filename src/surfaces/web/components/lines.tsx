import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type LineKind, piecesOf } from "./line-colours.ts";
import { count } from "./numbers.ts";

/** As high in styles.css. */
const rowHeight = 20;
/** Rows that are drawn above and below what is seen. */
const beyond = 40;
/** A line is drawn this far: one of a megabyte would stop the page. */
const longestDrawn = 4000;

export type FoundAt = { line: number; start: number };

type Props = {
  label: string;
  lines: readonly string[];
  kinds?: readonly LineKind[];
  /** Of the first line; without it lines are not numbered. */
  firstNumber?: number;
  isMarked?: (index: number) => boolean;
  find?: { length: number; at: readonly FoundAt[]; current: number };
  /** Scrolls there when it changes. */
  show?: number;
  height?: string;
};

/** Any number of lines: only those that are seen are drawn. */
export function Lines({ label, lines, kinds, firstNumber, isMarked, find, show, height }: Props) {
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
  const found = new Map<number, number[]>();
  for (const { line, start } of find?.at ?? [])
    if (line >= from && line < to) found.set(line, [...(found.get(line) ?? []), start]);
  const currentAt = find?.at[find.current];
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
            const starts = found.get(index);
            return (
              <div key={index} class={`line ${kind} ${isMarked?.(index) ? "marked" : ""}`}>
                {firstNumber !== undefined && (
                  <span class="line-number" aria-hidden="true">
                    {firstNumber + index}
                  </span>
                )}
                <span class="line-text">
                  {starts ? (
                    <Found
                      line={line}
                      starts={starts}
                      length={find?.length ?? 0}
                      current={currentAt?.line === index ? currentAt.start : undefined}
                    />
                  ) : (
                    <Coloured line={line} kind={kind} />
                  )}
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
  const drawn = line.slice(0, longestDrawn);
  const rest = line.length - drawn.length;
  return (
    <>
      {piecesOf(drawn, kind).map(({ text, kind: colour }, index) =>
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

type FoundProps = { line: string; starts: number[]; length: number; current?: number };

function Found({ line, starts, length, current }: FoundProps) {
  const pieces = [];
  let end = 0;
  for (const start of starts) {
    pieces.push(line.slice(end, start));
    pieces.push(
      <mark key={start} class={start === current ? "current" : undefined}>
        {line.slice(start, start + length)}
      </mark>,
    );
    end = start + length;
  }
  return (
    <>
      {pieces}
      {line.slice(end, end + longestDrawn)}
    </>
  );
}
