import { PathChanges, pathsOfCommits } from "../../commit-rows.ts";
import type { Commit } from "../../commits.ts";
import type { TransactionQueries } from "../engine/session/session.ts";
import { shelfCodes } from "../engine/shelf.ts";
import { lockShelf } from "../items/state-before-write.ts";

type Touched = { id: number; path: string; touches: Uint8Array };

/** Commits and items of the shelf `commit` are written by one process at a time. */
export async function writeCommits(
  queries: TransactionQueries,
  { added, removed }: { added: readonly Commit[]; removed: readonly string[] },
): Promise<void> {
  const unique = [...new Map(added.map((commit) => [commit.sha, commit])).values()];
  const shas = [...removed, ...unique.map(({ sha }) => sha)];
  const names = [...pathsOfCommits(unique)];
  const [, deleted, last, existing] = await Promise.all([
    lockShelf(queries, shelfCodes.commit),
    queries.all<{ id: number; files: number[] }>(
      "DELETE FROM commits WHERE owner = $1 AND sha = ANY($2::text[]) RETURNING id, files",
      [shas],
    ),
    queries.get<{ commit: number; path: number }>(
      `SELECT coalesce((SELECT max(id) FROM commits WHERE owner = $1), 0) AS commit,
       coalesce((SELECT max(id) FROM commit_paths WHERE owner = $1), 0) AS path`,
    ),
    queries.all<{ id: number; path: string }>(
      "SELECT id, path FROM commit_paths WHERE owner = $1 AND path = ANY($2::text[])",
      [names],
    ),
  ]);

  const changes = new PathChanges();
  for (const { id, files } of deleted) changes.remove(id, files);
  const numbers = new Map(existing.map(({ id, path }) => [path, id]));
  const missing = names.filter((path) => !numbers.has(path));
  let next = last!.path;
  for (const path of missing) numbers.set(path, ++next);
  // The first is the newest and gets the largest number.
  const rows = unique.reverse().map((commit, i) => {
    const id = last!.commit + 1 + i;
    return { ...commit, id, files: changes.add(commit, id, numbers) };
  });
  const before = await queries.all<Touched>(
    "SELECT id, path, touches FROM commit_paths WHERE owner = $1 AND id = ANY($2::int[])",
    [changes.paths],
  );
  const stored = new Map(before.map(({ id, touches }) => [id, touches]));
  const changed = changes.paths.map((id) => ({ id, touches: changes.touches(id, stored.get(id) ?? new Uint8Array()) }));
  await Promise.all([
    insertCommits(queries, rows),
    storeTouches(queries, changed, new Map(missing.map((path) => [numbers.get(path)!, path]))),
  ]);
}

async function insertCommits(
  queries: TransactionQueries,
  rows: readonly (Omit<Commit, "files"> & { id: number; files: number[] })[],
): Promise<void> {
  if (rows.length === 0) return;
  await queries.run(
    `INSERT INTO commits(owner, id, sha, time, author, email, message, files, insertions, deletions)
     SELECT $1, id, sha, time, author, email, message, files::int[], insertions, deletions
     FROM unnest($2::int[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[], $9::int[], $10::int[])
     AS c(id, sha, time, author, email, message, files, insertions, deletions)`,
    [
      rows.map(({ id }) => id),
      rows.map(({ sha }) => sha),
      rows.map(({ time }) => time),
      rows.map(({ author }) => author),
      rows.map(({ email }) => email),
      rows.map(({ message }) => message),
      rows.map(({ files }) => `{${files.join()}}`),
      rows.map(({ insertions }) => insertions ?? null),
      rows.map(({ deletions }) => deletions ?? null),
    ],
  );
}

async function storeTouches(
  queries: TransactionQueries,
  changed: readonly { id: number; touches: Uint8Array | undefined }[],
  newPaths: ReadonlyMap<number, string>,
): Promise<void> {
  const remaining = changed.filter(({ touches }) => touches);
  const added = remaining.filter(({ id }) => newPaths.has(id));
  const updated = remaining.filter(({ id }) => !newPaths.has(id));
  await Promise.all([
    queries.run("DELETE FROM commit_paths WHERE owner = $1 AND id = ANY($2::int[])", [
      changed.filter(({ touches }) => !touches).map(({ id }) => id),
    ]),
    queries.run(
      `UPDATE commit_paths AS p SET touches = t.touches FROM unnest($2::int[], $3::bytea[]) AS t(id, touches)
       WHERE p.owner = $1 AND p.id = t.id`,
      [updated.map(({ id }) => id), updated.map(({ touches }) => touches)],
    ),
    queries.run(
      "INSERT INTO commit_paths(owner, id, path, touches) SELECT $1, * FROM unnest($2::int[], $3::text[], $4::bytea[])",
      [added.map(({ id }) => id), added.map(({ id }) => newPaths.get(id)), added.map(({ touches }) => touches)],
    ),
  ]);
}

export async function writeCounts(
  queries: TransactionQueries,
  counts: ReadonlyMap<string, { insertions: number; deletions: number }>,
): Promise<void> {
  const values = [...counts.values()];
  await queries.run(
    `UPDATE commits AS c SET insertions = w.insertions, deletions = w.deletions
     FROM unnest($2::text[], $3::int[], $4::int[]) AS w(sha, insertions, deletions) WHERE c.owner = $1 AND c.sha = w.sha`,
    [[...counts.keys()], values.map(({ insertions }) => insertions), values.map(({ deletions }) => deletions)],
  );
}
