import { stem } from "./stem.ts";

/**
 * Text to index terms. The same function reads items and queries, on every engine, so that they meet.
 * A term is lower case and made of letters, digits, marks and `_` only.
 */

export const stopWords: ReadonlySet<string> = new Set(
  (
    "a an and are as at be been being but by can could did do does doing don for from had has have having how i if in into is it its " +
    "itself me my myself no nor of on once or our ours ourselves so some such than that the their theirs them themselves then there these " +
    "they this those through to too under until up very was we were what when where which while who whom why will with would you your " +
    "yours yourself about after again all also am any because before both each few further he her here him his just more most other " +
    "over own same she should s t"
  ).split(" "),
);

export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const cjkRun = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー々]+/gu;
const notAscii = /[^\x00-\x7f]/;

/** Longest term kept, and longest identifier read: longer runs are data (base64, hashes), not words. */
const longestTerm = 64;
const longestIdentifier = 200;

export type AnalyseOptions = {
  /** Stop words are dropped from items' text and from queries; a query made only of them keeps them. Default true. */
  dropStopWords?: boolean;
};

/** The terms of a text, in order, repeated as often as they occur. */
export function analyse(text: string, options: AnalyseOptions = {}): string[] {
  const terms: string[] = [];
  const drop = options.dropStopWords ?? true;
  for (const word of wordsOf(text)) for (const term of termsOf(word, drop)) terms.push(term);
  return terms;
}

/** What the analyser reads as words, normalised: the terms of a text are those of its words. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  const normal = notAscii.test(text) ? text.normalize("NFKC") : text;
  for (let start = 0; start < normal.length; ) {
    const end = wordEnd(normal, start);
    if (end === start) start++;
    else {
      words.push(normal.slice(start, end));
      start = end;
    }
  }
  return words;
}

/** Terms of words met before, by whether stop words are dropped: code repeats its words. Emptied whole when full. */
const termCache = { kept: new Map<string, readonly string[]>(), dropped: new Map<string, readonly string[]>() };
const mostCached = 50_000;

export const isNumber = /^[0-9]+$/;

function termsOf(word: string, drop: boolean): readonly string[] {
  const cache = drop ? termCache.dropped : termCache.kept;
  let terms = cache.get(word);
  if (terms !== undefined) return terms;
  const fresh: string[] = [];
  addWord(word, fresh, drop);
  terms = fresh;
  // Numbers seldom come again, and would push out the words that do.
  if (word.length <= longestTerm && !isNumber.test(word)) {
    if (cache.size >= mostCached) cache.clear();
    cache.set(word, terms);
  }
  return terms;
}

/**
 * The end of the word that begins at `start`. `start` when none does. Letters, marks, digits, `_` and `$` make an
 * identifier. `.`, `-` and apostrophes join two of them without a space. Scanned by hand: a regular expression for this
 * overflows the stack on megabytes without a space.
 */
function wordEnd(text: string, start: number): number {
  let at = start;
  for (;;) {
    const size = wordCharacter(text, at);
    if (size > 0) at += size;
    else if (at > start && isJoint(text.charCodeAt(at)) && wordCharacter(text, at + 1) > 0) at++;
    else return at;
  }
}

function isJoint(code: number): boolean {
  return code === 0x2e || code === 0x2d || code === 0x27 || code === 0x2019;
}

const asciiWord = /[A-Za-z0-9_$]/;
const letterMarkNumber = /[\p{L}\p{M}\p{N}]/u;
/** For each UTF-16 unit: 1 a word character, 2 not one, 0 not looked up yet. */
const unitKinds = new Uint8Array(0x10000);

/** Length of the word character at an index, in UTF-16 units; 0 when there is none. */
function wordCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 0xd800 && code <= 0xdbff) {
    const character = String.fromCodePoint(text.codePointAt(at)!);
    return character.length === 2 && letterMarkNumber.test(character) ? 2 : 0;
  }
  if (Number.isNaN(code)) return 0;
  if (unitKinds[code] === 0) {
    const character = String.fromCharCode(code);
    // Patterns with classes of Unicode take milliseconds to compile, in every thread: ASCII does without.
    const isWord = code < 128 ? asciiWord.test(character) : letterMarkNumber.test(character);
    unitKinds[code] = isWord ? 1 : 2;
  }
  return unitKinds[code] === 1 ? 1 : 0;
}

