import { countLetters, leastLetters, type MessageTemplate, type TemplatePiece } from "./message-literals.ts";
import type { PastedMessage } from "./pasted-messages.ts";

/** From this match on, a literal is the source of the message beyond doubt. */
export const certainMatch = 0.6;

/** Places at which the longest piece is tried. */
const mostPlaces = 5;
/** Longest text that a placeholder stands for. */
const longestFilling = 400;
/** Text filled in at the ends may be another message, which would explain it better. */
const fillingShare = 0.7;
/** Number of letters that count half, and from which a match is no coincidence. */
const halfLetters = 4;
const enoughLetters = 16;

/** How well a template prints a message, 0..1, and the part of `plain` that its fixed text spans. */
export type MessageMatch = { match: number; start: number; end: number };

const noMatch: MessageMatch = { match: 0, start: 0, end: 0 };

/**
 * How well this template prints a message: how much of its fixed text occurs, and how much of the message that
 * explains.
 */
export function matchMessage(template: MessageTemplate, message: PastedMessage): MessageMatch {
  const whole = matchFrom(template, message.plain, message.letters, 0);
  if (whole.match === 0) {
    const isPart = template.pieces.some(({ text }) => text.includes(message.plain));
    return isPart
      ? { match: message.letters / (message.letters + halfLetters), start: 0, end: message.plain.length }
      : noMatch;
  }
  return whole;
}

/**
 * How well the template prints what another one wrapped: the best match with what follows a colon. Undefined if none
 * explains enough of it.
 */
export function matchWrapped(template: MessageTemplate, { plain, tails }: PastedMessage): MessageMatch | undefined {
  let best: MessageMatch | undefined;
  for (const from of tails) {
    const found = matchFrom(template, plain, countLetters(plain.slice(from)), from);
    if (found.match < wrappedMatch || found.start < from) continue;
    if (found.match < certainMatch && (found.end < plain.length || !found.isComplete)) continue;
    if (!best || found.match > best.match) best = found;
  }
  return best;
}

/** For a template that is the end of a message: the text before it was filled in with it. */
const wrappedMatch = 0.5;

function matchFrom(
  template: MessageTemplate,
  plain: string,
  letters: number,
  from: number,
): MessageMatch & { isComplete?: boolean } {
  const { pieces } = template;
  let anchor = -1;
  pieces.forEach((piece, i) => {
    if (piece.letters > (pieces[anchor]?.letters ?? 0) && plain.includes(piece.text, from)) anchor = i;
  });
  if (anchor === -1) return noMatch;
  let best: MessageMatch & { isComplete?: boolean } = noMatch;
  let next = from;
  for (let place = 0; place < mostPlaces; place++) {
    const at = placeOf(pieces[anchor]!, plain, next, plain.length);
    if (at === -1) break;
    const found = matchAround(template, anchor, at, plain, letters, from);
    if (found.match > best.match) best = found;
    next = at + 1;
  }
  return best;
}

function matchAround(
  { pieces, letters, openStart, openEnd }: MessageTemplate,
  anchor: number,
  at: number,
  plain: string,
  wholeLetters: number,
  from: number,
): MessageMatch & { isComplete?: boolean } {
  let matched = pieces[anchor]!.letters;
  let start = at;
  let end = at + pieces[anchor]!.text.length;
  // Where a piece is missing between two others, the message says something else there: that is not explained.
  let contradicted = 0;
  let isMissing = false;
  for (let i = anchor + 1; i < pieces.length; i++) {
    const next = placeOf(pieces[i]!, plain, end, end + longestFilling);
    if (next === -1) {
      const cut = beginningAt(pieces[i]!.text, plain, end);
      isMissing ||= !cut;
      if (!cut) continue;
      matched += cut.letters;
      end = cut.end;
      break;
    }
    if (isMissing) contradicted += countLetters(plain.slice(end, next));
    isMissing = false;
    matched += pieces[i]!.letters;
    end = next + pieces[i]!.text.length;
  }
  isMissing = false;
  for (let i = anchor - 1; i >= 0; i--) {
    const before = lastPlaceOf(pieces[i]!, plain, start);
    isMissing ||= before < from;
    if (before < from) continue;
    if (isMissing) contradicted += countLetters(plain.slice(before + pieces[i]!.text.length, start));
    isMissing = false;
    matched += pieces[i]!.letters;
    start = before;
  }
  const outside =
    (openStart ? countLetters(plain.slice(from, start)) : 0) + (openEnd ? countLetters(plain.slice(end)) : 0);
  const explained = Math.min(
    1,
    (countLetters(plain.slice(start, end)) - contradicted + fillingShare * outside) / wholeLetters,
  );
  // Long messages are pasted in part: where all the pasted text is explained, the rest of the literal matters little.
  const share = Math.max(matched / letters, matched < enoughLetters ? 0 : 0.85 * explained);
  if (matched < leastLetters || (share < 0.5 && matched < enoughLetters)) return noMatch;
  const match = (matched / (matched + halfLetters)) * (0.35 + 0.65 * share) * (0.5 + 0.5 * explained);
  return { match, start, end, isComplete: matched === letters };
}

/** The beginning of a piece at this place, where a message was cut; undefined if too little of it is there. */
function beginningAt(text: string, plain: string, from: number): { letters: number; end: number } | undefined {
  let at = from;
  while (at < plain.length && !wordCharacter.test(plain[at]!)) at++;
  let length = 0;
  while (length < text.length && text[length] === plain[at + length]) length++;
  const letters = countLetters(text.slice(0, length));
  return letters >= enoughLetters ? { letters, end: at + length } : undefined;
}

function placeOf(piece: TemplatePiece, plain: string, from: number, to: number): number {
  for (let at = plain.indexOf(piece.text, from); at !== -1 && at <= to; at = plain.indexOf(piece.text, at + 1)) {
    if (standsAlone(piece, plain, at)) return at;
  }
  return -1;
}

function lastPlaceOf(piece: TemplatePiece, plain: string, before: number): number {
  const from = before - piece.text.length;
  if (from < 0) return -1;
  for (
    let at = plain.lastIndexOf(piece.text, from);
    at !== -1;
    at = at === 0 ? -1 : plain.lastIndexOf(piece.text, at - 1)
  ) {
    if (before - at > longestFilling + piece.text.length) return -1;
    if (standsAlone(piece, plain, at)) return at;
  }
  return -1;
}

const wordCharacter = /[\p{L}\p{N}]/u;

function standsAlone({ text, fromStart, toEnd }: TemplatePiece, plain: string, at: number): boolean {
  const isJoined = (a: string | undefined, b: string | undefined) =>
    a !== undefined && b !== undefined && wordCharacter.test(a) && wordCharacter.test(b);
  if (fromStart && isJoined(plain[at - 1], text[0])) return false;
  return !(toEnd && isJoined(text.at(-1), plain[at + text.length]));
}
