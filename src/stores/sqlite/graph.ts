import type { GraphStore } from "../graph.ts";
import type { Database } from "./driver.ts";
import { ancestors } from "./graph-ancestors.ts";
import { origins, tags } from "./graph-counts.ts";
import { batchesSaying, factsOf, vocabulary } from "./graph-facts.ts";
import { neighbours } from "./graph-neighbours.ts";
import { called, type Graph, type GraphCache, get, hashes, named } from "./graph-read.ts";
import { forgetOrigin, writeGraph } from "./graph-write.ts";
import { findOwner } from "./owner.ts";

/** The graph belongs to the same row of `owners` as the items that stand for its notes. */
const onShelf = (owner: string) => `note/${owner}`;

/** Owners whose notes are remembered at once. */
const rememberedOwners = 8;

export function graphStore(database: Database): GraphStore {
  const remembered = new Map<number, GraphCache & { revision: number }>();

  const reading = <Result>(owner: string, none: Result, read: (graph: Graph) => Result) =>
    database.transaction("read", () => {
      const known = findOwner(database, onShelf(owner));
      if (!known) return none;
      let cache = remembered.get(known.id);
      if (cache?.revision !== known.revision) {
        if (remembered.size >= rememberedOwners) remembered.clear();
        remembered.set(known.id, (cache = { revision: known.revision, notes: new Map(), sheets: new Map() }));
      }
      return read({ database, owner: known.id, notes: cache.notes, sheets: cache.sheets });
    });

  return {
    write: async (owner, origin, change) => writeGraph(database, onShelf(owner), origin, change),
    forget: async (owner, origin) => forgetOrigin(database, onShelf(owner), origin),
    hashes: async (owner, origin, sheet) => reading(owner, new Map(), (graph) => hashes(graph, origin, sheet)),
    get: async (owner, ids) => reading(owner, [], (graph) => get(graph, ids)),
    called: async (owner, key) => reading(owner, [], (graph) => called(graph, key)),
    named: async (owner, name, limit) => reading(owner, [], (graph) => named(graph, name, limit)),
    neighbours: async (owner, ids, relations, limit) =>
      reading(owner, { edges: [], more: [] }, (graph) => neighbours(graph, ids, relations, limit)),
    ancestors: async (owner, ids, limit) => reading(owner, new Map(), (graph) => ancestors(graph, ids, limit)),
    origins: async (owner) => reading(owner, [], (graph) => origins(database, graph.owner)),
    async *saying(owner, names) {
      for (const batch of reading<number[][]>(owner, [], (graph) => batchesSaying(graph, names))) {
        yield reading(owner, [], (graph) => factsOf(graph, batch));
      }
    },
    vocabulary: async (owner) => reading(owner, { tags: [], fields: [] }, vocabulary),
    tags: async (owner, limit) => reading(owner, [], (graph) => tags(database, graph.owner, limit)),
  };
}
