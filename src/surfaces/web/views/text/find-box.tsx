import { useMemo, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import type { LineMark } from "../../components/lines.tsx";
import { count } from "../../components/numbers.ts";

const mostFound = 5000;

type FoundAt = { line: number; start: number };

export type FindState = {
  text: string;
  at: FoundAt[];
  /** Which of them the reader is at. */
  current: number;
  marksOf: (line: number) => LineMark[] | undefined;
  setText: (text: string) => void;
  step: (by: number) => void;
};

/** Where a text occurs, whatever the case of its letters. */
export function useFind(lines: readonly string[]): FindState {
  const [text, setText] = useState("");
  const [place, setPlace] = useState(0);
  const at = useMemo(() => placesOf(lines, text), [lines, text]);
  const byLine = useMemo(() => {
    const lists = new Map<number, FoundAt[]>();
    for (const match of at) lists.set(match.line, [...(lists.get(match.line) ?? []), match]);
    return lists;
  }, [at]);
  const current = at.length === 0 ? 0 : ((place % at.length) + at.length) % at.length;
  return {
    text,
    at,
    current,
    marksOf: (line) =>
      byLine.get(line)?.map((match) => ({
        start: match.start,
        end: match.start + text.length,
        current: match === at[current],
      })),
    setText(next) {
      setText(next);
      setPlace(0);
    },
    step: (by) => setPlace(current + by),
  };
}

function placesOf(lines: readonly string[], text: string): FoundAt[] {
  const matches: FoundAt[] = [];
  if (text === "") return matches;
  const needle = text.toLowerCase();
  for (let line = 0; line < lines.length && matches.length < mostFound; line++) {
    const lower = lines[line]!.toLowerCase();
    for (let start = lower.indexOf(needle); start >= 0; start = lower.indexOf(needle, start + needle.length))
      matches.push({ line, start });
  }
  return matches;
}

export function FindBox({ find }: { find: FindState }) {
  const { text, at, current, setText, step } = find;
  return (
    <search class="find row">
      <input
        type="search"
        aria-label="Find in the text"
        placeholder="Find"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          step(event.shiftKey ? -1 : 1);
        }}
      />
      {text !== "" && (
        <>
          <span class="small soft number" role="status">
            {at.length === 0 ? "Not found" : `${count(current + 1)} of ${count(at.length)}`}
          </span>
          <Button kind="quiet" label="The one before" onClick={() => step(-1)} disabled={at.length === 0}>
            ↑
          </Button>
          <Button kind="quiet" label="The next one" onClick={() => step(1)} disabled={at.length === 0}>
            ↓
          </Button>
        </>
      )}
    </search>
  );
}
