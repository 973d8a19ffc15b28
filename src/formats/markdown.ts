import { commentMark } from "../text/comments.ts";
import { longestRun, oneLine, shortName } from "./characters.ts";
import type { Entry, Format, MakeFormat } from "./format.ts";
import { noteLines, recordBlock, recordPointer, restLines } from "./markdown-records.ts";
import { codeSpan } from "./neutral.ts";
import { isRecord } from "./records.ts";
import { hasBody, leftOutSentence, lineRange, remarks, sourceLine } from "./words.ts";

export const markdown: MakeFormat = (): Format => ({
  opening: "",
  title: (text) => `# ${escapeText(text)}\n\n`,
  groupOpening: (title) => `## ${title}\n\n`,
  head: (entry) => {
    if (isRecord(entry)) return entry.level === "pointer" ? recordPointer(entry) : recordBlock(entry);
    if (entry.level === "pointer") return pointer(entry);
    return entry.style === "brief" ? briefHead(entry) : head(entry);
  },
  imports: (statements, language) => `**Imports:**\n${fenced(statements.join("\n"), language)}`,
  body: (entry) => (isRecord(entry) || entry.level === "pointer" ? "" : body(entry)),
  groupClosing: "",
  itemsClosing: "",
  footerOpening: "---\n",
  summary: (sentence) => `*${escapeText(sentence)}*\n\n`,
  leftOut: (counts) => `*${leftOutSentence(counts)}*\n\n`,
  sourcesOpening: "**Sources:**\n",
  source: (place) => `- ${sourceLine({ ...place, path: escapeText(place.path) })}\n`,
  sourcesClosing: "",
  closing: "",
  nothing: (sentence) => `*${sentence}*\n`,
});

function pointer(entry: Entry): string {
  const notes = entry.notes.length > 0 ? ` (${escapeText(entry.notes.join(", "))})` : "";
  return `- ${entry.kind}: ${escapeText(shortName(entry.name))} ${entry.citation} ${location(entry)}${notes}\n`;
}

function head(entry: Entry): string {
  const facts = [`score: ${entry.score.toFixed(2)}`, ...remarks(entry).map((remark) => escapeText(remark))];
  const lines = [
    `### ${entry.kind}: ${escapeText(shortName(entry.name))} ${entry.citation}`,
    `*${location(entry)}* (${facts.join(", ")})`,
    ...related(entry),
    ...(entry.doc ? [`> ${escapeText(entry.doc)}`] : []),
  ];
  return `${lines.join("\n")}\n\n`;
}

/** One line for a piece of code, and lines only where there is more to say. */
function briefHead(entry: Entry): string {
  const name = shortName(entry.name);
  const place = codeSpan(`${entry.path}:${entry.startLine}`);
  const lines = [
    `**${entry.kind}** ${name ? `${codeSpan(name)} ` : ""}in ${place} ${entry.citation}`,
    ...related(entry),
    ...noteLines(entry),
  ];
  const close = !hasBody(entry) && !entry.doc;
  return `${lines.join("\n")}\n${close || entry.notes.length > 0 ? "\n" : ""}`;
}

function related({ related }: Entry): string[] {
  return related.length > 0 ? [`Related: ${related.map((name) => escapeText(shortName(name))).join(", ")}`] : [];
}

/** In a briefing the doc comment stands with the signature, as a comment of its language: nothing inside a fence is prose. */
function body(entry: Entry): string {
  const doc = entry.style === "brief" && entry.doc ? [commentMark(entry.language, oneLine(entry.doc))] : [];
  const lines = [...doc, ...(entry.text === "" ? [] : [entry.text])];
  const rest = restLines(entry).map((line) => `${line}\n\n`);
  return (lines.length > 0 ? fenced(lines.join("\n"), entry.language) : "") + rest.join("");
}

function location(entry: Entry): string {
  return `${escapeText(entry.path)}:${lineRange(entry)}`;
}

/** A fence is longer than any run of its character inside, so the text cannot close it. */
function fenced(text: string, language = ""): string {
  const fence = "`".repeat(Math.max(3, longestRun(text, /`+/g) + 1));
  return `${fence}${/^[\w+#.-]*$/.test(language) ? language : ""}\n${text}\n${fence}\n\n`;
}

/** Names, paths and sentences outside fences: one line without markup of their own, and nothing that reads as a citation. */
function escapeText(text: string): string {
  return oneLine(text).replace(/[\\`[\]<>*]/g, "\\$&");
}
