import { type FieldType, fieldTypes } from "../../../note.ts";
import { isObject } from "../../../text/json/is-object.ts";
import { textOf } from "./nodes.ts";
import type { TifSchema } from "./notes.ts";

/**
 * Version 2 of Tana Intermediate Format, which Tana's own workspace export writes: containers of nodes; tags and fields
 * are nodes themselves, referred to by `uid`, a label in the file, or `id`, a node of Tana. Each node is converted to
 * version 1, so that everything else is shared.
 */

/** Parts of the file that contain nodes. The workspace itself and its parts are no notes. */
export const containers = ["workspace", "inbox", "library", "schema", "additionalRoots"];

/** Internal nodes of Tana. */
const machinery = new Set(["view", "viewDef", "command", "settings", "metanode", "associatedData", "trash"]);

type Json = Record<string, unknown>;

/** A node in the form of version 1; undefined for one that is no part of the notes. Definitions go into the schema. */
export function readVersionTwo(value: unknown, schema: TifSchema): unknown {
  if (typeof value === "string" || typeof value === "number") return { name: textOf(value), type: "node" };
  if (!isObject(value)) return value;
  const type = textOf(value.type);
  if (value.isRef === true) return { name: `[[${keyOf(value)}]]`, type: "node" };
  if (type === "template" || type === "attributeDef") {
    define(value, schema);
    return undefined;
  }
  if (machinery.has(type)) return undefined;
  if (type === "tuple") return tupleOf(value, schema);
  const [id, uid] = [textOf(value.id), textOf(value.uid)];
  return {
    uid: id || uid,
    ...(id !== "" && uid !== "" && { alias: uid }),
    name: nameOf(value),
    description: textOf(value.description),
    type: type === "codeBlock" ? "codeblock" : type === "visual" ? "image" : type === "date" ? "date" : "node",
    mediaUrl: textOf(value.mediaUrl ?? value.url),
    codeLanguage: textOf(value.codeLanguage ?? value.language),
    createdAt: timeOf(value.createdAt ?? value.created),
    editedAt: timeOf(value.editedAt ?? value.modifiedAt ?? value.edited),
    supertags: listOf(value.tags)
      .map(keyOf)
      .filter((key) => key !== ""),
    ...(value.isDone === undefined || value.isDone === null ? {} : { todoState: value.isDone ? "done" : "todo" }),
    children: listOf(value.children),
  };
}

/** A field. Its definition may come later in the file, so its name is filled in at the end. */
function tupleOf(value: Json, schema: TifSchema): Json {
  const definition = value.attributeDef;
  if (isObject(definition) && textOf(definition.name) !== "") define({ ...definition, type: "attributeDef" }, schema);
  const values = Array.isArray(value.values) ? value.values : listOf(value.children);
  return { name: "", attribute: keyOf(definition), type: "field", children: values };
}

/** Registers a tag or a field, and what is defined within a tag. */
function define(first: Json, schema: TifSchema): void {
  const waiting = [first];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const keys = [textOf(next.id), textOf(next.uid)].filter((key) => key !== "");
    const name = nameOf(next);
    if (next.type === "template") {
      const above = listOf(next.extends)
        .map(keyOf)
        .filter((key) => key !== "");
      for (const key of keys) {
        schema.supertags.set(key, name);
        if (above.length > 0) schema.above.set(key, above);
      }
    } else if (next.type === "attributeDef") {
      for (const key of keys.length > 0 ? keys : [name]) schema.attributes.set(key, name);
      const type = typeOf(textOf(next.dataType));
      if (type && name !== "") schema.types.set(name, type);
    }
    for (const child of [...listOf(next.children), next.attributeDef]) if (isObject(child)) waiting.push(child);
  }
}

const otherTypes: Record<string, FieldType> = { plain: "text", any: "text", instance: "reference" };

function typeOf(dataType: string): FieldType | undefined {
  if (Object.hasOwn(otherTypes, dataType)) return otherTypes[dataType];
  return (fieldTypes as readonly string[]).includes(dataType) ? (dataType as FieldType) : undefined;
}

/** The key of a reference: an id of Tana, a label in the file, or a name. */
function keyOf(value: unknown): string {
  if (!isObject(value)) return textOf(value);
  return textOf(value.id) || textOf(value.uid) || textOf(value.name);
}

function nameOf(value: Json): string {
  const name = textOf(value.name);
  if (name !== "" || !Array.isArray(value.nameParts)) return name || textOf(value.url);
  return value.nameParts.map(partOf).join("");
}

/** A part of a name: text, a reference, a date, a link. */
function partOf(part: unknown): string {
  if (!isObject(part)) return textOf(part);
  const text = [part.text, part.value, part.name, part.label].map(textOf).find((each) => each !== "") ?? "";
  const date = [part.date, part.dateTimeString].map(textOf).find((each) => each !== "");
  if (date !== undefined) return `[[date:${date}]]`;
  const target = [part, part.ref, part.node].filter(isObject).map((each) => textOf(each.id) || textOf(each.uid));
  const key = target.find((each) => each !== "");
  if (key !== undefined) return text === "" ? `[[${key}]]` : `[${text}]([[${key}]])`;
  const address = textOf(part.url) || textOf(part.href);
  return address === "" ? text : `[${text || address}](${address})`;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function timeOf(value: unknown): number {
  const time = typeof value === "string" ? Date.parse(value) : value;
  return typeof time === "number" && Number.isFinite(time) ? time : 0;
}
