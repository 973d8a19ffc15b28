import type { TokenCounter } from "../tokens/tokens.ts";
import { commentMark, countLines } from "./comments.ts";
import { indentOf, type Open, scanLine } from "./structure.ts";
import { type Syntax, syntaxOf } from "./syntax.ts";

/**
 * The kept lines of a text: ranges in order, end exclusive, and the number of kept characters of the line after the
 * last range.
 */
export type Cut = { ranges: [start: number, end: number][]; characters?: number };

/** A text to cut: the cost of each line, what is open before it, and how a cut is rendered. */
export type Truncation = {
  lines: readonly string[];
  syntax: Syntax;
  /**
   * Tokens of a line alone; infinite when it is longer than the whole budget. Sums are approximate, since tokens may
   * span lines.
   */
  lineCost(index: number): number;
  openBefore(index: number): Open | undefined;
  /** The text of a cut, marks and closings included. */
  render(cut: Cut, mark: MarkStyle): string;
  /**
   * For each line of that text the index of the whole line it shows; undefined for marks, closings and parts of
   * lines.
   */
  origins(cut: Cut, mark: MarkStyle): (number | undefined)[];
};

/** `# ... 12 lines`, as in elide.ts, or `# ...` if that is too long. */
export type MarkStyle = "counted" | "short";

/** Length of the longest token of any encoding, in bytes. */
export const longestToken = 128;
/** Deeper indentation is not repeated for marks and closings. */
const deepestIndent = 60;
const middleOfBlock = /^\s*(else|elsif|elif|elseif|rescue|ensure|when|catch|finally|after|in|then|do)\b/;

export function draftOf(
  text: string,
  language: string | undefined,
  counter: TokenCounter,
  maxTokens: number,
): Truncation {
  return new Draft(text, language, counter, maxTokens);
}

/** The text being composed from a cut: its lines, and the index of the original line that each of them shows. */
type Composed = { out: string[]; origins: (number | undefined)[] };

class Draft implements Truncation {
  readonly lines: readonly string[];
  readonly syntax: Syntax;
  readonly #language: string | undefined;
  readonly #counter: TokenCounter;
  readonly #maxTokens: number;
  readonly #endsInNewline: boolean;
  readonly #costs: number[] = [];
  readonly #opens: (Open | undefined)[] = [undefined];

  constructor(text: string, language: string | undefined, counter: TokenCounter, maxTokens: number) {
    this.syntax = syntaxOf(language);
    this.#language = language;
    this.#counter = counter;
    this.#maxTokens = maxTokens;
    this.#endsInNewline = text.endsWith("\n");
    this.lines = (this.#endsInNewline ? text.slice(0, -1) : text).split("\n");
  }

  lineCost(index: number): number {
    const line = this.lines[index]!;
    const isTooLong = line.length > this.#maxTokens * longestToken;
    return (this.#costs[index] ??= isTooLong ? Number.POSITIVE_INFINITY : this.#counter.count(`${line}\n`));
  }

  openBefore(index: number): Open | undefined {
    const opens = this.#opens;
    for (let i = opens.length; i <= index; i++) {
      opens.push(scanLine(this.lines[i - 1]!, i - 1, opens[i - 1], this.syntax));
    }
    return opens[index];
  }

  render(cut: Cut, style: MarkStyle): string {
    return this.#compose(cut, style).out.join("\n") + (this.#endsInNewline ? "\n" : "");
  }

  origins(cut: Cut, style: MarkStyle): (number | undefined)[] {
    return this.#compose(cut, style).origins;
  }

  #compose(cut: Cut, style: MarkStyle): Composed {
    const { lines } = this;
    const out: string[] = [];
    const origins: (number | undefined)[] = [];
    let at = 0;
    for (const [start, end] of cut.ranges) {
      if (start > at) this.#addGap(out, [at, start], this.openBefore(at), this.openBefore(start), style);
      at = cut.characters || end === lines.length ? end : this.#worthKeeping(start, end);
      for (let i = start; i < at; i++) {
        origins[out.length] = i;
        out.push(lines[i]!);
      }
    }
    if (at < lines.length) {
      const open = cut.characters ? this.#addBeginning(out, at, cut.characters) : this.openBefore(at);
      this.#addGap(out, [at, lines.length], open, undefined, style);
    }
    origins.length = out.length;
    return { out, origins: Array.from(origins) };
  }

  /** Adds the beginning of a line, and closes a string that it leaves open; returns what is open after it. */
  #addBeginning(out: string[], at: number, characters: number): Open | undefined {
    const beginning = wholeWords(this.lines[at]!, characters);
    let open = scanLine(beginning, at, this.openBefore(at), this.syntax, undefined, false);
    // The mark shows that the line continues; without it, the part would look like a whole line of the file.
    let piece = `${beginning} …`;
    for (; open?.kind === "text" && open.text !== undefined && !open.text.lines; open = open.below) piece += open.close;
    out.push(piece);
    return open;
  }

