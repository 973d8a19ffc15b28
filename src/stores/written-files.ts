import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { ImportStatement, Item, Link } from "../item.ts";
import { linkCodes } from "./links/link-codes.ts";
import { storable } from "./rules/stored-text.ts";
import { lastPart } from "./scope/modules.ts";
import type { IndexedFile, IndexedItem, PackedText } from "./store.ts";

/** Rules for writing files: the same on every engine. */

// Level 2 of deflate: a third of the source's size at several hundred megabytes a second; level 6 saves a tenth more
// for three times the time.
const compression = { level: 2 };

export function packText(text: string | PackedText): Uint8Array {
  return typeof text === "string" ? deflateRawSync(text, compression) : text.packed;
}

export function unpackText(packed: Uint8Array): string {
  return inflateRawSync(packed).toString("utf8");
}

/** Many files import nothing. */
const noImports = packText("[]");

export function packImports(imports: readonly ImportStatement[] | PackedText): Uint8Array {
  if ("packed" in imports) return imports.packed;
  return imports.length === 0 ? noImports : packText(JSON.stringify(imports));
}

export function unpackImports(packed: Uint8Array): ImportStatement[] {
  return JSON.parse(unpackText(packed)) as ImportStatement[];
}

/** Of a path or an id that is given twice in one change the last counts. */
export function withLastOnly(files: IndexedFile[]): IndexedFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const holder = new Map<string, IndexedItem>();
  for (const file of byPath.values()) for (const indexed of file.items) holder.set(indexed.item.id, indexed);
  return [...byPath.values()].map((file) => {
    const items = file.items.filter((indexed) => holder.get(indexed.item.id) === indexed);
    return items.length === file.items.length ? file : { ...file, items };
  });
}

export function* itemIds(files: readonly IndexedFile[]): Iterable<string> {
  for (const file of files) for (const { item } of file.items) yield item.id;
}

export function* itemNames(files: readonly IndexedFile[]): Iterable<string> {
  for (const file of files) for (const { item } of file.items) yield storable(item.name);
}

export function* linkNames(files: readonly IndexedFile[]): Iterable<string> {
  for (const file of files) for (const link of ownLinks(file)) yield targetName(link);
}

/**
 * Containment is stored as the item's parent; a link that starts in another file could not be removed with this one.
 */
export function ownLinks(file: IndexedFile): Link[] {
  const ids = new Set(file.items.map(({ item }) => item.id));
  return file.links.filter((link) => link.kind !== "contains" && ids.has(link.from));
}

function targetName(link: Link): string {
  return storable(link.to ?? link.name ?? "");
}

/** A link as numbers, see `StoredMention`. */
export function linkNumbers(
  link: Link,
  nameNumber: (name: string) => number,
): { kind: number; target: number; whole: number } {
  const wholeName = targetName(link);
  const target = link.to === undefined ? lastPart(wholeName) : wholeName;
  const wholeNumber = link.to !== undefined ? -1 : target === wholeName ? 0 : nameNumber(wholeName);
  return { kind: linkCodes[link.kind], target: nameNumber(target), whole: wholeNumber };
}

/** The position of the file's own item, or -1. */
export function wholeFileAt(items: readonly IndexedItem[]): number {
  return items.findIndex(({ item }) => isWholeFile(item));
}

function isWholeFile({ kind }: Item): boolean {
  return kind === "file" || kind === "document" || kind === "config";
}

/** The qualified name as stored: without the path where it begins with it. */
export function storedQualifiedName(qualifiedName: string, path: string): string {
  return qualifiedName.startsWith(path) ? `+${qualifiedName.slice(path.length)}` : `=${qualifiedName}`;
}

export function qualifiedNameOf(stored: string, path: string): string {
  const rest = stored.slice(1);
  return stored.startsWith("+") ? path + rest : rest;
}

/**
 * Names that a write needs numbers for, with the number of its items that have each: those of its items, of its links,
 * and the last parts of these.
 */
export function countNames(ofItems: Iterable<string>, ofLinks: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of ofLinks) {
    counts.set(name, 0);
    counts.set(lastPart(name), 0);
  }
  for (const name of ofItems) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
