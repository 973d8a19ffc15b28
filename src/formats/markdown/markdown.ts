import { commentMark } from "../../text/truncation/comments.ts";
import { headingText, shortName } from "../characters.ts";
import type { Format, MakeFormat, PrintedEntry } from "../format.ts";
import { isNote } from "../notes.ts";
import { isRecord, isShort } from "../records.ts";
import { hasBody, leftOutSentence, lineRange, numbered, remarks, sourceLine, textLabel, useLines } from "../words.ts";
import { codeSpan, fenced, neutralName } from "./escape-markdown.ts";
import { markdownFile } from "./files.ts";
import { header, noteBlock, notePlace, outlineNote } from "./notes.ts";
import { noteLines, recordBlock, recordLine, recordPointer, restLines } from "./records.ts";

export const markdown: MakeFormat = (texts, _title, headed): Format => ({
  opening: "",
  header,
  title: (text) => `# ${neutralName(text)}\n\n`,
  notice: (sentence) => `*${neutralName(sentence)}*\n\n`,
  groupOpening: (title) => `## ${title}\n\n`,
  file: markdownFile(texts),
  head: (entry) => {
    if (isNote(entry)) return headed ? outlineNote(entry) : noteBlock(entry);
    if (isRecord(entry)) {
      if (entry.level === "pointer") return recordPointer(entry);
      return isShort(entry) ? recordLine(entry) : recordBlock(entry);
    }
    if (entry.level === "pointer") return pointer(entry);
    return entry.style === "brief" ? briefHead(entry) : head(entry);
  },
  place: notePlace,
  indented: (text, level) => "  ".repeat(level) + text,
  pointersOpening: (count) => (count > 0 ? "## Also related\n\n" : ""),
  imports: (statements, language) => `**Imports:**\n${fenced(statements.join("\n"), language)}\n\n`,
  body: (entry) => (isNote(entry) || isRecord(entry) || entry.level === "pointer" ? "" : body(entry)),
  groupClosing: "",
  itemsClosing: "",
  footerOpening: "---\n",
  summary: (sentence) => `*${neutralName(sentence)}*\n\n`,
  leftOut: (counts) => `*${leftOutSentence(counts)}*\n\n`,
  sourcesOpening: "**Sources:**\n",
  source: (place) => `- ${sourceLine(place, neutralName)}\n`,
  sourcesClosing: "",
  closing: "",
  nothing: (sentence) => `*${sentence}*\n`,
});

function pointer(entry: PrintedEntry): string {
  const notes = entry.notes.length > 0 ? ` (${neutralName(entry.notes.join(", "))})` : "";
  return `- ${entry.kind}: ${neutralName(shortName(entry.name))} ${entry.citation} ${location(entry)}${notes}\n`;
}

function head(entry: PrintedEntry): string {
  const facts = [`score: ${entry.score.toFixed(2)}`, ...remarks(entry).map((remark) => neutralName(remark))];
  const lines = [
    `### ${entry.kind}: ${neutralName(shortName(entry.name))} ${entry.citation}`,
    `*${location(entry)}* (${facts.join(", ")})`,
    ...related(entry),
    ...(entry.doc ? [`> ${neutralName(entry.doc)}`] : []),
  ];
  return `${lines.join("\n")}\n\n`;
}

/** One line for a piece of code; more lines only for related names and notes. */
function briefHead(entry: PrintedEntry): string {
  const name = shortName(entry.name);
  const place = codeSpan(`${entry.path}:${lineRange(entry)}`);
  const lines = [
    `**${entry.kind}** ${name ? `${codeSpan(name)} ` : ""}in ${place} ${entry.citation}`,
    ...related(entry),
    ...noteLines(entry),
  ];
  const close = !hasBody(entry) && !entry.doc;
  return `${lines.join("\n")}\n${close || entry.notes.length > 0 ? "\n" : ""}`;
}

function related({ related }: PrintedEntry): string[] {
  return related.length > 0 ? [`Related: ${related.map((name) => neutralName(shortName(name))).join(", ")}`] : [];
}

/**
 * In a briefing, the doc comment is printed with the signature as a comment of the language, since a fence must contain
 * no prose.
 */
function body(entry: PrintedEntry): string {
  const doc = entry.style === "brief" && entry.doc ? [commentMark(entry.language, headingText(entry.doc))] : [];
  const lines = [...doc, ...(entry.text === "" ? [] : [numbered(entry)])];
  const uses = useLines(entry, { name: neutralName, code: codeSpan });
  const rest = [...restLines(entry), ...(uses.length > 0 ? [uses.join("\n")] : [])].map((line) => `${line}\n\n`);
  const label = entry.style === "heading" ? `**${textLabel(entry)}:**\n` : "";
  return (lines.length > 0 ? `${label}${fenced(lines.join("\n"), entry.language)}\n\n` : "") + rest.join("");
}

function location(entry: PrintedEntry): string {
  return `${neutralName(entry.path)}:${lineRange(entry)}`;
}
