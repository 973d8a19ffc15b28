import type { Item } from "../item.ts";
import type { IndexedFile, IndexedItem } from "../stores/store.ts";
import { addTerms, addText, fields, type TermCounts, type TermField } from "../text/analysis/terms.ts";
import { splitLines } from "../text/lines.ts";
import { roleByContent } from "../tree/roles/by-content.ts";
import type { Extraction, OwnText, Unit } from "./code/extraction.ts";
import { extract } from "./extract.ts";
import { itemsOf } from "./itemize.ts";
import { linksOf } from "./links.ts";
import { packed, termHashes } from "./terms.ts";

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

/** Terms of every item's own text; those of the whole file are the sum of its parts, counted once. */
function withTerms(extraction: Extraction, items: Item[]): IndexedItem[] {
  const path = pathHashes(items[0]!.path);
  const stem = termHashes(items[0]!.name.replace(/\.[^.]*$/, ""));
  const rest = ownTerms(extraction.rest, { name: stem, path, doc: termHashes(extraction.doc) });
  const units = extraction.units.map((unit) => {
    const { name, signature, doc, own, kind, unsearched } = unit;
    if (unsearched) return undefined;
    // A block is named after the first of many things in it.
    const nameTerms = kind === "block" ? [] : termHashes(name);
    return ownTerms(own, { name: nameTerms, path, signature: termHashes(signature), doc: termHashes(doc) });
  });
  const file: TermCounts = new Map();
  addTerms(file, "name", stem);
  addTerms(file, "path", path);
  addText(file, rest);
  extraction.units.forEach(({ name, inner, kind }, index) => {
    const unit = units[index];
    // An inner function is counted with the outer one.
    if (inner || !unit) return;
    if (kind !== "block") addTerms(file, "name", termHashes(name));
    addText(file, unit);
  });
  // A class's name says less about its methods than their own names, and nothing new about the file.
  extraction.units.forEach((unit, index) => {
    if (units[index]) addTerms(units[index], "signature", termHashes(outerOf(unit)));
  });
  const [fileItem, ...parts] = items;
  return [
    { item: fileItem!, unit: packed(rest), file: packed(file) },
    ...parts.map((item, index): IndexedItem => {
      const unit = units[index];
      return unit ? { item, unit: packed(unit) } : { item };
    }),
  ];
}

function ownTerms(own: OwnText, about: Partial<Record<TermField, number[]>>): TermCounts {
  const counts: TermCounts = new Map();
  for (const field of fields) addTerms(counts, field, about[field] ?? []);
  addTerms(counts, "comment", termHashes(own.comment));
  addTerms(counts, "string", termHashes(own.string));
  addTerms(counts, "code", termHashes(own.code));
  return counts;
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
