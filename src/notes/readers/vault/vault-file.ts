import { fstatSync } from "node:fs";
import { decodeText } from "../../../text/lines.ts";
import { reasonByContent } from "../../../tree/content.ts";
import { resolveInside } from "../../../tree/path-escape.ts";
import { readSteadily, withFile } from "../../../tree/read-file.ts";

/** Why a file is not read, or only in part, with the wording of the warning: for one file, and for several. */
const problemKinds = {
  "too-large": ["is larger than 8 MB and was not read", "are larger than 8 MB and were not read"],
  binary: ["is not text and was not read", "are not text and were not read"],
  unreadable: ["could not be read", "could not be read"],
  garbled: [
    "is not in UTF-8: what is no text in it was replaced",
    "are not in UTF-8: what is no text in them was replaced",
  ],
} as const;

export type Problem = { path: string; kind: keyof typeof problemKinds };

/** A file as it is now: its text if it has one, and its problem. `modified`: milliseconds since 1970. */
export type VaultFileContent = { text?: string; modified?: number; problem?: Problem };

/** Nobody writes a page of this many bytes by hand. */
const largestFile = 8 * 1024 * 1024;

/** Reads a file below the folder, and nothing outside it. A missing file is no problem. */
export function readVaultFile(root: string, path: string): VaultFileContent {
  const resolved = resolveInside(root, path);
  if ("reason" in resolved) return resolved.reason === "gone" ? {} : { problem: { path, kind: "unreadable" } };
  const outcome = withFile(resolved.target, (file): VaultFileContent => {
    const stats = fstatSync(file, { bigint: true });
    if (!stats.isFile()) return { problem: { path, kind: "unreadable" } };
    if (stats.size > largestFile) return { problem: { path, kind: "too-large" } };
    const { bytes, stats: after } = readSteadily(file, stats);
    if (reasonByContent(path, bytes) === "binary") return { problem: { path, kind: "binary" } };
    const { text, valid } = decodeText(bytes);
    const modified = Math.floor(Number(after.mtimeNs) / 1e6);
    return { text, modified, ...(!valid && { problem: { path, kind: "garbled" } }) };
  });
  if (!("reason" in outcome)) return outcome;
  return outcome.reason === "gone" ? {} : { problem: { path, kind: "unreadable" } };
}

/** A sentence for each kind of problem, with one example. */
export function describeProblems(problems: readonly Problem[]): string[] {
  return (Object.keys(problemKinds) as Problem["kind"][]).flatMap((kind) => {
    const paths = problems.filter((problem) => problem.kind === kind).map(({ path }) => path);
    const [one, several] = problemKinds[kind];
    if (paths.length === 0) return [];
    return [paths.length === 1 ? `${paths[0]} ${one}.` : `${paths.length} files ${several}, for example ${paths[0]}.`];
  });
}
