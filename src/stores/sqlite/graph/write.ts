import type { GraphChange } from "../../graph.ts";
import {
  countChange,
  type DescribedNote,
  describeChange,
  meaningsToDecide,
  perhapsUnused,
  unknownItems,
  withNumbers,
} from "../../rules/graph-rows.ts";
import { exactly } from "../../rules/graph-text.ts";
import type { Database, SqlValue } from "../engine/driver.ts";
import { insertRows } from "../engine/insert-rows.ts";
import { ensureOwner } from "../engine/owner.ts";
import { saveCounts } from "./counts.ts";
import { rowsOf } from "./node-keys.ts";
import { addNotes, type NewRow, type OldRow, removeNotes } from "./rows.ts";

export function writeGraph(database: Database, ownerName: string, originName: string, change: GraphChange): void {
  database.transaction("write", () => {
    const owner = ensureOwner(database, ownerName).id;
    const origin = ensureOrigin(database, owner, originName);
    const described = describeChange(originName, change);
    const numbers = knownKeys(database, owner, described.items);

    const old = removeNotes(database, numbersOf(described.outdated, numbers));
    const rows = rowsFor(database, described.added, old, numbers);
    const newKeys = addKeys(database, owner, origin, described.added, rows, numbers);
    const added = described.added.map((each) => ({ ...withNumbers(each, numbers), row: rows.get(each.item)! }));
    addNotes(database, owner, origin, added);

    decideMeanings(database, added, old, newKeys);
    deleteUnused(database, old);
    saveCounts(database, origin, countChange(added, old));
    database.run("UPDATE owners SET revision = revision + 1 WHERE id = ?", [owner]);
  });
}

function knownKeys(database: Database, owner: number, items: string[]): Map<string, number> {
  const rows = rowsOf<[index: number, key: number]>(
    database,
    `SELECT json_group_array(json_array(j.key, k.id)) AS rows
     FROM json_each(?) AS j CROSS JOIN graph_keys AS k ON k.owner = ? AND k.item = j.value`,
    [JSON.stringify(items), owner],
  );
  return new Map(rows.map(([index, key]) => [items[index]!, key]));
}

function numbersOf(items: Iterable<string>, numbers: Map<string, number>): number[] {
  return [...items].flatMap((item) => numbers.get(item) ?? []);
}

/**
 * Row numbers for notes, by item id: a replaced note keeps its row, a new one is appended, so that a batch is
 * contiguous.
 */
function rowsFor(
  database: Database,
  added: DescribedNote[],
  old: OldRow[],
  numbers: Map<string, number>,
): Map<string, number> {
  const before = new Map(old.map(({ key, row }) => [key, row]));
  // Removed notes are no longer in the table, but some get their old rows back, so the next number must be above both.
  let next = old.reduce((highest, { row }) => Math.max(highest, row + 1), nextNumber(database, "graph_notes"));
  return new Map(added.map(({ item }) => [item, before.get(numbers.get(item) ?? 0) ?? next++]));
}

/** Adds the keys that are mentioned for the first time, and returns their numbers. */
function addKeys(
  database: Database,
  owner: number,
  origin: number,
  added: DescribedNote[],
  rows: Map<string, number>,
  numbers: Map<string, number>,
): Set<number> {
  let next = nextNumber(database, "graph_keys");
  const newKeys = new Set<number>();
  const values: SqlValue[] = [];
  // Inserted in the order of the index, which is the fastest.
  for (const item of unknownItems(added, numbers)) {
    numbers.set(item, next);
    newKeys.add(next);
    values.push(next++, owner, origin, item, rows.get(item) ?? null);
  }
  insertRows(database, "graph_keys(id, owner, origin, item, note)", 5, values);
  return newKeys;
}

function nextNumber(database: Database, table: "graph_keys" | "graph_notes"): number {
  return database.get<{ next: number }>(`SELECT coalesce(max(id), 0) + 1 AS next FROM ${table}`)!.next;
}

/**
 * A key means the note that has it. Otherwise it means a note with this alias: the one with the shortest key, then the
 * first by key.
 */
function decideMeanings(database: Database, added: NewRow[], old: OldRow[], newKeys: Set<number>): void {
  const { appeared, gone, aliases } = meaningsToDecide(added, old, newKeys);
  database.run(
    "UPDATE graph_keys SET note = j.value ->> 1, alias = NULL FROM json_each(?) AS j WHERE graph_keys.id = j.value ->> 0",
    [JSON.stringify(appeared.map(({ key, row }) => [key, row]))],
  );
  database.run("UPDATE graph_keys SET note = NULL WHERE id IN (SELECT value FROM json_each(?))", [
    JSON.stringify(gone),
  ]);
  database.run(
    `UPDATE graph_keys SET alias = (
       SELECT a.key FROM graph_aliases AS a CROSS JOIN graph_keys AS k ON k.id = a.key CROSS JOIN graph_notes AS n ON n.id = k.note
       WHERE a.alias = graph_keys.id ORDER BY length(n.written), n.written LIMIT 1
     ) WHERE id IN (SELECT value FROM json_each(?)) AND note IS NULL`,
    [JSON.stringify(aliases)],
  );
}

/** Deletes keys that no note has or mentions, and sheets without notes. */
function deleteUnused(database: Database, old: OldRow[]): void {
  if (old.length === 0) return;
  database.run(
    `DELETE FROM graph_keys WHERE id IN (SELECT value FROM json_each(?)) AND note IS NULL AND alias IS NULL
     AND NOT EXISTS (SELECT 1 FROM graph_edges AS e WHERE e.target = graph_keys.id)`,
    [JSON.stringify(perhapsUnused(old))],
  );
  database.run(
    `DELETE FROM graph_sheets WHERE id IN (SELECT value FROM json_each(?))
     AND NOT EXISTS (SELECT 1 FROM graph_notes AS n WHERE n.sheet = graph_sheets.id)`,
    [JSON.stringify([...new Set(old.map(({ sheet }) => sheet))])],
  );
}

function findOrigin(database: Database, owner: number, name: string): number | undefined {
  return database.get<{ id: number }>("SELECT id FROM graph_origins WHERE owner = ? AND name = ?", [
    owner,
    exactly(name),
  ])?.id;
}

function ensureOrigin(database: Database, owner: number, name: string): number {
  const existing = findOrigin(database, owner, name);
  if (existing !== undefined) return existing;
  database.run("INSERT INTO graph_origins(owner, name) VALUES(?, ?)", [owner, exactly(name)]);
  return findOrigin(database, owner, name)!;
}

export function forgetOrigin(database: Database, ownerName: string, originName: string): void {
  database.transaction("write", () => {
    const owner = ensureOwner(database, ownerName).id;
    const origin = findOrigin(database, owner, originName);
    if (origin === undefined) return;
    const keys = "(SELECT id FROM graph_keys WHERE origin = ?)";
    const notes =
      "(SELECT n.id FROM graph_sheets AS s CROSS JOIN graph_notes AS n ON n.sheet = s.id WHERE s.origin = ?)";
    for (const condition of [
      `graph_edges WHERE target IN ${keys}`,
      `graph_aliases WHERE alias IN ${keys}`,
      `graph_bodies WHERE note IN ${notes}`,
      `graph_notes WHERE id IN ${notes}`,
      "graph_keys WHERE origin = ?",
      "graph_sheets WHERE origin = ?",
      "graph_tags WHERE origin = ?",
      "graph_origins WHERE id = ?",
    ]) {
      database.run(`DELETE FROM ${condition}`, [origin]);
    }
    database.run("UPDATE owners SET revision = revision + 1 WHERE id = ?", [owner]);
  });
}
