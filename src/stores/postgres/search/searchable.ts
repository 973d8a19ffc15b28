import { blockFor, liveItems, scopeCodes, toNumbers } from "../../search/posting-parts.ts";
import { findInBlock, type Postings, unpackLists } from "../../search/postings.ts";
import type { Scope } from "../../store.ts";
import type { ShelfView } from "../engine/shelf.ts";

/** The postings of one shelf and scope: read on demand, cached until the next revision. */
export type SearchablePostings = {
  /** See `liveItems`. */
  lengths: Uint32Array;
  first: number;
  parts: { id: number; firsts: number[] }[];
  isGone: ((number: number) => boolean) | undefined;
  lists: Map<number, Postings>;
  postings: number;
};

/**
 * Limit of cached postings, five bytes each. A query's terms are read several times: to search, by title, for their
 * frequencies.
 */
const rememberedPostings = 4_000_000;

export async function searchableOf(view: ShelfView, scope: Scope): Promise<SearchablePostings> {
  const { searchables } = view.cache;
  const cached = searchables.get(scope);
  if (cached) return cached;
  const rows = await view.all<{ id: number; items: Uint8Array; removed: Uint8Array; firsts: number[] | null }>(
    `SELECT p.id, p.items, p.removed, (
       SELECT array_agg(b.first ORDER BY b.first) FROM blocks AS b WHERE b.owner = $1 AND b.shelf = $2 AND b.part = p.id
     )::float8[] AS firsts
     FROM parts AS p WHERE p.owner = $1 AND p.shelf = $2 AND p.scope = $3 ORDER BY p.id`,
    [scopeCodes[scope]],
  );
  const live = liveItems(rows.map(({ items, removed }) => ({ items: toNumbers(items), removed: toNumbers(removed) })));
  const searchable = {
    ...live,
    parts: rows.map(({ id, firsts }) => ({ id, firsts: firsts ?? [] })),
    lists: new Map(),
    postings: 0,
  };
  searchables.set(scope, searchable);
  return searchable;
}

/** Lists of these terms (hashes), without removed items; terms without any item are absent. */
export async function listsOf(
  view: ShelfView,
  searchable: SearchablePostings,
  terms: readonly number[],
): Promise<Map<number, Postings>> {
  if (searchable.postings > rememberedPostings) {
    searchable.lists = new Map();
    searchable.postings = 0;
  }
  const { lists } = searchable;
  const missing = terms.filter((term) => !lists.has(term));
  if (missing.length > 0) await readLists(view, searchable, missing);
  const listsByTerm = new Map<number, Postings>();
  for (const term of terms) {
    const list = lists.get(term);
    if (list && list.numbers.length > 0) listsByTerm.set(term, list);
  }
  return listsByTerm;
}

async function readLists(view: ShelfView, searchable: SearchablePostings, terms: readonly number[]): Promise<void> {
  const { parts, isGone, lists } = searchable;
  const blocksToRead = new Map<string, { part: number; first: number }>();
  const places = terms.map((term) =>
    parts.flatMap(({ id, firsts }) => {
      const first = blockFor(firsts, term);
      if (first === undefined) return [];
      const key = `${id} ${first}`;
      blocksToRead.set(key, { part: id, first });
      return [key];
    }),
  );
  const blocks = new Map<string, Uint8Array>();
  if (blocksToRead.size > 0) {
    const blockKeys = [...blocksToRead.values()];
    const rows = await view.all<{ part: number; first: number; data: Uint8Array }>(
      `SELECT b.part, b.first, b.data FROM unnest($3::int[], $4::bigint[]) AS w(part, first)
       JOIN blocks AS b ON b.owner = $1 AND b.shelf = $2 AND b.part = w.part AND b.first = w.first`,
      [blockKeys.map(({ part }) => part), blockKeys.map(({ first }) => first)],
    );
    for (const { part, first, data } of rows) blocks.set(`${part} ${first}`, data);
  }
  terms.forEach((term, i) => {
    const list = unpackLists(
      places[i]!.flatMap((key) => findInBlock(blocks.get(key)!, term) ?? []),
      isGone,
    );
    lists.set(term, list);
    searchable.postings += list.numbers.length;
  });
}
