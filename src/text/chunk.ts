import type { TokenCounter } from "./tokens.ts";

export type Chunk = {
  text: string;
  /** Lines of the first and last character, from 1. */
  startLine: number;
  endLine: number;
  /** The nearest heading at or above the chunk's beginning. */
  heading?: string;
};

export type ChunkOptions = {
  /** A chunk this long ends at the next heading or paragraph; a shorter one takes sentences of the next paragraph. */
  minTokens?: number;
  maxTokens?: number;
  counter: TokenCounter;
};

/**
 * A long text in pieces of at most `maxTokens` tokens that end at headings, paragraphs or sentences; together they are
 * the text. Only a single character that is itself longer than `maxTokens` makes a chunk longer than that.
 */
export function chunk(text: string, { minTokens = 400, maxTokens = 500, counter }: ChunkOptions): Chunk[] {
  const least = Math.min(minTokens, maxTokens);
  const chunks: string[] = [];
  /** What is still to be placed, next last. */
  const waiting: Unit[] = paragraphs(text)
    .map((unit) => ({ ...unit, cost: counter.count(unit.text) }))
    .reverse();
  let current: Unit[] = [];
  let cost = 0;
  while (waiting.length > 0) {
    const next = waiting.pop()!;
    const begins = next.heading !== undefined && cost >= least;
    if (!begins && cost + next.cost <= maxTokens) {
      current.push(next);
      cost += next.cost;
      continue;
    }
    waiting.push(next);
    // Full enough, or nothing smaller to add: the chunk ends here.
    if (cost < least && split(waiting, least - cost)) continue;
    if (current.length === 0) current.push(waiting.pop()!);
    flush();
  }
  while (current.length > 0) flush();
  return placed(chunks);

  /** Costs of parts do not quite add up: what is one too many goes back. */
  function flush(): void {
    let joined = current.map((unit) => unit.text).join("");
    while (current.length > 1 && counter.count(joined) > maxTokens) {
      const last = current.pop()!;
      waiting.push(last);
      joined = joined.slice(0, joined.length - last.text.length);
    }
    chunks.push(joined);
    current = [];
    cost = 0;
  }

  /** Replaces the next unit by its parts where that helps; says whether it did. */
  function split(units: Unit[], room: number): boolean {
    const unit = units.at(-1)!;
    let parts = sentences(unit.text);
    if (parts.length < 2 && unit.cost > maxTokens) {
      parts = words(unit.text, unit.cost, current.length > 0 ? room : maxTokens, maxTokens, counter);
    }
    if (parts.length < 2) return false;
    units.pop();
    for (const part of parts.toReversed()) units.push({ text: part, cost: counter.count(part) });
    if (unit.heading !== undefined) units.at(-1)!.heading = unit.heading;
    return true;
  }
}

type Unit = { text: string; cost: number; heading?: string };

const headingMark = /^ {0,3}#{1,6}(?=[ \t]|$)/;
const fenceLine = /^ {0,3}(`{3,}|~{3,})/;

/** The text of a heading's line, without its marks; undefined for other lines. */
function headingOf(line: string): string | undefined {
  const mark = headingMark.exec(line)?.[0];
  if (mark === undefined) return undefined;
  const title = line.slice(mark.length).trim();
  let end = title.length;
  while (end > 0 && title[end - 1] === "#") end--;
  return title.slice(0, end).trimEnd();
}

/** Paragraphs with the empty lines after them; a heading begins one, a fenced block is part of one. */
function paragraphs(text: string): { text: string; heading?: string }[] {
  const units: { text: string; heading?: string }[] = [];
  let fence = "";
  let ended = true;
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const bare = line.replace(/\r?\n$/, "");
    const mark = fenceLine.exec(bare)?.[1];
    const heading = fence === "" ? headingOf(bare) : undefined;
    const blank = bare.trim() === "" && fence === "";
    if (heading !== undefined || (ended && !blank) || units.length === 0) {
      // A heading stays with what follows it.
      const previous = units.at(-1);
      const alone =
        previous?.heading !== undefined && previous.text.trim().split("\n").length === 1 && heading === undefined;
      if (alone) previous!.text += line;
      else units.push(heading === undefined ? { text: line } : { text: line, heading });
    } else units.at(-1)!.text += line;
    ended = blank;
    if (mark !== undefined && fence === "") fence = mark;
    else if (mark?.startsWith(fence) && fence !== "" && bare.trim() === mark) fence = "";
  }
  return units;
}

/** Sentences and lines, with the white space after them. */
function sentences(text: string): string[] {
  const parts: string[] = [];
  let last = 0;
  for (const end of text.matchAll(/[.!?]["')\]]{0,3}[ \t]+(?=\S)|[。！？]|\n+/g)) {
    parts.push(text.slice(last, end.index + end[0].length));
    last = end.index + end[0].length;
  }
  if (last < text.length) parts.push(text.slice(last));
  return parts;
}

/**
 * A sentence that is too long: first a part that fits `room`, then parts that fit `maxTokens`, cut at spaces where there
 * are any. Lengths are guessed from the tokens per character so far, so that few of them have to be counted.
 */
function words(text: string, cost: number, room: number, maxTokens: number, counter: TokenCounter): string[] {
  const parts: string[] = [];
  let charactersPerToken = text.length / cost;
  for (let at = 0; at < text.length; ) {
    const limit = parts.length === 0 ? room : maxTokens;
    let length = Math.min(text.length - at, Math.max(1, Math.floor(limit * charactersPerToken)));
    for (;;) {
      length = wordBoundary(text, at, length);
      const tokens = counter.count(text.slice(at, at + length));
      charactersPerToken = length / tokens;
      if (tokens <= limit || isOneCharacter(text, at, length)) break;
      length = Math.max(1, Math.min(length - 1, Math.floor((length * limit) / tokens)));
    }
    parts.push(text.slice(at, at + length));
    at += length;
  }
  return parts;
}

/** A length near the given one that ends after a space or at least not within a surrogate pair. */
function wordBoundary(text: string, at: number, length: number): number {
  if (at + length >= text.length) return length;
  const space = text.slice(Math.max(at, at + length - 100), at + length).search(/\s\S*$/);
  if (space >= 0 && length > 100) return length - 100 + space + 1;
  const inPair = /[\ud800-\udbff]/.test(text[at + length - 1]!) && /[\udc00-\udfff]/.test(text[at + length]!);
  return inPair ? (length > 1 ? length - 1 : 2) : length;
}

function isOneCharacter(text: string, at: number, length: number): boolean {
  return length === 1 || (length === 2 && text.codePointAt(at)! > 0xffff);
}

function placed(texts: string[]): Chunk[] {
  let line = 1;
  let heading: string | undefined;
  let fence = "";
  return texts.map((text) => {
    const startLine = line;
    const lines = text.split("\n");
    /** The heading at the chunk's first line that is not empty. */
    let own = heading;
    let begun = false;
    for (const one of lines) {
      const mark = fenceLine.exec(one)?.[1];
      const found = fence === "" ? headingOf(one) : undefined;
      if (found !== undefined) heading = found;
      if (!begun) own = heading;
      begun ||= one.trim() !== "";
      if (mark !== undefined && fence === "") fence = mark;
      else if (mark?.startsWith(fence) && fence !== "" && one.trim() === mark) fence = "";
    }
    line += lines.length - 1;
    const endLine = text.endsWith("\n") ? line - 1 : line;
    return { text, startLine, endLine: Math.max(startLine, endLine), ...(own ? { heading: own } : {}) };
  });
}
