/** The tables as version 1 made them, with some records in them. They must stay readable for ever. */
export const versionOne = `
CREATE TABLE owners(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL DEFAULT 0);
CREATE TABLE records(
  number INTEGER PRIMARY KEY, owner INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL,
  created INTEGER NOT NULL, changed INTEGER NOT NULL, revision INTEGER NOT NULL,
  deleted INTEGER, slot TEXT, body TEXT
);
CREATE UNIQUE INDEX records_id ON records(owner, id);
CREATE UNIQUE INDEX records_slot ON records(owner, slot) WHERE slot IS NOT NULL AND deleted IS NULL;
CREATE UNIQUE INDEX records_revision ON records(owner, type, revision);
CREATE INDEX records_created ON records(owner, type, created DESC, id) WHERE deleted IS NULL;
CREATE INDEX records_deleted ON records(owner, type, created DESC, id) WHERE deleted IS NOT NULL AND body IS NOT NULL;
CREATE TABLE marks(
  owner INTEGER NOT NULL, type TEXT NOT NULL, path TEXT NOT NULL, value NOT NULL, record INTEGER NOT NULL,
  PRIMARY KEY(owner, type, path, value, record)
) WITHOUT ROWID;
INSERT INTO owners VALUES(1, 'me', 2), (2, 'you', 1);
INSERT INTO records VALUES(1, 1, 'mem-a', 'memory', 1000, 2000, 1, NULL, 's', '{"tag":"x"}');
INSERT INTO records VALUES(2, 1, 'mem-b', 'memory', 1001, 2000, 2, 3000, NULL, '{"tag":"x"}');
INSERT INTO records VALUES(3, 2, 'mem-a', 'memory', 1000, 2000, 1, NULL, NULL, '{"tag":"y"}');
INSERT INTO marks VALUES(1, 'memory', 'tag', '=x', 1), (2, 'memory', 'tag', '=y', 3);
PRAGMA application_id = ${0x446f734d};
PRAGMA user_version = 1;
`;
