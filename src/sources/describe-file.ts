import type { Item } from "../item.ts";
import type { IndexedFile, IndexedItem } from "../stores/store.ts";
import { addTerms, fields, packKeys, type TermField, type TermKeys } from "../text/analysis/terms.ts";
import { splitLines } from "../text/lines.ts";
import { roleByContent } from "../tree/roles/by-content.ts";
import type { Extraction, OwnText, Unit } from "./code/extraction.ts";
import { extract } from "./extract.ts";
import { itemsOf } from "./itemize.ts";
import { linksOf } from "./links.ts";
import { termHashes } from "./terms.ts";

export type ReadFile = { path: string; text: string; size: number; modified: number; hash: string };

/** One file as the store takes it: items with their analysed text, and links. Runs in worker threads. */
export async function describeFile(file: ReadFile): Promise<IndexedFile> {
  const extraction = await extract(file.path, file.text);
  const lines = splitLines(file.text);
  const items = itemsOf(file.path, extraction, lines, file.modified);
  const role = roleByContent(file.path, file.text);
  return {
    path: file.path,
    hash: file.hash,
    size: file.size,
    modified: file.modified,
    language: extraction.language,
    ...(role ? { role } : {}),
    text: file.text,
    imports: extraction.imports,
    items: withTerms(extraction, items),
    links: linksOf(file.path, extraction, items),
  };
}

/** Terms of every item's own text; those of the whole file are the sum of its parts. */
function withTerms(extraction: Extraction, items: Item[]): IndexedItem[] {
  const path = pathHashes(items[0]!.path);
  const stem = termHashes(items[0]!.name.replace(/\.[^.]*$/, ""));
  const rest = ownTerms(extraction.rest, { name: stem, path, doc: termHashes(extraction.doc) });
  const file: TermKeys = [];
  addTerms(file, "name", stem);
  addTerms(file, "path", path);
  addText(file, rest);
  const units = extraction.units.map((unit) => {
    const { name, signature, doc, own, kind, inner, unsearched } = unit;
    if (unsearched) return undefined;
    // A block is named after the first of many things in it.
    const nameTerms = kind === "block" ? [] : termHashes(name);
    const terms = ownTerms(own, { name: nameTerms, path, signature: termHashes(signature), doc: termHashes(doc) });
    // An inner function is counted with the outer one.
    if (!inner) {
      addTerms(file, "name", nameTerms);
      addText(file, terms);
    }
    // A class's name says less about its methods than their own names, and nothing new about the file.
    addTerms(terms.keys, "signature", termHashes(outerOf(unit)));
    return packKeys(terms.keys);
  });
  const [fileItem, ...parts] = items;
  return [
    { item: fileItem!, unit: packKeys(rest.keys), file: packKeys(file) },
    ...parts.map((item, index): IndexedItem => {
      const unit = units[index];
      return unit ? { item, unit } : { item };
    }),
  ];
}

/** Occurrences of terms. The first ones, up to `textFrom`, are of name and path: they belong to the part, not to the whole. */
type OwnTerms = { keys: TermKeys; textFrom: number };

function ownTerms(own: OwnText, about: Partial<Record<TermField, number[]>>): OwnTerms {
  const keys: TermKeys = [];
  addTerms(keys, "name", about.name ?? []);
  addTerms(keys, "path", about.path ?? []);
  const textFrom = keys.length;
  for (const field of fields) if (field !== "name" && field !== "path") addTerms(keys, field, about[field] ?? []);
  addTerms(keys, "comment", termHashes(own.comment));
  addTerms(keys, "string", termHashes(own.string));
  addTerms(keys, "code", termHashes(own.code));
  return { keys, textFrom };
}

function addText(whole: TermKeys, { keys, textFrom }: OwnTerms): void {
  for (let i = textFrom; i < keys.length; i++) whole.push(keys[i]!);
}

/** The qualifying names around a unit's own. */
function outerOf({ qualified, name }: Unit): string {
  return qualified.slice(0, Math.max(0, qualified.length - name.length));
}

function pathHashes(path: string): number[] {
  const dot = path.lastIndexOf(".");
  const withoutExtension = dot > path.lastIndexOf("/") + 1 ? path.slice(0, dot) : path;
  return withoutExtension.split("/").flatMap((segment) => termHashes(segment));
}
