import type { Store } from "../../stores/store.ts";
import { analyse } from "../../text/analysis/analyse.ts";
import { hashTerm } from "../../text/hash.ts";
import { differingLetters, lettersOf, typosBetween } from "./letter-mask.ts";

/**
 * The words of the documents on a shelf, for spelling correction: the index itself has only their hashes. Stored as
 * metadata in segments of some 64 KB; new words are appended. A word that is no longer in any document does no harm
 * before it is pruned, since each correction is checked against the number of documents.
 */
export type Words = {
  has(word: string): boolean;
  /** Known words of which this one may be a misspelling, nearest first. */
  similar(word: string): { word: string; distance: number }[];
};

const segmentLength = 64 * 1024;
const headerKey = "words";
const segmentKey = (number: number) => `words.${number}`;

/** Shorter words have too many neighbours; longer ones are data. */
const shortest = 4;
const shortestSlip = 5;
const longest = 24;
const isWord = /^\p{L}+$/u;

/**
 * Adds the words of a text as the index has them: lower case, stemmed. `seen`: written words that need no analysis
 * again, since texts repeat them.
 */
export function collectWords(text: string, into: Set<string>, seen: Set<string>): void {
  // Outside ASCII, word boundaries depend on normalisation and script, so the analyser gets the whole text.
  const parts = ascii.test(text) ? (text.match(asciiWord) ?? []) : [text];
  if (seen.size > mostSeen) seen.clear();
  for (const part of parts) {
    if (seen.has(part)) continue;
    if (part !== text) seen.add(part);
    for (const term of analyse(part)) if (isWorthKnowing(term)) into.add(term);
  }
}

