import type { Store } from "../../stores/store.ts";
import { analyse } from "../../text/analysis/analyse.ts";
import { hashTerm } from "../../text/hash.ts";
import { differingLetters, lettersOf, slipsBetween } from "./letter-mask.ts";

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
const shortestSlip = 5;
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

  /** All words of a segment. */
  addAll(text: string): void {
    for (const word of text.split("\n")) if (word !== "") this.add(word);
  }

  near(word: string): { word: string; distance: number }[] {
    if (!isWorthKnowing(word)) return [];
    // "take" is a word of its own, not a slip for "make".
    if (word.length < shortestSlip) return [];
    // Two slips in a long word, one in a short one: "form" is no slip for "fog".
    const furthest = word.length >= 8 ? 2 : 1;
    const letters = lettersOf(word);
    const found: { word: string; distance: number }[] = [];
    for (let i = 0; i < this.#list.length; i++) {
      if (differingLetters(letters, this.#letters[i]!) > furthest * 2) continue;
      const known = this.#list[i]!;
      if (Math.abs(known.length - word.length) > furthest) continue;
      const distance = slipsBetween(word, known);
      if (distance > 0 && distance <= furthest) found.push({ word: known, distance });
    }
    // Few people mistype the first letter.
    const rank = (each: { word: string; distance: number }) => each.distance + (each.word[0] === word[0] ? 0 : 0.5);
    return found.sort((a, b) => rank(a) - rank(b) || (a.word < b.word ? -1 : 1));
  }
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
  const before = known.header;
  if (before.segments === header.segments && before.last === header.last) return known;
  const texts: string[] = [];
  for (let number = Math.max(1, before.segments); number <= header.segments; number++) {
    texts.push(await readSegment(shelf, owner, number));
  }
  // Somebody else was faster meanwhile, or added words.
  if (known.header !== before) return open(shelf, owner);
  for (const text of texts) known.addAll(text);
  known.tail = texts.at(-1) ?? "";
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

async function append(shelf: Store, owner: string, known: Vocabulary, fresh: ReadonlySet<string>): Promise<void> {
  let number = Math.max(1, known.header.segments);
  const texts = new Map([[number, known.tail]]);
  for (const word of fresh) {
    if (texts.get(number)!.length > segmentLength) texts.set(++number, "");
    texts.set(number, `${texts.get(number)!}${word}\n`);
  }
  for (const [segment, text] of texts) {
    await shelf.writeNote(owner, segmentKey(segment), new TextEncoder().encode(text));
  }
  const tail = texts.get(number)!;
  const header = { segments: number, last: tail.length };
  await writeHeader(shelf, owner, header);
  // Only what is stored is known: a write that failed is tried again with the same words.
  for (const word of fresh) known.add(word);
  known.tail = tail;
  known.header = header;
}

/**
 * Forgets those of the words with these hashes that no document has any more: nothing of a document that was deleted for good may stay. Only
 * the notes that have one of them are written.
 */
export async function pruneWords(shelf: Store, owner: string, hashes: ReadonlySet<number>): Promise<void> {
  const known = await open(shelf, owner);
  const asked = known.values().filter((word) => hashes.has(hashTerm(word)));
  if (asked.length === 0) return;
  const { frequencies } = await shelf.termStatistics(owner, "unit", asked);
  const gone = new Set(asked.filter((word) => !frequencies.has(word)));
  if (gone.size === 0) return;
  const { segments } = known.header;
  let { last } = known.header;
  opened.get(shelf)?.delete(owner);
  for (let number = 1; number <= segments; number++) {
    const text = await readSegment(shelf, owner, number);
    const words = text.split("\n").filter((word) => word !== "");
    const kept = words.filter((word) => !gone.has(word));
    if (kept.length === words.length) continue;
    const shorter = kept.map((word) => `${word}\n`).join("");
    await shelf.writeNote(owner, segmentKey(number), new TextEncoder().encode(shorter));
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
  for (let number = 1; number <= segments; number++) await shelf.writeNote(owner, segmentKey(number), empty);
}

async function readSegment(shelf: Store, owner: string, number: number): Promise<string> {
  const bytes = await shelf.note(owner, segmentKey(number));
  return bytes ? new TextDecoder().decode(bytes) : "";
}

async function writeHeader(shelf: Store, owner: string, header: Header): Promise<void> {
  await shelf.writeNote(owner, headerKey, new TextEncoder().encode(JSON.stringify(header)));
}
