import { textLines } from "../characters.ts";
import { fenced, neutralItem, neutralLine, withoutCitations } from "./escape-markdown.ts";

/**
 * The text of notes is Markdown that their user wrote. Lists, emphasis, links, tables and code are kept; headings,
 * quotations, rules, HTML and everything that looks like one of the document's own lines is escaped. List items of the
 * text begin with `*`, so that every `-` is the document's own. Code is printed in a fence that it cannot close.
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

/** The opening line of a fence. It may begin a list item; a fence of tildes may be followed by any text. */
const fenceStart = /^(\s*(?:(?:[-+*]|\d{1,9}[.)])\s+)?)(`{3,}(?=[^`]*$)|~{3,})\s*([\w+#.-]*)/;

function openedFence(line: string): Fence | undefined {
  const [, indent, signs, language] = fenceStart.exec(line) ?? [];
  if (signs === undefined) return undefined;
  return { indent: indent!.length, sign: signs[0]!, length: signs.length, language: language! };
}

/** The line that closes the fence, or the end of the text. */
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

/** An empty list item. Outliners often leave such lines behind. */
const emptyItem = /^\s*[-+*]$/;
const listItem = /^(\s*)([-+*]|\d{1,9}[.)])\s+(?=\S)/;
const thematicBreak = /^\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;
/** The second row of a table that begins with a bar. */
const delimiterRow = /^\s*\|[-:|\s]*$/;

function neutralMarkdown(line: string): string {
  if (delimiterRow.test(line)) return line;
  const [mark, indent = "", sign = ""] = (thematicBreak.test(line) ? null : listItem.exec(line)) ?? [];
  const item = mark === undefined ? "" : neutralItem(line.slice(mark.length));
  if (item === "") return neutralLine(line);
  return `${indent}${/\d/.test(sign) ? sign : "*"} ${item}`;
}
