import type { Scope, Shelf } from "../stores/store.ts";
import { forEachTerm } from "../text/analysis/terms.ts";
import type { Workspace } from "../workspace/workspace.ts";

/**
 * BM25 without fields, for the terms of the questions only: one pass over the shelf, whatever the number of questions.
 */
export type FlatIndex = { search(terms: readonly number[], limit: number): { id: string; score: number }[] };

const k1 = 1.2;
const b = 0.75;

export async function flatIndex(
  { store, owner }: Workspace,
  shelf: Shelf,
  scope: Scope,
  queryTerms: ReadonlySet<number>,
  signal?: AbortSignal,
): Promise<FlatIndex> {
  const ids: string[] = [];
  const lengths: number[] = [];
  const postings = new Map<number, { items: number[]; counts: number[] }>();
  for await (const batch of store.shelf(shelf).allTerms(owner, scope)) {
    signal?.throwIfAborted();
    for (const { id, terms } of batch) {
      const number = ids.push(id) - 1;
      let length = 0;
      const counts = new Map<number, number>();
      forEachTerm(terms, (hash, _field, count) => {
        length += count;
        if (queryTerms.has(hash)) counts.set(hash, (counts.get(hash) ?? 0) + count);
      });
      lengths.push(length);
      for (const [hash, count] of counts) {
        const list = postings.get(hash) ?? { items: [], counts: [] };
        list.items.push(number);
        list.counts.push(count);
        postings.set(hash, list);
      }
    }
  }
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length) || 1;
  return {
    search(terms, limit) {
      const scores = new Map<number, number>();
      for (const term of terms) {
        const list = postings.get(term);
        if (!list) continue;
        const rarity = Math.log(1 + (ids.length - list.items.length + 0.5) / (list.items.length + 0.5));
        list.items.forEach((item, i) => {
          const count = list.counts[i]!;
          const norm = k1 * (1 - b + (b * lengths[item]!) / average);
          scores.set(item, (scores.get(item) ?? 0) + (rarity * count * (k1 + 1)) / (count + norm));
        });
      }
      return [...scores]
        .map(([item, score]) => ({ id: ids[item]!, score }))
        .sort((x, y) => y.score - x.score || (x.id < y.id ? -1 : 1))
        .slice(0, limit);
    },
  };
}
