import type { Store } from "../stores/store.ts";
import { analyse } from "../text/analyse.ts";
import { editDistance } from "../text/edit-distance.ts";

/**
 * The words of the documents on a shelf, so that a misspelt one can be told: the index itself has only their hashes. Kept in notes of some
 * 64 KB, to which new words are added at the end. A word that no document has any more does no harm until it is pruned: whoever corrects
 * a query looks up how many documents have the correction.
 */
export type Words = {
  has(word: string): boolean;
  /** Known words that a slip of the fingers may have made this one of, nearest first. */
  near(word: string): { word: string; distance: number }[];
};

const segmentLength = 64 * 1024;
const headerKey = "words";
const segmentKey = (number: number) => `words.${number}`;

/** Shorter words have too many neighbours; longer ones are data. */
const shortest = 4;
const longest = 24;
const isWord = /^\p{L}+$/u;

/**
 * Adds the words of a text that are worth remembering, as the index has them: lower case, stemmed. `seen`: words as written that need not
 * be looked at again, since texts repeat them.
 */
export function collectWords(text: string, into: Set<string>, seen: Set<string>): void {
  // Outside ASCII a word's ends depend on normalisation and script: left to the analyser as a whole.
  const parts = ascii.test(text) ? (text.match(written) ?? []) : [text];
  if (seen.size > mostSeen) seen.clear();
  for (const part of parts) {
    if (seen.has(part)) continue;
    if (part !== text) seen.add(part);
    for (const term of analyse(part)) if (isWorthKnowing(term)) into.add(term);
  }
}

const ascii = /^[\x00-\x7f]*$/;
const written = /[A-Za-z0-9_$]+(?:[.\-'][A-Za-z0-9_$]+)*/g;
const mostSeen = 200_000;

function isWorthKnowing(term: string): boolean {
  return term.length >= shortest && term.length <= longest && isWord.test(term);
}

type Header = { segments: number; last: number };

class Vocabulary implements Words {
  header: Header = { segments: 0, last: 0 };
  /** Of the last segment: what is added is added to it. */
  tail = "";
  readonly #known = new Set<string>();
  readonly #list: string[] = [];
  /** For each word the set of its letters as bits: words that are near share nearly all of them, and a bit test is a hundred times cheaper. */
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

  near(word: string): { word: string; distance: number }[] {
    if (!isWorthKnowing(word)) return [];
    // Two slips in a long word, one in a short one: "form" is no slip for "fog".
    const furthest = word.length >= 8 ? 2 : 1;
    const letters = lettersOf(word);
    const found: { word: string; distance: number }[] = [];
    for (let i = 0; i < this.#list.length; i++) {
      if (bitCount(letters ^ this.#letters[i]!) > furthest * 2) continue;
      const known = this.#list[i]!;
      if (Math.abs(known.length - word.length) > furthest) continue;
      const distance = editDistance(word, known);
      if (distance > 0 && distance <= furthest) found.push({ word: known, distance });
    }
    // Few people mistype the first letter.
    const rank = (each: { word: string; distance: number }) => each.distance + (each.word[0] === word[0] ? 0 : 0.5);
    return found.sort((a, b) => rank(a) - rank(b) || (a.word < b.word ? -1 : 1));
  }
}

function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) % 32);
  return letters >>> 0;
}

function bitCount(bits: number): number {
  let count = bits - ((bits >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return (((count + (count >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** Opened vocabularies by shelf and owner; a server may have many owners. */
const opened = new WeakMap<Store, Map<string, Vocabulary>>();
const mostOpened = 64;

/** The words of an owner's documents as they are stored now; what was added since is read, and nothing twice. */
export async function knownWords(shelf: Store, owner: string): Promise<Words & { size: number }> {
  return open(shelf, owner);
}

async function open(shelf: Store, owner: string): Promise<Vocabulary> {
  const owners = opened.get(shelf) ?? new Map<string, Vocabulary>();
  opened.set(shelf, owners);
  const header = await readHeader(shelf, owner);
  let known = owners.get(owner);
  const isOlder =
    known &&
    (known.header.segments < header.segments ||
      (known.header.segments === header.segments && known.header.last <= header.last));
  if (!known || !isOlder) {
    if (owners.size >= mostOpened) owners.clear();
    owners.set(owner, (known = new Vocabulary()));
  }
  if (known.header.segments === header.segments && known.header.last === header.last) return known;
  for (let number = Math.max(1, known.header.segments); number <= header.segments; number++) {
    const bytes = await shelf.note(owner, segmentKey(number));
    known.tail = bytes ? new TextDecoder().decode(bytes) : "";
    for (const word of known.tail.split("\n")) if (word !== "") known.add(word);
  }
  known.header = header;
  return known;
}

async function readHeader(shelf: Store, owner: string): Promise<Header> {
  const bytes = await shelf.note(owner, headerKey);
  return bytes ? (JSON.parse(new TextDecoder().decode(bytes)) as Header) : { segments: 0, last: 0 };
}

/** Adds the words that are new. */
export async function addWords(shelf: Store, owner: string, words: Iterable<string>): Promise<void> {
  const known = await open(shelf, owner);
  const fresh = new Set<string>();
  for (const word of words) if (!known.has(word)) fresh.add(word);
  if (fresh.size > 0) await append(shelf, owner, known, fresh);
}

async function append(shelf: Store, owner: string, known: Vocabulary, fresh: Iterable<string>): Promise<void> {
  let { segments } = known.header;
  let tail = known.tail;
  const write = () => shelf.writeNote(owner, segmentKey(segments), new TextEncoder().encode(tail));
  if (segments === 0) segments = 1;
  for (const word of fresh) {
    if (tail.length > segmentLength) {
      await write();
      segments++;
      tail = "";
    }
    tail += `${word}\n`;
    known.add(word);
  }
  await write();
  known.tail = tail;
  known.header = { segments, last: tail.length };
  await shelf.writeNote(owner, headerKey, new TextEncoder().encode(JSON.stringify(known.header)));
}

/** Forgets words that no document has any more: nothing of a document that was deleted for good may stay. */
export async function pruneWords(shelf: Store, owner: string): Promise<void> {
  const known = await open(shelf, owner);
  if (known.size === 0) return;
  const { frequencies } = await shelf.termStatistics(owner, "unit", [...known.values()]);
  const kept = known.values().filter((word) => frequencies.has(word));
  if (kept.length === known.size) return;
  const { segments } = known.header;
  opened.get(shelf)?.delete(owner);
  await clearSegments(shelf, owner, segments);
  const fresh = new Vocabulary();
  if (kept.length > 0) await append(shelf, owner, fresh, kept);
}

export async function forgetWords(shelf: Store, owner: string): Promise<void> {
  const { segments } = await readHeader(shelf, owner);
  opened.get(shelf)?.delete(owner);
  if (segments > 0) await clearSegments(shelf, owner, segments);
}

async function clearSegments(shelf: Store, owner: string, segments: number): Promise<void> {
  const empty = new Uint8Array(0);
  await shelf.writeNote(owner, headerKey, new TextEncoder().encode(JSON.stringify({ segments: 0, last: 0 })));
  for (let number = 1; number <= segments; number++) await shelf.writeNote(owner, segmentKey(number), empty);
}
