import { commitOf, pathNumbers } from "../../commit-rows.ts";
import type { Commit, CommitStore, Touch } from "../../commits.ts";
import { byAge, newestTouch, type PackedTouch, unpackTouches } from "../../file-history.ts";
import type { Database } from "../engine/driver.ts";
import { findOwner } from "../engine/owner.ts";
import { splitBytes } from "../engine/split-bytes.ts";
import { writeCommits, writeCounts } from "./write.ts";

/** Commits belong to the same row of `owners` as their items. */
const onShelf = (owner: string) => `commit/${owner}`;

export function commitStore(database: Database): CommitStore {
  const reading = <Result>(owner: string, none: Result, read: (owner: number) => Result) =>
    database.transaction("read", () => {
      const ownerRow = findOwner(database, onShelf(owner));
      return ownerRow ? read(ownerRow.id) : none;
    });
  return {
    write: async (owner, change) => writeCommits(database, onShelf(owner), change),
    writeCounts: async (owner, counts) => writeCounts(database, onShelf(owner), counts),
    shas: async (owner) => reading(owner, [], (number) => shas(database, number)),
    get: async (owner, hashes) => reading(owner, [], (number) => commitsBySha(database, number, hashes)),
    paths: async (owner, under) => reading(owner, [], (number) => paths(database, number, under)),
    byPrefix: async (owner, prefix, limit) =>
      reading(owner, [], (number) => commitsByPrefix(database, number, prefix, limit)),
    touching: async (owner, filePaths, options) =>
      reading(owner, [], (number) => touching(database, number, filePaths, options)),
    lastTouch: async (owner, filePaths) =>
      reading(owner, new Map(), (number) => lastTouch(database, number, filePaths)),
    async *all(owner, since) {
      for (let after: Place | undefined; ; ) {
        const batch = reading(owner, undefined, (number) => batchAfter(database, number, since, after));
        if (!batch) return;
        yield batch.commits;
        after = batch.last;
      }
    },
  };
}

// Read as one value: fifty thousand rows take half a second.
function shas(database: Database, owner: number): string[] {
  const { rows } = database.get<{ rows: string }>(
    "SELECT json_group_array(sha) AS rows FROM (SELECT sha FROM commits WHERE owner = ? ORDER BY time DESC, id DESC)",
    [owner],
  )!;
  return JSON.parse(rows) as string[];
}

function paths(database: Database, owner: number, under: string | undefined): string[] {
  // "0" follows "/", so these are exactly the paths that begin with the folder and a slash.
  const [from, to] = under === undefined ? ["", "\u{10ffff}"] : [`${under}/`, `${under}0`];
  const { rows } = database.get<{ rows: string }>(
    "SELECT json_group_array(path) AS rows FROM (SELECT path FROM commit_paths WHERE owner = ? AND path >= ? AND path < ? ORDER BY path)",
    [owner, from!, to!],
  )!;
  return JSON.parse(rows) as string[];
}

type CommitRow = [
  id: number,
  sha: string,
  time: number,
  author: string,
  email: string,
  message: string,
  files: number[],
  insertions: number | null,
  deletions: number | null,
];

const row = "json_array(c.id, c.sha, c.time, c.author, c.email, c.message, json(c.files), c.insertions, c.deletions)";

function commitsBySha(database: Database, owner: number, hashes: string[]): Commit[] {
  const rows = database.all<{ row: string }>(
    `SELECT ${row} AS row FROM json_each(?) AS j CROSS JOIN commits AS c ON c.owner = ? AND c.sha = j.value ORDER BY j.key`,
    [JSON.stringify(hashes), owner],
  );
  return toCommits(
    database,
    rows.map(({ row }) => JSON.parse(row) as CommitRow),
  );
}

function commitsByPrefix(database: Database, owner: number, prefix: string, limit: number): Commit[] {
  const rows = database.all<{ row: string }>(
    `SELECT ${row} AS row FROM commits AS c WHERE c.owner = ? AND c.sha >= ? AND c.sha < ? ORDER BY c.sha LIMIT ?`,
    [owner, prefix, `${prefix}\u{10ffff}`, Math.max(0, limit)],
  );
  return toCommits(
    database,
    rows.map(({ row }) => JSON.parse(row) as CommitRow),
  );
}

/** Commits per batch of `all`. */
const batchSize = 1000;

type Place = { time: number; id: number };

