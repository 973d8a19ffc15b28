import { basename } from "node:path";
import { DossierError } from "../../../errors.ts";
import type { Database } from "../../../stores/sqlite/engine/driver.ts";
import { type Batch, inBatches, type NoteReader, type Reading, type SheetState } from "../reader.ts";
import { notesOf } from "../tana/notes.ts";
import { type IndexedDocs, readNodes } from "./docs.ts";
import { overlay, type SupertagColumns } from "./overlay.ts";
import { databaseStamp, isBeingWritten, ofPlace, openSnapshot, refuseOthers } from "./snapshot.ts";
import { columnsOf, type SupertagTable, tables } from "./tables.ts";

/** The SQLite index that supertag-cli keeps of a Tana workspace (`tana-index.db`). Only ever read. */
export const supertag: NoteReader = { kind: "supertag", recognises, list, read };

async function list(place: string): Promise<SheetState[]> {
  await refuseOthers(place);
  return [{ name: basename(place), stamp: `${readerVersion} ${await databaseStamp(place)}` }];
}

/** Incremented when the reader makes different notes from the same index. */
const readerVersion = 1;

/** What is lost without a table, for the warning. */
const lossByTable: Record<Exclude<SupertagTable, "nodes">, string> = {
  tag_applications: "newer tags",
  supertag_parents: "newer inheritance of tags",
  supertag_fields: "types of newer fields",
  field_values: "newer fields",
  references: "newer references",
};

async function recognises(place: string): Promise<boolean> {
  // A new index may so far exist only in its write-ahead log.
  return (await isIndex(place, true)) || (await isIndex(place, false));
}

async function isIndex(place: string, atAGlance: boolean): Promise<boolean> {
  try {
    if (!atAGlance && !(await isBeingWritten(place))) return false;
    const { close } = await openIndex(place, { atAGlance });
    await close();
    return true;
  } catch (error) {
    // Whatever the file is, it is no readable index.
    if (error instanceof DossierError || (error as NodeJS.ErrnoException).code !== undefined) return false;
    throw error;
  }
}

type Index = { database: Database; columns: SupertagColumns; close(): Promise<void> };

async function openIndex(place: string, options?: { atAGlance: boolean }): Promise<Index> {
  const { database, close } = await openSnapshot(place, options);
  try {
    const names = Object.keys(tables) as SupertagTable[];
    const entries: [SupertagTable, string[]][] = names.map((table) => [table, columnsOf(database, table)]);
    const columns = Object.fromEntries(entries) as Record<SupertagTable, string[]>;
    const isOfSupertag = columns.nodes.includes("raw_data") || columns.tag_applications.length > 0;
    if (columns.nodes.length === 0 || !isOfSupertag) {
      throw new DossierError("bad-input", `${place} is an SQLite database, but not an index of supertag-cli.`);
    }
    return { database, columns, close };
  } catch (error) {
    await close();
    throw ofPlace(error, place);
  }
}

async function* read(place: string, sheets: string[], reading: Reading): AsyncIterable<Batch> {
  const sheet = basename(place);
  if (!sheets.includes(sheet)) return;
  const { docs, unreadable } = await readDocs(place, reading);
  if (unreadable > 0) {
    const nodes = unreadable === 1 ? "1 node" : `${unreadable.toLocaleString("en-US")} nodes`;
    reading.warn(`Of ${nodes} in ${sheet} only the name could be read: what else supertag-cli kept is broken.`);
  }
  const { notes, warnings } = notesOf(docs, false);
  yield* inBatches(sheet, notes, reading.signal);
  for (const warning of warnings()) reading.warn(warning);
}

async function readDocs(place: string, reading: Reading): Promise<IndexedDocs> {
  const before = await databaseStamp(place);
  const { database, columns, close } = await openIndex(place);
  try {
    const missing = (Object.keys(lossByTable) as (keyof typeof lossByTable)[]).filter(
      (table) => columns[table].length === 0,
    );
    if (missing.length > 0) reading.warn(missingTables(place, missing));
    const indexed = await readNodes(database, columns.nodes, reading);
    await overlay(database, indexed, columns);
    if ((await databaseStamp(place)) !== before) {
      reading.warn(`${basename(place)} was written while it was read; it is read again the next time.`);
    }
    return indexed;
  } catch (error) {
    if (reading.signal?.aborted || (await databaseStamp(place)) === before) throw ofPlace(error, place);
    throw new DossierError("store-locked", `${place} was written while it was read.`, { cause: error });
  } finally {
    await close();
  }
}

function missingTables(place: string, missing: (keyof typeof lossByTable)[]): string {
  const lacking = missing.map((table) => `${table} (${lossByTable[table]})`).join(", ");
  return `${basename(place)} is of another version of supertag-cli: it has no ${lacking}.`;
}
