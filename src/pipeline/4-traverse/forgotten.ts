import type { Scored } from "../../item.ts";
import { isEmpty } from "../../sources/notes/note-twins.ts";
import type { StoredNote } from "../../stores/graph.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Notes that nothing owns, lists or mentions: they were thrown away, or never put anywhere. */
export async function forgottenAmong(notes: readonly StoredNote[], { store, owner }: Workspace): Promise<Set<string>> {
  const forgotten = new Set(notes.filter(({ loose }) => loose === true).map(({ id }) => id));
  // What its origin does not say is told by what it is: a name alone that no other note leads to.
  const unknown = notes.filter(
    (note) =>
      note.loose === undefined &&
      note.parent === undefined &&
      note.place === undefined &&
      note.tags.length === 0 &&
      isEmpty(note),
  );
  const ids = unknown.map(({ id }) => id);
  const { edges } = await store.graph.neighbours(owner, ids, ["child", "reference", "field"], 1);
  const linked = new Set(edges.map(({ from }) => from));
  for (const id of ids) if (!linked.has(id)) forgotten.add(id);
  return forgotten;
}

/** What a forgotten note keeps of the least that another one has: it comes last, and is there. */
const share = 0.5;

/** The same notes with the forgotten ones last, unless they were asked for. */
export function forgottenLast(scored: readonly Scored[], forgotten: ReadonlySet<string>): Scored[] {
  const isLast = ({ item, signals }: Scored) => forgotten.has(item.id) && !signals.asked;
  const least = scored.reduce((lowest, each) => (isLast(each) ? lowest : Math.min(lowest, each.score)), 1);
  return scored.map((each) => {
    if (!isLast(each)) return each;
    // Among themselves they keep their order.
    const score = share * least * each.score;
    return { ...each, score, because: { ...each.because, forgotten: score - each.score } };
  });
}
