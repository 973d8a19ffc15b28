import type { Commit } from "../../stores/commits.ts";
import type { IndexedFile, IndexedItem } from "../../stores/store.ts";
import { packHashes } from "../../text/analysis/terms.ts";
import { hashText } from "../../text/hash.ts";
import { termHashes } from "../terms.ts";
import { tellingLines } from "./message-noise.ts";

/** Commits per page of their shelf: a file of the store costs as much as ten of its items. */
export const pageSize = 200;

/** Incremented when descriptions change: then all commits are described again. */
export const commitFormat = 4;

const longestName = 200;
const shownSha = 12;
/** Limit of characters of the touched paths and of the message: the rest says nothing about the purpose of a commit. */
const longestPaths = 500;
const longestBody = 20_000;

const idPrefix = "com-";

export function commitItemId(sha: string): string {
  return idPrefix + sha;
}

export function shaOfItem(id: string): string {
  return id.slice(idPrefix.length);
}

/**
 * A page of at most `pageSize` commits. A page is named by its content: two processes that index the same history write
 * the same pages, and never different ones of one name.
 */
export function commitPage(commits: IndexedItem[]): IndexedFile {
  const hash = hashText(commits.map(({ item }) => item.id).join("\n"));
  const path = `history/${hash}`;
  let modified = 0;
  for (const { item } of commits) {
    item.path = path;
    modified = Math.max(modified, item.changed ?? 0);
  }
  return { path, hash, size: 0, modified, text: "", imports: [], items: commits, links: [] };
}

/**
 * False for a merge without changes of its own: it only brings in other commits, which are indexed themselves, so it is
 * stored but never a result.
 */
export function isEvidence({ files, message }: Commit): boolean {
  return files.length > 0 || !/^\s*merge\b/i.test(message);
}

/** A commit that is not yet on a page. */
export function commitItem(commit: Commit): IndexedItem {
  const { subject, body } = splitMessage(commit.message);
  const short = commit.sha.slice(0, shownSha);
  return {
    item: {
      id: commitItemId(commit.sha),
      source: "commit",
      kind: "commit",
      // A message may be empty; a name may not.
      name: subject || short,
      qualifiedName: `commit::${short}`,
      path: "",
      startLine: 1,
      endLine: 1,
      hash: hashText(commit.sha),
      changed: commit.time,
    },
    unit: packHashes({
      name: termHashes(subject),
      doc: termHashes(descriptiveBody(body.slice(0, longestBody))),
      path: pathHashes(commit),
      string: termHashes(commit.author),
    }),
  };
}

/** The body without lines that do not describe the change: names of reviewers, and files in the steps of a squash. */
function descriptiveBody(body: string): string {
  // The blank line before them separates the lines from the subject.
  const lines = ["", ...body.split("\n")];
  return tellingLines(lines)
    .map((line) => lines[line])
    .join("\n");
}

/** The subject is the first paragraph on one line, as in git; the rest of a long one belongs to the body. */
export function splitMessage(message: string): { subject: string; body: string } {
  const gap = message.search(/\n[^\S\n]*\n/);
  const paragraph = (gap < 0 ? message : message.slice(0, gap)).replace(/\s*\n\s*/g, " ").trim();
  const rest = gap < 0 ? "" : message.slice(gap).trim();
  const subject = paragraph.slice(0, longestName).replace(/[\ud800-\udbff]$/, "");
  return { subject, body: `${paragraph.slice(subject.length)}\n${rest}`.trim() };
}

/** Each term counts once: a commit to ten files of one folder is not about that folder ten times. */
function pathHashes({ files }: Commit): number[] {
  const hashes = new Set<number>();
  let length = 0;
  for (const { path } of files) {
    if (length >= longestPaths) break;
    for (const hash of hashesOfPath(path.slice(0, longestPaths - length))) hashes.add(hash);
    length += path.length;
  }
  return [...hashes];
}

/** Cache of hashes by path: the same files are touched again and again. */
const knownPaths = new Map<string, number[]>();
const mostPaths = 10_000;

function hashesOfPath(path: string): number[] {
  let hashes = knownPaths.get(path);
  if (!hashes) {
    hashes = termHashes(path);
    if (knownPaths.size >= mostPaths) knownPaths.clear();
    knownPaths.set(path, hashes);
  }
  return hashes;
}
