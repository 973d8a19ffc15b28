import { longestRun, oneLine, shortName } from "./characters.ts";
import type { Entry, Format, MakeFormat } from "./format.ts";
import { leftOutSentence, lineRange, remarks, sourceLine } from "./words.ts";

export const markdown: MakeFormat = (): Format => ({
  opening: "",
  groupOpening: (title) => `## ${title}\n\n`,
  head: (entry) => (entry.level === "pointer" ? pointer(entry) : head(entry)),
  imports: (statements, language) => `**Imports:**\n${fenced(statements.join("\n"), language)}`,
  body: ({ text, language }) => (text === "" ? "" : fenced(text, language)),
  groupClosing: "",
  itemsClosing: "",
  footerOpening: "---\n",
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
  const related = entry.related.map((name) => escapeText(shortName(name))).join(", ");
  const lines = [
    `### ${entry.kind}: ${escapeText(shortName(entry.name))} ${entry.citation}`,
    `*${location(entry)}* (${facts.join(", ")})`,
    ...(related ? [`Related: ${related}`] : []),
    ...(entry.doc ? [`> ${escapeText(entry.doc)}`] : []),
  ];
  return `${lines.join("\n")}\n\n`;
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
