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
 * Descriptions of files, kept so that a branch that is checked out again, or in another work tree, is not described again.
 *
 * A run that describes many files writes one segment: the descriptions one after the other, an index of them as JSON, and the index's
 * length as uint32. A segment never changes; it is used while it is young, and the one that was not used for longest goes first.
 */

/** Where the segments of one repository are, and where those of all are, which share the room. */
export type KeptPlace = { folder: string; all: string };

/** All segments together, bytes: some ten states of a large repository. */
const mostBytes = 256 * 1024 * 1024;
/** What is left of a run that was killed. */
const abandonedAfter = 60 * 60 * 1000;
const ending = ".seg";
const unfinished = ".part";

type Entry = [key: string, offset: number, length: number, hash: string];

export function descriptionKey(path: string, hash: string): string {
  return `${hash} ${path}`;
}

type KeptDescriptions = {
  /** The description of a key, checked; undefined when none is kept. */
  read(key: string): Uint8Array<ArrayBuffer> | undefined;
  close(): void;
};

/** Opens what is kept in a place. Whatever cannot be read is as if it were not there. */
export function openKept({ folder }: KeptPlace): KeptDescriptions {
  const places = new Map<string, { segment: Segment; entry: Entry }>();
  const segments = namesIn(folder)
    .filter((name) => name.endsWith(ending))
    .flatMap((name) => openSegment(join(folder, name)) ?? []);
  for (const segment of segments) for (const entry of segment.entries) places.set(entry[0], { segment, entry });
  return {
    read(key) {
      const found = places.get(key);
      return found && readEntry(found.segment, found.entry);
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
    // Removed meanwhile, or damaged: what was in it is described again.
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

/** A segment that is being written. Where none can be, nothing is kept. */
export class KeptWriter {
  readonly #place: KeptPlace;
  readonly #entries: Entry[] = [];
  #file: number | undefined;
  #path = "";
  #offset = 0;
  #hasFailed = false;

  constructor(place: KeptPlace) {
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

  /** Ends the segment, which counts from now on, and makes room for it. */
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
    makeRoom(this.#place.all);
  }
}

/** Removes the segments that were not used for longest until the others fit, and what killed runs have left. */
export function makeRoom(all: string, most = mostBytes): void {
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

/** Keeping is a help and never a need: a full disk, a closed folder or a file that another process removed is no failure. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
