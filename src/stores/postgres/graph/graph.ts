import type { GraphStore } from "../../graph.ts";
import type { PostgresSession, TransactionQueries } from "../engine/session/session.ts";
import { shelfCodes } from "../engine/shelf.ts";
import { neighbours } from "./neighbours.ts";
import * as read from "./read.ts";
import { forgetOrigin, writeGraph } from "./write.ts";

/**
 * The notes graph over a session, which the store closes. `onWritten`: called with the owner whose graph this process
 * changed, and how many notes were written.
 */
export function postgresGraph(
  session: PostgresSession,
  onWritten: (owner: string, notes: number) => Promise<void> = async () => undefined,
): GraphStore {
  // Writing the same notes again gives the same graph: an uncertain write can be repeated.
  const change = async (
    owner: string,
    notes: number,
    work: (queries: TransactionQueries) => Promise<unknown>,
  ): Promise<void> => {
    await session.transaction(owner, work, { idempotent: true });
    await onWritten(owner, notes);
  };
  return {
    write: (owner, origin, changed) =>
      change(owner, changed.notes.length, async (queries) => {
        await lockNotes(queries);
        await writeGraph(queries, origin, changed);
        await growNotes(queries);
      }),
    forget: (owner, origin) =>
      change(owner, 0, async (queries) => {
        await lockNotes(queries);
        if (await forgetOrigin(queries, origin)) await growNotes(queries);
      }),
    hashes: (owner, origin, sheet) => read.hashes(session.of(owner), origin, sheet),
    get: (owner, ids) => read.get(session.of(owner), ids),
    called: (owner, key) => read.called(session.of(owner), key),
    named: (owner, name, limit) => read.named(session.of(owner), name, limit),
    neighbours: (owner, ids, relations, limit) => neighbours(session.of(owner), ids, relations, limit),
    ancestors: (owner, ids, limit) => read.ancestors(session.of(owner), ids, limit),
    origins: (owner) => read.origins(session.of(owner)),
    async *containing(owner, names) {
      const queries = session.of(owner);
      for (const batch of await read.batchesContaining(queries, names)) yield await read.factsOf(queries, batch);
    },
    vocabulary: (owner) => read.vocabulary(session.of(owner)),
    tags: (owner, limit) => read.tags(session.of(owner), limit),
  };
}

const noteShelf = shelfCodes.note;

/** Creates the row of the graph's shelf if it is missing, and locks it until the transaction ends. */
async function lockNotes(queries: TransactionQueries): Promise<void> {
  const lock = "SELECT revision FROM shelves WHERE owner = $1 AND shelf = $2 FOR UPDATE";
  if (await queries.get(lock, [noteShelf])) return;
  await Promise.all([
    queries.run("INSERT INTO shelves(owner, shelf) VALUES($1, $2) ON CONFLICT DO NOTHING", [noteShelf]),
    queries.get(lock, [noteShelf]),
  ]);
}

/** The graph's revision is that of its shelf. */
function growNotes(queries: TransactionQueries): Promise<number> {
  return queries.run("UPDATE shelves SET revision = revision + 1 WHERE owner = $1 AND shelf = $2", [noteShelf]);
}
