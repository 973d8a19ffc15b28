import { ownedTable } from "../engine/tables.ts";

/**
 * Tables of the data that an application stores for its users. `rules/` has the meaning of a row. Times are
 * milliseconds. Purged rows keep only the id and the revision, so that indexes learn of it. The path and content of a
 * document, the blocks of a message and the title of a thread are gone. Contents are in a table of their own, so that a
 * list of documents does not read them: UTF-8, or JSON where `escaped`.
 */
export const libraryTables = [
  ownedTable(
    "documents",
    `id text COLLATE "C" NOT NULL, path text COLLATE "C", type text, size bigint NOT NULL, hash text NOT NULL, version bigint NOT NULL,
     created double precision NOT NULL, changed double precision NOT NULL, accessed double precision, deleted double precision,
     revision bigint NOT NULL, PRIMARY KEY(owner, id)`,
  ),
  `CREATE UNIQUE INDEX documents_path ON documents(owner, path) WHERE deleted IS NULL;
   CREATE UNIQUE INDEX documents_revision ON documents(owner, revision);
   CREATE INDEX documents_changed ON documents(owner, changed DESC, id) WHERE deleted IS NULL;
   CREATE INDEX documents_accessed ON documents(owner, accessed DESC NULLS LAST, id) WHERE deleted IS NULL;
   CREATE INDEX documents_deleted ON documents(owner, path, id) WHERE deleted IS NOT NULL;`,
  ownedTable(
    "contents",
    `document text COLLATE "C" NOT NULL, content bytea NOT NULL, escaped boolean NOT NULL, PRIMARY KEY(owner, document)`,
  ),
  ownedTable(
    "threads",
    `id text COLLATE "C" NOT NULL, title text, folded text, parent text COLLATE "C", branched text COLLATE "C",
     first bigint NOT NULL, count bigint NOT NULL, created double precision NOT NULL, changed double precision NOT NULL,
     deleted double precision, PRIMARY KEY(owner, id)`,
  ),
  `CREATE INDEX threads_changed ON threads(owner, changed DESC, id) WHERE deleted IS NULL;
   CREATE INDEX threads_deleted ON threads(owner, changed DESC, id) WHERE deleted IS NOT NULL;`,
  ownedTable(
    "messages",
    `id text COLLATE "C" NOT NULL, thread text COLLATE "C" NOT NULL, place bigint NOT NULL, revision bigint NOT NULL,
     given text COLLATE "C", role text NOT NULL, speaker text, session text, at double precision NOT NULL, blocks text,
     PRIMARY KEY(owner, id)`,
  ),
  `CREATE UNIQUE INDEX messages_place ON messages(owner, thread, place);
   CREATE UNIQUE INDEX messages_given ON messages(owner, thread, given) WHERE given IS NOT NULL;
   CREATE UNIQUE INDEX messages_revision ON messages(owner, revision);`,
  ownedTable(
    "thread_references",
    `id text COLLATE "C" NOT NULL, thread text COLLATE "C" NOT NULL, kind text NOT NULL, target text COLLATE "C" NOT NULL,
     source text NOT NULL, priority double precision NOT NULL, added double precision NOT NULL, place bigint NOT NULL,
     PRIMARY KEY(owner, id)`,
  ),
  "CREATE UNIQUE INDEX thread_references_target ON thread_references(owner, thread, kind, target);",
  // `number`: the usage revision of the event, which orders events of one moment.
  ownedTable(
    "usage",
    `id text COLLATE "C" NOT NULL, item text COLLATE "C" NOT NULL, kind text NOT NULL, context text, at double precision NOT NULL,
     number bigint NOT NULL, PRIMARY KEY(owner, id)`,
  ),
  "CREATE INDEX usage_item ON usage(owner, item, at DESC, number DESC);",
].join("\n");
