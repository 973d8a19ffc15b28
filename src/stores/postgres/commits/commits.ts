import { commitOf, pathNumbers, type StoredCommit } from "../../commit-rows.ts";
import type { Commit, CommitStore, Touch } from "../../commits.ts";
import { byAge, newestTouch, type PackedTouch, unpackTouches } from "../../file-history.ts";
import type { PostgresSession, Queries } from "../engine/session/session.ts";
import { writeCommits, writeCounts } from "./write.ts";

export function commitStore(session: PostgresSession): CommitStore {
  return {
    write: (owner, change) =>
      session.transaction(owner, (queries) => writeCommits(queries, change), { idempotent: true }),
    writeCounts: (owner, counts) =>
      session.transaction(owner, (queries) => writeCounts(queries, counts), { idempotent: true }),
    shas: (owner) => shas(session.of(owner)),
    get: (owner, hashes) => commitsBySha(session.of(owner), hashes),
    paths: (owner, under) => paths(session.of(owner), under),
    byPrefix: (owner, prefix, limit) => commitsByPrefix(session.of(owner), prefix, limit),
    touching: (owner, filePaths, options) => touching(session.of(owner), filePaths, options),
    lastTouch: (owner, filePaths) => lastTouch(session.of(owner), filePaths),
    async *all(owner, since) {
      for (let after: Place | undefined; ; ) {
        const rows = await batchAfter(session.of(owner), since, after);
        if (rows.length === 0) return;
        yield toCommits(session.of(owner), rows);
        after = rows.at(-1);
      }
    },
  };
}

async function shas(queries: Queries): Promise<string[]> {
  const row = await queries.get<{ shas: string[] | null }>(
    "SELECT array_agg(sha ORDER BY time DESC, id DESC) AS shas FROM commits WHERE owner = $1",
  );
  return row?.shas ?? [];
}

async function paths(queries: Queries, under: string | undefined): Promise<string[]> {
  // "0" follows "/", so these are exactly the paths that begin with the folder and a slash.
  const [from, to] = under === undefined ? ["", "\u{10ffff}"] : [`${under}/`, `${under}0`];
  const row = await queries.get<{ paths: string[] | null }>(
    "SELECT array_agg(path ORDER BY path) AS paths FROM commit_paths WHERE owner = $1 AND path >= $2 AND path < $3",
    [from, to],
  );
  return row?.paths ?? [];
}

type CommitRow = StoredCommit & { id: number };
const columns = "c.id, c.sha, c.time, c.author, c.email, c.message, c.files, c.insertions, c.deletions";

async function commitsBySha(queries: Queries, hashes: readonly string[]): Promise<Commit[]> {
  if (hashes.length === 0) return [];
  const [rows, paths] = await Promise.all([
    queries.all<CommitRow>(
      `SELECT ${columns} FROM unnest($2::text[]) WITH ORDINALITY AS w(sha, place)
       JOIN commits AS c ON c.owner = $1 AND c.sha = w.sha ORDER BY w.place`,
      [hashes],
    ),
    // A number in `files` is 8 * path + change or, after a rename, a path: wrong candidates do no harm.
    queries.all<{ id: number; path: string }>(
      `SELECT p.id, p.path FROM commit_paths AS p WHERE p.owner = $1 AND p.id IN (
         SELECT n.id FROM commits AS c CROSS JOIN unnest(c.files) AS f(code) CROSS JOIN LATERAL (VALUES (f.code / 8), (f.code)) AS n(id)
         WHERE c.owner = $1 AND c.sha = ANY($2::text[]))`,
      [hashes],
    ),
  ]);
  const names = new Map(paths.map(({ id, path }) => [id, path]));
  return rows.map((row) => commitOf(row, names));
}

