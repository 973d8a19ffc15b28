import type { FieldType, Note, NoteField, NoteValue } from "../../note.ts";
import { oneLine } from "../../text/one-line.ts";
import { fenced, image } from "./tana-html.ts";
import { resolveTifNames } from "./tif-names.ts";
import type { Tif } from "./tif-nodes.ts";

/** Definitions in the file: names of supertags by uid, and their parents; types of fields by name, names by uid. */
export type TifSchema = {
  supertags: Map<string, string>;
  above: Map<string, readonly string[]>;
  types: Map<string, FieldType>;
  attributes: Map<string, string>;
};

export function emptySchema(): TifSchema {
  return { supertags: new Map(), above: new Map(), types: new Map(), attributes: new Map() };
}

/** Notes of all nodes, in file order. */
export function* tifNotes(tif: Tif, schema: TifSchema): Iterable<Note> {
  const { nodes } = tif;
  for (const node of nodes) if (node.attribute) node.name = schema.attributes.get(node.attribute) ?? node.attribute;
  const names = resolveTifNames(tif);
  // A node may be referred to by two keys.
  const keyOf = (uid: string) => nodes[tif.byUid.get(uid) ?? -1]?.key ?? uid;
  const pointedAt = new Set(nodes.flatMap(({ refs }, index) => [...refs, ...names.links(index)].map(keyOf)));
  const isNote = nodes.map((_, index) => isNoteNode(index));
  const nearest = nearestNotes();

  /** A field is part of its note. A value is a note if it has content of its own or is referred to. */
  function isNoteNode(index: number): boolean {
    const { type, parent, key, name } = nodes[index]!;
    if (type === "field" && parent >= 0) return false;
    if (hasOwn(index)) return true;
    if (name.trim() === "") return false;
    if (parent < 0) return true;
    const isValue = nodes[parent]!.type === "field" && nodes[parent]!.parent >= 0;
    return names.onlyLink(index) === undefined && (!isValue || pointedAt.has(key));
  }

  function hasOwn(index: number): boolean {
    const { children, supertags, description, done, address } = nodes[index]!;
    return children.length > 0 || supertags.length > 0 || `${description}${address ?? ""}` !== "" || done !== undefined;
  }

  /** For each node the note it is, or the nearest one above; parents come before children. */
  function nearestNotes(): Int32Array {
    const nearest = new Int32Array(nodes.length).fill(-1);
    for (const [index, { parent }] of nodes.entries()) {
      nearest[index] = isNote[index] ? index : parent < 0 ? -1 : nearest[parent]!;
    }
    return nearest;
  }

  /** The parts of a note that are no notes: fields with their values, and links to others. */
  function contentsOf(index: number): { fields: NoteField[]; linked: string[] } {
    const fields = new Map<string, NoteField>();
    const linked: string[] = [];
    for (const child of nodes[index]!.children) {
      const target = isNote[child] ? undefined : names.onlyLink(child);
      if (nodes[child]!.type === "field") readField(child, fields, linked);
      else if (target !== undefined) linked.push(nodes[target]!.key);
    }
    return { fields: [...fields.values()], linked };
  }

  /** A nested field is another field of the same note. */
  function readField(first: number, fields: Map<string, NoteField>, linked: string[]): void {
    const waiting = [first];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const name = names.lines(next).name || "Unnamed field";
      const type = schema.types.get(name);
      const field = fields.get(name) ?? { name, ...(type && { type }), values: [] };
      for (const child of nodes[next]!.children) {
        if (nodes[child]!.type === "field") {
          waiting.push(child);
          continue;
        }
        const value = readValue(child, linked);
        if (value) field.values.push(value);
      }
      if (field.values.length > 0) fields.set(name, field);
    }
  }

  function readValue(index: number, linked: string[]): NoteValue | undefined {
    const { name, rest } = names.lines(index);
    const node = nodes[index]!;
    const text =
      (node.type === "image" && image(name, node.address ?? "")) || (rest === "" ? name : oneLine(`${name} ${rest}`));
    if (isNote[index]) return { text, note: node.key };
    const target = names.onlyLink(index);
    if (target !== undefined) return { text, note: nodes[target]!.key };
    for (const uid of [...node.refs, ...names.links(index)]) linked.push(uid);
    return text === "" ? undefined : { text };
  }

  function noteOf(index: number, order: number): Note {
    const node = nodes[index]!;
    const { name, rest } = node.type === "codeblock" ? codeOf(index) : names.lines(index);
    const picture = node.type === "image" ? image(name, node.address ?? "") : "";
    const text = [rest, picture, names.description(index)].filter((part) => part !== "").join("\n\n");
    const { fields, linked } = contentsOf(index);
    const references = new Set([...node.refs, ...names.links(index), ...linked].map(keyOf));
    references.delete(node.key);
    const parent = node.parent < 0 ? -1 : nearest[node.parent]!;
    const { tags, inherited } = tagsOf(node.supertags);
    return {
      key: node.key,
      name,
      ...(text !== "" && { text }),
      tags,
      ...(inherited.length > 0 && { inherited }),
      fields,
      ...(parent >= 0 && { parent: nodes[parent]!.key, order }),
      references: [...references],
      ...(node.created !== undefined && { created: node.created }),
      ...(node.changed !== undefined && { changed: node.changed }),
      ...(node.done !== undefined && { done: node.done }),
    };
  }

  /** Names of supertags, and of all their ancestors; cycles are allowed. */
  function tagsOf(uids: readonly string[]): { tags: string[]; inherited: string[] } {
    const nameOf = (uid: string) => (schema.supertags.get(uid) ?? uid).replace(/^#+\s*/, "");
    const tags = new Set(uids.map(nameOf).filter((tag) => tag !== ""));
    const seen = new Set(uids);
    const waiting = [...seen];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const above of schema.above.get(next) ?? []) {
        if (!seen.has(above)) waiting.push(above);
        seen.add(above);
      }
    }
    const inherited = [...seen].filter((uid) => schema.supertags.has(uid)).map(nameOf);
    return { tags: [...tags], inherited: [...new Set(inherited)].filter((tag) => tag !== "" && !tags.has(tag)) };
  }

  function codeOf(index: number): { name: string; rest: string } {
    const { name, language } = nodes[index]!;
    return { name: language ? `Code (${language})` : "Code", rest: fenced(name, language) };
  }

  const counts = new Int32Array(nodes.length);
  for (const [index, { parent }] of nodes.entries()) {
    if (!isNote[index]) continue;
    const above = parent < 0 ? -1 : nearest[parent]!;
    yield noteOf(index, above < 0 ? 0 : counts[above]!++);
  }
}
