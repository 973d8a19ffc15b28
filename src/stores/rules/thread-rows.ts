import { DossierError } from "../../errors.ts";
import { foldName } from "../graph.ts";
import type { NewThread, ThreadInfo } from "../library.ts";
import { escapeText, unescapeText } from "./stored-text.ts";

/**
 * A thread as engines store it. A purged one has no title. `first`: the number of its own first message: a branch
 * continues after what it shares with its parent. Its own are numbered without a gap, `count` of them.
 */
export type ThreadRow = {
  id: string;
  title: string | null;
  /** The id of its parent. */
  parent: string | null;
  branched: string | null;
  first: number;
  count: number;
  created: number;
  changed: number;
  deleted: number | null;
};

export function asThread(row: ThreadRow): ThreadInfo {
  return {
    id: row.id,
    title: unescapeText(row.title ?? ""),
    ...(row.parent !== null && { parent: row.parent }),
    ...(row.branched !== null && { branchedAt: row.branched }),
    created: row.created,
    changed: row.changed,
    messages: lastPlace(row),
    ...(row.deleted !== null && { deleted: row.deleted }),
  };
}

export const lastPlace = ({ first, count }: { first: number; count: number }): number => first + count - 1;

/** A title as stored and as searched. */
export const titleColumns = (title: string) => ({ title: escapeText(title), folded: escapeText(foldName(title)) });

/** Throws `not-found` for an unknown or deleted one. */
export function livingThread<Row extends ThreadRow>(row: Row | undefined, id: string): Row {
  if (!row) throw new DossierError("not-found", `There is no thread ${id}.`);
  return row;
}

export function refuseBranchOfNothing({ parent, branchedAt }: NewThread): void {
  if (parent === undefined && branchedAt !== undefined) {
    throw new DossierError("bad-input", "A thread that branches off at a message needs the thread it branches off.");
  }
}

/** A thread on the path from a branch to its root. `Key`: how an engine identifies threads. */
export type ThreadLine<Key> = {
  thread: Key;
  parent: Key | null;
  first: number;
  count: number;
  deleted: number | null;
};

/** One thread's part of a branch: its own messages up to `last`, none when that is smaller than `first`. */
export type Segment<Key> = { thread: Key; first: number; last: number; deleted: boolean };

/**
 * The segments of a thread, its own first, then its parents'. A parent contributes what its branch shares, but never
 * more than everything in between shares; so a grandparent may contribute less than the parent itself shows.
 */
export function segmentsOf<Key>(lines: readonly ThreadLine<Key>[], thread: Key): Segment<Key>[] {
  const byThread = new Map(lines.map((line) => [line.thread, line]));
  const segments: Segment<Key>[] = [];
  let shared = Number.MAX_SAFE_INTEGER;
  for (let next: Key | null = thread; next !== null; ) {
    const line: ThreadLine<Key> | undefined = byThread.get(next);
    if (!line) break;
    // A damaged store may have a cycle: each comes once.
    byThread.delete(next);
    const { first, parent, deleted } = line;
    segments.push({ thread: next, first, last: Math.min(shared, lastPlace(line)), deleted: deleted !== null });
    shared = Math.min(shared, first - 1);
    next = parent;
  }
  return segments;
}

/** Segments with visible messages: messages of a deleted parent are deleted for its branches too. */
export function visibleSegments<Key>(segments: readonly Segment<Key>[]): Segment<Key>[] {
  return segments.filter(({ first, last, deleted }) => !deleted && first <= last);
}

/** A message that a thread has, itself or from its parents. */
export type SharedMessage<Key> = { thread: Key; place: number; id: string; given: string | null };

/** Of the candidates, by their id or the application's, the message that the thread has; the nearest, ids first. */
export function sharedMessage<Key>(
  segments: readonly Segment<Key>[],
  candidates: readonly SharedMessage<Key>[],
  message: string,
  parent: string,
): { place: number; id: string } {
  for (const { thread, last, deleted } of segments) {
    if (deleted) continue;
    const within = candidates.filter((each) => each.thread === thread && each.place <= last);
    const match = within.find(({ id }) => id === escapeText(message)) ?? within[0];
    if (match) return match;
  }
  throw new DossierError("not-found", `There is no message ${message} in the thread ${parent}.`);
}
