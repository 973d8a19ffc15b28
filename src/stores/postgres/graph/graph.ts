import type { GraphStore } from "../../graph.ts";
import type { PostgresSession, Queries, TransactionQueries } from "../engine/session.ts";
import { neighbours } from "./neighbours.ts";
import * as read from "./read.ts";
import { forgetOrigin, writeGraph } from "./write.ts";

/** How the shelf `note` is known, of which the graph is a part: its revision is the graph's. */
export type NoteShelf = {
  /** What the session knows an owner's shelf by. */
  name(owner: string): string;
  /** Makes its row where there is none, and lets nobody else write to it until the transaction ends. */
  lock(queries: TransactionQueries): Promise<unknown>;
  /** Lets its revision grow by one. */
  grow(queries: TransactionQueries): Promise<unknown>;
};

/** The notes graph over a session; it is the store's to close that. */
export function postgresGraph(session: PostgresSession, shelf: NoteShelf): GraphStore {
  const of = (owner: string): Queries => session.of(shelf.name(owner));
  return {
    async write(owner, origin, change) {
      await session.transaction(
        shelf.name(owner),
        async (queries) => {
          await shelf.lock(queries);
          await Promise.all([writeGraph(queries, origin, change), shelf.grow(queries)]);
        },
        { idempotent: true },
      );
    },
    async forget(owner, origin) {
      await session.transaction(
        shelf.name(owner),
        async (queries) => {
          await shelf.lock(queries);
          if (await forgetOrigin(queries, origin)) await shelf.grow(queries);
        },
        { idempotent: true },
      );
    },
    hashes: (owner, origin, sheet) => read.hashes(of(owner), origin, sheet),
    get: (owner, ids) => read.get(of(owner), ids),
    called: (owner, key) => read.called(of(owner), key),
    named: (owner, name, limit) => read.named(of(owner), name, limit),
    neighbours: (owner, ids, relations, limit) => neighbours(of(owner), ids, relations, limit),
    ancestors: (owner, ids, limit) => read.ancestors(of(owner), ids, limit),
    origins: (owner) => read.origins(of(owner)),
    async *saying(owner, names) {
      for (const batch of await read.batchesSaying(of(owner), names)) yield await read.factsOf(of(owner), batch);
    },
    vocabulary: (owner) => read.vocabulary(of(owner)),
    tags: (owner, limit) => read.tags(of(owner), limit),
  };
}
