import type { PostingChanges } from "../../search/posting-parts.ts";
import type { Database } from "../engine/driver.ts";
import type { Owner, Written } from "../engine/owner.ts";
import { removeModelVectors } from "../search/model-vectors.ts";
import type { StoredNames } from "../search/names.ts";
import { storeVectors, vectorsOf } from "../search/vectors.ts";

/**
 * A transaction that writes an owner's items: the counters of names and postings that follow added and removed rows,
 * and the record of changes.
 */
export type ItemWrite = {
  database: Database;
  owner: Owner;
  names: StoredNames;
  postings: { unit: PostingChanges; file: PostingChanges };
  written: Written;
};

/** Removes a file and everything it contributed; does nothing if the file is unknown. */
export function removeFile(write: ItemWrite, path: string): void {
  const { database, owner, names, written } = write;
  const row = database.get<{ id: number }>("SELECT id FROM files WHERE owner = ? AND path = ?", [owner.id, path]);
  if (!row) return;
  const file = row.id;
  const items = database.all<{ id: number; name: number }>("SELECT id, name FROM items WHERE owner = ? AND file = ?", [
    owner.id,
    file,
  ]);
  written.files.add(file);
  for (const { id, name } of items) {
    written.goneItems.add(id);
    if (name > 0) names.releaseItem(name);
  }
  removeTerms(write, file);
  database.run("DELETE FROM items WHERE owner = ? AND file = ?", [owner.id, file]);
  releaseLinks(write, file);
  database.run("DELETE FROM vectors WHERE file = ?", [file]);
  database.run("DELETE FROM model_vectors WHERE file = ?", [file]);
  database.run("DELETE FROM texts WHERE file = ?", [file]);
  database.run("DELETE FROM files WHERE id = ?", [file]);
  if (owner.named) database.run(`DELETE FROM paths_${owner.id} WHERE rowid = ?`, [file]);
}

/** One statement for all of a file's items. */
function removeTerms({ database, owner, postings }: ItemWrite, file: number): void {
  const among = "item IN (SELECT id FROM items WHERE owner = ? AND file = ?)";
  for (const scope of ["unit", "file"] as const) {
    const { rows } = database.get<{ rows: string }>(
      `SELECT json_group_array(json_array(item, length)) AS rows FROM ${scope}_terms WHERE ${among}`,
      [owner.id, file],
    )!;
    for (const [item, length] of JSON.parse(rows) as [number, number][]) postings[scope].remove(item, length);
    database.run(`DELETE FROM ${scope}_terms WHERE ${among}`, [owner.id, file]);
  }
}

/** Removes one item whose id now belongs to another file; its own file stays. */
export function removeItem(write: ItemWrite, row: { id: number; name: number; file: number }): void {
  const { database, written } = write;
  written.files.add(row.file);
  written.goneItems.add(row.id);
  removeSearchRows(write, row.id, row.name);
  database.run("DELETE FROM items WHERE id = ?", [row.id]);
  releaseLinks(write, row.file, row.id);
  database.run("UPDATE files SET items = items - 1 WHERE id = ?", [row.file]);
  const vectors = vectorsOf(database, row.file);
  if (vectors.delete(row.id)) storeVectors(database, row.file, vectors);
  removeModelVectors(database, row.file, row.id);
}

function removeSearchRows({ database, names, postings }: ItemWrite, item: number, name: number): void {
  if (name > 0) names.releaseItem(name);
  for (const scope of ["unit", "file"] as const) {
    const stored = database.get<{ length: number }>(`SELECT length FROM ${scope}_terms WHERE item = ?`, [item]);
    if (!stored) continue;
    postings[scope].remove(item, stored.length);
    database.run(`DELETE FROM ${scope}_terms WHERE item = ?`, [item]);
  }
}

/** Releases the links of one item, or of the whole file. */
function releaseLinks({ database, owner, names }: ItemWrite, file: number, item?: number): void {
  const condition = `owner = ? AND file = ?${item === undefined ? "" : " AND item = ?"}`;
  const values = item === undefined ? [owner.id, file] : [owner.id, file, item];
  // Not DISTINCT: to get its order, the planner would scan the index by target, that is, every link of the owner.
  const { rows } = database.get<{ rows: string }>(
    `SELECT json_group_array(json_array(target, whole)) AS rows FROM links WHERE ${condition}`,
    values,
  )!;
  for (const [target, whole] of JSON.parse(rows) as [number, number][]) {
    names.releaseLink(target);
    if (whole > 0) names.releaseLink(whole);
  }
  database.run(`DELETE FROM links WHERE ${condition}`, values);
}
