import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../../stores/sqlite/engine/driver.ts";

/**
 * A stand-in for supertag-cli's indexer: writes from the docs of an export the tables that it would write. For tests.
 */

export type SampleDoc = {
  id: string;
  props: Record<string, unknown>;
  children?: string[];
  modifiedTs?: number[];
};

const schema = `
  CREATE TABLE nodes (id TEXT PRIMARY KEY, name TEXT, parent_id TEXT, node_type TEXT, created INTEGER, updated INTEGER,
    done_at INTEGER, raw_data TEXT);
  CREATE TABLE supertags (id INTEGER PRIMARY KEY AUTOINCREMENT, node_id TEXT NOT NULL, tag_name TEXT NOT NULL,
    tag_id TEXT NOT NULL, color TEXT);
  CREATE TABLE "references" (id INTEGER PRIMARY KEY AUTOINCREMENT, from_node TEXT NOT NULL, to_node TEXT NOT NULL,
    reference_type TEXT NOT NULL);
  CREATE TABLE tag_applications (id INTEGER PRIMARY KEY AUTOINCREMENT, tuple_node_id TEXT NOT NULL, data_node_id TEXT NOT NULL,
    tag_id TEXT NOT NULL, tag_name TEXT NOT NULL);
  CREATE TABLE field_names (id INTEGER PRIMARY KEY AUTOINCREMENT, field_id TEXT NOT NULL UNIQUE, field_name TEXT NOT NULL,
    supertags TEXT);
  CREATE TABLE field_values (id INTEGER PRIMARY KEY AUTOINCREMENT, tuple_id TEXT NOT NULL, parent_id TEXT NOT NULL,
    field_def_id TEXT NOT NULL, field_name TEXT NOT NULL, value_node_id TEXT NOT NULL, value_text TEXT NOT NULL,
    value_order INTEGER DEFAULT 0, created INTEGER);
  CREATE TABLE supertag_fields (id INTEGER PRIMARY KEY AUTOINCREMENT, tag_id TEXT NOT NULL, tag_name TEXT NOT NULL,
    field_name TEXT NOT NULL, field_label_id TEXT NOT NULL, field_order INTEGER DEFAULT 0, inferred_data_type TEXT,
    UNIQUE(tag_id, field_name));
  CREATE TABLE supertag_parents (id INTEGER PRIMARY KEY AUTOINCREMENT, child_tag_id TEXT NOT NULL, parent_tag_id TEXT NOT NULL,
    UNIQUE(child_tag_id, parent_tag_id));
  CREATE TABLE sync_metadata (id INTEGER PRIMARY KEY CHECK (id = 1), last_export_file TEXT NOT NULL,
    last_sync_timestamp INTEGER NOT NULL, total_nodes INTEGER NOT NULL);
  CREATE INDEX idx_nodes_parent ON nodes(parent_id);
  CREATE VIRTUAL TABLE nodes_fts USING fts5(id, name);
`;

/**
 * Makes the index as supertag-cli leaves it: in WAL mode, with nothing beside it. `change` may do to it what its other
 * commands do.
 */
export async function writeIndex(
  path: string,
  docs: SampleDoc[],
  change?: (database: Database) => void,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "dossier-sample-"));
  const databasePath = join(folder, "made.db");
  const database = await openDatabase(databasePath);
  database.execute("PRAGMA journal_mode = WAL");
  database.execute(schema);
  database.transaction("write", () => fill(database, docs));
  change?.(database);
  database.get("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  await copyFile(databasePath, path);
  await rm(folder, { recursive: true });
}

function fill(database: Database, docs: SampleDoc[]): void {
  const byId = new Map(docs.filter(({ id }) => !id.includes("TRASH")).map((doc) => [doc.id, doc]));
  const lister = new Map<string, string>();
  for (const { id, children = [] } of byId.values()) for (const child of children) lister.set(child, id);
  for (const doc of byId.values()) {
    const { id, props, modifiedTs } = doc;
    const done = typeof props._done === "number" ? props._done : null;
    database.run("INSERT INTO nodes VALUES (?, ?, ?, 'node', ?, ?, ?, ?)", [
      id,
      text(props.name) || null,
      lister.get(id) ?? null,
      typeof props.created === "number" ? props.created : 0,
      modifiedTs?.[0] ?? null,
      done,
      JSON.stringify(doc),
    ]);
    for (const [, target] of text(props.name).matchAll(/<span data-inlineref-node="([^"]*)"><\/span>/g)) {
      if (byId.has(target!)) {
        database.run(`INSERT INTO "references" (from_node, to_node, reference_type) VALUES (?, ?, 'inline_ref')`, [
          id,
          target!,
        ]);
      }
    }
    if (doc.children?.includes("SYS_A13")) fillTags(database, doc, byId);
    else if (props._docType === "tuple") fillValues(database, doc, byId, lister);
  }
  database.run("INSERT INTO sync_metadata VALUES (1, 'export.json', 1, ?)", [byId.size]);
}

function fillTags(database: Database, { id, props, children = [] }: SampleDoc, byId: Map<string, SampleDoc>): void {
  const metanode = byId.get(text(props._ownerId));
  const subject = text(metanode?.props._ownerId);
  if (!byId.has(subject) || children.includes("SYS_T02")) return;
  for (const tag of children) {
    const name = text(byId.get(tag)?.props.name);
    if (tag.includes("SYS") || name === "") continue;
    if (children.includes("SYS_T01")) {
      database.run("INSERT OR IGNORE INTO supertag_parents (child_tag_id, parent_tag_id) VALUES (?, ?)", [
        subject,
        tag,
      ]);
    } else {
      database.run("INSERT INTO tag_applications (tuple_node_id, data_node_id, tag_id, tag_name) VALUES (?, ?, ?, ?)", [
        id,
        subject,
        tag,
        name,
      ]);
    }
  }
}

function fillValues(
  database: Database,
  { id, props, children = [] }: SampleDoc,
  byId: Map<string, SampleDoc>,
  lister: Map<string, string>,
): void {
  const [label, ...values] = children;
  const name = label === "SYS_A61" ? "Due date" : text(byId.get(label ?? "")?.props.name);
  let parent = lister.get(id);
  while (parent !== undefined && byId.get(parent)?.props._docType === "tuple") parent = lister.get(parent);
  if (name === "" || parent === undefined || values.length === 0 || children.length > 50) return;
  let order = 0;
  for (const value of values) {
    const fieldText = text(byId.get(value)?.props.name);
    if (fieldText.trim() === "") continue;
    database.run(
      `INSERT INTO field_values (tuple_id, parent_id, field_def_id, field_name, value_node_id, value_text, value_order)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      [id, parent, text(props._sourceId), name, value, fieldText, order++],
    );
  }
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
