import type { Item } from "../item.ts";
import type { IndexedFile, IndexedItem } from "../stores/store.ts";

import { splitLines } from "../text/lines.ts";
import { type Field, type FieldTerms, fields, packTerms } from "../text/terms.ts";
import type { Extraction, OwnText, Unit } from "./code/extraction.ts";
import { extract } from "./extract.ts";
import { itemsOf } from "./itemize.ts";
import { linksOf } from "./links.ts";
import { termsOf } from "./terms.ts";

export type ReadFile = { path: string; text: string; size: number; modified: number; hash: string };

/** One file as the store takes it: items with their analysed text, and links. This is what worker threads run. */
export async function describeFile(file: ReadFile): Promise<IndexedFile> {
  const extraction = await extract(file.path, file.text);
  const lines = splitLines(file.text);
  const items = itemsOf(file.path, extraction, lines, file.modified);
  return {
    path: file.path,
    hash: file.hash,
    size: file.size,
    modified: file.modified,
    language: extraction.language,
    text: file.text,
    imports: extraction.imports,
    items: withTerms(extraction, items),
    links: linksOf(file.path, extraction, items),
  };
}

type Described = IndexedItem["unit"];

function withTerms(extraction: Extraction, items: Item[]): IndexedItem[] {
  const path = pathTerms(items[0]!.path);
  const stem = termsOf(items[0]!.name.replace(/\.[^.]*$/, ""));
  const units = extraction.units.map(
    (unit): Required<FieldTerms> => ({
      name: nameTerms(unit),
      path,
      signature: terms(unit.signature),
      doc: terms(unit.doc),
      ...ownTerms(unit.own),
    }),
  );
  const rest: Required<FieldTerms> = {
    name: stem,
    path,
    signature: [],
    doc: terms(extraction.doc),
    ...ownTerms(extraction.rest),
  };
  const all = [rest, ...units];
  const everywhere = (field: Field) => ([] as string[]).concat(...all.map((part) => part[field]));
  const file: Required<FieldTerms> = {
    name: stem.concat(...extraction.units.map((unit) => termsOf(unit.name))),
    path,
    signature: everywhere("signature"),
    doc: everywhere("doc"),
    comment: everywhere("comment"),
    string: everywhere("string"),
    code: everywhere("code"),
  };
  return items.map((item, index) =>
    index === 0 ? { item, unit: described(rest), file: described(file) } : { item, unit: described(units[index - 1]!) },
  );
}

function described(by: Required<FieldTerms>): Described {
  return {
    columns: {
      name: by.name.join(" "),
      path: by.path.join(" "),
      doc: joined(by.signature, by.doc),
      body: joined(by.comment, by.string, by.code),
    },
    terms: packTerms(by),
    length: fields.reduce((total, field) => total + by[field].length, 0),
  };
}

function joined(...parts: string[][]): string {
  return parts
    .filter((part) => part.length > 0)
    .map((part) => part.join(" "))
    .join(" ");
}

function terms(text: string | undefined): string[] {
  return text === undefined || text === "" ? [] : termsOf(text);
}

function ownTerms(own: OwnText): Pick<Required<FieldTerms>, "comment" | "string" | "code"> {
  return { comment: terms(own.comment), string: terms(own.string), code: terms(own.code) };
}

/** The name, and the names around it that it is qualified by. */
function nameTerms(unit: Unit): string[] {
  const outer = unit.qualified.slice(0, Math.max(0, unit.qualified.length - unit.name.length));
  return [...termsOf(unit.name), ...(outer === "" ? [] : termsOf(outer))];
}

function pathTerms(path: string): string[] {
  const dot = path.lastIndexOf(".");
  const named = dot > path.lastIndexOf("/") + 1 ? path.slice(0, dot) : path;
  return named.split("/").flatMap((segment) => termsOf(segment));
}
