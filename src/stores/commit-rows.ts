import { type Commit, type CommitFile, fileChanges } from "./commits.ts";
import { addTouches, type PackedTouch, packTouches, unpackTouches } from "./file-history.ts";
import { storable } from "./rules/stored-text.ts";

/**
 * How commits are stored, the same on every engine. A commit's files are numbers: 8 * path + change, and after a rename
 * the number of the old path.
 */

const renamed = fileChanges.indexOf("renamed");

function forEachCommitFile(
  files: readonly number[],
  visit: (path: number, change: number, from: number) => void,
): void {
  for (let i = 0; i < files.length; i++) {
    const code = files[i]!;
    visit(Math.floor(code / 8), code % 8, code % 8 === renamed ? files[++i]! : 0);
  }
}

/** A commit's row without its number. */
export type StoredCommit = Omit<Commit, "files" | "insertions" | "deletions"> & {
  files: readonly number[];
  insertions: number | null;
  deletions: number | null;
};

/** Numbers of all paths in these commits. */
export function pathNumbers(rows: readonly StoredCommit[]): Set<number> {
  const numbers = new Set<number>();
  for (const { files } of rows) forEachCommitFile(files, (path, _, from) => numbers.add(path).add(from));
  return numbers;
}

export function commitOf(row: StoredCommit, names: ReadonlyMap<number, string>): Commit {
  const { sha, author, email, time, message, insertions, deletions } = row;
  const commit: Commit = { sha, author, email, time, message, files: [] };
  forEachCommitFile(row.files, (path, change, from) => {
    const file: CommitFile = { path: names.get(path)!, change: fileChanges[change]! };
    if (from > 0) file.from = names.get(from)!;
    commit.files.push(file);
  });
  if (insertions !== null) commit.insertions = insertions;
  if (deletions !== null) commit.deletions = deletions;
  return commit;
}

/** Every path in these commits, as it is stored. */
export function pathsOfCommits(commits: readonly Commit[]): Set<string> {
  const paths = new Set<string>();
  for (const { files } of commits) {
    for (const { path, from } of files) {
      paths.add(storable(path));
      if (from !== undefined) paths.add(storable(from));
    }
  }
  return paths;
}

/** Changes of paths in one write, by path number. */
export class PathChanges {
  readonly #changes = new Map<number, { gone?: Set<number>; added: PackedTouch[] }>();

  get paths(): number[] {
    return [...this.#changes.keys()];
  }

  /** Removes a commit. */
  remove(commit: number, files: readonly number[]): void {
    forEachCommitFile(files, (path, _, from) => {
      (this.#of(path).gone ??= new Set()).add(commit);
      if (from > 0) (this.#of(from).gone ??= new Set()).add(commit);
    });
  }

  /** Adds a commit under a number; returns its files as stored. */
  add(commit: Commit, number: number, paths: ReadonlyMap<string, number>): number[] {
    const { time } = commit;
    const files: number[] = [];
    for (const { path, change, from } of commit.files) {
      const own = paths.get(storable(path))!;
      const before = change === "renamed" && from !== undefined ? paths.get(storable(from))! : 0;
      // A rename without its old name is an addition under the new one.
      const stored = change === "renamed" && before === 0 ? "added" : change;
      files.push(own * 8 + fileChanges.indexOf(stored));
      this.#of(own).added.push({ commit: number, time, change: stored, other: before });
      if (before === 0) continue;
      files.push(before);
      this.#of(before).added.push({ commit: number, time, change: "left", other: own });
    }
    return files;
  }

  /**
   * A path's touches after the write; undefined when no commit names it any more: a rename touches both of its paths.
   */
  touches(path: number, before: Uint8Array): Uint8Array | undefined {
    const { gone, added } = this.#of(path);
    const remaining =
      gone === undefined ? before : packTouches(unpackTouches(before).filter(({ commit }) => !gone.has(commit)));
    return remaining.length + added.length === 0 ? undefined : addTouches(remaining, added);
  }

  #of(path: number): { gone?: Set<number>; added: PackedTouch[] } {
    let changes = this.#changes.get(path);
    if (!changes) this.#changes.set(path, (changes = { added: [] }));
    return changes;
  }
}
