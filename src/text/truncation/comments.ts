import { syntaxOf } from "./syntax.ts";

/**
 * A text as a comment on one line, in the language's own syntax; in square brackets if the language has no comments.
 */
export function commentMark(language: string | undefined, text: string): string {
  const [before, after] = syntaxOf(language).comment;
  const oneLine = text.replace(/[\r\n]+/g, " ");
  // The text must not end the comment that holds it.
  const inside = after.trim() === "" ? oneLine : oneLine.replaceAll(after.trim(), [...after.trim()].join(" "));
  return before + inside + after;
}

/** The number of missing lines, in the words of every cut mark. */
export function countLines(lines: number): string {
  return lines === 1 ? "1 line" : `${lines} lines`;
}
