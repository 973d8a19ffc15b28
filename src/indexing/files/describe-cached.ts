import {
  type CacheFolders,
  DescriptionCacheWriter,
  descriptionKey,
  openDescriptionCache,
} from "../descriptions/description-cache.ts";
import { packDescription, unpackDescription } from "../descriptions/pack-description.ts";
import { type DescribeContext, type DescribeJob, type DescribeOutcome, describeRead, readPath } from "./describe.ts";

/** Describes files in this thread and caches their descriptions, as worker threads do. */
export function cachedDescriber(
  context: DescribeContext,
  folders: CacheFolders,
): { describe(job: DescribeJob): Promise<DescribeOutcome>; close(): void } {
  const cache = openDescriptionCache(folders);
  const writer = new DescriptionCacheWriter(folders);
  return {
    async describe(job) {
      const file = readPath(context, job);
      if ("is" in file) return file;
      const { path, size, modified, hash } = file;
      const key = descriptionKey(path, hash);
      const cached = cache.read(key);
      if (cached) return { path, is: "described", file: unpackDescription(cached, { path, size, modified, hash }) };
      const outcome = await describeRead(file);
      if (outcome.is === "described") writer.add(key, packDescription(outcome.file));
      return outcome;
    },
    close() {
      writer.finish();
      cache.close();
    },
  };
}
