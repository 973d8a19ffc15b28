import { fstatSync } from "node:fs";
import { asDossierError } from "../../errors.ts";
import type { IndexedFile } from "../../stores/store.ts";
import { hashText } from "../../text/hash.ts";
import { decodeText } from "../../text/lines.ts";
import { reasonByContent } from "../../tree/content.ts";
import { resolveInside } from "../../tree/path-escape.ts";
import { readSteadily, withFile } from "../../tree/read-file.ts";
import type { SkipReason } from "../../tree/reasons.ts";
import { reasonBySize } from "../../tree/skip.ts";

/**
 * One file to examine, as listed. `knownHash`: hash of its indexed content; a file with this hash is not described
 * again.
 */
export type DescribeJob = { path: string; size: number; modified: number; knownHash?: string };

/** The root of the files, and the largest size that is indexed. */
export type DescribeContext = { root: string; maxFileBytes: number };

/** The result of a job. */
export type DescribeOutcome =
  | { path: string; is: "described"; file: IndexedFile }
  | { path: string; is: "same"; size: number; modified: number }
  | { path: string; is: "skipped"; reason: SkipReason; size: number; modified: number; detail?: string }
  | { path: string; is: "gone" };

/** A file that was read and needs a description. */
type ReadPath = { path: string; bytes: Uint8Array; size: number; modified: number; hash: string };

/** Reads one file and describes its content. Never throws because of a file's content. */
export async function describePath(context: DescribeContext, job: DescribeJob): Promise<DescribeOutcome> {
  const file = readPath(context, job);
  return "is" in file ? file : describeRead(file);
}

/** Reads one file; returns the outcome if there is nothing to describe. */
export function readPath({ root, maxFileBytes }: DescribeContext, job: DescribeJob): ReadPath | DescribeOutcome {
  const { path } = job;
  const resolved = resolveInside(root, path);
  if ("reason" in resolved) return unread(path, resolved.reason);
  const result = withFile(resolved.target, (file) => {
    const before = fstatSync(file, { bigint: true });
    if (!before.isFile()) return { reason: "not-a-file" as const };
    // A file that grew far beyond the limit since it was listed is not loaded at all.
    if (before.size > BigInt(maxFileBytes)) return { reason: "too-large" as const };
    return readSteadily(file, before);
  });
  if ("reason" in result) return unread(path, result.reason);

  const { bytes, stats } = result;
  const size = bytes.length;
  const modified = Number(stats.mtimeNs) / 1e6;
  const reason = reasonBySize(path, size, maxFileBytes) ?? reasonByContent(path, bytes);
  if (reason) return { path, is: "skipped", reason, size, modified };
  const hash = hashText(bytes);
  if (hash === job.knownHash) return { path, is: "same", size, modified };
  return { path, bytes, size, modified, hash };
}

/** Loads what describing these files needs, and starts to load their grammars. */
export async function prepareDescribing(files: readonly { path: string; size: number }[]): Promise<void> {
  const [{ prepareGrammars }, { prepareTerms }] = await Promise.all([
    import("../../sources/extract.ts"),
    import("../../sources/describe-file.ts"),
  ]);
  prepareTerms();
  prepareGrammars(files);
}

export async function describeRead({ path, bytes, size, modified, hash }: ReadPath): Promise<DescribeOutcome> {
  try {
    const { describeFile } = await import("../../sources/describe-file.ts");
    const file = await describeFile({ path, text: decodeText(bytes).text, size, modified, hash });
    return { path, is: "described", file };
  } catch (error) {
    // An error with a code comes from the machine (too many open files, a missing part of the program), so the file is
    // tried again next time.
    const isToBlame = typeof (error as NodeJS.ErrnoException).code !== "string";
    const stamp = isToBlame ? { size, modified } : { size: 0, modified: 0 };
    const detail = isToBlame ? String(error) : asDossierError(error).message;
    return { path, is: "skipped", reason: "failed", ...stamp, detail };
  }
}

function unread(
  path: string,
  reason: "gone" | "not-readable" | "outside-root" | "not-a-file" | "too-large",
): DescribeOutcome {
  if (reason === "gone") return { path, is: "gone" };
  // Size 0 and time 0 match nothing on disk, so the file is tried again next time.
  return { path, is: "skipped", reason: reason === "not-readable" ? "unreadable" : reason, size: 0, modified: 0 };
}