function addWord(word: string, terms: string[], drop: boolean): void {
  if (notAscii.test(word) && cjk.test(word)) {
    addCjk(word, terms, drop);
    return;
  }
  if (!/[.\-'’]/.test(word)) {
    addIdentifier(word, terms, drop);
    return;
  }
  const pieces = word.split(/[.-]/).map((piece) => piece.replace(/['’](s|t|re|ve|ll|d|m)?$/i, "").replace(/['’]/g, ""));
  for (const piece of pieces) addIdentifier(piece, terms, drop);
  // The last two parts of a dotted or hyphenated name are a name of their own: os.path, well-known.
  if (pieces.length > 1) {
    const joined = clean(pieces.slice(-2).join("_").toLowerCase());
    if (joined.length <= longestTerm && joined.length > 3 && !/^\d/.test(joined)) terms.push(joined);
  }
}

function addIdentifier(identifier: string, terms: string[], drop: boolean): void {
  if (identifier === "" || identifier.length > longestIdentifier) return;
  const parts = splitIdentifier(identifier);
  for (const part of parts) {
    if (part.length > longestTerm || (drop && stopWords.has(part))) continue;
    if (part.length === 1 && parts.length > 1 && !isLetter(part)) continue;
    terms.push(stem(part));
  }
  // The whole identifier, unstemmed, beside its parts: measured at +6 points of Acc@1 on issues.
  if (parts.length > 1) {
    const all = clean(identifier.toLowerCase());
    if (all.length <= longestTerm && all !== "") terms.push(all);
  }
}

function isLetter(character: string): boolean {
  return character < "\x80" ? /[a-z]/i.test(character) : /\p{L}/u.test(character);
}

function clean(identifier: string): string {
  return identifier.replace(/\$/g, "").replace(/^_+|_+$/g, "");
}

const humps =
  /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{Lu}|\p{N}+|[^\p{Lu}\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+/gu;
/** The same for ASCII. */
const asciiHumps = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]|[0-9]+|[^A-Za-z0-9]+/g;

/** `HTTPServer2_fooBar` -> http, server, 2, foo, bar. Lower case, no stop words dropped, not stemmed. */
export function splitIdentifier(identifier: string): string[] {
  const parts: string[] = [];
  for (const chunk of identifier.split(/[_$]+/)) {
    if (chunk === "") continue;
    if (/^[a-z]+$/.test(chunk)) {
      parts.push(chunk);
      continue;
    }
    const pattern = notAscii.test(chunk) ? humps : asciiHumps;
    for (const piece of chunk.match(pattern) ?? []) parts.push(piece.toLowerCase());
  }
  return parts;
}

/** Scripts without spaces become overlapping pairs of characters; text between them is analysed as usual. */
function addCjk(word: string, terms: string[], drop: boolean): void {
  let last = 0;
  for (const run of word.matchAll(cjkRun)) {
    if (run.index > last) addWord(word.slice(last, run.index), terms, drop);
    const characters = [...run[0]];
    if (characters.length === 1) terms.push(characters[0]!);
    for (let i = 0; i + 1 < characters.length; i++) terms.push(characters[i]! + characters[i + 1]!);
    last = run.index + run[0].length;
  }
  if (last < word.length) addWord(word.slice(last), terms, drop);
}

/** True for names in code: camelCase, snake_case, dotted, with a call's parentheses, or ALL_CAPS. */
export function looksLikeIdentifier(word: string): boolean {
  return (
    /^[\p{L}_$][\p{L}\p{N}_$]*(\.[\p{L}_$][\p{L}\p{N}_$]*)*(\(\))?$/u.test(word) &&
    /[_$.]|\p{Ll}\p{Lu}|\(\)$|^\p{Lu}{2,}\p{Ll}/u.test(word)
  );
}
