import type { Candidate } from "../item.ts";
import type { Shelf } from "../stores/store.ts";
import { type Query, searchedTerms } from "../text/analysis/query.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { SourceSearch } from "./source.ts";

/** Candidates on a shelf of records, by text and by meaning. */
export async function findOnShelf(
  shelf: Shelf,
  query: Query,
  { strategies, limit, filter, meaning }: SourceSearch,
  { store: files, owner }: Workspace,
): Promise<Candidate[]> {
  const store = files.shelf(shelf);
  const candidates = new Map<string, Candidate>();
  const add = (item: Candidate["item"], signal: string, score: number) => {
    const existing = candidates.get(item.id);
    if (existing) existing.signals[signal] = Math.max(existing.signals[signal] ?? 0, score);
    else candidates.set(item.id, { item, signals: { [signal]: score }, distance: 0 });
  };
  if (strategies.includes("text")) {
    const lists = [searchedTerms(query), ...(query.title.length > 0 ? [query.title] : [])];
    const hits = await Promise.all(
      lists.map((terms) => store.searchText(owner, { scope: "unit", terms, limit, filter })),
    );
    for (const { item, score } of hits.flat()) add(item, "matched", score);
  }
  if (strategies.includes("similar")) {
    const { builtinEmbedder } = await import("../embed/builtin.ts");
    const embedder = await builtinEmbedder(store, owner);
    const vector = await embedder?.embedQuery({ text: query.text, terms: query.terms });
    const hits = vector ? await store.searchVectors(owner, { vector, limit: Math.ceil(limit / 2), filter }) : [];
    for (const { item, score } of hits) add(item, "similar", score);
  }
  if (meaning) {
    const { model, vector } = meaning;
    const hits = await store.modelVectors.search(owner, model, { vector, limit: Math.ceil(limit / 2), filter });
    for (const { item, score } of hits) add(item, "meaning", score);
  }
  return [...candidates.values()];
}

/** Candidates per printed record: others rank too low to matter. */
export const candidatesEach = 3;
