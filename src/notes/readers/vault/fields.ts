import type { FieldType, NoteField, NoteValue } from "../../../note.ts";
import type { Scalar } from "./frontmatter.ts";
import { type InlineToken, scanInline } from "./inline.ts";
import { pageAlias, referencesOf, shownOf, type VaultFile } from "./links.ts";

/** The values of one field, and the references in them that are not the value itself. */
export type Values = { values: NoteValue[]; type: FieldType; references: string[] };

type Link = { token: InlineToken; text: string; references: string[] };

const number = /^[-+]?(?:\d{1,17}(?:\.\d{1,17})?|\.\d{1,17})$/;
const date = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?\s?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;
const address = /^(?:https?|ftp):\/\/\S+$|^\[[^\]]*\]\((?:https?|ftp):[^\s()]*\)$/i;
const email = /^[^\s@<>]{1,64}@[^\s@<>]{1,190}\.[^\s@<>.]{2,}$/;

/** Parses a value: a list of links where there is nothing but links, otherwise one value. */
export function valuesOf(value: string, file: VaultFile, quoted = false): Values {
  const text = value.trim();
  const links = linksOf(text, file);
  if (links.length > 0 && isOnlyLinks(text, links)) {
    const values = links.map(({ text: shown, references }) => ({ text: shown, note: references[0]! }));
    return { values, type: "reference", references: links.flatMap(({ references }) => references.slice(1)) };
  }
  const references = links.flatMap(({ references: mentioned }) => mentioned);
  return { values: text === "" ? [] : [{ text }], type: typeOf(text, quoted), references };
}

/** The values of a list in frontmatter. */
export function listValues(scalars: readonly Scalar[], file: VaultFile): Values {
  const all = scalars.map(({ text, quoted }) => valuesOf(text, file, quoted));
  const types = new Set(all.map(({ type }) => type));
  return {
    values: all.flatMap(({ values }) => values),
    type: types.size === 1 ? all[0]!.type : "text",
    references: all.flatMap(({ references }) => references),
  };
}

/** Names in a list of tags or aliases: `a, [[b c]], #d`. */
export function namesIn(value: string): string[] {
  // Links first: their names may contain commas.
  const links = [...value.matchAll(/#?\[\[([^[\]]{1,300})\]\]/g)].map((match) => match[1]!);
  const rest = value.replace(/#?\[\[[^[\]]{1,300}\]\]/g, ",").split(/[,，]/);
  const plain = rest.map((name) =>
    name
      .trim()
      .replace(/^#/, "")
      .replace(/^(["'])(.*)\1$/, "$2"),
  );
  return [...plain, ...links].map((name) => name.trim()).filter(Boolean);
}

/** Fields of one note by name in lower case, in order; repeated ones are merged. */
export type VaultFields = Map<string, NoteField>;

export function addField(fields: VaultFields, name: string, { values, type }: Pick<Values, "values" | "type">): void {
  if (values.length === 0 || name.trim() === "") return;
  const existing = fields.get(name.toLowerCase());
  if (!existing) {
    fields.set(name.toLowerCase(), { name: name.trim(), type, values: [...values] });
    return;
  }
  if (existing.type !== type) existing.type = "text";
  for (const value of values) existing.values.push(value);
}

function linksOf(text: string, file: VaultFile): Link[] {
  const links: Link[] = [];
  for (const token of scanInline(text, file.flavour === "logseq")) {
    // In Logseq a tag is a page like any other.
    if (token.kind === "tag" && file.flavour === "logseq") {
      links.push({ token, text: token.name, references: [pageAlias(token.name)] });
    } else if (token.kind === "page" || token.kind === "block" || token.kind === "file") {
      const references = referencesOf(token, file);
      if (references.length > 0) links.push({ token, text: shownOf(token, file), references });
    }
  }
  return links;
}

function isOnlyLinks(text: string, links: readonly Link[]): boolean {
  let at = 0;
  let rest = "";
  for (const { token } of links) {
    if (token.start > at) rest += text.slice(at, token.start);
    at = Math.max(at, token.end);
  }
  return /^[\s,，;&+|]*$/.test(rest + text.slice(at));
}

function typeOf(text: string, quoted: boolean): FieldType {
  if (date.test(text)) return "date";
  if (address.test(text)) return "url";
  if (email.test(text)) return "email";
  if (quoted) return "text";
  if (number.test(text)) return "number";
  return /^(?:true|false)$/i.test(text) ? "checkbox" : "text";
}
