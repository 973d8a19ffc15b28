/** Git's history as the index keeps it. The text of commits is searched on the shelf `commit`; this is what is printed and counted. */
export type CommitStore = {
  /**
   * Adds and removes commits in one transaction. A sha that is known is replaced. Of commits of one time, those of a later write are the
   * newer, and within a write those that come first.
   */
  write(owner: string, change: { added: Commit[]; removed: string[] }): Promise<void>;
  /** All shas, newest first. */
  shas(owner: string): Promise<string[]>;
  /** Commits by sha, unknown ones absent. */
  get(owner: string, shas: string[]): Promise<Commit[]>;
  /** Every path that a commit touched, as it was called then, in order; `under` a folder (without `/` at its end) when one is given. */
  paths(owner: string, under?: string): Promise<string[]>;
  /** Commits whose sha starts with the prefix; at most `limit`. */
  byPrefix(owner: string, prefix: string, limit: number): Promise<Commit[]>;
  /** Shas of commits that touched one of these paths (as it was called then), newest first. */
  touching(owner: string, paths: string[], options: { limit: number; since?: number }): Promise<string[]>;
  /** What last happened to each path, newest commit of it: whether it was deleted or renamed, and by which commit. Unknown paths are absent. */
  lastTouch(owner: string, paths: string[]): Promise<Map<string, Touch>>;
  /** Inserted and deleted lines, found later than the commit itself. */
  writeCounts(owner: string, counts: Map<string, { insertions: number; deletions: number }>): Promise<void>;
  /** Commits newest first, in batches: for authors and churn. */
  all(owner: string, since?: number): AsyncIterable<Commit[]>;
};

export const fileChanges = ["added", "modified", "deleted", "renamed"] as const;
export type FileChange = (typeof fileChanges)[number];

export type CommitFile = { path: string; change: FileChange /** Its name before, when renamed. */; from?: string };

export type Commit = {
  sha: string;
  author: string;
  email: string;
  /** Commit time, milliseconds since 1970. */
  time: number;
  /** The whole message, subject first. */
  message: string;
  files: CommitFile[];
  /** Absent until they are counted, or where git cannot say (a partial clone). */
  insertions?: number;
  deletions?: number;
};

export type Touch = {
  sha: string;
  time: number;
  /** `renamed`: it was given up for the name `to`. A path that came about by a rename counts as added. */
  change: FileChange;
  to?: string;
};
