import type { TransactionQueries } from "../engine/session.ts";
import { shelfCodes } from "../engine/shelf.ts";

const noteShelf = shelfCodes.note;

/** Creates the row of the graph's shelf if it is missing, and locks it until the transaction ends. */
export async function lockNotes(queries: TransactionQueries): Promise<void> {
  const lock = "SELECT revision FROM shelves WHERE owner = $1 AND shelf = $2 FOR UPDATE";
  if (await queries.get(lock, [noteShelf])) return;
  await Promise.all([
    queries.run("INSERT INTO shelves(owner, shelf) VALUES($1, $2) ON CONFLICT DO NOTHING", [noteShelf]),
    queries.get(lock, [noteShelf]),
  ]);
}

/** The graph's revision is that of its shelf. */
export function growNotes(queries: TransactionQueries): Promise<number> {
  return queries.run("UPDATE shelves SET revision = revision + 1 WHERE owner = $1 AND shelf = $2", [noteShelf]);
}
