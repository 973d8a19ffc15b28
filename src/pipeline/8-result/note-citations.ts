import { citationIds } from "../../formats/citation.ts";
import { isNode } from "../../item.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Unique } from "../unique.ts";

/**
 * Lengthens citations of notes until they are unique in the whole workspace, not only in this answer, so that one can
 * be opened later.
 */
export async function uniqueCitations(all: readonly Unique[], { store, owner }: Workspace): Promise<Unique[]> {
  const shelf = store.shelf("note");
  const notes = all.filter(({ item }) => isNode(item.source));
  if (notes.length === 0) return [...all];
  const prefixes = notes.map(({ citation: { id } }) => id.slice(1, -1));
  const ids = new Set([...all.map(({ item }) => item.id), ...(await shelf.sharedPrefixes(owner, prefixes))]);
  const short = citationIds([...ids]);
  return all.map((unique) =>
    isNode(unique.item.source)
      ? { ...unique, citation: { ...unique.citation, id: short.get(unique.item.id)! } }
      : unique,
  );
}
