import type { Database } from "../../stores/sqlite/engine/driver.ts";
import { isObject } from "../../text/json/is-object.ts";
import type { Reading } from "./reader.ts";
import { pagesOf, type Row } from "./supertag-tables.ts";
import { addDoc, type Docs, emptyDocs, numberOf } from "./tana-docs.ts";

/** `renamed`: ids whose name is newer than the rest of what the index has of them. `unreadable`: how many rows have raw data that is none. */
export type IndexedDocs = { docs: Docs; renamed: Set<string>; unreadable: number };

/** Where nodes of versions that marked the trash by type are put. */
const trash = "supertag-cli_TRASH";

/** What supertag-cli calls definitions, beside the types that Tana itself has. */
const docTypes = new Map([
  ["supertag", "tagDef"],
  ["field", "attrDef"],
  ["field-definition", "attrDef"],
]);

/** Owners above a node that are looked at; a circle further up is cut by whoever reads the docs. */
const mostSteps = 1000;

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
 * Whoever lists a node owns it where nothing else is said. A tuple that lists it has it as a value; and nothing is owned by what is below it
 * or in the trash: settings there list the root of the workspace.
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