const ascii = /^[\x00-\x7f]*$/;
const asciiWord = /[A-Za-z0-9_$]+(?:[.\-'][A-Za-z0-9_$]+)*/g;
const mostSeen = 200_000;

function isWorthKnowing(term: string): boolean {
  return term.length >= shortest && term.length <= longest && isWord.test(term);
}

type Header = { segments: number; last: number };

class Vocabulary implements Words {
  header: Header = { segments: 0, last: 0 };
  /** Text of the last segment, to which words are appended. */
  tail = "";
  readonly #known = new Set<string>();
  readonly #list: string[] = [];
  /**
   * For each word the set of its letters as bits: similar words share nearly all of them, and a bit test is a hundred
   * times cheaper.
   */
  #letters = new Uint32Array(1024);

  get size(): number {
    return this.#known.size;
  }

  values(): readonly string[] {
    return this.#list;
  }

  has(word: string): boolean {
    return this.#known.has(word);
  }

  add(word: string): void {
    if (this.#known.has(word)) return;
    this.#known.add(word);
    if (this.#list.length === this.#letters.length) {
      const grown = new Uint32Array(this.#letters.length * 2);
      grown.set(this.#letters);
      this.#letters = grown;
    }
    this.#letters[this.#list.length] = lettersOf(word);
    this.#list.push(word);
  }

  /** All words of a segment. */
  addAll(text: string): void {
    for (const word of text.split("\n")) if (word !== "") this.add(word);
  }

  similar(word: string): { word: string; distance: number }[] {
    if (!isWorthKnowing(word)) return [];
    // "take" is a word of its own, not a misspelling of "make".
    if (word.length < shortestSlip) return [];
    // A long word may have two errors, a short one only one: "form" is not a misspelling of "fog".
    const furthest = word.length >= 8 ? 2 : 1;
    const letters = lettersOf(word);
    const similar: { word: string; distance: number }[] = [];
    for (let i = 0; i < this.#list.length; i++) {
      if (differingLetters(letters, this.#letters[i]!) > furthest * 2) continue;
      const candidate = this.#list[i]!;
      if (Math.abs(candidate.length - word.length) > furthest) continue;
      const distance = typosBetween(word, candidate);
      if (distance > 0 && distance <= furthest) similar.push({ word: candidate, distance });
    }
    // Few people mistype the first letter.
    const rank = (each: { word: string; distance: number }) => each.distance + (each.word[0] === word[0] ? 0 : 0.5);
    return similar.sort((a, b) => rank(a) - rank(b) || (a.word < b.word ? -1 : 1));
  }
}

/** Opened vocabularies by shelf and owner; a server may have many owners. */
const opened = new WeakMap<Store, Map<string, Vocabulary>>();
const mostOpened = 64;

/** The words of an owner's documents; only words added since the last call are read. */
export async function knownWords(shelf: Store, owner: string): Promise<Words & { size: number }> {
  return open(shelf, owner);
}

async function open(shelf: Store, owner: string): Promise<Vocabulary> {
  const owners = opened.get(shelf) ?? new Map<string, Vocabulary>();
  opened.set(shelf, owners);
  const header = await readHeader(shelf, owner);
  let vocabulary = owners.get(owner);
  const isOlder =
    vocabulary &&
    (vocabulary.header.segments < header.segments ||
      (vocabulary.header.segments === header.segments && vocabulary.header.last <= header.last));
  if (!vocabulary || !isOlder) {
    if (owners.size >= mostOpened) owners.clear();
    owners.set(owner, (vocabulary = new Vocabulary()));
  }
  const before = vocabulary.header;
  if (before.segments === header.segments && before.last === header.last) return vocabulary;
  const texts: string[] = [];
  for (let number = Math.max(1, before.segments); number <= header.segments; number++) {
    texts.push(await readSegment(shelf, owner, number));
  }
  // Another caller has opened the vocabulary in the meantime, or added words.
  if (vocabulary.header !== before) return open(shelf, owner);
  for (const text of texts) vocabulary.addAll(text);
  vocabulary.tail = texts.at(-1) ?? "";
  vocabulary.header = header;
  return vocabulary;
}

async function readHeader(shelf: Store, owner: string): Promise<Header> {
  const bytes = await shelf.metadata(owner, headerKey);
  return bytes ? (JSON.parse(new TextDecoder().decode(bytes)) as Header) : { segments: 0, last: 0 };
}

/** Adds the words that are new. */
export async function addWords(shelf: Store, owner: string, words: Iterable<string>): Promise<void> {
  const vocabulary = await open(shelf, owner);
  const added = new Set<string>();
  for (const word of words) if (!vocabulary.has(word)) added.add(word);
  if (added.size > 0) await append(shelf, owner, vocabulary, added);
}

async function append(shelf: Store, owner: string, vocabulary: Vocabulary, added: ReadonlySet<string>): Promise<void> {
  let number = Math.max(1, vocabulary.header.segments);
  const texts = new Map([[number, vocabulary.tail]]);
  for (const word of added) {
    if (texts.get(number)!.length > segmentLength) texts.set(++number, "");
    texts.set(number, `${texts.get(number)!}${word}\n`);
  }
  for (const [segment, text] of texts) {
    await shelf.writeMetadata(owner, segmentKey(segment), new TextEncoder().encode(text));
  }
  const tail = texts.get(number)!;
  const header = { segments: number, last: tail.length };
  await writeHeader(shelf, owner, header);
  // Words count as stored only after the write: a failed write is repeated with the same words.
  for (const word of added) vocabulary.add(word);
  vocabulary.tail = tail;
  vocabulary.header = header;
}

/**
 * Removes the words with these hashes that are no longer in any document, because nothing of a deleted document may
 * stay. Only the affected segments are written.
 */
export async function pruneWords(shelf: Store, owner: string, hashes: ReadonlySet<number>): Promise<void> {
  const vocabulary = await open(shelf, owner);
  const candidates = vocabulary.values().filter((word) => hashes.has(hashTerm(word)));
  if (candidates.length === 0) return;
  const { frequencies } = await shelf.termStatistics(owner, "unit", candidates);
  const unused = new Set(candidates.filter((word) => !frequencies.has(word)));
  if (unused.size === 0) return;
  const { segments } = vocabulary.header;
  let { last } = vocabulary.header;
  opened.get(shelf)?.delete(owner);
  for (let number = 1; number <= segments; number++) {
    const text = await readSegment(shelf, owner, number);
    const words = text.split("\n").filter((word) => word !== "");
    const remaining = words.filter((word) => !unused.has(word));
    if (remaining.length === words.length) continue;
    const shorter = remaining.map((word) => `${word}\n`).join("");
    await shelf.writeMetadata(owner, segmentKey(number), new TextEncoder().encode(shorter));
    if (number === segments) last = shorter.length;
  }
  await writeHeader(shelf, owner, { segments, last });
}

export async function forgetWords(shelf: Store, owner: string): Promise<void> {
  const { segments } = await readHeader(shelf, owner);
  opened.get(shelf)?.delete(owner);
  if (segments > 0) await clearSegments(shelf, owner, segments);
}

async function clearSegments(shelf: Store, owner: string, segments: number): Promise<void> {
  const empty = new Uint8Array(0);
  await writeHeader(shelf, owner, { segments: 0, last: 0 });
  for (let number = 1; number <= segments; number++) await shelf.writeMetadata(owner, segmentKey(number), empty);
}

async function readSegment(shelf: Store, owner: string, number: number): Promise<string> {
  const bytes = await shelf.metadata(owner, segmentKey(number));
  return bytes ? new TextDecoder().decode(bytes) : "";
}

async function writeHeader(shelf: Store, owner: string, header: Header): Promise<void> {
  await shelf.writeMetadata(owner, headerKey, new TextEncoder().encode(JSON.stringify(header)));
}
