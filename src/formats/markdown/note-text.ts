import { textLines } from "../characters.ts";
import { fenced, neutralItem, neutralLine, withoutCitations } from "./escape-markdown.ts";

/**
 * The text of notes is Markdown of their user. Lists, emphasis, links, tables and code stay what they are; headings,
 * quotations, rules, HTML and everything that would read as a line of the document's own is made text. Lists of the
 * text begin with `*`, so that every `-` is the document's own; its code stands in a fence that it cannot close.
 */
export function noteMarkdown(text: string): string {
  const lines = textLines(text);
  const printed: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = emptyItem.test(lines[i]!) ? "" : lines[i]!;
    const fence = openedFence(line);
    if (fence) {
      const end = closingFence(lines, i + 1, fence);
      printed.push(fencedCode(lines.slice(i + 1, end), fence));
      i = end;
    } else if (line !== "" || (printed.at(-1) ?? "") !== "") printed.push(neutralMarkdown(line));
  }
  return printed.join("\n").trimEnd();
}

type Fence = { indent: number; sign: string; length: number; language: string };

/** A fence may begin a list item, and a tilde's may be followed by anything. */
const fenceStart = /^(\s*(?:(?:[-+*]|\d{1,9}[.)])\s+)?)(`{3,}(?=[^`]*$)|~{3,})\s*([\w+#.-]*)/;

function openedFence(line: string): Fence | undefined {
  const [, indent, signs, language] = fenceStart.exec(line) ?? [];
  if (signs === undefined) return undefined;
  return { indent: indent!.length, sign: signs[0]!, length: signs.length, language: language! };
}

/** The line that closes it, or the end of the text. */
function closingFence(lines: readonly string[], from: number, { sign, length }: Fence): number {
  for (let i = from; i < lines.length; i++) {
    const line = lines[i]!.trim();
    if (line.length >= length && line.startsWith(sign.repeat(3)) && line === sign.repeat(line.length)) return i;
  }
  return lines.length;
}

function fencedCode(code: readonly string[], { indent, language }: Fence): string {
  const outer = new RegExp(`^[^\\S\\n]{0,${indent}}`);
  return fenced(withoutCitations(code.map((line) => line.replace(outer, "")).join("\n")), language);
}

/** Outliners leave them behind. */
const emptyItem = /^\s*[-+*]$/;
const listItem = /^(\s*)([-+*]|\d{1,9}[.)])\s+(?=\S)/;
const thematicBreak = /^\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;
/** The second row of a table, with bars at its beginning. */
const delimiterRow = /^\s*\|[-:|\s]*$/;

function neutralMarkdown(line: string): string {
  if (delimiterRow.test(line)) return line;
  const [mark, indent = "", sign = ""] = (thematicBreak.test(line) ? null : listItem.exec(line)) ?? [];
  const item = mark === undefined ? "" : neutralItem(line.slice(mark.length));
  if (item === "") return neutralLine(line);
  return `${indent}${/\d/.test(sign) ? sign : "*"} ${item}`;
}
