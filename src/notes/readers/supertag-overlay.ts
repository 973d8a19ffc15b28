import type { Database } from "../../stores/sqlite/driver.ts";
import type { IndexedDocs } from "./supertag-docs.ts";
import { rowsOf } from "./supertag-tables.ts";
import { addDoc, type Docs, isSystem, numberOf } from "./tana-docs.ts";
import { mentionsIn } from "./tana-names.ts";
import { fieldMarker, supertagMarker, systemTypes, tagLabel, typeMarker } from "./tana-system.ts";
import { isMetanode, readTuples } from "./tana-tuples.ts";

/**
 * What the index says beyond the docs of its nodes. Tags, inheritance, fields and references have tables of their own, which are newer than
 * the docs where the live API was asked, and all there is where a node has no doc. Whatever the docs do not say yet is added to them in
 * the form in which they would have said it.
 */
export async function overlay(
  database: Database,
  indexed: IndexedDocs,
  columns: {
    readonly [Table in
      | "tag_applications"
      | "supertag_parents"
      | "supertag_fields"
      | "field_values"
      | "references"]: readonly string[];
  },
): Promise<void> {
  const { docs } = indexed;
  const said = readTuples(docs);
  if (columns.tag_applications.length > 0) {
    const applied = new Map<string, Set<string>>();
    for await (const { data_node_id, tag_id, tag_name } of rowsOf(
      database,
      "tag_applications",
      columns.tag_applications,
    )) {
      if (typeof data_node_id !== "string" || typeof tag_id !== "string") continue;
      if (docs.kind[numberOf(docs, tag_id)] === "missing" && typeof tag_name === "string") {
        addDoc(docs, { id: tag_id, props: { name: tag_name, _docType: "tagDef" } });
      }
      gather(applied, data_node_id).add(tag_id);
    }
    // An empty table is one that was never filled.
    if (applied.size > 0) dropOldTags(docs, applied);
    for (const [id, tags] of applied) {
      const known = new Set((said.tags.get(numberOf(docs, id)) ?? []).map((tag) => docs.ids[tag]!));
      const added = [...tags].filter((tag) => !known.has(tag));
      if (added.length > 0) addStatement(docs, id, [tagLabel, ...added]);
    }
  }
  if (columns.supertag_parents.length > 0) {
    for await (const { child_tag_id, parent_tag_id } of rowsOf(
      database,
      "supertag_parents",
      columns.supertag_parents,
    )) {
      if (typeof child_tag_id !== "string" || typeof parent_tag_id !== "string") continue;
      const known = said.parents.get(numberOf(docs, child_tag_id)) ?? [];
      if (known.includes(numberOf(docs, parent_tag_id))) continue;
      addStatement(docs, child_tag_id, [tagLabel, supertagMarker, parent_tag_id]);
    }
  }
  if (columns.field_values.length > 0) await addFields(database, docs, columns);
  if (columns.references.length > 0) await addReferences(database, indexed, columns.references);
}

/** A tag that was taken off since the docs were made is still in them. Tana's own tags are only there. */
function dropOldTags(docs: Docs, applied: ReadonlyMap<string, ReadonlySet<string>>): void {
  for (let number = 0; number < docs.ids.length; number++) {
    const owner = docs.owner[number]!;
    if (docs.kind[number] !== "tuple" || owner < 0 || !isMetanode(docs, owner) || docs.owner[owner]! < 0) continue;
    const children = docs.children[number]!;
    const ids = children.map((child) => docs.ids[child]!);
    if (!ids.includes(tagLabel) || ids.includes(supertagMarker) || ids.includes(fieldMarker)) continue;
    const subject = docs.owner[owner]!;
    // Of a node that the index does not have it says nothing.
    if (docs.kind[subject] === "missing") continue;
    const now = applied.get(docs.ids[subject]!);
    docs.children[number] = children.filter((child, at) => isSystem(docs, child) || now?.has(ids[at]!));
  }
}