  /** The end of a range without empty lines, and lines that only open a comment or string, just before a gap. */
  #worthKeeping(start: number, end: number): number {
    let last = end;
    while (last > start) {
      const open = this.openBefore(last);
      const line = this.lines[last - 1]!.trim();
      const isBare = open?.kind === "text" && open.line === last - 1 && line.length <= 4;
      if (!isBare && line !== "") break;
      last--;
    }
    return last;
  }

  /** Closes comments and strings, marks the gap, then closes the brackets that the following lines do not close. */
  #addGap(
    out: string[],
    [from, to]: [from: number, to: number],
    open: Open | undefined,
    after: Open | undefined,
    style: MarkStyle,
  ): void {
    const shared = sharedBrackets(open, after);
    const beforeMark: Open[] = [];
    const afterMark: Open[] = [];
    for (let node = open; node !== undefined && node !== shared; node = node.below) afterMark.push(node);
    const lastText = afterMark.findLastIndex((node) => node.kind === "text");
    beforeMark.push(...afterMark.splice(0, lastText + 1));
    addClosings(out, beforeMark);
    const indent = beforeMark.at(-1)?.indent ?? indentOf(this.#firstVisible(from, to) ?? this.lines[from - 1] ?? "");
    const text = style === "short" ? "..." : `... ${countLines(to - from)}`;
    out.push(indent.slice(0, deepestIndent) + commentMark(this.#language, text));
    addClosings(out, afterMark);
    const { blockEnd } = this.syntax;
    if (blockEnd && from > 0) out.push(...this.#keywordEnds(from, to, blockEnd));
  }

  #firstVisible(from: number, to: number): string | undefined {
    for (let i = from; i < to; i++) if (this.lines[i]!.trim() !== "") return this.lines[i];
    return undefined;
  }

  /** Lines in the gap that end a block begun before it: none of the gap's lines above is indented as little. */
  #keywordEnds(from: number, to: number, blockEnd: RegExp): string[] {
    const ends: string[] = [];
    let least = Number.POSITIVE_INFINITY;
    for (let i = from; i < to && least > 0; i++) {
      const line = this.lines[i]!;
      if (line.trim() === "" || line.length > 1000) continue;
      const depth = indentOf(line).length;
      if (depth < least && blockEnd.test(line)) {
        ends.push(line);
        least = depth;
      } else if (!middleOfBlock.test(line)) least = Math.min(least, depth);
    }
    return ends;
  }
}

/**
 * The innermost opening before a gap that is a bracket still open after it; comments and strings always end at a gap.
 */
function sharedBrackets(before: Open | undefined, after: Open | undefined): Open | undefined {
  let left = before;
  let right = after;
  while (left !== right) {
    if ((left?.depth ?? 0) >= (right?.depth ?? 0)) left = left?.below;
    else right = right?.below;
  }
  let shared = left;
  for (let node = left; node !== undefined; node = node.below) if (node.kind === "text") shared = node.below;
  return shared;
}

/** Openings of one line are closed on one line. */
function addClosings(out: string[], nodes: readonly Open[]): void {
  for (let i = 0; i < nodes.length; ) {
    const first = nodes[i]!;
    let closing = "";
    for (; i < nodes.length && nodes[i]!.line === first.line; i++) closing += nodes[i]!.close;
    const star = closing.startsWith("*/") ? " " : "";
    out.push(first.indent.slice(0, deepestIndent) + star + closing);
  }
}

/** In characters: a longer run without a space is not a word. */
const longestWord = 30;

/** The beginning of a line up to a number of characters, without half a word at its end. */
function wholeWords(line: string, characters: number): string {
  const beginning = line.slice(0, characters);
  if (/\s/.test(line[characters] ?? " ")) return beginning.trimEnd();
  const words = beginning.slice(0, Math.max(0, beginning.search(/\s\S*$/)));
  return words.trim() === "" || beginning.length - words.length > longestWord ? beginning : words;
}
