import { ownedTable } from "../engine/tables.ts";

/** Git's history, see commit-rows.ts, and bundles. */
export const commitTables = [
  ownedTable(
    "commits",
    `id int NOT NULL, sha text COLLATE "C" NOT NULL, time bigint NOT NULL, author text NOT NULL, email text NOT NULL, message text NOT NULL,
  files int[] NOT NULL, insertions int, deletions int, PRIMARY KEY(owner, id)`,
  ),
  `CREATE UNIQUE INDEX commits_sha ON commits(owner, sha);
CREATE INDEX commits_time ON commits(owner, time, id);
`,
  // Every path that a commit touched, with its history (file-history.ts).
  ownedTable(
    "commit_paths",
    `id int NOT NULL, path text COLLATE "C" NOT NULL, touches bytea NOT NULL, PRIMARY KEY(owner, id)`,
  ),
  `CREATE UNIQUE INDEX commit_paths_path ON commit_paths(owner, path);
`,
  ownedTable(
    "bundles",
    `name text COLLATE "C" NOT NULL, place bigint NOT NULL, given bytea NOT NULL, PRIMARY KEY(owner, name)`,
  ),
].join("");
