import type { Item } from "../item.ts";
import type { IndexedFile, IndexedItem } from "../stores/store.ts";
import { splitLines } from "../text/lines.ts";
import { roleByContent } from "../tree/roles/by-content.ts";
import type { Extraction, OwnText } from "./code/extraction.ts";
import { extract } from "./extract.ts";
import { itemsOf } from "./itemize.ts";
import { linksOf } from "./links.ts";
import { listCounter, openTermCounter, type TermCounter } from "./term-counter/term-counter.ts";

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
    items: withTerms(extraction, items, file.text),
    links: linksOf(file.path, extraction, items),
  };
}

/**
 * Opens the term counter before grammars are loaded: if it were compiled without optimisation, it would count half as
 * fast.
 */
export function prepareTerms(): void {
  openTermCounter(0);
}

/** Terms of every item's own text; those of the whole file are the sum of its parts. */
function withTerms(extraction: Extraction, items: Item[], text: string): IndexedItem[] {
  const counter = openTermCounter(text.length + items[0]!.path.length);
  const counted = countTerms(extraction, items, counter);
  return counter.isFull ? countTerms(extraction, items, listCounter()) : counted;
}

function countTerms(extraction: Extraction, items: Item[], counter: TermCounter): IndexedItem[] {
  const [fileItem, ...parts] = items;
  for (const segment of withoutExtension(fileItem!.path).split("/")) counter.add(segment, "path", true);
  counter.keepPath();
  const { doc, rest, title } = extraction;
  counter.add(fileItem!.name.replace(/\.[^.]*$/, ""), "name", true);
  counter.add(title, "name", true);
  counter.add(doc, "doc", true);
  addOwn(counter, rest, true);
  const unit = counter.packItem();
  const units = parts.map((item, index): IndexedItem => {
    const { name, signature, doc, own, kind, inner, unsearched, qualified } = extraction.units[index]!;
    if (unsearched && kind !== "section") return { item };
    // The text of an inner function is counted with the outer function.
    const inFile = !inner;
    counter.beginItem();
    // The name of a block is only the first of many names in it, so it does not count as a name.
    if (kind !== "block") counter.add(name, "name", inFile);
    counter.add(signature, "signature", inFile);
    counter.add(doc, "doc", inFile);
    addOwn(counter, own, inFile);
    if (unsearched) return { item };
    // A class's name says less about its methods than their own names, and nothing new about the file.
    counter.add(outerOf(qualified, name), "signature", false);
    return { item, unit: counter.packItem() };
  });
  return [{ item: fileItem!, unit, file: counter.packFile() }, ...units];
}

function addOwn(counter: TermCounter, own: OwnText, inFile: boolean): void {
  counter.add(own.comment, "comment", inFile);
  counter.add(own.string, "string", inFile);
  counter.add(own.code, "code", inFile);
}

/** The qualifying names around a unit's own. */
function outerOf(qualified: string, name: string): string {
  return qualified.slice(0, Math.max(0, qualified.length - name.length));
}

function withoutExtension(path: string): string {
  const dot = path.lastIndexOf(".");
  return dot > path.lastIndexOf("/") + 1 ? path.slice(0, dot) : path;
}
