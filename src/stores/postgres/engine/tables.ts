/**
 * Hash partitions of every table of owners' rows. A power of two, so that each can be split; changing it needs a
 * migration.
 */
const partitions = 8;

/**
 * A table of owners' rows: the owner leads its key and its indexes, rows are partitioned by owner, and row-level
 * security shows only those of the session's owner (`dossier.owner`). `columns` follow the owner's and include the
 * primary key, which begins with the owner. Texts that are compared or ordered are `text COLLATE "C"`: in byte order,
 * as in SQLite.
 */
export function ownedTable(name: string, columns: string): string {
  const parts = Array.from(
    { length: partitions },
    (_, i) => `
CREATE TABLE ${name}_${i} PARTITION OF ${name} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${i});
ALTER TABLE ${name}_${i} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;`,
  );
  // The setting is read once per statement, since it is in a subquery. A partition has no policy: by itself it shows
  // nothing.
  return `
CREATE TABLE ${name}(owner bigint NOT NULL, ${columns}) PARTITION BY HASH (owner);${parts.join("")}
ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON ${name} USING (owner = (SELECT nullif(current_setting('dossier.owner', true), '')::bigint));
`;
}
