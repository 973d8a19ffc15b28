import type { ContextReference, NewReference, ReferenceSource } from "../library.ts";
import { unescapeText } from "./stored-text.ts";
import type { Segment } from "./thread-rows.ts";

/**
 * A reference as engines store it. `place`: the length of the thread at that time: a branch that begins before does not
 * inherit it.
 */
export type ReferenceRow = {
  id: string;
  kind: NewReference["kind"];
  target: string;
  source: ReferenceSource;
  priority: number;
  added: number;
};

export function asReference({ id, kind, target, source, priority, added }: ReferenceRow): ContextReference {
  return { id, kind, target: unescapeText(target), source, priority, added };
}

/** The references that apply to a thread with these segments; `rows`: those of all segments. */
export function referencesOf<Key>(
  segments: readonly Segment<Key>[],
  rows: readonly (ReferenceRow & { thread: Key; place: number })[],
): ContextReference[] {
  const counting = new Map<string, ContextReference>();
  let shared = Number.MAX_SAFE_INTEGER;
  for (const [i, { thread, first, deleted }] of segments.entries()) {
    for (const row of deleted ? [] : rows) {
      if (row.thread !== thread || row.place > shared) continue;
      const key = JSON.stringify([row.kind, row.target]);
      const inherited = i === 0 ? {} : { source: "inherited" as const };
      // A reference of the branch or a nearer parent to the same target wins.
      if (!counting.has(key)) counting.set(key, { ...asReference(row), ...inherited });
    }
    shared = Math.min(shared, first - 1);
  }
  return [...counting.values()].sort((a, b) => b.priority - a.priority || a.added - b.added || (a.id < b.id ? -1 : 1));
}
