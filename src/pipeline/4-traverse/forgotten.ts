import type { Scored } from "../../item.ts";
import { isEmpty } from "../../sources/notes/note-twins.ts";
import type { StoredNote } from "../../stores/graph.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Ids of orphaned notes: no note owns, lists or mentions them, because they were discarded or never filed. */
export async function forgottenAmong(notes: readonly StoredNote[], { store, owner }: Workspace): Promise<Set<string>> {
  const forgotten = new Set(notes.filter(({ loose }) => loose === true).map(({ id }) => id));
  // If the origin does not record this, it is guessed: a note that is only a name, and that no other note links to.
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

/** A forgotten note scores below this share of the lowest other score, so that it comes last but is still listed. */
const forgottenFactor = 0.5;

/** The same notes with the forgotten ones last, unless they were requested. */
export function forgottenLast(scored: readonly Scored[], forgotten: ReadonlySet<string>): Scored[] {
  const isLast = ({ item, signals }: Scored) => forgotten.has(item.id) && !signals.asked;
  const lowestScore = scored.reduce((lowest, each) => (isLast(each) ? lowest : Math.min(lowest, each.score)), 1);
  return scored.map((each) => {
    if (!isLast(each)) return each;
    // Forgotten notes keep their order among themselves.
    const score = forgottenFactor * lowestScore * each.score;
    return { ...each, score, because: { ...each.because, forgotten: score - each.score } };
  });
}
