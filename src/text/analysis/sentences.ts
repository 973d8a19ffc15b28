import type { TokenCounter } from "../tokens/tokens.ts";

/** Sentences and lines, with the white space after them; together they are the text. */
export function sentencesOf(text: string): string[] {
  const parts: string[] = [];
  let last = 0;
  for (const end of text.matchAll(sentenceEnd)) {
    const at = end.index + end[0].length;
    if (at >= text.length) break;
    parts.push(text.slice(last, at));
    last = at;
  }
  if (last < text.length) parts.push(text.slice(last));
  return parts;
}

const sentenceEnd = /[.!?…]["'”’)\]]{0,3}[ \t]+(?=\S)|[。！？｡][」』）”’]{0,3}|\n+/g;

/**
 * Pieces of at most `maxTokens` tokens of a text without a better place to cut, the first of at most `room`; at spaces
 * where there are any. Their lengths are guessed from the tokens per character so far, so that few of them have to be
 * counted.
 */
export function piecesOf(text: string, room: number, maxTokens: number, counter: TokenCounter): string[] {
  const pieces: string[] = [];
  let perToken = charactersPerToken;
  for (let at = 0; at < text.length; ) {
    const limit = pieces.length === 0 ? room : maxTokens;
    const length = fittingLength(text, at, limit, perToken, counter);
    const piece = text.slice(at, at + length.characters);
    perToken = Math.max(1, length.characters / Math.max(1, length.tokens));
    pieces.push(piece);
    at += length.characters;
  }
  return pieces;
}

/** A guess for the beginning. */
const charactersPerToken = 4;
/** A piece filled to this share is long enough; a guess that was too short is corrected so often. */
const filled = 0.85;
const mostGuesses = 6;

function fittingLength(text: string, at: number, limit: number, perToken: number, counter: TokenCounter) {
  let fits = { characters: 0, tokens: 0 };
  let tooLong = Number.POSITIVE_INFINITY;
  let guess = Math.floor(limit * perToken);
  for (let tries = 0; ; tries++) {
    const characters = wordBoundary(text, at, Math.max(1, Math.min(guess, tooLong - 1, text.length - at)));
    const tokens = counter.count(text.slice(at, at + characters));
    if (tokens <= limit || isOneCharacter(text, at, characters)) {
      if (characters > fits.characters) fits = { characters, tokens };
      else return fits;
    } else tooLong = Math.min(tooLong, characters);
    const isWhole = at + fits.characters >= text.length || fits.characters + 1 >= tooLong;
    if (fits.characters > 0 && (isWhole || fits.tokens >= limit * filled || tries >= mostGuesses)) return fits;
    guess = Math.floor((characters * limit) / Math.max(1, tokens));
    if (guess <= fits.characters) guess = Math.floor((fits.characters + Math.min(tooLong, text.length - at)) / 2);
    if (guess >= tooLong) guess = Math.floor((fits.characters + tooLong) / 2);
  }
}

/** A length near the given one that ends after a space, or at least not within a character of two units. */
function wordBoundary(text: string, at: number, length: number): number {
  if (at + length >= text.length) return text.length - at;
  const mostBack = Math.min(length - 1, 100);
  for (let back = 0; back < mostBack && length > 100; back++) {
    if (isSpace(text.charCodeAt(at + length - 1 - back))) return length - back;
  }
  const inPair = isHigh(text.charCodeAt(at + length - 1)) && isLow(text.charCodeAt(at + length));
  return inPair ? (length > 1 ? length - 1 : 2) : length;
}

const isSpace = (code: number) => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x3000;
const isHigh = (code: number) => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number) => code >= 0xdc00 && code <= 0xdfff;

function isOneCharacter(text: string, at: number, length: number): boolean {
  return length === 1 || (length === 2 && text.codePointAt(at)! > 0xffff);
}
