import type { Database } from "../../stores/sqlite/driver.ts";
import type { Reading } from "./reader.ts";
import { type Row, rowsOf } from "./supertag-tables.ts";
import { addDoc, type Docs, emptyDocs } from "./tana-docs.ts";

/** `renamed`: ids whose name is newer than the rest of what the index has of them. `unreadable`: how many rows have raw data that is none. */
export type IndexedDocs = { docs: Docs; renamed: Set<string>; unreadable: number };

/** Where nodes of versions that marked the trash by type are put. */
const trash = "supertag-cli_TRASH";

/** What supertag-cli calls definitions, beside the types that Tana itself has. */
const docTypes: Record<string, string> = { supertag: "tagDef", field: "attrDef", "field-definition": "attrDef" };

/** Nodes between two signs of life. */
const stride = 5000;

/**
 * Nodes of the index as docs of an export: each row holds the one it was made from. Names and times of a row may be newer; a row that was
 * brought in from the live API has no doc at all.
 */
export async function readNodes(
  database: Database,
  columns: readonly string[],
  { signal, progress }: Pick<Reading, "signal" | "progress">,
): Promise<IndexedDocs> {
  const { total } = database.get<{ total: number }>("SELECT count(*) AS total FROM nodes")!;
  const indexed: IndexedDocs = { docs: emptyDocs(), renamed: new Set(), unreadable: 0 };
  let done = 0;
  for await (const row of rowsOf(database, "nodes", columns)) {
    addRow(indexed, row);
    if (++done % stride !== 0) continue;
    signal?.throwIfAborted();
    progress?.(done, total);
  }
  progress?.(done, total);
  return indexed;
}

function addRow(indexed: IndexedDocs, row: Row<"nodes">): void {
  const raw = rawDoc(row.raw_data);
  if (raw === undefined && row.raw_data !== undefined) indexed.unreadable++;
  const props = isObject(raw?.props) ? raw.props : {};
  const type = typeof row.node_type === "string" && row.node_type !== "node" ? row.node_type : undefined;
  if (typeof row.id === "string" && typeof props.name === "string" && props.name !== row.name)
    indexed.renamed.add(row.id);
  addDoc(indexed.docs, {
    ...raw,
    id: row.id,
    props: {
      ...props,
      name: row.name ?? props.name,
      _docType: props._docType ?? (type === undefined ? undefined : (docTypes[type] ?? type)),
      _ownerId: type === "trash" ? trash : (props._ownerId ?? row.parent_id),
      created: row.created || props.created,
      _done: row.done_at ?? props._done ?? props.done,
    },
    modifiedTs: [row.updated ?? 0, ...times(raw?.modifiedTs)],
  });
}

function rawDoc(text: unknown): Record<string, unknown> | undefined {
  if (typeof text !== "string") return undefined;
  const raw = parsed(text);
  return isObject(raw) ? raw : undefined;
}

/** Lists may be strings that say one. */
function times(value: unknown): unknown[] {
  const list = typeof value === "string" ? parsed(value) : value;
  return Array.isArray(list) ? list : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
