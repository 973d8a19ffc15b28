import {
  countLetters,
  leastLetters,
  type MessageTemplate,
  plainText,
  type TemplatePiece,
  withoutEdges,
  wordsOf,
} from "./message-literals.ts";
import { readZones } from "./query-parts.ts";

/** A line of a query that a program may have printed. */
export type PastedMessage = {
  /** As written, without what loggers and runtimes put before it. */
  text: string;
  /** As it is compared: the whole line, since what looks like a logger's name may be the message's first word. */
  plain: string;
  /** Letters and digits of `text`. */
  letters: number;
  /** It is quoted, of a log or a traceback, or speaks of a failure; otherwise it may be any few words. */
  likely: boolean;
  /** Nothing else is asked. */
  alone: boolean;
};

const leastWords = 3;
/** Lines of one query that are looked for. */
const mostMessages = 4;
const longestMessage = 1_000;

const asks =
  /^\s*(?:(?:how|what|where|why|which|who|whose|when|explain|describe|show|implement|refactor)\b(?!\()|(?:can|could|do|does|did|is|are|should|would|will) (?:i|we|you|it|there|the|this|that|these|those|any)\b)/i;
const quotedParts = [
  /"([^\n]{8,1000})"/g,
  /“([^”\n]{1,1000})”/g,
  /`([^`\n]{1,1000})`/g,
  /(?<![\p{L}\p{N}])'([^\n]{8,1000})'(?![\p{L}\p{N}])/gu,
];

const level = /^(?:trace|debug|info|notice|warn(?:ing)?|error|err|fatal|critical|severe|panic|emerg|alert)\b/i;
const timestamp =
  /^(?:\d{4}[-/]\d{1,2}[-/]\d{1,2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)?(?: ?(?:Z|UTC|[+-]\d{2}:?\d{2}))?|\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?|[A-Z][a-z]{2} {1,2}\d{1,2} \d{2}:\d{2}:\d{2})/;
const bracketed = /^[[(][^\])]{0,80}[\])]/;
const failure =
  /^(?:[A-Za-z_][\w$]{0,80}(?:\.|::|\\)){0,8}(?:[A-Za-z_][\w$]{0,80}(?:Error|Exception|Warning|Fault|Failure|Interrupt|Exit)(?: \[[\w-]{1,60}\])?(?=:|\s*$| -)|[A-Z][a-z0-9]{1,40}(?:[A-Z][a-z0-9]{1,40}){1,6}(?=: ))/;
const uncaught =
  /^(?:uncaught|unhandled|caused by:?|exception in thread \S{1,80}|fatal error:|what\(\):|panic:|thread \S{1,80} panicked at)\s*/i;
/** A logger, a program, a process: `worker:`, `app[12]:`. */
const logger = /^[\w.$/-]{1,60}(?:[[(]\d{1,8}[\])])?:(?=\s)/;
const separators = /^[\s:|>—–-]+/;
const failureWords =
  /\b(?:errors?|exception|failed|failure|fatal|panic|warning|cannot|can't|couldn't|unable|invalid|unexpected|missing|denied|refused|not|no|already|only|must|expected|requires?|required|ambiguous|unknown|undefined|unsupported|illegal|unrecognized|exceed(?:s|ed)?|too (?:many|few|long|large|big|deep|short|small)|timed out)\b/i;
/** Where it happened, at the end of a message: `: file Map.swift, line 52`, `in map.php on line 52`. */
const placeAtEnd = /:? (?:file|in) \S{1,300},? (?:on )?line \d{1,7}\.?$/i;
/** A short sentence that ends in a question mark; after another sentence it may be advice: "not found. Does the file exist?" */
const onlyAsks = /^(?:[^.!]|[.!](?!["')]*\s))*\?\s*$/;
/** The first line of what some runtimes print. */
const opensMessage = /^\s*(?:terminate called after throwing\b|In \S{1,300} line \d{1,7}:)/;
/** Words of a text that may be one message of several lines. */
const longestMessageOfLines = 60;

/** The lines of a query that may be messages of a program, most likely first; none for plain questions, names and paths. */
export function pastedMessages(query: string): PastedMessage[] {
  if (!/\S\s+\S+\s+\S/.test(query)) return [];
  const zones = readZones(query);
  const lines = zones.filter(({ kind }) => kind === "title" || kind === "prose" || kind === "code");
  const isQuestion = (text: string) => asks.test(text) || onlyAsks.test(text);
  const isOfLines =
    lines.length > 1 &&
    query.split(/\s+/).length <= longestMessageOfLines &&
    (opensMessage.test(lines[0]!.text) ||
      failureWords.test(lines[0]!.text) ||
      withoutPrefix(lines[0]!.text).marks > 0) &&
    !lines.some(({ text }) => asks.test(text));
  const alone = (lines.length === 1 || isOfLines) && zones.every(({ kind }) => kind !== "traceback");
  const messages = new Map<string, { message: PastedMessage; cue: number }>();
  const add = (text: string, cue: number, { rest = text, isLine = true } = {}) => {
    const plain = withoutEdges(plainText(text.slice(0, longestMessage)));
    const letters = countLetters(plainText(rest.slice(0, longestMessage)));
    if (letters < leastLetters || wordsOf(plain) < leastWords) return;
    const existing = messages.get(plain);
    if (!existing || existing.cue < cue)
      messages.set(plain, { message: { text: rest, plain, letters, likely: cue > 0, alone: alone && isLine }, cue });
  };
  if (isOfLines) add(lines.map(({ text }) => text.trim()).join(" "), 3);
  for (const { kind, text: line } of lines) {
    const text = line.replace(placeAtEnd, "");
    if (kind !== "code")
      for (const pattern of quotedParts)
        for (const [, part] of text.matchAll(pattern)) add(part!, 4, { isLine: false });
    const { rest, marks } = withoutPrefix(text);
    if (marks > 0) add(text, 3 + marks, { rest });
    else if (isQuestion(text)) continue;
    else if (alone && !isOfLines) add(text, failureWords.test(text) ? 3 : 0);
    else if (kind !== "code" && failureWords.test(text)) add(text, text.length < 200 ? 2 : 1);
    else if (kind === "code" && failureWords.test(text) && !looksLikeCode.test(text)) add(text, 2);
  }
  return [...messages.values()]
    .sort((a, b) => b.cue - a.cue)
    .slice(0, mostMessages)
    .map(({ message }) => message);
}

const looksLikeCode =
  /[;{}]\s*$|^\s*(?:import|from|def|class|return|raise|throw|if|for|while|const|let|var|func|fn|@|#include)\b|\)\s*:\s*$/;

/** Strips the prefix of a log line: time, level, class, logger. */
export function withoutPrefix(line: string): { rest: string; marks: number } {
  let rest = line.trim();
  let marks = 0;
  for (let i = 0; i < 8; i++) {
    const before = rest;
    for (const [pattern, isMark] of prefixes) {
      const match = pattern.exec(rest);
      // A program's name is one only beside other signs of a log.
      if (!match || (pattern === logger && marks === 0) || match[0].length === rest.length) continue;
      rest = rest.slice(match[0].length).replace(separators, "");
      marks += isMark;
    }
    if (rest === before) break;
  }
  return { rest, marks };
}

const prefixes: [pattern: RegExp, isMark: number][] = [
  [uncaught, 1],
  [timestamp, 1],
  [bracketed, 0],
  [failure, 1],
  [level, 1],
  [logger, 0],
];

/** Words of messages that follow one another, as `"two words"`: text that has none of them has none of their literals. */
export function wordPairs(messages: readonly PastedMessage[]): string[] {
  const pairs = new Set<string>();
  for (const { plain } of messages) {
    const words = plain.split(" ");
    for (let i = 1; i < words.length && pairs.size < mostPairs; i++) {
      if (isWord.test(words[i - 1]!) && isWord.test(words[i]!)) pairs.add(`${words[i - 1]} ${words[i]}`);
    }
  }
  return [...pairs];
}

const isWord = /^\p{L}{2,}$/u;
const mostPairs = 60;

/** From this match on, a literal is the source of the message beyond doubt. */
export const certainMatch = 0.6;

/** Places at which the longest piece is tried. */
const mostPlaces = 5;
/** Longest text that a placeholder stands for. */
const longestFilling = 400;
/** Text filled in at the ends may be the message of something else, which would explain it better. */
const fillingShare = 0.7;
/** Letters that count half, and letters that are no coincidence. */
const halfLetters = 4;
const enoughLetters = 16;

/** How well a message is what this template prints, 0..1: how much of its fixed text is there, and how much of the message that explains. */
export function matchMessage(template: MessageTemplate, message: PastedMessage): number {
  const { pieces } = template;
  let anchor = -1;
  pieces.forEach((piece, i) => {
    if (piece.letters > (pieces[anchor]?.letters ?? 0) && message.plain.includes(piece.text)) anchor = i;
  });
  if (anchor === -1)
    return pieces.some(({ text }) => text.includes(message.plain))
      ? message.letters / (message.letters + halfLetters)
      : 0;
  let best = 0;
  let from = 0;
  for (let place = 0; place < mostPlaces; place++) {
    const at = placeOf(pieces[anchor]!, message.plain, from, message.plain.length);
    if (at === -1) break;
    best = Math.max(best, matchAround(template, anchor, at, message));
    from = at + 1;
  }
  return best;
}

function matchAround(template: MessageTemplate, anchor: number, at: number, message: PastedMessage): number {
  const { pieces, letters, openStart, openEnd } = template;
  const { plain, letters: wholeLetters } = message;
  let matched = pieces[anchor]!.letters;
  let start = at;
  let end = at + pieces[anchor]!.text.length;
  for (let i = anchor + 1; i < pieces.length; i++) {
    const next = placeOf(pieces[i]!, plain, end, end + longestFilling);
    if (next === -1) continue;
    matched += pieces[i]!.letters;
    end = next + pieces[i]!.text.length;
  }
  for (let i = anchor - 1; i >= 0; i--) {
    const before = lastPlaceOf(pieces[i]!, plain, start);
    if (before === -1) continue;
    matched += pieces[i]!.letters;
    start = before;
  }
  const outside =
    (openStart ? countLetters(plain.slice(0, start)) : 0) + (openEnd ? countLetters(plain.slice(end)) : 0);
  const explained = Math.min(1, (countLetters(plain.slice(start, end)) + fillingShare * outside) / wholeLetters);
  // Long messages are pasted in part: where all the pasted text is explained, the rest of the literal matters little.
  const share = Math.max(matched / letters, matched < enoughLetters ? 0 : 0.85 * explained);
  if (matched < leastLetters || (share < 0.5 && matched < enoughLetters)) return 0;
  return (matched / (matched + halfLetters)) * (0.35 + 0.65 * share) * (0.5 + 0.5 * explained);
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
