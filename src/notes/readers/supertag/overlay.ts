import type { Database } from "../../../stores/sqlite/engine/driver.ts";
import { addDoc, type Docs, isSystem, numberOf } from "../tana/docs.ts";
import { mentionsIn } from "../tana/names.ts";
import { fieldMarker, supertagMarker, systemTypes, tagLabel, typeMarker } from "../tana/system.ts";
import { isMetanode, readTuples, type Statements } from "../tana/tuples.ts";
import type { IndexedDocs } from "./docs.ts";
import { forEachRow, type SupertagTable } from "./tables.ts";

/** The existing columns of each table. */
export type SupertagColumns = Readonly<Record<SupertagTable, readonly string[]>>;

/**
 * What the index has beyond the docs of its nodes. Tags, inheritance, fields and references have tables of their own,
 * which are newer than the docs after a use of the live API, and complete where a node has no doc. What the docs lack
 * is added to them in their own form.
 */
export async function overlay(database: Database, indexed: IndexedDocs, columns: SupertagColumns): Promise<void> {
  const { docs } = indexed;
  const statements = readTuples(docs);
  await addTags(database, docs, statements.tags, columns);
  await forEachRow(database, "supertag_parents", columns.supertag_parents, (row) => {
    const parents = statements.parents.get(numberOf(docs, row.child_tag_id)) ?? [];
    if (!parents.includes(numberOf(docs, row.parent_tag_id))) {
      addStatement(docs, row.child_tag_id, [tagLabel, supertagMarker, row.parent_tag_id]);
    }
  });
  await addFields(database, docs, columns);
  await addReferences(database, indexed, columns);
}

async function addTags(
  database: Database,
  docs: Docs,
  stated: Statements["tags"],
  columns: SupertagColumns,
): Promise<void> {
  const applied = new Map<string, Set<string>>();
  await forEachRow(database, "tag_applications", columns.tag_applications, ({ data_node_id, tag_id, tag_name }) => {
    if (data_node_id === "" || tag_id === "") return;
    if (docs.kind[numberOf(docs, tag_id)] === "missing" && tag_name !== "") {
      addDoc(docs, { id: tag_id, props: { name: tag_name, _docType: "tagDef" } });
    }
    gather(applied, data_node_id).add(tag_id);
  });
  // An empty table was never filled.
  if (applied.size > 0) dropOldTags(docs, applied);
  for (const [id, tags] of applied) {
    const existing = new Set((stated.get(numberOf(docs, id)) ?? []).map((tag) => docs.ids[tag]!));
    const added = [...tags].filter((tag) => !existing.has(tag));
    if (added.length > 0) addStatement(docs, id, [tagLabel, ...added]);
  }
}

/** A tag that was removed after the docs were written is still in them. Tana's own tags are only in the docs. */
function dropOldTags(docs: Docs, applied: ReadonlyMap<string, ReadonlySet<string>>): void {
  for (let number = 0; number < docs.ids.length; number++) {
    const owner = docs.owner[number]!;
    if (docs.kind[number] !== "tuple" || owner < 0 || !isMetanode(docs, owner) || docs.owner[owner]! < 0) continue;
    const children = docs.children[number]!;
    const ids = children.map((child) => docs.ids[child]!);
    if (!ids.includes(tagLabel) || ids.includes(supertagMarker) || ids.includes(fieldMarker)) continue;
    const subject = docs.owner[owner]!;
    // The index says nothing about nodes that it does not have.
    if (docs.kind[subject] === "missing") continue;
    const now = applied.get(docs.ids[subject]!);
    docs.children[number] = children.filter((child, at) => isSystem(docs, child) || now?.has(ids[at]!));
  }
}

/** A tuple of the subject's metanode, as Tana stores tags. */
function addStatement(docs: Docs, subject: string, children: string[]): void {
  const metanode = `${subject} supertag-cli ${docs.ids.length}`;
  addDoc(docs, { id: metanode, props: { _docType: "metanode", _ownerId: subject } });
  addDoc(docs, { id: `${metanode} tuple`, props: { _docType: "tuple", _ownerId: metanode }, children });
}

async function addFields(database: Database, docs: Docs, columns: SupertagColumns): Promise<void> {
  const tuples = new Map<string, { owner: string; name: string; values: string[] }>();
  await forEachRow(database, "field_values", columns.field_values, (row) => {
    const { parent_id: owner, field_name: name, value_text } = row;
    if (owner === "" || name === "" || value_text === "") return;
    const tuple = row.tuple_id || `${owner} field ${name}`;
    // Numbered before its values: fields are ordered by number.
    const number = numberOf(docs, tuple);
    if (docs.kind[number] === "tuple" && docs.children[number]!.length > 1) return;
    const field = tuples.get(tuple) ?? { owner, name, values: [] };
    const value = row.value_node_id || `${tuple} ${field.values.length}`;
    if (docs.kind[numberOf(docs, value)] === "missing") {
      addDoc(docs, { id: value, props: { name: value_text, _ownerId: tuple } });
    }
    field.values.push(value);
    tuples.set(tuple, field);
  });
  if (tuples.size === 0) return;
  const types = await fieldTypes(database, columns);
  for (const [id, { owner, name, values }] of tuples) {
    const label = `supertag-cli field ${name}`;
    const type = types.get(name);
    if (!docs.numbers.has(label)) {
      addDoc(docs, { id: label, props: { name, _docType: "attrDef" } });
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

/** Tana's codes of field types, by field name where all supertags agree. */
async function fieldTypes(database: Database, columns: SupertagColumns): Promise<Map<string, string>> {
  const codes = new Map([...systemTypes].map(([code, type]) => [type as string, code]));
  const byName = new Map<string, Set<string>>();
  await forEachRow(database, "supertag_fields", columns.supertag_fields, (row) => {
    const code = codes.get(row.inferred_data_type);
    if (code !== undefined) gather(byName, row.field_name).add(code);
  });
  return new Map([...byName].flatMap(([name, types]) => (types.size === 1 ? [[name, [...types][0]!] as const] : [])));
}

/** References are in names. Others, such as those of a node without a doc, are listed below it. */
async function addReferences(
  database: Database,
  { docs, renamed }: IndexedDocs,
  columns: SupertagColumns,
): Promise<void> {
  await forEachRow(database, "references", columns.references, ({ from_node, to_node, reference_type }) => {
    if (reference_type === "parent" || reference_type === "child" || to_node === "" || renamed.has(from_node)) return;
    const from = docs.numbers.get(from_node);
    if (from === undefined || docs.kind[from] === "missing" || from_node === to_node) return;
    const to = numberOf(docs, to_node);
    if (docs.owner[to] === from || mentionsIn(docs.name[from]).ids.includes(to_node)) return;
    if (!docs.children[from]!.includes(to)) docs.children[from] = [...docs.children[from]!, to];
  });
}

function gather(map: Map<string, Set<string>>, key: string): Set<string> {
  const values = map.get(key) ?? new Set<string>();
  map.set(key, values);
  return values;
}
