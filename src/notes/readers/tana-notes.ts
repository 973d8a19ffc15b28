import type { Note } from "../../note.ts";
import { type Docs, isSystem } from "./tana-docs.ts";
import { fieldsOf } from "./tana-fields.ts";
import { decoded, fenced, image } from "./tana-html.ts";
import { mentionsIn, resolveNames, type TanaNames } from "./tana-names.ts";
import { isFieldTuple, outlineOf, type TanaOutline } from "./tana-outline.ts";
import { systemTags } from "./tana-system.ts";
import { readTuples, type Statements } from "./tana-tuples.ts";

/** Makes notes of docs one by one, in the order of their numbers. `warnings` is complete after the last one. */
export type NoteMaker = { notes: Iterable<Note>; warnings(): string[] };

/** `tellsOwners`: a doc without an owner has none; otherwise it is unknown. */
export function notesOf(docs: Docs, tellsOwners: boolean): NoteMaker {
  const statements = readTuples(docs);
  const outline = outlineOf(docs, statements);
  const names = resolveNames(docs, outline.inTrash);
  const tags = tagsOf(docs, statements, outline, names);
  const fields = fieldsOf(docs, statements, outline, names);
  let leftOut = 0;

  function noteOf(number: number): Note {
    const isCode = docs.kind[number] === "code";
    const { name: own, rest } = isCode ? codeOf(number) : names.lines(number);
    const name = own || fields.fieldOf(number);
    const text = [rest, imageOf(number, name), names.description(number)].filter((part) => part !== "").join("\n\n");
    const { tags: applied, inherited } = tags.of(number);
    const { fields: filled, mentions } = fields.of(number);
    const parent = outline.parent[number]!;
    if (docs.kind[number] === "missing") leftOut++;
    return {
      key: docs.ids[number]!,
      name,
      ...(text !== "" && { text }),
      tags: applied,
      ...(inherited.length > 0 && { inherited }),
      fields: filled,
      ...(parent >= 0 && { parent: docs.ids[parent]! }),
      ...(parent < 0 && (tellsOwners || !outline.isLoose(number)) && { loose: outline.isLoose(number) }),
      ...(parent >= 0 && outline.order[number]! >= 0 && { order: outline.order[number]! }),
      references: referencesOf(number, mentions),
      ...(docs.created[number]! > 0 && { created: docs.created[number]! }),
      ...(docs.changed[number]! > 0 && { changed: docs.changed[number]! }),
      ...(docs.done[number] !== undefined && { done: docs.done[number] }),
    };
  }

  function codeOf(number: number): { name: string; rest: string } {
    const value = statements.languages.get(number);
    const language = value === undefined ? "" : names.name(value).toLowerCase();
    const raw = docs.name[number] ?? "";
    const code = raw.includes("<") ? raw : decoded(raw);
    return { name: language === "" ? "Code" : `Code (${language})`, rest: fenced(code, language) };
  }

  function imageOf(number: number, name: string): string {
    const value = statements.media.get(number);
    return value === undefined ? "" : image(name, decoded(docs.name[value] ?? ""));
  }

  /** References: mentioned in its name, its description or its fields, or listed below it but owned by another. */
  function referencesOf(number: number, inFields: { ids: string[]; dates: string[] }): string[] {
    const ids = new Set<string>();
    for (const mentions of [mentionsIn(docs.name[number]), mentionsIn(docs.description[number]), inFields]) {
      for (const id of mentions.ids) ids.add(id);
      for (const date of mentions.dates.flatMap((each) => each.split("/"))) {
        const day = fields.dayOf(date);
        if (day !== undefined) ids.add(docs.ids[day]!);
      }
    }
    const outlines = (statements.fields.get(number) ?? []).filter((tuple) => !isFieldTuple(docs, statements, tuple));
    for (const list of [number, ...outlines]) {
      for (const child of docs.children[list]!) if (docs.owner[child] !== list) ids.add(docs.ids[child]!);
    }
    ids.delete(docs.ids[number]!);
    return [...ids].filter(isReference);
  }

  /** A note, or something outside the export; not the trash, a definition or a setting. */
  function isReference(id: string): boolean {
    const target = docs.numbers.get(id);
    if (target === undefined) return !id.startsWith("SYS_");
    return outline.isNote[target] === 1 || (docs.kind[target] === "missing" && !isSystem(docs, target));
  }

  function* all(): Iterable<Note> {
    for (let number = 0; number < docs.ids.length; number++) if (outline.isNote[number]) yield noteOf(number);
  }

  function warnings(): string[] {
    const countWarning = (count: number, one: string, many: string) =>
      count === 0 ? [] : [count === 1 ? `1 ${one}` : `${count.toLocaleString("en-US")} ${many}`];
    return [
      ...countWarning(
        docs.unusable,
        "entry of the export is no node, and was passed over.",
        "entries of the export are no nodes, and were passed over.",
      ),
      ...countWarning(
        leftOut,
        "note is not in the export, but its tags or fields are: it is kept without a name.",
        "notes are not in the export, but their tags or fields are: they are kept without names.",
      ),
      ...countWarning(
        tags.nameless(),
        "supertag on a note has no definition in the export, and was left off.",
        "supertags on notes have no definition in the export, and were left off.",
      ),
      ...countWarning(
        fields.missing(),
        "value of a field is not in the export, and was left off.",
        "values of fields are not in the export, and were left off.",
      ),
    ];
  }

  return { notes: all(), warnings };
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
