import { cpSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { index } from "../../../src/index.ts";
import { checkOut, mirrorOf } from "../data/mirrors.ts";
import type { Run } from "../set.ts";

export type Issue = {
  id: string;
  /** owner/name */
  repo: string;
  base_commit: string;
  created_at: string;
  query: string;
  gold_files: string[];
  gold_functions: { file: string; name: string; kind: string }[];
  gold_lines: { file: string; deleted_or_changed: [first: number, last: number][] }[];
};

/** Of a tree that is checked out and indexed. */
const done = ".done";

export function isPrepared(cache: string | undefined, { id }: Issue): boolean {
  return cache !== undefined && existsSync(join(cache, id, done));
}

/**
 * The tree of an issue: its base commit checked out, with the history up to it and nothing after, because later history
 * holds the fix. The objects are borrowed from the mirror. The index is that of the issue before, brought up to date,
 * so that only what changed is read.
 */
export async function prepareTree(
  issue: Issue,
  before: string | undefined,
  { cache, repos }: { cache: string; repos?: string },
): Promise<string> {
  const folder = join(cache, issue.id);
  if (isPrepared(cache, issue)) return folder;
  if (repos === undefined) throw new Error(`${issue.id} is not prepared, and no --repos say where its mirror is.`);
  checkOut(mirrorOf(repos, issue.repo), issue.base_commit, folder);
  const earlier = before === undefined ? undefined : join(before, ".dossier");
  if (earlier !== undefined && existsSync(earlier)) cpSync(earlier, join(folder, ".dossier"), { recursive: true });
  await index({ path: folder });
  writeFileSync(join(folder, done), "");
  return folder;
}

/** Issues that can be asked, those of a repository together and in the order of time: indexes are handed on. */
export function inOrder(issues: readonly Issue[]): Issue[] {
  const key = ({ repo, created_at, id }: Issue) => `${repo} ${created_at} ${id}`;
  return [...issues].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

export function reachable(issues: readonly Issue[], { repos, cache }: Run): Issue[] {
  return repos === undefined ? issues.filter((issue) => isPrepared(cache, issue)) : [...issues];
}
