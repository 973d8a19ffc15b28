import type { GenericRules } from "./generic-rules.ts";
import type { Literal } from "./walk-tree.ts";

/** The text with comments and strings blanked (offsets unchanged), and where they are. */
export function masked(text: string, rules: GenericRules): { code: string; literals: Literal[] } {
  const literals = findLiterals(text, rules);
  const pieces: string[] = [];
  let position = 0;
  for (const { start, end } of literals) {
    pieces.push(text.slice(position, start), text.slice(start, end).replace(/[^\n]/g, " "));
    position = end;
  }
  pieces.push(text.slice(position));
  return { code: pieces.join(""), literals };
}

/** The marks with which comments and strings begin. */
const openings = new WeakMap<GenericRules, RegExp>();

function openingOf(rules: GenericRules): RegExp {
  let opening = openings.get(rules);
  if (!opening) {
    const marks = [...rules.blockComments.map(([open]) => open), ...rules.lineComments, ...rules.strings]
      .map(escaped)
      .sort((a, b) => b.length - a.length);
    openings.set(rules, (opening = new RegExp(marks.join("|") || "(?!)", "g")));
  }
  opening.lastIndex = 0;
  return opening;
}

/** Where the comments and strings of a text are, in order. */
export function findLiterals(text: string, rules: GenericRules): Literal[] {
  const literals: Literal[] = [];
  const opening = openingOf(rules);
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const mark = match[0];
    const block = rules.blockComments.find(([open]) => open === mark);
    let end: number;
    if (block) {
      const close = text.indexOf(block[1], match.index + mark.length);
      end = close === -1 ? text.length : close + block[1].length;
      literals.push({ kind: "comment", start: match.index, end });
    } else if (rules.lineComments.includes(mark)) {
      if (!startsComment(text, match.index, mark)) continue;
      const close = text.indexOf("\n", match.index);
      end = close === -1 ? text.length : close;
      literals.push({ kind: "comment", start: match.index, end });
    } else {
      end = stringEnd(text, match.index, mark);
      if (end === -1) continue;
      literals.push({ kind: "string", start: match.index, end });
    }
    opening.lastIndex = end;
  }
  return literals;
}

/** `#` inside a word (`foo#bar`, `$#`) begins no comment. */
function startsComment(text: string, at: number, mark: string): boolean {
  return !/^[#%;']$/.test(mark) || at === 0 || /[\s;({[]/.test(text[at - 1]!);
}

/** The end of a string: its closing mark; a mark of one character does not extend past its line. -1: no string. */
function stringEnd(text: string, start: number, mark: string): number {
  // An apostrophe after a letter or before a single one is a prime, a lifetime or a transpose.
  if (mark === "'" && /[\p{L}\p{N}_)\]]/u.test(text[start - 1] ?? "")) return -1;
  if (mark.length === 1 && mark !== "`") return endInLine(text, start + 1, mark);
  let at = start + mark.length;
  let close = text.indexOf(mark, at);
  while (close !== -1) {
    const backslash = text.slice(at, close).indexOf("\\");
    if (backslash === -1) return close + mark.length;
    at += backslash + 2;
    if (close < at) close = text.indexOf(mark, at);
  }
  return mark.length > 1 ? text.length : -1;
}

function endInLine(text: string, start: number, mark: string): number {
  for (let at = start; at < text.length; at++) {
    const character = text[at]!;
    if (character === "\\") at++;
    else if (character === "\n") return -1;
    else if (character === mark) return at + 1;
  }
  return -1;
}

function escaped(mark: string): string {
  return mark.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
