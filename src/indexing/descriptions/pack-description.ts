import type { Item, Link } from "../../item.ts";
import { linkCodes, linkKinds } from "../../stores/links/link-codes.ts";
import type { IndexedFile, IndexedItem, ItemTerms } from "../../stores/store.ts";
import { packImports, packText } from "../../stores/written-files.ts";

/**
 * A described file as bytes: the message between threads, and the entry of the cache. Passing objects with this many
 * parts between threads costs as much as making them. Layout: uint32 length of the head; the head, JSON; the deflated
 * text; the deflated imports; the items' packed terms one after the other.
 */

/** Fields that a description leaves out, since a later file with the same content has other values. */
export type FileStamp = Pick<IndexedFile, "path" | "hash" | "size" | "modified">;

/** Fields stored for each item. The path comes from the file, the time of change from the stamp. */
const itemFields = [
  "id",
  "source",
  "kind",
  "name",
  "qualifiedName",
  "startLine",
  "endLine",
  "language",
  "signature",
  "doc",
  "hash",
  "parent",
  "test",
  "decisions",
] as const satisfies (keyof Item)[];

type Head = {
  language: IndexedFile["language"];
  role: IndexedFile["role"];
  /** Number of characters of the text and of its deflated bytes; number of import statements and of their bytes. */
  text: [characters: number, bytes: number];
  imports: [statements: number, bytes: number];
  items: unknown[][];
  /** For each item: bytes and number of its terms as a unit and as a file; null if it has none. */
  terms: (number | null)[];
  names: string[];
  /**
   * For each link: the item it starts from, its kind, and the index of its target among the names; negative if the
   * target is an id.
   */
  links: number[];
};

/** The same file with its text and imports in the form that stores keep. */
export function withPackedTexts(file: IndexedFile): IndexedFile {
  const text = { packed: packText(file.text), length: file.text.length };
  const imports = { packed: packImports(file.imports), length: file.imports.length };
  return { ...file, text, imports };
}

export function packDescription(file: IndexedFile): Uint8Array<ArrayBuffer> {
  const text = packText(file.text);
  const imports = packImports(file.imports);
  const terms = file.items.flatMap(({ unit, file: ofFile }) => [unit, ofFile]);
  const names = new Map<string, number>();
  const head: Head = {
    language: file.language,
    role: file.role,
    text: [file.text.length, text.length],
    imports: [file.imports.length, imports.length],
    items: file.items.map(({ item }) => itemFields.map((field) => item[field] ?? null)),
    terms: terms.flatMap((each) => (each ? [each.terms.length, each.length] : [null, null])),
    names: [],
    links: linkNumbers(file, names),
  };
  head.names = [...names.keys()];
  const headBytes = Buffer.from(JSON.stringify(head));
  const parts = [headBytes, text, imports];
  for (const each of terms) if (each) parts.push(each.terms);
  const size = parts.reduce((sum, part) => sum + part.length, 4);
  const bytes = new Uint8Array(size);
  new DataView(bytes.buffer).setUint32(0, headBytes.length, true);
  let at = 4;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function linkNumbers({ items, links }: IndexedFile, names: Map<string, number>): number[] {
  const places = new Map(items.map(({ item }, place) => [item.id, place]));
  const numbers: number[] = [];
  for (const { from, kind, to, name = "" } of links) {
    const target = to ?? name;
    let place = names.get(target);
    if (place === undefined) names.set(target, (place = names.size));
    numbers.push(places.get(from)!, linkCodes[kind], to === undefined ? place : -1 - place);
  }
  return numbers;
}

/** Unpacks a file; its terms are views of the given bytes. Throws for bytes that `packDescription` did not write. */
export function unpackDescription(bytes: Uint8Array, stamp: FileStamp): IndexedFile {
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(0, true);
  const head = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset + 4, length).toString()) as Head;
  let at = 4 + length;
  const next = (size: number) => bytes.subarray(at, (at += size));
  const [characters, textBytes] = head.text;
  const text = { packed: next(textBytes), length: characters };
  const [importCount, importBytes] = head.imports;
  const imports = { packed: next(importBytes), length: importCount };
  const termsOf = (place: number): ItemTerms | undefined => {
    const [size, count] = [head.terms[place]!, head.terms[place + 1]!];
    return size === null || count === null ? undefined : { terms: next(size), length: count };
  };
  const items = head.items.map((values, place): IndexedItem => {
    const indexed: IndexedItem = { item: itemFrom(values, stamp) };
    const unit = termsOf(place * 4);
    const file = termsOf(place * 4 + 2);
    if (unit) indexed.unit = unit;
    if (file) indexed.file = file;
    return indexed;
  });
  if (at !== bytes.length) throw new Error("A description of another length than it says.");
  const { language, role } = head;
  return { ...stamp, language, ...(role ? { role } : {}), text, imports, items, links: linksFrom(head, items) };
}

function itemFrom(values: unknown[], { path, modified }: FileStamp): Item {
  const item: Record<string, unknown> = { path, changed: modified };
  for (let i = 0; i < itemFields.length; i++) if (values[i] !== null) item[itemFields[i]!] = values[i];
  return item as Item;
}

function linksFrom({ links: numbers, names }: Head, items: IndexedItem[]): Link[] {
  const links: Link[] = [];
  for (let i = 0; i < numbers.length; i += 3) {
    const from = items[numbers[i]!]!.item.id;
    const kind = linkKinds.get(numbers[i + 1]!)!;
    const target = numbers[i + 2]!;
    links.push(target < 0 ? { from, kind, to: names[-1 - target]! } : { from, kind, name: names[target]! });
  }
  return links;
}