function batchAfter(
  database: Database,
  owner: number,
  since: number | undefined,
  after: Place | undefined,
): { commits: Commit[]; last: Place } | undefined {
  const next = after ? "AND (time < ? OR (time = ? AND id < ?))" : "";
  const { rows } = database.get<{ rows: string }>(
    `SELECT json_group_array(${row}) AS rows FROM (
       SELECT * FROM commits WHERE owner = ? AND time >= ? ${next} ORDER BY time DESC, id DESC LIMIT ${batchSize}
     ) AS c`,
    [owner, since ?? Number.MIN_SAFE_INTEGER, ...(after ? [after.time, after.time, after.id] : [])],
  )!;
  const batch = JSON.parse(rows) as CommitRow[];
  if (batch.length === 0) return undefined;
  const [id, , time] = batch.at(-1)!;
  return { commits: toCommits(database, batch), last: { time, id } };
}

function toCommits(database: Database, rows: CommitRow[]): Commit[] {
  const stored = rows.map(([, sha, time, author, email, message, files, insertions, deletions]) => {
    return { sha, time, author, email, message, files, insertions, deletions };
  });
  const names = pathNames(database, pathNumbers(stored));
  return stored.map((row) => commitOf(row, names));
}

function pathNames(database: Database, numbers: Set<number>): Map<number, string> {
  const { rows } = database.get<{ rows: string }>(
    "SELECT json_group_array(json_array(p.id, p.path)) AS rows FROM json_each(?) AS j CROSS JOIN commit_paths AS p ON p.id = j.value",
    [JSON.stringify([...numbers])],
  )!;
  return new Map(JSON.parse(rows) as [number, string][]);
}

/** `bytes`: length of the prefix to read of each value, if only the newest touches are needed. */
function touchesOf(
  database: Database,
  owner: number,
  filePaths: string[],
  bytes?: number,
): { path: string; touches: Uint8Array }[] {
  const touches = bytes === undefined ? "p.touches" : `substr(p.touches, 1, ${bytes})`;
  const { paths, lengths, data } = database.get<{ paths: string; lengths: string; data: Uint8Array | null }>(
    `SELECT json_group_array(p.path) AS paths, json_group_array(length(${touches})) AS lengths,
       CAST(group_concat(${touches}, '') AS BLOB) AS data FROM (SELECT DISTINCT value FROM json_each(?)) AS j
     CROSS JOIN commit_paths AS p ON p.owner = ? AND p.path = j.value`,
    [JSON.stringify(filePaths), owner],
  )!;
  const parts = splitBytes(data, JSON.parse(lengths) as number[]);
  return (JSON.parse(paths) as string[]).map((path, i) => ({ path, touches: parts[i]! }));
}

function touching(
  database: Database,
  owner: number,
  filePaths: string[],
  { limit, since }: { limit: number; since?: number },
): string[] {
  const byCommit = new Map<number, PackedTouch>();
  for (const { touches } of touchesOf(database, owner, filePaths)) {
    for (const touch of unpackTouches(touches))
      if (since === undefined || touch.time >= since) byCommit.set(touch.commit, touch);
  }
  const newest = [...byCommit.values()].sort(byAge).slice(0, Math.max(0, limit));
  const names = shasOf(
    database,
    newest.map(({ commit }) => commit),
  );
  return newest.map(({ commit }) => names.get(commit)!);
}

/** Three numbers of at most eight bytes each. */
const longestTouch = 24;

function lastTouch(database: Database, owner: number, filePaths: string[]): Map<string, Touch> {
  const last = touchesOf(database, owner, filePaths, longestTouch).map(({ path, touches }) => ({
    path,
    ...newestTouch(touches)!,
  }));
  const names = shasOf(
    database,
    last.map(({ commit }) => commit),
  );
  const others = pathNames(database, new Set(last.map(({ other }) => other)));
  const result = new Map<string, Touch>();
  for (const { path, commit, time, change, other } of last) {
    const sha = names.get(commit)!;
    if (change === "left") result.set(path, { sha, time, change: "renamed", to: others.get(other)! });
    else result.set(path, { sha, time, change: change === "renamed" ? "added" : change });
  }
  return result;
}

function shasOf(database: Database, numbers: number[]): Map<number, string> {
  const { rows } = database.get<{ rows: string }>(
    "SELECT json_group_array(json_array(c.id, c.sha)) AS rows FROM json_each(?) AS j CROSS JOIN commits AS c ON c.id = j.value",
    [JSON.stringify(numbers)],
  )!;
  return new Map(JSON.parse(rows) as [number, string][]);
}
