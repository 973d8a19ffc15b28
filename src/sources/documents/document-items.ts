import { nameOf } from "../../chat/paths.ts";
import type { Item } from "../../item.ts";
import type { DocumentInfo } from "../../stores/library.ts";
import type { IndexedFile, IndexedItem } from "../../stores/store.ts";
import { type Passage, passagesOf } from "../../text/analysis/passages.ts";
import { hashText } from "../../text/hash.ts";
import { redact } from "../../text/secrets/secrets.ts";
import { tokenCounter } from "../../text/tokens/tokens.ts";
import { reasonByPath } from "../../tree/skip.ts";
import { termsOf } from "../terms.ts";

/** Incremented when documents would be cut or described differently: then all of them are described again. */
export const documentFormat = 2;

/** The path of a document's chunks on their shelf. The document's path may change, its id does not. */
export function placeOfDocument(id: string): string {
  return `document/${id}`;
}

export function documentIdOf({ path }: Pick<Item, "path">): string {
  return path.slice(path.indexOf("/") + 1);
}

/** Stamp of all indexed properties of a document: while the stamp is unchanged, the chunks are too. */
export function stampOf({ path, type, hash }: Pick<DocumentInfo, "path" | "type" | "hash">): string {
  return hashText(JSON.stringify([documentFormat, path, type ?? "", hash]));
}

export type Chunk = { id: string; passage: Passage };

/**
 * What the index knows about a chunk without reading its document. Valid while the document is unchanged: see
 * `stampOf`.
 */
export type ChunkPlace = {
  stamp: string;
  /** Position and total, from 1. */
  number: number;
  count: number;
  /** Range of its text in the document, in UTF-16 units. */
  start: number;
  end: number;
  tokens: number;
};

export function chunkPlace({ signature = "" }: Pick<Item, "signature">): ChunkPlace {
  const [stamp = "", ...numbers] = signature.split(" ");
  const [number = 0, count = 0, start = 0, end = 0, tokens = 0] = numbers.map(Number);
  return { stamp, number, count, start, end, tokens };
}

function signatureOf({ stamp, number, count, start, end, tokens }: ChunkPlace): string {
  return [stamp, number, count, start, end, tokens].join(" ");
}

/**
 * The chunks of a document. An id is made from the headings above the chunk and its position below them, so that it
 * survives edits in other parts.
 */
export function chunksOf({ id, path, type }: Pick<DocumentInfo, "id" | "path" | "type">, content: string): Chunk[] {
  const ordinals = new Map<string, number>();
  const options = { path, ...(type === undefined ? {} : { type }), counter: tokenCounter("o200k_base") };
  return passagesOf(content, options).map((passage) => {
    const heading = JSON.stringify(passage.path);
    const ordinal = (ordinals.get(heading) ?? 0) + 1;
    ordinals.set(heading, ordinal);
    return { id: `chk-${hashText(`${id}\n${heading}\n${ordinal}`)}`, passage };
  });
}

/**
 * A document as the index stores it: its text stays in the library, the index has the ranges of its chunks. `texts`:
 * the searched text of each item; blank chunks are left out.
 */
export function describeDocument(info: DocumentInfo, content: string): { file: IndexedFile; texts: string[] } {
  const chunks = chunksOf(info, content);
  const texts = chunks.map(({ passage }) => redact(passage.text).text);
  const nonEmpty = texts.filter((text) => text.trim() !== "");
  const stamp = stampOf(info);
  const count = chunks.length;
  const items = chunks.flatMap((chunk, i): IndexedItem[] => {
    if (texts[i]!.trim() === "") return [];
    const { start, text, tokens } = chunk.passage;
    const place = { stamp, number: i + 1, count, start, end: start + text.length, tokens };
    return [indexed(info, chunk, place, texts[i]!)];
  });
  const file: IndexedFile = {
    path: placeOfDocument(info.id),
    hash: stamp,
    size: info.size,
    modified: info.changed,
    text: "",
    imports: [],
    items,
    links: [],
  };
  return { file, texts: nonEmpty };
}

const longestName = 80;
/** Limit of all titles above and within a chunk: a list of thousands of empty sections is data. */
const longestTitles = 2000;

function indexed(info: DocumentInfo, { id, passage }: Chunk, place: ChunkPlace, text: string): IndexedItem {
  const { path, titles, startLine, endLine } = passage;
  const base = nameOf(info.path);
  const name = path.at(-1) ?? base;
  const item: Item = {
    id,
    source: "document",
    kind: "chunk",
    name: name.length > longestName ? `${name.slice(0, longestName - 1).replace(/[\ud800-\udbff]$/, "")}…` : name,
    qualifiedName: path.length > 0 ? `${info.path}::${path.join(" > ")}` : info.path,
    path: placeOfDocument(info.id),
    startLine,
    endLine,
    signature: signatureOf(place),
    hash: hashText(passage.text),
    changed: info.changed,
  };
  const headings = [...new Set([...path, ...titles])].join("\n").slice(0, longestTitles);
  return { item, unit: termsOf({ name: redact(headings).text, path: info.path, doc: text }) };
}

/** A document with a higher share of secrets is a file of credentials. */
const secretShare = 0.2;

/** True for documents that are stored but never found: `.env`, private keys, files of credentials. */
export function isKeptOut(path: string, content?: string): boolean {
  if (reasonByPath(nameOf(path)) === "secret") return true;
  if (content === undefined) return false;
  const { text, found } = redact(content);
  if (found === 0) return false;
  if (text.includes("[secret:private-key:")) return true;
  const lines = content.match(/^.*\S.*$/gm)?.length ?? 0;
  return found >= lines * secretShare;
}
