import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { DossierError } from "../errors.ts";
import { hashText } from "../text/hash.ts";
import { ownFolder } from "./root.ts";

const databaseName = "index.db";
const recordsName = "memory.db";

/** Records live beside the index, in a file of their own: the index may be deleted at any time, the records may not. */
export function recordsBeside(database: string): string {
  return join(dirname(database), recordsName);
}

/** Where the index of a root is kept: in the root, or in the user's cache where the root cannot be written. */
export function locateDatabase(root: string, create: boolean): string {
  const inside = join(root, ownFolder, databaseName);
  const elsewhere = placeInCache(root);
  if (!create) {
    const existing = [inside, elsewhere].find((path) => existsSync(path) && isWritable(path));
    if (existing !== undefined) return existing;
    if (!existsSync(inside) || !isReadable(inside)) throw new DossierError("not-indexed", `${root} has no index yet.`);
  }
  if (prepare(inside)) return inside;
  const place = prepareOrThrow(elsewhere);
  // The index inside the root is a start: the copy can be written, so it is brought up to date.
  if (existsSync(inside) && isReadable(inside)) copyIfOther(inside, place, { onlyNewer: true });
  return place;
}

/**
 * Whether this user indexed a root before. In a folder that all may write, such as /tmp, an index may be somebody
 * else's.
 */
export function hasOwnIndex(root: string): boolean {
  return [join(root, ownFolder, databaseName), placeInCache(root)].some((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && (process.getuid === undefined || found.uid === process.getuid());
  });
}

/** The folder in the user's cache for this root. */
export function placeInCache(root: string): string {
  return join(cacheFolder(), `${basename(root) || "root"}-${hashText(root)}`, databaseName);
}

/** Whether any record was ever stored for a root, in it or in the user's cache. */
export function hasRecordsIn(root: string): boolean {
  return [join(root, ownFolder, databaseName), placeInCache(root)].some((path) => existsSync(recordsBeside(path)));
}

/**
 * Where the records of a root are read, and whether they can be written. Undefined for a root that cannot be written
 * and has none.
 */
export function locateRecords(root: string, database: string): { path: string; writable: boolean } | undefined {
  const inside = join(root, ownFolder, recordsName);
  if (recordsBeside(database) === inside) return { path: inside, writable: true };
  if (existsSync(inside) && isReadable(inside)) {
    // SQLite needs to write beside what it reads, so a copy is read.
    const copy = join(dirname(database), copiedRecords);
    copyIfOther(inside, copy, { onlyNewer: false });
    return { path: copy, writable: false };
  }
  const original = recordsBeside(database);
  return existsSync(original) ? { path: original, writable: false } : undefined;
}

/** Whether the records of a root are closed to this user: another user's, or a container's. */
export function hasClosedRecords(root: string): boolean {
  const folder = join(root, ownFolder);
  return existsSync(folder) && !allows(folder, constants.R_OK | constants.X_OK);
}

/** Not `memory.db`: an earlier version kept records of its own in a file of that name here. */
const copiedRecords = "memory-copy.db";

function copyIfOther(from: string, to: string, { onlyNewer }: { onlyNewer: boolean }): void {
  const [source, target] = [statSync(from), statSync(to, { throwIfNoEntry: false })];
  const isSame = target?.mtimeMs === source.mtimeMs && target.size === source.size;
  const isUsable = target !== undefined && (target.mode & constants.S_IWUSR) !== 0;
  if (isUsable && (isSame || (onlyNewer && target.mtimeMs > source.mtimeMs))) return;
  deleteDatabase(to);
  if (existsSync(`${from}-wal`)) copyWritable(`${from}-wal`, `${to}-wal`);
  copyWritable(from, to);
  utimesSync(to, source.atime, source.mtime);
}

/** A copy keeps the mode of a file, so a copy of a read-only file would be read-only too. */
function copyWritable(from: string, to: string): void {
  copyFileSync(from, to);
  chmodSync(to, 0o600);
}

/** The folder for data of no workspace, or of one that cannot be written. */
export function cacheFolder(): string {
  if (process.env.DOSSIER_HOME) return process.env.DOSSIER_HOME;
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "dossier");
}

/** The user's records for all workspaces. They cannot be made again, so this is no cache. */
export function userRecords(): string {
  if (process.env.DOSSIER_HOME) return join(process.env.DOSSIER_HOME, "user", recordsName);
  return join(process.env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "dossier", recordsName);
}

/** Makes the database's folder, with files that make git and other tools ignore it. False if we may not write there. */
function prepare(database: string): boolean {
  const folder = dirname(database);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    makePrivate(folder);
    if (!existsSync(join(folder, ".gitignore"))) writeFileSync(join(folder, ".gitignore"), "*\n");
  } catch (error) {
    if (cannotBeMade(error)) return false;
    throw error;
  }
  return isWritable(folder) && (!existsSync(database) || isWritable(database));
}

/**
 * Whether a folder could not be made because the place belongs to another user, is on a read-only disk, or has a file
 * in it. On a read-only disk Node's `recursive` says that the folder does not exist (Node 20 to 26).
 */
export function cannotBeMade(error: unknown): boolean {
  const { code = "" } = error as NodeJS.ErrnoException;
  return ["EACCES", "EPERM", "EROFS", "ENOENT", "EEXIST", "ENOTDIR"].includes(code);
}

/** Questions and records are private, so folders of older versions are closed to other users as well. */
function makePrivate(folder: string): void {
  const { mode, uid } = statSync(folder);
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(folder, 0o700);
}

function prepareOrThrow(database: string): string {
  if (prepare(database)) return database;
  throw new DossierError(
    "not-readable",
    `There is no place to keep the index: ${dirname(database)} cannot be written either. Set DOSSIER_HOME to a folder that can be.`,
  );
}

function isWritable(path: string): boolean {
  return allows(path, constants.W_OK | constants.R_OK);
}

function isReadable(path: string): boolean {
  return allows(path, constants.R_OK);
}

function allows(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (["EACCES", "EPERM", "EROFS", "ENOENT"].includes(code)) return false;
    throw error;
  }
}

/** The main file goes first: SQLite drops a journal whose database is empty, but would play it into one that is not. */
export function deleteDatabase(path: string): void {
  try {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(path + suffix, { force: true });
  } catch (error) {
    throw new DossierError("store-locked", `${path} cannot be deleted; another process may have it open.`, {
      cause: error,
    });
  }
}
