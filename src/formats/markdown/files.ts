import { commentMark } from "../../text/truncation/comments.ts";
import { headingText, longestRun, shortName } from "../characters.ts";
import type { FileFormat, PrintedEntry } from "../format.ts";
import { lineRange, numbered, useLines } from "../words.ts";
import { codeSpan, fenceFor, fenceLanguage, neutralName } from "./escape-markdown.ts";
import { restLines } from "./records.ts";

/**
 * Prints the path once and one fence for all parts of a file. Each part follows a line that begins with a mark that no
 * line of the texts begins with; the line has the part's line range, its citation and, if its text does not show it,
 * the unit that contains it. For the first part, the heading has these facts.
 */
export function markdownFile(texts: Iterable<string>): FileFormat {
  let signs = 1;
  let ticks = "```";
  for (const text of texts) {
    signs = Math.max(signs, longestMark(text));
    if (text.includes(ticks)) ticks = fenceFor(text);
  }
  const mark = "@".repeat(signs + 1);
  const opening: FileFormat["opening"] = ({ path, language, lead }) =>
    `### ${neutralName(path)}${lead ? `:${place(lead, neutralName)}` : ""}\n${ticks}${fenceLanguage(language)}\n`;
  return {
    opening,
    imports: (statements) => `${statements.join("\n")}\n`,
    span: (entry, _first, block) => {
      const lines = [
        ...(block === "open" ? [`${mark}${place(entry, headingText)}`] : []),
        ...(entry.doc ? [commentMark(entry.language, headingText(entry.doc))] : []),
        ...(entry.text === "" ? [] : [numbered(entry)]),
      ];
      // Uses and the place of the rest are prose that names other files, so they are printed below the fence.
      const after = [...restLines(entry), ...useLines(entry, { name: neutralName, code: codeSpan, pathOnce: true })];
      if (after.length > 0) lines.push(ticks, ...after);
      return `${block === "closed" ? opening({ ...headOf(entry), lead: entry }, false) : ""}${lines.map((line) => `${line}\n`).join("")}`;
    },
    closing: (block) => (block === "closed" ? "" : `${ticks}\n`),
  };
}

function headOf({ path, language }: PrintedEntry): { path: string; language?: string } {
  return { path, ...(language === undefined ? {} : { language }) };
}

/** `10-25 [cod-1k3f] in Ledger (moved since indexing)`. */
function place(entry: PrintedEntry, write: (words: string) => string): string {
  const scope = entry.scope ? ` in ${write(shortName(entry.scope))}` : "";
  const notes = entry.notes.length > 0 ? ` (${write(entry.notes.join(", "))})` : "";
  return `${lineRange(entry)} ${entry.citation}${scope}${notes}`;
}

/**
 * Length of the longest run of `@` before a number at the beginning of a line, the form of the document's own marks.
 */
function longestMark(text: string): number {
  if (!text.includes("@@")) return 0;
  // Invisible characters may precede the signs.
  return longestRun(text, /(?<=(?:^|[\n\r\v\f\u0085\u2028\u2029])[\s\p{Cc}\p{Cf}]*)@+(?=\d)/gu);
}
