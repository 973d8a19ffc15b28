import { useMemo, useRef, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { lineKinds } from "../../components/line-colours.ts";
import { Lines } from "../../components/lines.tsx";
import { count } from "../../components/numbers.ts";
import type { AnswerDocument } from "../../question/answer.ts";
import { type AlignedRow, alignLines, changedPart } from "./line-difference.ts";

type Side = "left" | "right";

/** Both documents, line beside line. They scroll together, and what differs is marked. */
export function Texts({ first, second }: { first: AnswerDocument; second: AnswerDocument }) {
  const [left, right] = [useLines(first), useLines(second)];
  const rows = useMemo(() => alignLines(left.lines, right.lines), [left, right]);
  const places = useMemo(
    () => rows.flatMap(({ same }, at) => (!same && rows[at - 1]?.same !== false ? at : [])),
    [rows],
  );
  const [place, setPlace] = useState<number>();
  const frame = useRef<HTMLElement>(null);
  const go = (step: number) =>
    setPlace((now) => (now === undefined ? 0 : (now + step + places.length) % places.length));
  const follow = ({ target }: Event) => {
    for (const pane of frame.current?.querySelectorAll(".lines") ?? []) {
      if (pane === target || !(target instanceof Element)) continue;
      pane.scrollTop = target.scrollTop;
      pane.scrollLeft = target.scrollLeft;
    }
  };
  const at = place === undefined ? undefined : places[place];
  return (
    <section ref={frame} class="stack" aria-label="Both texts" onScrollCapture={follow}>
      <div class="row spread">
        <h2>Side by side</h2>
        <div class="row">
          <span class="small soft number" role="status">
            {places.length === 0
              ? "The texts are the same."
              : `${place === undefined ? "" : `${count(place + 1)} of `}${count(places.length)} places differ`}
          </span>
          <Button kind="quiet" label="The difference before" disabled={places.length === 0} onClick={() => go(-1)}>
            ↑
          </Button>
          <Button kind="quiet" label="The next difference" disabled={places.length === 0} onClick={() => go(1)}>
            ↓
          </Button>
        </div>
      </div>
      <div class="texts">
        <Pane side="left" label="Text of the first run" rows={rows} texts={{ left, right }} show={at} />
        <Pane side="right" label="Text of the second run" rows={rows} texts={{ left, right }} show={at} />
      </div>
    </section>
  );
}

type Text = ReturnType<typeof useLines>;

function useLines({ text, format }: AnswerDocument) {
  return useMemo(() => {
    const lines = text.replace(/\n$/, "").split("\n");
    return { lines, kinds: lineKinds(lines, format) };
  }, [text, format]);
}

type PaneProps = { side: Side; label: string; rows: AlignedRow[]; texts: Record<Side, Text>; show?: number };

function Pane({ side, label, rows, texts, show }: PaneProps) {
  const { lines, kinds } = texts[side];
  const pane = useMemo(
    () => ({
      lines: rows.map((row) => lines[row[side] ?? -1] ?? ""),
      kinds: rows.map((row) => kinds[row[side] ?? -1] ?? "prose"),
    }),
    [rows, lines, kinds, side],
  );
  return (
    <Lines
      label={label}
      lines={pane.lines}
      kinds={pane.kinds}
      show={show}
      height="70vh"
      numberOf={(index) => {
        const line = rows[index]?.[side];
        return line === undefined ? undefined : line + 1;
      }}
      toneOf={(index) => {
        const row = rows[index];
        if (!row || row.same) return undefined;
        if (row[side] === undefined) return "gap";
        return side === "left" ? "removed" : "added";
      }}
      marksOf={(index) => {
        const { left, right, same = true } = rows[index] ?? {};
        if (same || left === undefined || right === undefined) return undefined;
        const [start, end] = changedPart(texts.left.lines[left]!, texts.right.lines[right]!)[side];
        return [{ start, end }];
      }}
    />
  );
}
