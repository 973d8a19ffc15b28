import { randomUUID } from "node:crypto";
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { hashText } from "../../text/hash.ts";

/**
 * A cache of file descriptions, so that files of a branch that is checked out again, or in another work tree, are not
 * described again. A run that describes many files writes one segment: the descriptions one after the other, an index
 * of them as JSON, and the index's length as uint32. A segment never changes; the least recently used one is removed
 * first.
 */

/** Where the segments of one repository are, and the folder of all repositories, which share one limit of bytes. */
export type CacheFolders = { folder: string; all: string };

/** Limit of all segments together: some ten states of a large repository. */
const mostBytes = 256 * 1024 * 1024;
/** Age after which the unfinished file of a killed run is removed. */
const abandonedAfter = 60 * 60 * 1000;
const ending = ".seg";
const unfinished = ".part";

type Entry = [key: string, offset: number, length: number, hash: string];

export function descriptionKey(path: string, hash: string): string {
  return `${hash} ${path}`;
}

type DescriptionCache = {
  /** The verified description of a key; undefined when it is not cached. */
  read(key: string): Uint8Array<ArrayBuffer> | undefined;
  close(): void;
};

/** Opens the cache of a repository. A segment that cannot be read counts as absent. */
export function openDescriptionCache({ folder }: CacheFolders): DescriptionCache {
  const locations = new Map<string, { segment: Segment; entry: Entry }>();
  const segments = namesIn(folder)
    .filter((name) => name.endsWith(ending))
    .flatMap((name) => openSegment(join(folder, name)) ?? []);
  for (const segment of segments) for (const entry of segment.entries) locations.set(entry[0], { segment, entry });
  return {
    read(key) {
      const location = locations.get(key);
      return location && readEntry(location.segment, location.entry);
    },
    close() {
      for (const { file } of segments) closeSync(file);
    },
  };
}

type Segment = { path: string; file: number; entries: Entry[]; isUsed: boolean };

function openSegment(path: string): Segment | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const { size } = fstatSync(file);
    const length = readAt(file, size - 4, 4).readUInt32LE();
    const entries = JSON.parse(readAt(file, size - 4 - length, length).toString()) as Entry[];
    return { path, file, entries, isUsed: false };
  } catch (error) {
    // The segment was removed meanwhile, or is damaged: its files are described again.
    if (!(error instanceof Error)) throw error;
    if (file !== undefined) closeSync(file);
    return undefined;
  }
}

function readEntry(segment: Segment, [, offset, length, hash]: Entry): Uint8Array<ArrayBuffer> | undefined {
  if (!segment.isUsed) {
    segment.isUsed = true;
    attempt(() => utimesSync(segment.path, new Date(), new Date()));
  }
  const bytes = attempt(() => readAt(segment.file, offset, length));
  return bytes && hashText(bytes) === hash ? bytes : undefined;
}

function readAt(file: number, offset: number, length: number): Buffer<ArrayBuffer> {
  if (offset < 0) throw new RangeError("A segment shorter than it says.");
  const bytes = Buffer.from(new ArrayBuffer(length));
  if (readSync(file, bytes, 0, length, offset) !== length) throw new RangeError("A segment shorter than it says.");
  return bytes;
}

/** A segment that is being written. If no file can be created, nothing is cached. */
export class DescriptionCacheWriter {
  readonly #place: CacheFolders;
  readonly #entries: Entry[] = [];
  #file: number | undefined;
  #path = "";
  #offset = 0;
  #hasFailed = false;

  constructor(place: CacheFolders) {
    this.#place = place;
  }

  add(key: string, bytes: Uint8Array): void {
    if (this.#hasFailed) return;
    const isWritten = attempt(() => {
      this.#file ??= this.#begin();
      if (writeSync(this.#file, bytes) !== bytes.length) throw new RangeError("The disk is full.");
      return true;
    });
    if (!isWritten) this.#hasFailed = true;
    else this.#entries.push([key, this.#offset, bytes.length, hashText(bytes)]);
    this.#offset += bytes.length;
  }

  #begin(): number {
    mkdirSync(this.#place.folder, { recursive: true, mode: 0o700 });
    this.#path = join(this.#place.folder, randomUUID());
    return openSync(this.#path + unfinished, "wx", 0o600);
  }

  /** Finishes the segment, which becomes visible, and evicts old ones. */
  finish(): void {
    const file = this.#file;
    if (file === undefined) return;
    this.#file = undefined;
    attempt(() => {
      const index = Buffer.from(JSON.stringify(this.#entries));
      const length = Buffer.alloc(4);
      length.writeUInt32LE(index.length);
      const isWhole = writeSync(file, index) === index.length && writeSync(file, length) === length.length;
      closeSync(file);
      if (isWhole && !this.#hasFailed) renameSync(this.#path + unfinished, this.#path + ending);
      else rmSync(this.#path + unfinished, { force: true });
    });
    evictSegments(this.#place.all);
  }
}

/** Removes the least recently used segments until the others fit, and the files of killed runs. */
export function evictSegments(all: string, most = mostBytes): void {
  const files = namesIn(all).flatMap((folder) =>
    namesIn(join(all, folder)).flatMap((name) => {
      const path = join(all, folder, name);
      const stats = attempt(() => statSync(path));
      return stats ? [{ path, name, size: stats.size, used: stats.mtimeMs }] : [];
    }),
  );
  let bytes = 0;
  for (const { path, name, size, used } of files.sort((a, b) => b.used - a.used)) {
    bytes += size;
    const isAbandoned = name.endsWith(unfinished) && Date.now() - used > abandonedAfter;
    if (isAbandoned || (bytes > most && name.endsWith(ending))) attempt(() => rmSync(path, { force: true }));
  }
}

function namesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder)) ?? [];
}

/**
 * Ignores file errors, since the cache is optional: the disk may be full, the folder forbidden, or a file removed by
 * another process.
 */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
