import { countLetters, leastLetters, plainText, withoutEdges, wordsOf } from "./message-literals.ts";
import { bothEnds, readZones, type Zone } from "./query-parts.ts";

/** A line of a query that a program may have printed. */
export type PastedMessage = {
  /** The message as written, without what loggers and runtimes put before it. */
  text: string;
  /** The text to compare: the whole line, since what looks like a logger's name may be the message's first word. */
  plain: string;
  /** Letters and digits of `text`. */
  letters: number;
  /**
   * Offset in `plain` at which another message may begin: errors are wrapped as `reading x: opening y: no such file`.
   */
  tails: number[];
  /** It is quoted, comes from a log or a traceback, or describes a failure; otherwise it may be any few words. */
  likely: boolean;
  /** The message is the whole query. */
  alone: boolean;
  /** The class of the error before the message. */
  error?: string;
};

const leastWords = 3;
/** Most lines of one query that are looked for. */
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

/** Names of the fields of JSON and logfmt that contain the message: of bodies of answers, and of structured logs. */
const saidFields =
  /(?:"(?<key>msg|message|@message|error|err|error_?message|error_description|detail|details|description|reason|title|text|event|cause|exception)" ?: ?"|\b(?:msg|message|error|err|reason)=")(?<value>(?:\\.|[^"\\\n]){1,1000})"/gi;
/** Those of them that contain other things too: beside other text they are no evidence. */
const vagueFields = /^(?:detail|details|description|title|text|event)$/i;

const level = /^(?:trace|debug|info|notice|warn(?:ing)?|error|err|fatal|critical|severe|panic|emerg|alert)\b/i;
const timestamp =
  /^(?:\d{4}[-/]\d{1,2}[-/]\d{1,2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)?(?: ?(?:Z|UTC|[+-]\d{2}:?\d{2}))?|\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?|[A-Z][a-z]{2} {1,2}\d{1,2} \d{2}:\d{2}:\d{2})/;
/** `[error]`, `[json.exception.type_error.316]`, `[Composer\\Downloader\\TransportException]`. */
const bracketedFailure =
  /^\[(?:(?:trace|debug|info|notice|warn(?:ing)?|error|err|fatal|critical|severe)|[\w$.:\\/]{0,100}(?:error|exception|warning|fault)[\w$.:\\/]{0,60})\](?=\s)/i;
const bracketed = /^[[(][^\])]{0,80}[\])]/;
const failure =
  /^(?:[A-Za-z_][\w$]{0,80}(?:\.|::|\\)){0,8}(?:[A-Za-z_][\w$]{0,80}(?:Error|Exception|Warning|Fault|Failure|Interrupt|Exit)(?: \[[\w-]{1,60}\])?(?=:|\s*$| -)|[A-Z][a-z0-9]{1,40}(?:[A-Z][a-z0-9]{1,40}){1,6}(?=: ))/;
const uncaught =
  /^(?:uncaught|unhandled|caused by:?|exception in thread \S{1,80}|fatal error:|what\(\):|panic:|thread \S{1,80} panicked at)\s*/i;
/** A logger, a program, a process: `worker:`, `app[12]:`. */
const logger = /^[\w.$/-]{1,60}(?:[[(]\d{1,8}[\])])?:(?=\s)/;
/** Fields before a message: `pid=4711 tid=ovqkw`. */
const field = /^[a-z_]{2,20}=[^\s"]{1,80}(?=\s)/i;
const separators = /^[\s:|>—–-]+/;
const failureWords =
  /\b(?:errors?|exception|failed|failure|fatal|panic|warning|cannot|can't|couldn't|unable|invalid|unexpected|missing|denied|refused|not|no|already|only|must|expected|requires?|required|ambiguous|unknown|undefined|unsupported|illegal|unrecognized|exceed(?:s|ed)?|too (?:many|few|long|large|big|deep|short|small)|timed out)\b/i;
/** The place at the end of a message: `: file Map.swift, line 52`, `in map.php on line 52`. */
const placeAtEnd = /:? (?:file|in) \S{1,300},? (?:on )?line \d{1,7}\.?$/i;
/**
 * A short sentence that ends in a question mark; after another sentence it may be advice: "not found. Does the file
 * exist?"
 */
const onlyAsks = /^(?:[^.!]|[.!](?!["')]*\s))*\?\s*$/;
/** The first line of what some runtimes print. */
const opensMessage = /^\s*(?:terminate called after throwing\b|In \S{1,300} line \d{1,7}:)/;
/** Words of a text that may be one message of several lines. */
const longestMessageOfLines = 60;

/**
 * The lines of a query that may be messages of a program, most likely first; none for plain questions, names and paths.
 */
export function pastedMessages(query: string): PastedMessage[] {
  if (!/\S\s+\S+\s+\S/.test(query)) return [];
  const zones = readZones(query);
  const lines = zones.filter(({ kind }) => kind === "title" || kind === "prose" || kind === "code");
  const isOne = isOneMessage(query, lines);
  const isAlone = (lines.length === 1 || isOne) && zones.every(({ kind }) => kind !== "traceback");
  const found = new FoundMessages(isAlone);
  const isRecord = lines.every(({ text }) => recordLine.test(text));
  const said = saidIn(query, isRecord);
  for (const { text, cue } of said) found.add(text, cue);
  if (said.length > 0 && isRecord) return found.likeliest();
  if (isOne) found.add(lines.map(({ text }) => text.trim()).join(" "), 3);
  for (const { kind, text: line } of lines) {
    const text = line.replace(placeAtEnd, "");
    if (kind !== "code")
      for (const pattern of quotedParts) for (const [, part] of text.matchAll(pattern)) found.addPart(part!, 4);
    const { rest, marks } = withoutPrefix(text);
    const cue = marks > 0 ? 3 + marks : cueOf(text, kind === "code", isAlone && !isOne);
    if (cue !== undefined) found.add(text, cue, marks > 0 ? rest : text);
  }
  return found.likeliest();
}

/** True when the lines are one message, broken where a terminal or a runtime broke it. */
function isOneMessage(query: string, lines: readonly Zone[]): boolean {
  if (lines.length < 2 || query.split(/\s+/).length > longestMessageOfLines) return false;
  if (lines.some(({ text }) => asks.test(text))) return false;
  const [first] = lines as [Zone];
  return opensMessage.test(first.text) || failureWords.test(first.text) || withoutPrefix(first.text).marks > 0;
}

/**
 * How likely a line without the prefix of a log is a message, by its words; undefined where it is none. `isOnly`: there
 * is no other line.
 */
function cueOf(text: string, isCode: boolean, isOnly: boolean): number | undefined {
  if (asks.test(text) || onlyAsks.test(text)) return undefined;
  const fails = failureWords.test(text);
  if (isOnly) return fails ? 3 : 0;
  if (!fails || (isCode && looksLikeCode.test(text))) return undefined;
  return isCode || text.length < 200 ? 2 : 1;
}

class FoundMessages {
  readonly #found = new Map<string, { message: PastedMessage; cue: number }>();
  readonly #isAlone: boolean;

  /** `isAlone`: the message is the whole query. */
  constructor(isAlone: boolean) {
    this.#isAlone = isAlone;
  }

  add(text: string, cue: number, rest = text): void {
    this.#keep(text, cue, rest, this.#isAlone);
  }

  /** A part of a line is never the whole query. */
  addPart(text: string, cue: number): void {
    this.#keep(text, cue, text, false);
  }

  likeliest(): PastedMessage[] {
    return [...this.#found.values()]
      .sort((a, b) => b.cue - a.cue)
      .slice(0, mostMessages)
      .map(({ message }) => message);
  }

  #keep(text: string, cue: number, rest: string, isAlone: boolean): void {
    const plain = withoutEdges(plainText(text.slice(0, longestMessage)));
    const letters = countLetters(plainText(rest.slice(0, longestMessage)));
    if (letters < leastLetters || wordsOf(plain) < leastWords) return;
    const existing = this.#found.get(plain);
    // A message that begins and ends with a quoted word is not itself quoted.
    const alone = isAlone || existing?.message.alone === true;
    if (existing && existing.cue >= cue) {
      existing.message.alone = alone;
      return;
    }
    const error = errorIn(text, rest);
    const message = { text: rest, plain, letters, tails: tailsOf(plain), likely: cue > 0, alone };
    this.#found.set(plain, { message: { ...message, ...(error !== undefined && { error }) }, cue });
  }
}

/**
 * The class of the error in the prefix of a message: `requests.exceptions.ReadTimeout` of
 * `requests.exceptions.ReadTimeout: no answer`.
 */
function errorIn(line: string, rest: string): string | undefined {
  const prefix = line.slice(0, line.length - rest.length);
  return /([A-Z][\w$]{0,80}[a-z][\w$]{0,20})(?: \[[\w-]{1,60}\])?\)?\s*:\s*$/.exec(prefix.slice(-200))?.[1];
}

/** How surely a field is the message, by the level of its record: in a log, failures come first. */
const saidCues = { failed: 8, said: 7, quiet: 5 };
const failedLevel = /"?(?:level|severity|lvl)"? ?[:=] ?"?(?:[56]0\b|err|fatal|crit|panic|severe|alert|emerg)/i;
const quietLevel = /"?(?:level|severity|lvl)"? ?[:=] ?"?(?:[123]0\b|info|debug|trace|notice)/i;
const mostSaid = 400;

function saidIn(query: string, isRecord: boolean): { text: string; cue: number }[] {
  if (!/[:=] ?"/.test(query)) return [];
  const said: { text: string; cue: number }[] = [];
  for (const line of bothEnds(query).split(/\r?\n/)) {
    const cue = failedLevel.test(line) ? saidCues.failed : quietLevel.test(line) ? saidCues.quiet : saidCues.said;
    for (const { groups } of line.matchAll(saidFields)) {
      if (!isRecord && vagueFields.test(groups!.key ?? "")) continue;
      for (const text of groups!.value!.split(/\\r?\\n|\\n/))
        said.push({ text: text.replace(/\\(["'\\/])/g, "$1"), cue });
    }
    if (said.length >= mostSaid) break;
  }
  return said;
}

/** A line of JSON or logfmt: if all lines are, only their fields count. */
const recordLine = /^\s*(?:[{}[\],"]|[\w.@-]{1,40}=)/;

/**
 * The message without its values, and the messages that it may wrap, at most the two innermost: each is looked for by
 * itself.
 */
export function wrappedTexts({ text, plain, tails }: PastedMessage): string[] {
  const fixed = text.replace(filledIn, " ");
  const isFixed = fixed !== text && countLetters(fixed) >= leastTail.letters && wordsOf(fixed) >= leastTail.words;
  return [...(isFixed ? [fixed] : []), ...tails.slice(-2).map((from) => plain.slice(from))];
}

/**
 * Values in brackets or quotes: `Target class [App\\Payments] does not exist` is printed by the code with the other
 * words.
 */
const filledIn = /\[[^\][]{1,200}\]|'[^']{1,200}'|"[^"]{1,200}"|`[^`]{1,200}`/g;

/** Most tails that are tried, the longest first. */
const mostTails = 8;
/** Shorter tails occur in many messages. */
const leastTail = { letters: 12, words: 2 };

function tailsOf(plain: string): number[] {
  const tails: number[] = [];
  let before = 0;
  for (let at = plain.indexOf(": "); at !== -1 && tails.length < mostTails; at = plain.indexOf(": ", at + 1)) {
    const isListed = plain.slice(before, at).includes(", ");
    before = at + 2;
    // `source: x, key: y` lists values and wraps nothing.
    if (isListed) continue;
    const tail = plain.slice(at + 2);
    if (countLetters(tail) < leastTail.letters || wordsOf(tail) < leastTail.words) break;
    if (!systemErrors.has(withoutEdges(tail))) tails.push(at + 2);
  }
  return tails;
}

/** Messages of the operating system: the part before them, which names what failed, is more specific. */
const systemErrors = new Set([
  "no such file or directory",
  "permission denied",
  "operation not permitted",
  "connection refused",
  "connection reset by peer",
  "connection timed out",
  "operation timed out",
  "address already in use",
  "broken pipe",
  "invalid argument",
  "file exists",
  "not a directory",
  "is a directory",
  "directory not empty",
  "too many open files",
  "no space left on device",
  "resource temporarily unavailable",
  "bad file descriptor",
  "cannot allocate memory",
  "interrupted system call",
  "no route to host",
  "network is unreachable",
  "host is down",
  "context canceled",
  "context deadline exceeded",
  "unexpected eof",
]);

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
      if (!match || ((pattern === logger || pattern === field) && marks === 0) || match[0].length === rest.length)
        continue;
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
  [bracketedFailure, 1],
  [bracketed, 0],
  [failure, 1],
  [level, 1],
  [logger, 0],
  [field, 0],
];

/**
 * Pairs of words that follow one another in the messages, as `"two words"`: a text without any of them contains none of
 * their literals.
 */
export function wordPairs(messages: readonly PastedMessage[]): string[] {
  const pairs = new Set<string>();
  for (const { plain } of messages) {
    const words = plain.split(" ");
    for (let i = 1; i < words.length && pairs.size < mostPairs; i++) {
      // The end of one piece and the beginning of the next: the text around them may have been filled in.
      const [first] = wordAtEnd.exec(words[i - 1]!) ?? [];
      const [second] = wordAtStart.exec(words[i]!) ?? [];
      if (first !== undefined && second !== undefined) pairs.add(`${first} ${second}`);
    }
  }
  return [...pairs];
}

// Pairs of any length: the literal of `'/etc' is a directory` has no two longer words that follow each other.
const wordAtEnd = /\p{L}{1,60}$/u;
const wordAtStart = /^\p{L}{1,60}/u;
const mostPairs = 100;
