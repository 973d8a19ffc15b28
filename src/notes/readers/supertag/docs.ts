import type { Database } from "../../../stores/sqlite/engine/driver.ts";
import { isObject } from "../../../text/json/is-object.ts";
import { tryParseJson } from "../../../text/json/try-parse-json.ts";
import type { Reading } from "../reader.ts";
import { addDoc, type Docs, emptyDocs, numberOf } from "../tana/docs.ts";
import { pagesOf, type Row } from "./tables.ts";

/** `renamed`: ids whose name is newer than their other data. `unreadable`: number of rows with invalid raw data. */
export type IndexedDocs = { docs: Docs; renamed: Set<string>; unreadable: number };

/** Container for nodes of versions that marked the trash by type. */
const trash = "supertag-cli_TRASH";

/** supertag-cli's names for definitions, besides Tana's own types. */
const docTypes = new Map([
  ["supertag", "tagDef"],
  ["field", "attrDef"],
  ["field-definition", "attrDef"],
]);

/** Limit of ancestors that are checked; a cycle further up is cut by the reader of the docs. */
const mostSteps = 1000;

/**
 * Nodes of the index as docs of an export: each row holds the doc it was made from. Names and times of a row may be
 * newer; a row from the live API has no doc at all.
 */
export async function readNodes(
  database: Database,
  columns: readonly string[],
  { signal, progress }: Pick<Reading, "signal" | "progress">,
): Promise<IndexedDocs> {
  const { total } = database.get<{ total: number }>("SELECT count(*) AS total FROM nodes")!;
  const indexed: IndexedDocs = { docs: emptyDocs(), renamed: new Set(), unreadable: 0 };
  const unowned: Unowned[] = [];
  let done = 0;
  for await (const page of pagesOf(database, "nodes", columns)) {
    signal?.throwIfAborted();
    for (const row of page) addRow(indexed, row, unowned);
    done += page.length;
    progress?.(done, total);
  }
  for (const each of unowned) giveOwner(indexed.docs, each);
  return indexed;
}

type Unowned = { id: string; lister: string };

/**
 * A node without an owner belongs to the node that lists it. A tuple that lists it has it as a value; and nothing is
 * owned by its own descendant or by the trash: settings there list the root of the workspace.
 */
function giveOwner(docs: Docs, { id, lister }: Unowned): void {
  const number = numberOf(docs, id);
  const owner = numberOf(docs, lister);
  if (docs.kind[owner] === "tuple" || docs.kind[owner] === "metanode") return;
  let above = owner;
  for (let step = 0; above >= 0 && step < mostSteps; step++) {
    if (above === number || docs.ids[above]!.endsWith("_TRASH")) return;
    above = docs.owner[above]!;
  }
  docs.owner[number] = owner;
}

function addRow(indexed: IndexedDocs, row: Row<"nodes">, unowned: Unowned[]): void {
  const { id, name, node_type: type } = row;
  const raw = rawDoc(row.raw_data);
  if (raw === undefined && row.raw_data !== "") indexed.unreadable++;
  const props = isObject(raw?.props) ? raw.props : {};
  if (typeof props.name === "string" && props.name !== name) indexed.renamed.add(id);
  const owner = type === "trash" ? trash : props._ownerId;
  if (owner === undefined && row.parent_id !== "") unowned.push({ id, lister: row.parent_id });
  addDoc(indexed.docs, {
    id,
    props: {
      name: name || props.name,
      description: props.description,
      _docType: props._docType ?? docTypes.get(type) ?? type,
      _ownerId: owner,
      _metaNodeId: props._metaNodeId,
      _sourceId: props._sourceId,
      created: Number(row.created) || props.created,
      _done: Number(row.done_at) || (props._done ?? props.done),
    },
    children: raw?.children,
    modifiedTs: [Number(row.updated), ...times(raw?.modifiedTs)],
  });
}

function rawDoc(text: string): Record<string, unknown> | undefined {
  const raw = tryParseJson(text);
  return isObject(raw) ? raw : undefined;
}

/** A list may be a string that contains one. */
function times(value: unknown): unknown[] {
  const list = typeof value === "string" ? tryParseJson(value) : value;
  return Array.isArray(list) ? list : [];
}
