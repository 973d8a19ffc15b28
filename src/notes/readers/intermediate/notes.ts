import type { FieldType, Note, NoteField, NoteValue } from "../../../note.ts";
import { oneLine } from "../../../text/one-line.ts";
import { fenced, image } from "../tana/html.ts";
import { resolveTifNames } from "./names.ts";
import type { Tif } from "./nodes.ts";

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
export function tifNotes(tif: Tif, schema: TifSchema): Iterable<Note> {
  return new TifNotes(tif, schema).all();
}

class TifNotes {
  readonly #tif: Tif;
  readonly #nodes: Tif["nodes"];
  readonly #schema: TifSchema;
  readonly #names: ReturnType<typeof resolveTifNames>;
  readonly #isNote: readonly boolean[];
  /** For each node the note that it is, or the nearest one above; -1 for none. */
  readonly #nearest: Int32Array;

  constructor(tif: Tif, schema: TifSchema) {
    const { nodes } = tif;
    for (const node of nodes) if (node.attribute) node.name = schema.attributes.get(node.attribute) ?? node.attribute;
    this.#tif = tif;
    this.#nodes = nodes;
    this.#schema = schema;
    this.#names = resolveTifNames(tif);
    const pointedAt = new Set(nodes.flatMap((_, index) => this.#linksOf(index).map((uid) => this.#keyOf(uid))));
    this.#isNote = nodes.map(({ key }, index) => this.#isNoteNode(index, pointedAt.has(key)));
    this.#nearest = this.#nearestNotes();
  }

  *all(): Iterable<Note> {
    const counts = new Int32Array(this.#nodes.length);
    for (const [index, { parent }] of this.#nodes.entries()) {
      if (!this.#isNote[index]) continue;
      const above = parent < 0 ? -1 : this.#nearest[parent]!;
      yield this.#noteOf(index, above < 0 ? 0 : counts[above]!++);
    }
  }

  /** A node may be referred to by two keys. */
  #keyOf(uid: string): string {
    return this.#nodes[this.#tif.byUid.get(uid) ?? -1]?.key ?? uid;
  }

  #linksOf(index: number): string[] {
    return [...this.#nodes[index]!.refs, ...this.#names.links(index)];
  }

  /** A field is part of its note. A value is a note if it has content of its own or is referred to. */
  #isNoteNode(index: number, isPointedAt: boolean): boolean {
    const { type, parent, name } = this.#nodes[index]!;
    if (type === "field" && parent >= 0) return false;
    if (this.#hasContent(index)) return true;
    if (name.trim() === "") return false;
    if (parent < 0) return true;
    const above = this.#nodes[parent]!;
    const isValue = above.type === "field" && above.parent >= 0;
    return this.#names.onlyLink(index) === undefined && (!isValue || isPointedAt);
  }

  #hasContent(index: number): boolean {
    const { children, supertags, description, done, address } = this.#nodes[index]!;
    return children.length > 0 || supertags.length > 0 || `${description}${address ?? ""}` !== "" || done !== undefined;
  }

  #nearestNotes(): Int32Array {
    const nearest = new Int32Array(this.#nodes.length).fill(-1);
    // Parents come before children.
    for (const [index, { parent }] of this.#nodes.entries()) {
      nearest[index] = this.#isNote[index] ? index : parent < 0 ? -1 : nearest[parent]!;
    }
    return nearest;
  }

  #noteOf(index: number, order: number): Note {
    const node = this.#nodes[index]!;
    const { name, rest } = node.type === "codeblock" ? codeOf(node) : this.#names.lines(index);
    const picture = node.type === "image" ? image(name, node.address ?? "") : "";
    const text = [rest, picture, this.#names.description(index)].filter((part) => part !== "").join("\n\n");
    const { fields, linked } = this.#contentsOf(index);
    const references = new Set([...this.#linksOf(index), ...linked].map((uid) => this.#keyOf(uid)));
    references.delete(node.key);
    const parent = node.parent < 0 ? -1 : this.#nearest[node.parent]!;
    const { tags, inherited } = tagsOf(node.supertags, this.#schema);
    return {
      key: node.key,
      name,
      ...(text !== "" && { text }),
      tags,
      ...(inherited.length > 0 && { inherited }),
      fields,
      ...(parent >= 0 && { parent: this.#nodes[parent]!.key, order }),
      references: [...references],
      ...(node.created !== undefined && { created: node.created }),
      ...(node.changed !== undefined && { changed: node.changed }),
      ...(node.done !== undefined && { done: node.done }),
    };
  }

  /** The parts of a note that are no notes: fields with their values, and links to others. */
  #contentsOf(index: number): { fields: NoteField[]; linked: string[] } {
    const fields = new Map<string, NoteField>();
    const linked: string[] = [];
    for (const child of this.#nodes[index]!.children) {
      const target = this.#isNote[child] ? undefined : this.#names.onlyLink(child);
      if (this.#nodes[child]!.type === "field") this.#readField(child, fields, linked);
      else if (target !== undefined) linked.push(this.#nodes[target]!.key);
    }
    return { fields: [...fields.values()], linked };
  }

  /** A nested field is another field of the same note. */
  #readField(first: number, fields: Map<string, NoteField>, linked: string[]): void {
    const waiting = [first];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const name = this.#names.lines(next).name || "Unnamed field";
      const type = this.#schema.types.get(name);
      const field = fields.get(name) ?? { name, ...(type && { type }), values: [] };
      for (const child of this.#nodes[next]!.children) {
        if (this.#nodes[child]!.type === "field") {
          waiting.push(child);
          continue;
        }
        const value = this.#readValue(child, linked);
        if (value) field.values.push(value);
      }
      if (field.values.length > 0) fields.set(name, field);
    }
  }

  #readValue(index: number, linked: string[]): NoteValue | undefined {
    const { name, rest } = this.#names.lines(index);
    const node = this.#nodes[index]!;
    const text =
      (node.type === "image" && image(name, node.address ?? "")) || (rest === "" ? name : oneLine(`${name} ${rest}`));
    if (this.#isNote[index]) return { text, note: node.key };
    const target = this.#names.onlyLink(index);
    if (target !== undefined) return { text, note: this.#nodes[target]!.key };
    for (const uid of this.#linksOf(index)) linked.push(uid);
    return text === "" ? undefined : { text };
  }
}

/** Names of supertags, and of all their ancestors; cycles are allowed. */
function tagsOf(uids: readonly string[], { supertags, above }: TifSchema): { tags: string[]; inherited: string[] } {
  const nameOf = (uid: string) => (supertags.get(uid) ?? uid).replace(/^#+\s*/, "");
  const tags = new Set(uids.map(nameOf).filter((tag) => tag !== ""));
  const seen = new Set(uids);
  const waiting = [...seen];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const parent of above.get(next) ?? []) {
      if (!seen.has(parent)) waiting.push(parent);
      seen.add(parent);
    }
  }
  const inherited = [...seen].filter((uid) => supertags.has(uid)).map(nameOf);
  return { tags: [...tags], inherited: [...new Set(inherited)].filter((tag) => tag !== "" && !tags.has(tag)) };
}

function codeOf({ name, language }: Tif["nodes"][number]): { name: string; rest: string } {
  return { name: language ? `Code (${language})` : "Code", rest: fenced(name, language) };
}
