/**
 * Git's history in the index. The text of commits is searched on the shelf `commit`; this store is for printing and
 * counting.
 */
export type CommitStore = {
  /**
   * Adds and removes commits in one transaction. A known sha is replaced. Of commits of one time, those of a later
   * write are newer, and within a write those that come first.
   */
  write(owner: string, change: { added: Commit[]; removed: string[] }): Promise<void>;
  /** All shas, newest first. */
  shas(owner: string): Promise<string[]>;
  /** Commits by sha, unknown ones absent. */
  get(owner: string, shas: string[]): Promise<Commit[]>;
  /**
   * Every path that a commit touched, under its name at that time, in order; only in the folder `under` (without a
   * final `/`) when given.
   */
  paths(owner: string, under?: string): Promise<string[]>;
  /** Commits whose sha starts with the prefix; at most `limit`. */
  byPrefix(owner: string, prefix: string, limit: number): Promise<Commit[]>;
  /** Shas of commits that touched one of these paths (under its name at that time), newest first. */
  touching(owner: string, paths: string[], options: { limit: number; since?: number }): Promise<string[]>;
  /** The last change of each path: whether it was deleted or renamed, and by which commit. Unknown paths are absent. */
  lastTouch(owner: string, paths: string[]): Promise<Map<string, Touch>>;
  /** Inserted and deleted lines, which are counted later than the commit is written. */
  writeCounts(owner: string, counts: Map<string, { insertions: number; deletions: number }>): Promise<void>;
  /** Commits newest first, in batches: for authors and churn. */
  all(owner: string, since?: number): AsyncIterable<Commit[]>;
};

export const fileChanges = ["added", "modified", "deleted", "renamed"] as const;
export type FileChange = (typeof fileChanges)[number];

export type CommitFile = {
  path: string;
  change: FileChange;
  /** Its name before a rename. */
  from?: string;
};

export type Commit = {
  sha: string;
  author: string;
  email: string;
  /** Commit time, milliseconds since 1970. */
  time: number;
  /** The whole message, subject first. */
  message: string;
  files: CommitFile[];
  /** Absent until they are counted, or where git cannot tell (a partial clone). */
  insertions?: number;
  deletions?: number;
};

export type Touch = {
  sha: string;
  time: number;
  /** `renamed`: the path was renamed to `to`. A path that a rename created counts as added. */
  change: FileChange;
  to?: string;
};
