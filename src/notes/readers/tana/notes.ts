import type { Note } from "../../../note.ts";
import { type Docs, isSystem } from "./docs.ts";
import { fieldsOf } from "./fields.ts";
import { decoded, fenced, image } from "./html.ts";
import { mentionsIn, resolveNames, type TanaNames } from "./names.ts";
import { isFieldTuple, outlineOf, type TanaOutline } from "./outline.ts";
import { systemTags } from "./system.ts";
import { readTuples, type Statements } from "./tuples.ts";

/** Makes notes of docs one by one, in the order of their numbers. `warnings` is complete after the last one. */
export type NoteMaker = { notes: Iterable<Note>; warnings(): string[] };

/** `tellsOwners`: a doc without an owner has none; otherwise it is unknown. */
export function notesOf(docs: Docs, tellsOwners: boolean): NoteMaker {
  const notes = new TanaNotes(docs, tellsOwners);
  return { notes: notes.all(), warnings: () => notes.warnings() };
}

class TanaNotes {
  readonly #docs: Docs;
  readonly #tellsOwners: boolean;
  readonly #statements: Statements;
  readonly #outline: TanaOutline;
  readonly #names: TanaNames;
  readonly #tags: Tags;
  readonly #fields: ReturnType<typeof fieldsOf>;
  /** Number of notes that are only mentioned. */
  #mentioned = 0;

  constructor(docs: Docs, tellsOwners: boolean) {
    this.#docs = docs;
    this.#tellsOwners = tellsOwners;
    this.#statements = readTuples(docs);
    this.#outline = outlineOf(docs, this.#statements);
    this.#names = resolveNames(docs, this.#outline.inTrash);
    this.#tags = tagsOf(docs, this.#statements, this.#outline, this.#names);
    this.#fields = fieldsOf(docs, this.#statements, this.#outline, this.#names);
  }

  *all(): Iterable<Note> {
    for (let number = 0; number < this.#docs.ids.length; number++) {
      if (this.#outline.isNote[number]) yield this.#noteOf(number);
    }
  }

  warnings(): string[] {
    return [
      ...countWarning(
        this.#docs.unusable,
        "entry of the export is no node, and was passed over.",
        "entries of the export are no nodes, and were passed over.",
      ),
      ...countWarning(
        this.#mentioned,
        "note is not in the export, but its tags or fields are: it is kept without a name.",
        "notes are not in the export, but their tags or fields are: they are kept without names.",
      ),
      ...countWarning(
        this.#tags.nameless(),
        "supertag on a note has no definition in the export, and was left off.",
        "supertags on notes have no definition in the export, and were left off.",
      ),
      ...countWarning(
        this.#fields.missing(),
        "value of a field is not in the export, and was left off.",
        "values of fields are not in the export, and were left off.",
      ),
    ];
  }

  #noteOf(number: number): Note {
    const docs = this.#docs;
    const isCode = docs.kind[number] === "code";
    const { name: own, rest } = isCode ? this.#codeOf(number) : this.#names.lines(number);
    const name = own || this.#fields.fieldOf(number);
    const parts = [rest, this.#imageOf(number, name), this.#names.description(number)];
    const text = parts.filter((part) => part !== "").join("\n\n");
    const { tags, inherited } = this.#tags.of(number);
    const { fields, mentions } = this.#fields.of(number);
    if (docs.kind[number] === "missing") this.#mentioned++;
    return {
      key: docs.ids[number]!,
      name,
      ...(text !== "" && { text }),
      tags,
      ...(inherited.length > 0 && { inherited }),
      fields,
      ...this.#placeOf(number),
      references: this.#referencesOf(number, mentions),
      ...(docs.created[number]! > 0 && { created: docs.created[number]! }),
      ...(docs.changed[number]! > 0 && { changed: docs.changed[number]! }),
      ...(docs.done[number] !== undefined && { done: docs.done[number] }),
    };
  }

  /** The parent and the position below it; without a parent, whether the note is loose, if that is known. */
  #placeOf(number: number): Pick<Note, "parent" | "loose" | "order"> {
    const parent = this.#outline.parent[number]!;
    if (parent >= 0) {
      const order = this.#outline.order[number]!;
      return { parent: this.#docs.ids[parent]!, ...(order >= 0 && { order }) };
    }
    const loose = this.#outline.isLoose(number);
    return this.#tellsOwners || !loose ? { loose } : {};
  }

  #codeOf(number: number): { name: string; rest: string } {
    const value = this.#statements.languages.get(number);
    const language = value === undefined ? "" : this.#names.name(value).toLowerCase();
    const raw = this.#docs.name[number] ?? "";
    const code = raw.includes("<") ? raw : decoded(raw);
    return { name: language === "" ? "Code" : `Code (${language})`, rest: fenced(code, language) };
  }

