import { blockFor, liveItems, toNumbers } from "../../search/posting-parts.ts";
import { findInBlock, type Postings, unpackLists } from "../../search/postings.ts";
import type { Scope } from "../../store.ts";
import { cacheOf, type Owner, type StoreSession } from "../engine/owner.ts";
import { blockRange, partsOf, termRange } from "./segments.ts";

/** The postings of one owner and scope: read on demand, cached until the next revision. */
export type Searchable = {
  /** By item number: its length plus one, or 0 when there is no such item. */
  lengths: Uint32Array;
  /**
   * The smallest item number: on a shelf that was filled late, most lower numbers belong to other shelves or owners.
   */
  first: number;
  /** Lists of these terms (hashes), without removed items; terms without any item are absent. */
  lists(terms: number[]): Map<number, Postings>;
  /** The scores of all items by the terms of the last search. */
  lastScored?: { key: string; scores: Float64Array };
};

/**
 * Limit of cached postings, five bytes each. A query reads its terms several times: for the search, for titles, for
 * their frequencies.
 */
const rememberedPostings = 4_000_000;

export function searchableOf(session: StoreSession, owner: Owner, scope: Scope): Searchable {
  const { searchables } = cacheOf(session, owner);
  let cached = searchables.get(scope);
  if (!cached) {
    cached = openSearchable(session, owner, scope);
    searchables.set(scope, cached);
  }
  return cached;
}

function openSearchable({ database }: StoreSession, owner: Owner, scope: Scope): Searchable {
  const parts = partsOf(database, owner, scope).map(({ id, items, removed }) => ({
    id,
    items: toNumbers(items),
    removed: toNumbers(removed),
    /** Numbers of the part's blocks, ascending. */
    blocks: JSON.parse(
      database.get<{ ids: string }>(
        "SELECT json_group_array(id) AS ids FROM (SELECT id FROM blocks WHERE id BETWEEN ? AND ? ORDER BY id)",
        blockRange(id),
      )!.ids,
    ) as number[],
  }));
  const { lengths, first, isGone } = liveItems(parts);

  const remembered = new Map<number, Postings>();
  let postings = 0;
  const readLists = (terms: number[]) => {
    const places = terms.map((term) => parts.map((part) => blockFor(part.blocks, part.id * termRange + term)));
    const blockIds = [...new Set(places.flat().filter((id) => id !== undefined))];
    const rows = database.all<{ id: number; data: Uint8Array }>(
      "SELECT b.id, b.data FROM json_each(?) AS j CROSS JOIN blocks AS b ON b.id = j.value",
      [JSON.stringify(blockIds)],
    );
    const blocks = new Map(rows.map(({ id, data }) => [id, data]));
    terms.forEach((term, i) => {
      const lists = places[i]!.flatMap((id) => (id === undefined ? [] : (findInBlock(blocks.get(id)!, term) ?? [])));
      const list = unpackLists(lists, isGone);
      remembered.set(term, list);
      postings += list.numbers.length;
    });
  };

  return {
    lengths,
    first,
    lists(terms) {
      if (postings > rememberedPostings) {
        remembered.clear();
        postings = 0;
      }
      const missing = terms.filter((term) => !remembered.has(term));
      if (missing.length > 0) readLists(missing);
      const listsByTerm = new Map<number, Postings>();
      for (const term of terms) {
        const list = remembered.get(term)!;
        if (list.numbers.length > 0) listsByTerm.set(term, list);
      }
      return listsByTerm;
    },
  };
}
