import {
  type CacheFolders,
  DescriptionCacheWriter,
  descriptionKey,
  openDescriptionCache,
} from "../descriptions/description-cache.ts";
import {
  type FileStamp,
  packDescription,
  unpackDescription,
  withPackedTexts,
} from "../descriptions/pack-description.ts";
import { type DescribeContext, type DescribeJob, type DescribeOutcome, describeRead, readPath } from "./describe.ts";

/** A description as the message of a worker thread. */
export type PackedOutcome = FileStamp & { is: "packed"; bytes: Uint8Array; isCached: boolean };

/** Describes files in this thread and caches their descriptions, as worker threads do. */
export type Describer = {
  describe(job: DescribeJob): Promise<DescribeOutcome>;
  /** Unpacks a worker's description, and caches it as well. */
  unpacked(outcome: PackedOutcome): DescribeOutcome;
  close(): void;
};

/** Opens a describer; without folders nothing is cached. */
export function openDescriber(context: DescribeContext, folders?: CacheFolders): Describer {
  const cache = folders && openDescriptionCache(folders);
  const writer = folders && new DescriptionCacheWriter(folders);
  return {
    async describe(job) {
      const file = readPath(context, job);
      if ("is" in file) return file;
      const { path, size, modified, hash } = file;
      const stamp = { path, size, modified, hash };
      const key = descriptionKey(path, hash);
      const cached = cache?.read(key);
      if (cached) return { path, is: "described", file: unpackDescription(cached, stamp) };
      const outcome = await describeRead(file);
      if (!writer || outcome.is !== "described") return outcome;
      // Deflated once, for the cache and for the store.
      const packed = withPackedTexts(outcome.file);
      writer.add(key, packDescription(packed));
      return { ...outcome, file: packed };
    },
    unpacked: (outcome) => unpackOutcome(outcome, writer),
    close() {
      writer?.finish();
      cache?.close();
    },
  };
}

export function unpackOutcome(
  { path, hash, size, modified, bytes, isCached }: PackedOutcome,
  writer: DescriptionCacheWriter | undefined,
): DescribeOutcome {
  const file = unpackDescription(bytes, { path, hash, size, modified });
  if (!isCached) writer?.add(descriptionKey(path, hash), bytes);
  return { path, is: "described", file };
}
