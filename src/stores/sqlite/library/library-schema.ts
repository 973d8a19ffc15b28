/**
 * Tables of the data that an application stores for its users, and of its service's API keys.
 * - Owners are the same as in the records; each has two more revisions. Their numbers lead every key.
 * - Times are milliseconds.
 * - Purged rows keep only the id and the revision, so that indexes notice the purge. The path and content of a
 *   document, the blocks of a message and the title of a thread are gone.
 * - Contents are in a table of their own, so that a list of documents does not read them.
 * - `first`: number of a thread's own first message. A branch continues after what it shares with its parent.
 * - `count`: number of its own messages, which are numbered without a gap. `place`: the number of a message.
 * - A message is deleted when its thread is.
 */
export const librarySchema = `
ALTER TABLE owners ADD COLUMN library_revision INTEGER NOT NULL DEFAULT 0;
ALTER TABLE owners ADD COLUMN usage_revision INTEGER NOT NULL DEFAULT 0;

CREATE TABLE documents(
  number INTEGER PRIMARY KEY, owner INTEGER NOT NULL, id TEXT NOT NULL, path TEXT, type TEXT,
  size INTEGER NOT NULL, hash TEXT NOT NULL, version INTEGER NOT NULL,
  created INTEGER NOT NULL, changed INTEGER NOT NULL, accessed INTEGER, deleted INTEGER, revision INTEGER NOT NULL
);
CREATE UNIQUE INDEX documents_id ON documents(owner, id);
CREATE UNIQUE INDEX documents_path ON documents(owner, path) WHERE deleted IS NULL;
CREATE UNIQUE INDEX documents_revision ON documents(owner, revision);
CREATE INDEX documents_changed ON documents(owner, changed DESC, id) WHERE deleted IS NULL;
CREATE INDEX documents_accessed ON documents(owner, accessed DESC, id) WHERE deleted IS NULL;
CREATE INDEX documents_deleted ON documents(owner, path, id) WHERE deleted IS NOT NULL;
CREATE TABLE contents(document INTEGER PRIMARY KEY, content NOT NULL);

CREATE TABLE threads(
  number INTEGER PRIMARY KEY, owner INTEGER NOT NULL, id TEXT NOT NULL, title TEXT, folded TEXT,
  parent INTEGER, branched TEXT, first INTEGER NOT NULL, count INTEGER NOT NULL,
  created INTEGER NOT NULL, changed INTEGER NOT NULL, deleted INTEGER
);
CREATE UNIQUE INDEX threads_id ON threads(owner, id);
CREATE INDEX threads_changed ON threads(owner, changed DESC, id) WHERE deleted IS NULL;
CREATE INDEX threads_deleted ON threads(owner, changed DESC, id) WHERE deleted IS NOT NULL;

CREATE TABLE messages(
  number INTEGER PRIMARY KEY, owner INTEGER NOT NULL, thread INTEGER NOT NULL, place INTEGER NOT NULL, revision INTEGER NOT NULL,
  id TEXT NOT NULL, given TEXT, role TEXT NOT NULL, speaker TEXT, session TEXT, at INTEGER NOT NULL, blocks TEXT
);
CREATE UNIQUE INDEX messages_id ON messages(owner, id);
CREATE UNIQUE INDEX messages_place ON messages(owner, thread, place);
CREATE UNIQUE INDEX messages_given ON messages(owner, thread, given) WHERE given IS NOT NULL;
CREATE UNIQUE INDEX messages_revision ON messages(owner, revision);

CREATE TABLE thread_references(
  number INTEGER PRIMARY KEY, owner INTEGER NOT NULL, thread INTEGER NOT NULL, id TEXT NOT NULL,
  kind TEXT NOT NULL, target TEXT NOT NULL, source TEXT NOT NULL, priority REAL NOT NULL, added INTEGER NOT NULL, place INTEGER NOT NULL
);
CREATE UNIQUE INDEX thread_references_id ON thread_references(owner, id);
CREATE UNIQUE INDEX thread_references_target ON thread_references(owner, thread, kind, target);

CREATE TABLE usage(
  number INTEGER PRIMARY KEY, owner INTEGER NOT NULL, id TEXT NOT NULL, item TEXT NOT NULL,
  kind TEXT NOT NULL, context TEXT, at INTEGER NOT NULL
);
CREATE UNIQUE INDEX usage_id ON usage(owner, id);
CREATE INDEX usage_item ON usage(owner, item, at DESC, number DESC);
`;
