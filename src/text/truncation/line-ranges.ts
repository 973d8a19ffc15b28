import type { TokenCounter } from "../tokens/tokens.ts";
import { commentMark, countLines } from "./comments.ts";
import { indentOf, type Open, scanLine } from "./structure.ts";
import { type Syntax, syntaxOf } from "./syntax.ts";

/** Which lines of a text are kept: ranges in order, end exclusive, and how much of the line after the last one. */
export type Cut = { ranges: [start: number, end: number][]; characters?: number };

/** A text that is to be cut: the cost of each line, what is open before it, and how a cut is rendered. */
export type Truncation = {
  lines: readonly string[];
  syntax: Syntax;
  /**
   * Tokens of a line alone; infinite when it is longer than the whole budget. Sums are close to the truth, not exact.
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

/** `# ... 12 lines`, as elide.ts says it, or, where that is too long, `# ...`. */
export type MarkStyle = "counted" | "short";

/** No token of any encoding is longer, in bytes. */
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
  const syntax = syntaxOf(language);
  const ended = text.endsWith("\n");
  const lines = (ended ? text.slice(0, -1) : text).split("\n");
  const costs: number[] = [];
  const opens: (Open | undefined)[] = [undefined];

  function lineCost(index: number): number {
    const line = lines[index]!;
    return (costs[index] ??=
      line.length > maxTokens * longestToken ? Number.POSITIVE_INFINITY : counter.count(`${line}\n`));
  }

  function openBefore(index: number): Open | undefined {
    for (let i = opens.length; i <= index; i++) opens.push(scanLine(lines[i - 1]!, i - 1, opens[i - 1], syntax));
    return opens[index];
  }

  function render(cut: Cut, style: MarkStyle): string {
    return compose(cut, style).out.join("\n") + (ended ? "\n" : "");
  }

  function compose(cut: Cut, style: MarkStyle): { out: string[]; origins: (number | undefined)[] } {
    const out: string[] = [];
    const origins: (number | undefined)[] = [];
    let at = 0;
    for (const [start, end] of cut.ranges) {
      if (start > at) addGap(out, at, start, openBefore(at), openBefore(start), style);
      at = cut.characters || end === lines.length ? end : worthKeeping(start, end);
      for (let i = start; i < at; i++) {
        origins[out.length] = i;
        out.push(lines[i]!);
      }
    }
    if (at < lines.length) {
      let open = openBefore(at);
      if (cut.characters) {
        const beginning = wholeWords(lines[at]!, cut.characters);
        open = scanLine(beginning, at, open, syntax, undefined, false);
        // The mark shows that the line goes on: half a word alone would pass for the file's own line.
        let piece = `${beginning} …`;
        for (; open?.kind === "text" && open.text !== undefined && !open.text.lines; open = open.below)
          piece += open.close;
        out.push(piece);
      }
      addGap(out, at, lines.length, open, undefined, style);
    }
    origins.length = out.length;
    return { out, origins: Array.from(origins) };
  }

  /** Without empty lines, and lines that only open a comment or string, just before a gap. */
  function worthKeeping(start: number, end: number): number {
    let last = end;
    while (last > start) {
      const open = openBefore(last);
      const bare = open?.kind === "text" && open.line === last - 1 && lines[last - 1]!.trim().length <= 4;
      if (!bare && lines[last - 1]!.trim() !== "") break;
      last--;
    }
    return last;
  }

  /** Closes comments and strings, marks the gap, then closes the brackets that what follows does not close. */
  function addGap(
    out: string[],
    from: number,
    to: number,
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
    const indent = beforeMark.at(-1)?.indent ?? indentOf(firstVisible(from, to) ?? lines[from - 1] ?? "");
    const text = style === "short" ? "..." : `... ${countLines(to - from)}`;
    out.push(indent.slice(0, deepestIndent) + commentMark(language, text));
    addClosings(out, afterMark);
    if (syntax.blockEnd && from > 0) out.push(...keywordEnds(from, to, syntax.blockEnd));
  }

  function firstVisible(from: number, to: number): string | undefined {
    for (let i = from; i < to; i++) if (lines[i]!.trim() !== "") return lines[i];
    return undefined;
  }

  /** Lines in the gap that end a block begun before it: none of the gap's lines above is indented as little. */
  function keywordEnds(from: number, to: number, blockEnd: RegExp): string[] {
    const ends: string[] = [];
    let least = Number.POSITIVE_INFINITY;
    for (let i = from; i < to && least > 0; i++) {
      const line = lines[i]!;
      if (line.trim() === "" || line.length > 1000) continue;
      const depth = indentOf(line).length;
      if (depth < least && blockEnd.test(line)) {
        ends.push(line);
        least = depth;
      } else if (!middleOfBlock.test(line)) least = Math.min(least, depth);
    }
    return ends;
  }

  const origins = (cut: Cut, style: MarkStyle) => compose(cut, style).origins;
  return { lines, syntax, lineCost, openBefore, render, origins };
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
