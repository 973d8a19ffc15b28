import type { GraphStore, StoredNote } from "../../graph.ts";
import type { Database } from "../engine/driver.ts";
import { findOwner } from "../engine/owner.ts";
import { ancestors } from "./ancestors.ts";
import { origins, tags } from "./counts.ts";
import { batchesContaining, factsOf, vocabulary } from "./facts.ts";
import { neighbours } from "./neighbours.ts";
import { called, emptyCache, type GraphCache, type GraphReads, get, hashes, named, remembered } from "./read.ts";
import { forgetOrigin, writeGraph } from "./write.ts";

/** The graph belongs to the same row of `owners` as the items of its notes. */
const onShelf = (owner: string) => `note/${owner}`;

/** Limit of owners whose notes are cached. */
const rememberedOwners = 8;

export function graphStore(database: Database): GraphStore {
  const caches = new Map<number, { revision: number; cache: GraphCache }>();

  const reading = <Result>(owner: string, none: Result, read: (graph: GraphReads) => Result) =>
    database.transaction("read", () => {
      const ownerRow = findOwner(database, onShelf(owner));
      if (!ownerRow) return none;
      return read({ database, owner: ownerRow.id, ...cacheOf(ownerRow) });
    });

  function cacheOf({ id, revision }: { id: number; revision: number }): GraphCache {
    const cached = caches.get(id);
    if (cached?.revision === revision) return cached.cache;
    if (!cached && caches.size >= rememberedOwners) caches.clear();
    const cache = emptyCache();
    caches.set(id, { revision, cache });
    return cache;
  }

  /** No transaction is needed: the cache belongs to one revision. */
  function rememberedOf(owner: string, ids: readonly string[]): StoredNote[] | undefined {
    const ownerRow = findOwner(database, onShelf(owner));
    return ownerRow && remembered(cacheOf(ownerRow), ids);
  }

  return {
    write: async (owner, origin, change) => writeGraph(database, onShelf(owner), origin, change),
    forget: async (owner, origin) => forgetOrigin(database, onShelf(owner), origin),
    hashes: async (owner, origin, sheet) => reading(owner, new Map(), (graph) => hashes(graph, origin, sheet)),
    get: async (owner, ids) => rememberedOf(owner, ids) ?? reading(owner, [], (graph) => get(graph, ids)),
    called: async (owner, key) => reading(owner, [], (graph) => called(graph, key)),
    named: async (owner, name, limit) => reading(owner, [], (graph) => named(graph, name, limit)),
    neighbours: async (owner, ids, relations, limit) =>
      reading(owner, { edges: [], more: [] }, (graph) => neighbours(graph, ids, relations, limit)),
    ancestors: async (owner, ids, limit) => reading(owner, new Map(), (graph) => ancestors(graph, ids, limit)),
    origins: async (owner) => reading(owner, [], (graph) => origins(database, graph.owner)),
    async *containing(owner, names) {
      for (const batch of reading<number[][]>(owner, [], (graph) => batchesContaining(graph, names))) {
        yield reading(owner, [], (graph) => factsOf(graph, batch));
      }
    },
    vocabulary: async (owner) => reading(owner, { tags: [], fields: [] }, vocabulary),
    tags: async (owner, limit) => reading(owner, [], (graph) => tags(database, graph.owner, limit)),
  };
}
