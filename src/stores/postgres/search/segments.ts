import {
  blocksOf,
  mergeParts,
  type PostingChanges,
  type PostingScope,
  type PostingsPart,
  partsToMerge,
  scopeCodes,
  toBytes,
  toNumbers,
} from "../../search/posting-parts.ts";
import { unpackBlock } from "../../search/postings.ts";
import type { TransactionQueries } from "../engine/session/session.ts";
import type { StateBefore } from "../items/state-before-write.ts";

/** What one write changes in each scope. */
export type ChangedPostings = { [Of in PostingScope]: PostingChanges<Of> };

/**
 * Prepares the change of a shelf's postings, see search/posting-parts.ts: reads the parts that are merged, and returns
 * the function that stores the result and increments the shelf's last part.
 */
export async function prepareParts(
  queries: TransactionQueries,
  shelf: number,
  before: StateBefore,
  changes: ChangedPostings,
): Promise<() => Promise<unknown>> {
  const scopes = (["unit", "file", "name"] as const).map((scope) => {
    const existing = before.parts.filter(({ scope: code }) => code === scopeCodes[scope]);
    if (scope !== "name" && before.shelf[`${scope}_count`] + changes[scope].count === 0) {
      return { scope, merged: existing };
    }
    if (changes[scope].isEmpty) return { scope, merged: [] };
    const added = changes[scope].part();
    const count = partsToMerge(
      existing.map(({ size }) => size),
      added.size,
    );
    return { scope, added, merged: existing.slice(existing.length - count), all: count === existing.length };
  });
  const toRead = scopes.flatMap(({ added, merged }) => (added ? merged : []));
  const rewritesNames = scopes.some(({ scope, merged, all }) => scope === "name" && all && merged.length > 0);
  const [parts, names] = await Promise.all([
    readParts(queries, shelf, toRead),
    rewritesNames ? queries.all<{ id: number }>("SELECT id FROM names WHERE owner = $1 AND shelf = $2", [shelf]) : [],
  ]);
  return () => {
    const dropped = scopes.flatMap(({ merged }) => merged.map(({ id }) => id));
    const statements: Promise<unknown>[] = dropped.length > 0 ? [dropParts(queries, shelf, dropped)] : [];
    for (const { scope, added, merged, all } of scopes) {
      if (!added) continue;
      if (scope === "name" && all)
        added.removed = missingNames(
          names,
          merged.map(({ id }) => parts.get(id)!),
        );
      const part = merged.reduceRight(
        (newer, { id }, i) => mergeParts(parts.get(id)!, newer, i === 0 && all === true),
        added,
      );
      statements.push(storePart(queries, shelf, scope, ++before.shelf.last_part, part));
    }
    return Promise.all(statements);
  };
}

/** Names that no row has any more. Nobody finds them, so they wait until all parts are merged. */
function missingNames(names: readonly { id: number }[], parts: readonly PostingsPart[]): Uint32Array {
  const existing = new Set(names.map(({ id }) => id));
  const listed = parts.flatMap(({ items }) => Array.from(items).filter((_, i) => i % 2 === 0));
  return Uint32Array.from(listed.filter((id) => !existing.has(id)));
}

async function readParts(
  queries: TransactionQueries,
  shelf: number,
  partSizes: readonly { id: number; size: number }[],
): Promise<Map<number, PostingsPart>> {
  if (partSizes.length === 0) return new Map();
  const ids = partSizes.map(({ id }) => id);
  const [parts, blocks] = await Promise.all([
    queries.all<{ id: number; items: Uint8Array; removed: Uint8Array }>(
      "SELECT id, items, removed FROM parts WHERE owner = $1 AND shelf = $2 AND id = ANY($3::int[])",
      [shelf, ids],
    ),
    queries.all<{ part: number; data: Uint8Array }>(
      "SELECT part, data FROM blocks WHERE owner = $1 AND shelf = $2 AND part = ANY($3::int[]) ORDER BY part, first",
      [shelf, ids],
    ),
  ]);
  const entriesOf = function* (part: number) {
    for (const { part: of, data } of blocks) if (of === part) yield* unpackBlock(data);
  };
  return new Map(
    parts.map(({ id, items, removed }) => [
      id,
      {
        entries: entriesOf(id),
        items: toNumbers(items),
        removed: toNumbers(removed),
        size: partSizes.find((part) => part.id === id)!.size,
      },
    ]),
  );
}

/** Bytes of blocks per statement. */
const mostBytes = 16 * 1024 * 1024;

async function storePart(
  queries: TransactionQueries,
  shelf: number,
  scope: PostingScope,
  id: number,
  part: PostingsPart,
): Promise<void> {
  let size = part.items.byteLength + part.removed.byteLength;
  const statements: Promise<unknown>[] = [];
  let blocks: { first: number; data: Uint8Array }[] = [];
  let bytes = 0;
  const flush = () => {
    if (blocks.length === 0) return;
    statements.push(
      queries.run(
        `INSERT INTO blocks(owner, shelf, part, first, data) SELECT $1, $2, $3, * FROM unnest($4::bigint[], $5::bytea[])`,
        [shelf, id, blocks.map(({ first }) => first), blocks.map(({ data }) => data)],
      ),
    );
    blocks = [];
    bytes = 0;
  };
  for (const block of blocksOf(part)) {
    blocks.push(block);
    size += block.data.length;
    bytes += block.data.length;
    if (bytes > mostBytes) flush();
  }
  flush();
  statements.push(
    queries.run("INSERT INTO parts(owner, shelf, scope, id, size, items, removed) VALUES($1, $2, $3, $4, $5, $6, $7)", [
      shelf,
      scopeCodes[scope],
      id,
      size,
      toBytes(part.items),
      toBytes(part.removed),
    ]),
  );
  await Promise.all(statements);
}

async function dropParts(queries: TransactionQueries, shelf: number, ids: readonly number[]): Promise<void> {
  await Promise.all([
    queries.run("DELETE FROM blocks WHERE owner = $1 AND shelf = $2 AND part = ANY($3::int[])", [shelf, ids]),
    queries.run("DELETE FROM parts WHERE owner = $1 AND shelf = $2 AND id = ANY($3::int[])", [shelf, ids]),
  ]);
}