  #imageOf(number: number, name: string): string {
    const value = this.#statements.media.get(number);
    return value === undefined ? "" : image(name, decoded(this.#docs.name[value] ?? ""));
  }

  /** References: mentioned in its name, its description or its fields, or listed below it but owned by another. */
  #referencesOf(number: number, inFields: { ids: string[]; dates: string[] }): string[] {
    const docs = this.#docs;
    const ids = new Set<string>();
    for (const mentions of [mentionsIn(docs.name[number]), mentionsIn(docs.description[number]), inFields]) {
      for (const id of mentions.ids) ids.add(id);
      for (const date of mentions.dates.flatMap((each) => each.split("/"))) {
        const day = this.#fields.dayOf(date);
        if (day !== undefined) ids.add(docs.ids[day]!);
      }
    }
    const tuples = this.#statements.fields.get(number) ?? [];
    const outlines = tuples.filter((tuple) => !isFieldTuple(docs, this.#statements, tuple));
    for (const list of [number, ...outlines]) {
      for (const child of docs.children[list]!) if (docs.owner[child] !== list) ids.add(docs.ids[child]!);
    }
    ids.delete(docs.ids[number]!);
    return [...ids].filter((id) => this.#isReference(id));
  }

  /** A note, or something outside the export; not the trash, a definition or a setting. */
  #isReference(id: string): boolean {
    const target = this.#docs.numbers.get(id);
    if (target === undefined) return !id.startsWith("SYS_");
    if (this.#outline.isNote[target] === 1) return true;
    return this.#docs.kind[target] === "missing" && !isSystem(this.#docs, target);
  }
}

function countWarning(count: number, one: string, many: string): string[] {
  if (count === 0) return [];
  return [count === 1 ? `1 ${one}` : `${count.toLocaleString("en-US")} ${many}`];
}

type Tags = {
  /** Names of a doc's supertags, and of their ancestors that it does not have itself. */
  of(number: number): { tags: string[]; inherited: string[] };
  /** Number of applied supertags without a name, because the export lacks their definition. */
  nameless(): number;
};

function tagsOf(docs: Docs, statements: Statements, outline: TanaOutline, names: TanaNames): Tags {
  const nameCache = new Map<number, string | undefined>();
  const inheritance = new Map<number, number[]>();
  let nameless = 0;

  function nameOf(tag: number): string | undefined {
    if (!nameCache.has(tag)) nameCache.set(tag, lookUp(tag));
    return nameCache.get(tag);
  }

  function lookUp(tag: number): string | undefined {
    const system = systemTags.get(docs.ids[tag]!);
    if (system !== undefined || docs.kind[tag] === "missing" || outline.inTrash(tag)) return system;
    return names.name(tag).replace(/^#+\s*/, "") || undefined;
  }

  /** All ancestors of a supertag, nearest first; cycles are allowed. */
  function ancestors(tag: number): number[] {
    const cached = inheritance.get(tag);
    if (cached) return cached;
    const seen = new Set([tag]);
    for (const next of seen) for (const parent of statements.parents.get(next) ?? []) seen.add(parent);
    const above = [...seen].slice(1);
    inheritance.set(tag, above);
    return above;
  }

  function of(number: number): { tags: string[]; inherited: string[] } {
    const applied = statements.tags.get(number);
    if (!applied) return { tags: [], inherited: [] };
    const tags = new Set<string>();
    const inherited = new Set<string>();
    for (const tag of applied) {
      const name = nameOf(tag);
      if (name !== undefined) tags.add(name);
      else if (docs.kind[tag] === "missing" && !docs.ids[tag]!.startsWith("SYS_")) nameless++;
    }
    for (const tag of applied) {
      for (const above of ancestors(tag)) {
        const name = nameOf(above);
        if (name !== undefined && !tags.has(name)) inherited.add(name);
      }
    }
    return { tags: [...tags], inherited: [...inherited] };
  }

  return { of, nameless: () => nameless };
}
