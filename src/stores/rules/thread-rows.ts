import { DossierError } from "../../errors.ts";
import { foldName } from "../graph.ts";
import type { NewThread, ThreadInfo } from "../library.ts";
import { given, kept } from "./stored-text.ts";

/**
 * A thread as engines keep it. A purged one has no title. `first` is the number of its own first message: a branch goes on after what it shares
 * with its parent. Its own are numbered without a gap, `count` of them.
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
    title: given(row.title ?? ""),
    ...(row.parent !== null && { parent: row.parent }),
    ...(row.branched !== null && { branchedAt: row.branched }),
    created: row.created,
    changed: row.changed,
    messages: lastPlace(row),
    ...(row.deleted !== null && { deleted: row.deleted }),
  };
}

export const lastPlace = ({ first, count }: { first: number; count: number }): number => first + count - 1;

/** A title as it is kept and as it is searched. */
export const titleColumns = (title: string) => ({ title: kept(title), folded: kept(foldName(title)) });

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

/** A thread on the way from a branch to the one that it began with. `Key` is what an engine knows threads by. */
export type ThreadLine<Key> = {
  thread: Key;
  parent: Key | null;
  first: number;
  count: number;
  deleted: number | null;
};

/** One thread's share of what is in a branch: its own messages up to `last`, none when that is smaller than `first`. */
export type Segment<Key> = { thread: Key; first: number; last: number; deleted: boolean };

/**
 * What a thread is made of, its own part first, then its parents'. A parent gives what its branch shares, but never more than is shared by
 * everything between; so what a parent of a parent gives may be less than what the parent itself shows.
 */
export function segmentsOf<Key>(lines: readonly ThreadLine<Key>[], thread: Key): Segment<Key>[] {
  const byThread = new Map(lines.map((line) => [line.thread, line]));
  const segments: Segment<Key>[] = [];
  let shared = Number.MAX_SAFE_INTEGER;
  for (let next: Key | null = thread; next !== null; ) {
    const line: ThreadLine<Key> | undefined = byThread.get(next);
    if (!line) break;
    // A damaged store may have a circle: each comes once.
    byThread.delete(next);
    const { first, parent, deleted } = line;
    segments.push({ thread: next, first, last: Math.min(shared, lastPlace(line)), deleted: deleted !== null });
    shared = Math.min(shared, first - 1);
    next = parent;
  }
  return segments;
}

/** Those with messages to show: what a deleted parent has is deleted for its branches too. */
export function shown<Key>(segments: readonly Segment<Key>[]): Segment<Key>[] {
  return segments.filter(({ first, last, deleted }) => !deleted && first <= last);
}

/** A message that a thread has, itself or from its parents. */
export type SharedMessage<Key> = { thread: Key; place: number; id: string; given: string | null };

/** Of the messages called so, by their id or the one that the application gave, the one that the thread has; the nearest, ids first. */
export function sharedMessage<Key>(
  segments: readonly Segment<Key>[],
  called: readonly SharedMessage<Key>[],
  message: string,
  parent: string,
): { place: number; id: string } {
  for (const { thread, last, deleted } of segments) {
    if (deleted) continue;
    const within = called.filter((each) => each.thread === thread && each.place <= last);
    const found = within.find(({ id }) => id === kept(message)) ?? within[0];
    if (found) return found;
  }
  throw new DossierError("not-found", `There is no message ${message} in the thread ${parent}.`);
}