async function commitsByPrefix(queries: Queries, prefix: string, limit: number): Promise<Commit[]> {
  const rows = await queries.all<CommitRow>(
    `SELECT ${columns} FROM commits AS c WHERE c.owner = $1 AND c.sha >= $2 AND c.sha < $3 ORDER BY c.sha LIMIT $4`,
    [prefix, `${prefix}\u{10ffff}`, Math.max(0, limit)],
  );
  return toCommits(queries, rows);
}

/** Commits per batch of `all`. */
const batchSize = 1000;

type Place = { time: number; id: number };

function batchAfter(queries: Queries, since: number | undefined, after: Place | undefined): Promise<CommitRow[]> {
  const next = after ? "AND (c.time, c.id) < ($3, $4)" : "";
  return queries.all(
    `SELECT ${columns} FROM commits AS c WHERE c.owner = $1 AND c.time >= $2 ${next} ORDER BY c.time DESC, c.id DESC LIMIT ${batchSize}`,
    [since ?? Number.MIN_SAFE_INTEGER, ...(after ? [after.time, after.id] : [])],
  );
}

async function toCommits(queries: Queries, rows: readonly CommitRow[]): Promise<Commit[]> {
  const names = await pathNames(queries, pathNumbers(rows));
  return rows.map((row) => commitOf(row, names));
}

async function pathNames(queries: Queries, numbers: ReadonlySet<number>): Promise<Map<number, string>> {
  if (numbers.size === 0) return new Map();
  const rows = await queries.all<{ id: number; path: string }>(
    "SELECT id, path FROM commit_paths WHERE owner = $1 AND id = ANY($2::int[])",
    [[...numbers]],
  );
  return new Map(rows.map(({ id, path }) => [id, path]));
}

async function touching(
  queries: Queries,
  filePaths: readonly string[],
  { limit, since }: { limit: number; since?: number },
): Promise<string[]> {
  const rows = await queries.all<{ touches: Uint8Array }>(
    "SELECT touches FROM commit_paths WHERE owner = $1 AND path = ANY($2::text[])",
    [filePaths],
  );
  const byCommit = new Map<number, PackedTouch>();
  for (const { touches } of rows) {
    for (const touch of unpackTouches(touches)) {
      if (since === undefined || touch.time >= since) byCommit.set(touch.commit, touch);
    }
  }
  const newest = [...byCommit.values()].sort(byAge).slice(0, Math.max(0, limit));
  const names = await shasOf(
    queries,
    newest.map(({ commit }) => commit),
  );
  return newest.map(({ commit }) => names.get(commit)!);
}

/** Three numbers of at most eight bytes each. */
const longestTouch = 24;

async function lastTouch(queries: Queries, filePaths: readonly string[]): Promise<Map<string, Touch>> {
  const rows = await queries.all<{ path: string; touches: Uint8Array }>(
    `SELECT path, substring(touches FROM 1 FOR ${longestTouch}) AS touches FROM commit_paths WHERE owner = $1 AND path = ANY($2::text[])`,
    [filePaths],
  );
  const last = rows.map(({ path, touches }) => ({ path, ...newestTouch(touches)! }));
  const [names, others] = await Promise.all([
    shasOf(
      queries,
      last.map(({ commit }) => commit),
    ),
    pathNames(queries, new Set(last.map(({ other }) => other).filter((other) => other > 0))),
  ]);
  const result = new Map<string, Touch>();
  for (const { path, commit, time, change, other } of last) {
    const sha = names.get(commit)!;
    if (change === "left") result.set(path, { sha, time, change: "renamed", to: others.get(other)! });
    else result.set(path, { sha, time, change: change === "renamed" ? "added" : change });
  }
  return result;
}

async function shasOf(queries: Queries, numbers: readonly number[]): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map();
  const rows = await queries.all<{ id: number; sha: string }>(
    "SELECT id, sha FROM commits WHERE owner = $1 AND id = ANY($2::int[])",
    [numbers],
  );
  return new Map(rows.map(({ id, sha }) => [id, sha]));
}
