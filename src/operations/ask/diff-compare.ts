import type { ComparedItem, Result } from "./diff-read.ts";

/** The difference between two results. Ranks count from 1. */
export type ResultDifference = {
  settings: { name: string; before?: string | number; after?: string | number }[];
  /** `reason`: why it was not shown by the other one, where that is known. */
  entered: Placed[];
  left: Placed[];
  moved: { id: string; name: string; before: number; after: number }[];
  changed: Changed[];
  unchanged: number;
};

type Placed = { id: string; name: string; rank: number; level?: string; score?: number; reason?: string };

type Change<Value> = { before?: Value; after?: Value };
type Changed = {
  id: string;
  name: string;
  rank: number;
  level?: Change<string>;
  score?: Change<number>;
  text?: TextChange;
};
/** Lines that are in one only, from the first to the last that differs; and that first one. */
type TextChange = { removed: number; added: number; line: number; before?: string; after?: string };

/** Scores are printed with two or three digits; a smaller difference only shows the time of measuring. */
const leastScore = 0.001;

export function compare(a: Result, b: Result): ResultDifference {
  const before = ranked(a.entries);
  const after = ranked(b.entries);
  const stayed = [...after.keys()].filter((key) => before.has(key));
  // An item has not moved if its rank is the same, or if it only makes room for others that enter or leave.
  const order = new Map([...before.keys()].filter((key) => after.has(key)).map((key, at) => [key, at]));
  const moved: ResultDifference["moved"] = [];
  const changed: Changed[] = [];
  const unchangedKeys = new Set(stayed);
  for (const [at, key] of stayed.entries()) {
    const [old, now] = [before.get(key)!, after.get(key)!];
    const { id, name } = now.entry;
    const parts = changes(old.entry, now.entry);
    const hasMoved = order.get(key) !== at && old.rank !== now.rank;
    const hasChanged = Object.keys(parts).length > 0;
    if (hasMoved) moved.push({ id, name, before: old.rank, after: now.rank });
    if (hasChanged) changed.push({ id, name, rank: now.rank, ...parts });
    if (hasMoved || hasChanged) unchangedKeys.delete(key);
  }
  return {
    settings: settingsOf(a.settings, b.settings),
    entered: [...after].filter(([key]) => !before.has(key)).map(([, each]) => placed(each, a.leftOut)),
    left: [...before].filter(([key]) => !after.has(key)).map(([, each]) => placed(each, b.leftOut)),
    moved,
    changed,
    unchanged: unchangedKeys.size,
  };
}

type Ranked = { entry: ComparedItem; rank: number };

/** Entries by id; a repeated id gets its count as a suffix. */
function ranked(entries: readonly ComparedItem[]): Map<string, Ranked> {
  const counts = new Map<string, number>();
  return new Map(
    entries.map((entry, at) => {
      const count = (counts.get(entry.id) ?? 0) + 1;
      counts.set(entry.id, count);
      return [`${count} ${entry.id}`, { entry, rank: at + 1 }];
    }),
  );
}

function placed({ entry: { id, name, level, score }, rank }: Ranked, leftOut: ReadonlyMap<string, string>): Placed {
  const reason = leftOut.get(id);
  return {
    ...{ id, name, rank },
    ...(level === undefined ? {} : { level }),
    ...(score === undefined ? {} : { score }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function changes(a: ComparedItem, b: ComparedItem): Pick<Changed, "level" | "score" | "text"> {
  const score =
    Math.abs((a.score ?? 0) - (b.score ?? 0)) >= leastScore || (a.score === undefined) !== (b.score === undefined);
  // An item that is only named on one side has no text there: its level changed.
  const bothSay = a.text !== "" && b.text !== "";
  const text = a.text !== b.text && (bothSay || a.level === b.level);
  return {
    ...(a.level === b.level ? {} : { level: change(a.level, b.level) }),
    ...(score ? { score: change(a.score, b.score) } : {}),
    ...(text ? { text: textChange(a.text, b.text) } : {}),
  };
}

function change<Value>(before: Value | undefined, after: Value | undefined): Change<Value> {
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

function textChange(a: string, b: string): TextChange {
  const [before, after] = [a.split("\n"), b.split("\n")];
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const removed = before.length - start - end;
  const added = after.length - start - end;
  return {
    ...{ removed, added, line: start + 1 },
    ...change(removed > 0 ? before[start] : undefined, added > 0 ? after[start] : undefined),
  };
}

function settingsOf(a: Result["settings"], b: Result["settings"]): ResultDifference["settings"] {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names.filter((name) => a[name] !== b[name]).map((name) => ({ name, ...change(a[name], b[name]) }));
}

/** Whether there is no difference. */
export function isSame({ settings, entered, left, moved, changed }: ResultDifference): boolean {
  return [settings, entered, left, moved, changed].every(({ length }) => length === 0);
}
