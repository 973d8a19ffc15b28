/** API keys are looked up by the hash of their secret; the secret itself is not stored. */
export const keysSchema = `
CREATE TABLE keys(
  number INTEGER PRIMARY KEY, owner INTEGER NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, scope TEXT NOT NULL,
  hash BLOB NOT NULL, hint TEXT NOT NULL, created INTEGER NOT NULL, expires INTEGER, used INTEGER, revoked INTEGER
);
CREATE UNIQUE INDEX keys_id ON keys(id);
CREATE UNIQUE INDEX keys_hash ON keys(hash);
CREATE INDEX keys_name ON keys(name);
CREATE INDEX keys_created ON keys(created DESC, number DESC);
CREATE INDEX keys_owner ON keys(owner, created DESC, number DESC);
`;
