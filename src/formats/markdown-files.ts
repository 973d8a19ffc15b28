import { commentMark } from "../text/comments.ts";
import { oneLine, shortName } from "./characters.ts";
import type { Entry, FileFormat } from "./format.ts";
import { restLines } from "./markdown-records.ts";
import { codeSpan, fenced, neutralName } from "./neutral.ts";
import { lineRange, numbered, useLines } from "./words.ts";

/** The path once; of each part its citation, its lines and, where its text does not show it, what it is a part of. */
export const markdownFile: FileFormat = {
  opening: ({ path }) => `### ${neutralName(path)}\n`,
  imports: (statements, language) => `${fenced(statements.join("\n"), language)}\n`,
  span,
  closing: "",
};

function span(entry: Entry): string {
  const notes = entry.notes.length > 0 ? ` (${neutralName(entry.notes.join(", "))})` : "";
  const place = `${lineRange(entry)} ${entry.citation}${entry.scope ? ` in ${neutralName(shortName(entry.scope))}` : ""}${notes}`;
  // Nothing inside a fence is prose: a doc comment stands there as a comment of its language.
  const doc = entry.doc ? [commentMark(entry.language, oneLine(entry.doc))] : [];
  const lines = [...doc, ...(entry.text === "" ? [] : [numbered(entry)])];
  const body = lines.length > 0 ? `${fenced(lines.join("\n"), entry.language)}\n` : "";
  const after = [...restLines(entry), ...useLines(entry, { name: neutralName, code: codeSpan })];
  return `${place}\n${body}${after.map((line) => `${line}\n`).join("")}`;
}
