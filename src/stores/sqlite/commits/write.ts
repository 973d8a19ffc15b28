import { PathChanges, pathsOfCommits } from "../../commit-rows.ts";
import type { Commit } from "../../commits.ts";
import { storable } from "../../rules/stored-text.ts";
import type { Database } from "../engine/driver.ts";
import { ensureOwner } from "../engine/owner.ts";

export function writeCommits(
  database: Database,
  ownerName: string,
  { added, removed }: { added: Commit[]; removed: string[] },
): void {
  database.transaction("write", () => {
    const owner = ensureOwner(database, ownerName).id;
    const unique = [...new Map(added.map((commit) => [commit.sha, commit])).values()];
    const changes = new PathChanges();
    removeCommits(database, owner, [...removed, ...unique.map(({ sha }) => sha)], changes);
    const paths = internPaths(database, owner, unique);
    // The first is the newest and gets the largest number; rows are stored in the order of their numbers.
    let number = nextNumber(database, "commits");
    for (const commit of unique.reverse()) addCommit(database, owner, number++, commit, paths, changes);
    updatePaths(database, changes);
  });
}

/** Numbers are never reused. */
function nextNumber(database: Database, table: "commits" | "commit_paths"): number {
  return database.get<{ next: number }>(
    "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = ?), 0) + 1 AS next",
    [table],
  )!.next;
}

function removeCommits(database: Database, owner: number, shas: string[], changes: PathChanges): void {
  const rows = database.all<{ id: number; files: string }>(
    "SELECT c.id, c.files FROM json_each(?) AS j CROSS JOIN commits AS c ON c.owner = ? AND c.sha = j.value",
    [JSON.stringify(shas), owner],
  );
  if (rows.length === 0) return;
  for (const { id, files } of rows) changes.remove(id, JSON.parse(files) as number[]);
  database.run("DELETE FROM commits WHERE id IN (SELECT value FROM json_each(?))", [
    JSON.stringify(rows.map(({ id }) => id)),
  ]);
}

/** Numbers of all paths in these commits; new ones are stored without touches. */
function internPaths(database: Database, owner: number, commits: Commit[]): Map<string, number> {
  const paths = pathsOfCommits(commits);
  const { rows } = database.get<{ rows: string }>(
    `SELECT json_group_array(json_array(p.path, p.id)) AS rows
     FROM json_each(?) AS j CROSS JOIN commit_paths AS p ON p.owner = ? AND p.path = j.value`,
    [JSON.stringify([...paths]), owner],
  )!;
  const numbers = new Map(JSON.parse(rows) as [string, number][]);
  const missing = [...paths].filter((path) => !numbers.has(path));
  let next = nextNumber(database, "commit_paths");
  for (const path of missing) numbers.set(path, next++);
  database.run(
    "INSERT INTO commit_paths(id, owner, path, touches) SELECT value ->> 0, ?, value ->> 1, x'' FROM json_each(?)",
    [owner, JSON.stringify(missing.map((path) => [numbers.get(path), path]))],
  );
  return numbers;
}

function addCommit(
  database: Database,
  owner: number,
  number: number,
  commit: Commit,
  paths: Map<string, number>,
  changes: PathChanges,
): void {
  const { sha, time, author, email, message, insertions, deletions } = commit;
  const files = changes.add(commit, number, paths);
  database.run(
    `INSERT INTO commits(id, owner, sha, time, author, email, message, files, insertions, deletions)
     VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      number,
      owner,
      sha,
      time,
      storable(author),
      storable(email),
      storable(message),
      JSON.stringify(files),
      insertions ?? null,
      deletions ?? null,
    ],
  );
}

function updatePaths(database: Database, changes: PathChanges): void {
  const rows = database.all<{ id: number; touches: Uint8Array }>(
    "SELECT p.id, p.touches FROM json_each(?) AS j CROSS JOIN commit_paths AS p ON p.id = j.value",
    [JSON.stringify(changes.paths)],
  );
  for (const { id, touches } of rows) {
    const after = changes.touches(id, touches);
    if (!after) database.run("DELETE FROM commit_paths WHERE id = ?", [id]);
    else database.run("UPDATE commit_paths SET touches = ? WHERE id = ?", [after, id]);
  }
}

export function writeCounts(
  database: Database,
  ownerName: string,
  counts: Map<string, { insertions: number; deletions: number }>,
): void {
  database.transaction("write", () => {
    const owner = ensureOwner(database, ownerName).id;
    for (const [sha, { insertions, deletions }] of counts) {
      database.run("UPDATE commits SET insertions = ?, deletions = ? WHERE owner = ? AND sha = ?", [
        insertions,
        deletions,
        owner,
        sha,
      ]);
    }
  });
}
