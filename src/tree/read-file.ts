import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { LRUCache } from "lru-cache";
import { hashText } from "../text/hash.ts";
import { decodeText, splitLines } from "../text/lines.ts";
import { resolveInside } from "./path-escape.ts";

/** A file as it is on disk now. `hash` is that of its bytes. */
export type FileContent = { text: string; lines: string[]; hash: string; size: number; modified: number };

export type ReadFailure = { reason: "gone" | "not-readable" | "outside-root" | "not-a-file" | "too-large" };

export type FileReader = {
  /** The current content: from the cache only when the file on disk is provably the same. */
  read(path: string): Promise<FileContent | ReadFailure>;
};

export type ReaderOptions = {
  /** Most bytes of text the cache keeps. */
  cacheBytes?: number;
  /** Larger files are refused. */
  maxFileBytes?: number;
};

/** Declared here instead of imported, because programs that use the package may not have Node's types. */
type FileStats = { size: bigint; mtimeNs: bigint; ctimeNs: bigint; ino: bigint };

type Cached = { content: FileContent; stamp: string };

const defaultCacheBytes = 12 * 1024 * 1024;
const defaultMaxFileBytes = 16 * 1024 * 1024;
const attempts = 3;

/**
 * File systems keep times in steps of up to two seconds: a file changed so shortly before it was read may change again
 * without its times showing it.
 */
export const timeStep = 2000;

/** Reads files of one root, which must be a real path. Nothing outside it is ever read. */
export function fileReader(root: string, options: ReaderOptions = {}): FileReader {
  const maxFileBytes = options.maxFileBytes ?? defaultMaxFileBytes;
  const cache = new LRUCache<string, Cached>({
    maxSize: options.cacheBytes ?? defaultCacheBytes,
    // Text and lines share most of their memory; a character takes up to two bytes, a line some forty.
    sizeCalculation: ({ content }) => content.text.length * 2 + content.lines.length * 40 + 200,
  });
  return {
    async read(path) {
      const resolved = resolveInside(root, path);
      if ("reason" in resolved) return resolved;
      return withFile(resolved.target, (file): FileContent | ReadFailure => {
        const cached = cache.get(path);
        const before = fstatSync(file, { bigint: true });
        if (cached && cached.stamp === stampOf(before)) return cached.content;
        if (!before.isFile()) return { reason: "not-a-file" };
        if (before.size > maxFileBytes) return { reason: "too-large" };
        const { bytes, stats, steady } = readSteadily(file, before);
        const { text } = decodeText(bytes);
        const content: FileContent = {
          text,
          lines: splitLines(text),
          hash: hashText(bytes),
          size: bytes.length,
          modified: Number(stats.mtimeNs) / 1e6,
        };
        const settled = steady && Number(stats.ctimeNs) / 1e6 < Date.now() - timeStep;
        if (settled) cache.set(path, { content, stamp: stampOf(stats) });
        return content;
      });
    },
  };
}

/** Reads until the stats are the same before and after; a file that never settles is taken as read last. */
export function readSteadily(file: number, first: FileStats): { bytes: Uint8Array; stats: FileStats; steady: boolean } {
  let before = first;
  for (let attempt = 1; ; attempt++) {
    const bytes = readAll(file, Number(before.size));
    const after = fstatSync(file, { bigint: true });
    const steady = stampOf(before) === stampOf(after) && BigInt(bytes.length) === after.size;
    if (steady || attempt === attempts) return { bytes, stats: after, steady };
    before = after;
  }
}

function readAll(file: number, expected: number): Buffer {
  let buffer = Buffer.allocUnsafeSlow(expected + 1);
  let length = 0;
  for (;;) {
    const count = readSync(file, buffer, length, buffer.length - length, length);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
    if (length === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
  }
}

function stampOf(stats: FileStats): string {
  return `${stats.size} ${stats.mtimeNs} ${stats.ctimeNs} ${stats.ino}`;
}

/**
 * Opens a resolved file without blocking on a pipe and without following a link that replaced the file in the meantime.
 */
export function withFile<Result>(target: string, use: (file: number) => Result): Result | ReadFailure {
  let file: number;
  try {
    file = openSync(target, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    return failureOf(error);
  }
  try {
    return use(file);
  } catch (error) {
    return failureOf(error);
  } finally {
    closeSync(file);
  }
}

function failureOf(error: unknown): ReadFailure {
  switch ((error as NodeJS.ErrnoException).code) {
    case "ENOENT":
    case "ENOTDIR":
      return { reason: "gone" };
    case "EISDIR":
    case "ENXIO":
      return { reason: "not-a-file" };
    case "ELOOP":
      return { reason: "outside-root" };
    case "EACCES":
    case "EPERM":
    case "EIO":
    case "EBUSY":
    case "EMFILE":
    case "ESTALE":
      return { reason: "not-readable" };
    default:
      throw error;
  }
}
