import { hashTerm } from "../../../text/hash.ts";
import { largest } from "../../search/matrix.ts";
import { scopeCodes } from "../../search/posting-parts.ts";
import { trigrams } from "../../spelling.ts";
import type { TransactionQueries } from "../engine/session/session.ts";
import type { ShelfView } from "../engine/shelf.ts";
import type { StateBefore } from "../items/state-before-write.ts";
import { listsOf, type SearchablePostings } from "./searchable.ts";

/**
 * Trigrams of names as postings (search/posting-parts.ts), so that a misspelt name is found without reading all of
 * them. An index of pg_trgm would not be used: behind row-level security the server uses an operator in an index only
 * if it is LEAKPROOF, which those of pg_trgm are not; and whoever could declare them so, or go past row-level security,
 * is more than a role that owns its schema.
 */

/** Names that share trigrams and are looked up: some have no items, and are only named by links. */
const mostLookedUp = 1000;

export function trigramHashes(name: string): number[] {
  return [...new Set(trigrams(name).map(hashTerm))];
}

/** Names of a shelf that was written before there were trigrams: they are added with the next write. */
export async function namesWithoutTrigrams(
  queries: TransactionQueries,
  shelf: number,
  { shelf: { last_name: last }, parts }: StateBefore,
): Promise<{ id: number; folded: string }[]> {
  if (last === 0 || parts.some(({ scope }) => scope === scopeCodes.name)) return [];
  return queries.all("SELECT id, folded FROM names WHERE owner = $1 AND shelf = $2 ORDER BY id", [shelf]);
}

/**
 * Numbers of the names that share most trigrams with a word; undefined for a shelf without trigrams. All of its
 * trigrams count, however common: names that are only linked to, or gone since, are among those that share the rarest.
 */
export async function namesSharingTrigrams(view: ShelfView, word: string): Promise<number[] | undefined> {
  const searchable = await trigramsOf(view);
  if (searchable.parts.length === 0) return undefined;
  const lists = [...(await listsOf(view, searchable, trigramHashes(word))).values()];
  const last = lists.reduce((largest, { numbers }) => Math.max(largest, numbers.at(-1)!), 0);
  const shared = new Int32Array(last + 1);
  for (const { numbers } of lists) for (const number of numbers) shared[number]!++;
  return largest(shared, mostLookedUp, { floor: 0 });
}

/** Without the numbers of all names, which nothing here needs. */
async function trigramsOf(view: ShelfView): Promise<SearchablePostings> {
  if (view.cache.trigrams) return view.cache.trigrams;
  const rows = await view.all<{ id: number; firsts: number[] | null }>(
    `SELECT p.id, (
       SELECT array_agg(b.first ORDER BY b.first) FROM blocks AS b WHERE b.owner = $1 AND b.shelf = $2 AND b.part = p.id
     )::float8[] AS firsts
     FROM parts AS p WHERE p.owner = $1 AND p.shelf = $2 AND p.scope = ${scopeCodes.name} ORDER BY p.id`,
  );
  view.cache.trigrams = {
    ...{ lengths: new Uint32Array(), first: 0, isGone: undefined, lists: new Map(), postings: 0 },
    parts: rows.map(({ id, firsts }) => ({ id, firsts: firsts ?? [] })),
  };
  return view.cache.trigrams;
}