/** A tuple of a metanode of the subject, as Tana states tags. */
function addStatement(docs: Docs, subject: string, children: string[]): void {
  const metanode = `${subject} supertag-cli ${docs.ids.length}`;
  addDoc(docs, { id: metanode, props: { _docType: "metanode", _ownerId: subject } });
  addDoc(docs, { id: `${metanode} tuple`, props: { _docType: "tuple", _ownerId: metanode }, children });
}

type Columns = Parameters<typeof overlay>[2];

async function addFields(database: Database, docs: Docs, columns: Columns): Promise<void> {
  const types = await fieldTypes(database, columns.supertag_fields);
  const tuples = new Map<string, { owner: string; name: string; values: string[] }>();
  for await (const row of rowsOf(database, "field_values", columns.field_values)) {
    const { tuple_id, parent_id, field_name, value_node_id, value_text } = row;
    if (typeof parent_id !== "string" || typeof field_name !== "string" || value_text === undefined) continue;
    const tuple = typeof tuple_id === "string" && tuple_id !== "" ? tuple_id : `${parent_id} field ${field_name}`;
    const number = docs.numbers.get(tuple);
    if (number !== undefined && docs.kind[number] === "tuple" && docs.children[number]!.length > 1) continue;
    const known = tuples.get(tuple) ?? { owner: parent_id, name: field_name, values: [] };
    const value =
      typeof value_node_id === "string" && value_node_id !== "" ? value_node_id : `${tuple} ${known.values.length}`;
    if (docs.kind[numberOf(docs, value)] === "missing")
      addDoc(docs, { id: value, props: { name: value_text, _ownerId: tuple } });
    known.values.push(value);
    tuples.set(tuple, known);
  }
  for (const [id, { owner, name, values }] of tuples) {
    const label = `supertag-cli field ${name}`;
    if (!docs.numbers.has(label)) {
      addDoc(docs, { id: label, props: { name, _docType: "attrDef" } });
      const type = types.get(name);
      if (type)
        addDoc(docs, {
          id: `${label} type`,
          props: { _docType: "tuple", _ownerId: label },
          children: [typeMarker, type],
        });
    }
    addDoc(docs, { id, props: { _docType: "tuple", _ownerId: owner }, children: [label, ...values] });
  }
}

/** Types of fields as Tana writes them, by the field's name where all supertags agree. */
async function fieldTypes(database: Database, columns: readonly string[]): Promise<Map<string, string>> {
  const codes = new Map([...systemTypes].map(([code, type]) => [type as string, code]));
  const found = new Map<string, Set<string>>();
  if (columns.length > 0) {
    for await (const { field_name, inferred_data_type } of rowsOf(database, "supertag_fields", columns)) {
      const code = codes.get(String(inferred_data_type));
      if (typeof field_name === "string" && code !== undefined) gather(found, field_name).add(code);
    }
  }
  return new Map([...found].flatMap(([name, types]) => (types.size === 1 ? [[name, [...types][0]!] as const] : [])));
}

/** References are in names. Those that are not, of a node without a doc for instance, are listed below it. */
async function addReferences(
  database: Database,
  { docs, renamed }: IndexedDocs,
  columns: readonly string[],
): Promise<void> {
  for await (const { from_node, to_node, reference_type } of rowsOf(database, "references", columns)) {
    if (typeof from_node !== "string" || typeof to_node !== "string" || renamed.has(from_node)) continue;
    if (reference_type === "parent" || reference_type === "child" || from_node === to_node) continue;
    const from = docs.numbers.get(from_node);
    if (from === undefined || docs.kind[from] === "missing") continue;
    const to = numberOf(docs, to_node);
    if (docs.owner[to] === from || docs.children[from]!.includes(to)) continue;
    if (mentionsIn(docs.name[from]).ids.includes(to_node)) continue;
    docs.children[from] = [...docs.children[from]!, to];
  }
}

function gather(map: Map<string, Set<string>>, key: string): Set<string> {
  const known = map.get(key) ?? new Set<string>();
  map.set(key, known);
  return known;
}
