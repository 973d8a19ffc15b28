import { constants } from "node:fs";
import { copyFile, mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { DossierError } from "../../../errors.ts";
import { type Database, openDatabase } from "../../../stores/sqlite/engine/driver.ts";

/** A read-only snapshot of another program's database. Nothing is written, locked or left behind beside it. */
export type SupertagSnapshot = { database: Database; close(): Promise<void> };

/** Files that SQLite keeps beside a database: changes not yet merged, and the rollback journal. */
const companions = ["-wal", "-journal"];
const header = "SQLite format 3\0";
/** A copy is invalid when the original changed meanwhile. */
const copyAttempts = 3;

/** Changes whenever the database may have: size and time of the file and of its companions. */
export async function databaseStamp(place: string): Promise<string> {
  const states: { size: number; mtimeMs: number }[] = [await stateOf(place)];
  for (const companion of companions) states.push(await companionState(place + companion));
  return states.map(({ size, mtimeMs }) => `${size}:${mtimeMs}`).join(" ");
}

/**
 * Opens the database without SQLite's locks and without files beside the original: as immutable where nothing is being
 * written, else from a copy, since opening it in place would checkpoint it. `atAGlance`: the state of the last
 * checkpoint, without a copy.
 */
export async function openSnapshot(place: string, options: { atAGlance?: boolean } = {}): Promise<SupertagSnapshot> {
  await refuseOthers(place);
  const unchanging = options.atAGlance || !(await isBeingWritten(place)) ? await openUnchanging(place) : undefined;
  return unchanging ?? openCopy(place);
}

export async function isBeingWritten(place: string): Promise<boolean> {
  const states = await Promise.all(companions.map((companion) => companionState(place + companion)));
  return states.some(({ size }) => size > 0);
}

/** Undefined where the driver does not support such URIs (Node 22 before 22.15). */
async function openUnchanging(place: string): Promise<SupertagSnapshot | undefined> {
  let database: Database | undefined;
  try {
    database = await openDatabase(`${pathToFileURL(place).href}?immutable=1`, { readOnly: true });
    database.get("SELECT count(*) AS tables FROM sqlite_schema");
    const { close } = database;
    return { database, close: async () => close() };
  } catch (error) {
    database?.close();
    if (error instanceof DossierError && error.code === "not-readable") return undefined;
    throw ofPlace(error, place);
  }
}

async function openCopy(place: string): Promise<SupertagSnapshot> {
  const folder = await mkdtemp(join(tmpdir(), "dossier-notes-"));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    const copy = join(folder, basename(place));
    await copyUnchanged(place, copy);
    const database = await openDatabase(copy);
    return {
      database,
      async close() {
        database.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw ofPlace(error, place);
  }
}

async function copyUnchanged(place: string, copy: string): Promise<void> {
  for (let attempt = 1; attempt <= copyAttempts; attempt++) {
    const before = await databaseStamp(place);
    await copyFile(place, copy, constants.COPYFILE_FICLONE);
    for (const companion of companions) {
      await rm(copy + companion, { force: true });
      const { size } = await companionState(place + companion);
      if (size > 0) await copyFile(place + companion, copy + companion, constants.COPYFILE_FICLONE);
    }
    if ((await databaseStamp(place)) === before) return;
  }
  throw new DossierError("store-locked", `${place} is being written by another program all the time.`);
}

/** Turns a failure of SQLite into one about this file: the store's own messages are about our index. */
export function ofPlace(error: unknown, place: string): unknown {
  if (!(error instanceof DossierError)) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (typeof code !== "string") return error;
    return new DossierError(code === "ENOENT" ? "not-found" : "not-readable", `${place} cannot be read: ${message}.`, {
      cause: error,
    });
  }
  if (error.code !== "store-damaged" && error.code !== "records-damaged") return error;
  return new DossierError("bad-input", `${place} is a damaged SQLite database; supertag sync index makes it anew.`, {
    cause: error,
  });
}

/** Rejects files that are surely no SQLite database before SQLite sees them. */
export async function refuseOthers(place: string): Promise<void> {
  const state = await stateOf(place);
  if (!state.isFile()) throw new DossierError("bad-input", `${place} is not a file: an index of supertag-cli is one.`);
  if (state.size === 0) throw new DossierError("bad-input", `${place} is empty: run supertag sync index first.`);
  if (!(await beginsAsDatabase(place))) throw new DossierError("bad-input", `${place} is not an SQLite database.`);
}

async function beginsAsDatabase(place: string): Promise<boolean> {
  const file = await open(place, "r").catch((error: unknown) => {
    throw ofPlace(error, place);
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(header.length), 0, header.length, 0);
    return buffer.toString("latin1", 0, bytesRead) === header;
  } finally {
    await file.close();
  }
}

async function stateOf(place: string) {
  try {
    return await stat(place);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") {
      throw new DossierError("not-found", `${place} does not exist.`, { cause: error });
    }
    throw ofPlace(error, place);
  }
}

async function companionState(path: string): Promise<{ size: number; mtimeMs: number }> {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { size: 0, mtimeMs: 0 };
    throw error;
  }
}
