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

/** Changes whenever documents would be cut or described differently: then all of them are described again. */
export const documentFormat = 2;

/** Where a document's chunks stand on their shelf. The path may change, the id does not. */
export function placeOfDocument(id: string): string {
  return `document/${id}`;
}

export function documentIdOf({ path }: Pick<Item, "path">): string {
  return path.slice(path.indexOf("/") + 1);
}

/** Of all that is indexed of a document: as long as it is the same, so are its chunks. */
export function stampOf({ path, type, hash }: Pick<DocumentInfo, "path" | "type" | "hash">): string {
  return hashText(JSON.stringify([documentFormat, path, type ?? "", hash]));
}

export type Chunk = { id: string; passage: Passage };

/** What the index knows of a chunk without reading its document, as long as that is what it was: see `stampOf`. */
export type ChunkPlace = {
  stamp: string;
  /** Which of how many, from 1. */
  number: number;
  count: number;
  /** Of its text in the document, in UTF-16 units. */
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
 * A document in its chunks. An id is of what the chunk stands under and of its place among those that stand there, so that it survives
 * edits in other parts.
 */
export function chunksOf({ id, path, type }: Pick<DocumentInfo, "id" | "path" | "type">, content: string): Chunk[] {
  const seen = new Map<string, number>();
  const options = { path, ...(type === undefined ? {} : { type }), counter: tokenCounter("o200k_base") };
  return passagesOf(content, options).map((passage) => {
    const heading = JSON.stringify(passage.path);
    const ordinal = (seen.get(heading) ?? 0) + 1;
    seen.set(heading, ordinal);
    return { id: `chk-${hashText(`${id}\n${heading}\n${ordinal}`)}`, passage };
  });
}

/**
 * A document as the index takes it: its text stays in the library, the index knows where its chunks are. `texts`: what is searched of
 * each item; what is blank is none.
 */
export function describeDocument(info: DocumentInfo, content: string): { file: IndexedFile; texts: string[] } {
  const chunks = chunksOf(info, content);
  const texts = chunks.map(({ passage }) => redact(passage.text).text);
  const told = texts.filter((text) => text.trim() !== "");
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
  return { file, texts: told };
}

const longestName = 80;
/** Of all titles above and within a chunk: a list of thousands of empty sections is data. */
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

/** A document this much of which is keys and passwords is there for them. */
const secretShare = 0.2;

/** What is kept in the library and yet never found: `.env`, private keys, files of credentials. */
export function isKeptOut(path: string, content?: string): boolean {
  if (reasonByPath(nameOf(path)) === "secret") return true;
  if (content === undefined) return false;
  const { text, found } = redact(content);
  if (found === 0) return false;
  if (text.includes("[secret:private-key:")) return true;
  const lines = content.match(/^.*\S.*$/gm)?.length ?? 0;
  return found >= lines * secretShare;
}
