import type { GenericRules } from "./generic-rules.ts";
import type { Literal } from "./walk-tree.ts";

/** The text with comments and strings blanked (offsets unchanged), and where they are. */
export function masked(text: string, rules: GenericRules): { code: string; literals: Literal[] } {
  const literals: Literal[] = [];
  const pieces: string[] = [];
  let position = 0;
  const take = (kind: Literal["kind"], start: number, end: number) => {
    literals.push({ kind, start, end });
    pieces.push(text.slice(position, start), text.slice(start, end).replace(/[^\n]/g, " "));
    position = end;
  };
  const opening = new RegExp(
    [...rules.blockComments.map(([open]) => open), ...rules.lineComments, ...rules.strings]
      .map(escaped)
      .sort((a, b) => b.length - a.length)
      .join("|") || "(?!)",
    "g",
  );
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const mark = match[0];
    const block = rules.blockComments.find(([open]) => open === mark);
    let end: number;
    if (block) {
      const close = text.indexOf(block[1], match.index + mark.length);
      end = close === -1 ? text.length : close + block[1].length;
      take("comment", match.index, end);
    } else if (rules.lineComments.includes(mark)) {
      if (!startsComment(text, match.index, mark)) continue;
      const close = text.indexOf("\n", match.index);
      end = close === -1 ? text.length : close;
      take("comment", match.index, end);
    } else {
      end = stringEnd(text, match.index, mark);
      if (end === -1) continue;
      take("string", match.index, end);
    }
    opening.lastIndex = end;
  }
  pieces.push(text.slice(position));
  return { code: pieces.join(""), literals };
}

/** `#` inside a word (`foo#bar`, `$#`) begins no comment. */
function startsComment(text: string, at: number, mark: string): boolean {
  return !/^[#%;']$/.test(mark) || at === 0 || /[\s;({[]/.test(text[at - 1]!);
}

/** The end of a string: its closing mark; a mark of one character does not extend past its line. -1: no string. */
function stringEnd(text: string, start: number, mark: string): number {
  // An apostrophe after a letter or before a single one is a prime, a lifetime or a transpose.
  if (mark === "'" && /[\p{L}\p{N}_)\]]/u.test(text[start - 1] ?? "")) return -1;
  for (let at = start + mark.length; at < text.length; at++) {
    const character = text[at]!;
    if (character === "\\") at++;
    else if (character === "\n" && mark.length === 1 && mark !== "`") return -1;
    else if (character === mark[0] && text.startsWith(mark, at)) return at + mark.length;
  }
  return mark.length > 1 ? text.length : -1;
}

function escaped(mark: string): string {
  return mark.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
