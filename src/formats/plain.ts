import { documentKinds } from "../item.ts";
import { longestRun, oneLine, shortName } from "./characters.ts";
import type { Entry, Format, MakeFormat } from "./format.ts";
import { leftOutSentence, lineRange, remarks, sourceLine } from "./words.ts";

/** Lines of the document's own are marked `=== ... ===`, with more signs than any line of the texts begins with. */
export const plain: MakeFormat = (texts): Format => {
  let longest = 2;
  for (const text of texts) longest = Math.max(longest, longestSigns(text));
  const mark = "=".repeat(longest + 1);
  return {
    opening: "",
    groupOpening: (title) => `${mark} ${title} ${mark}\n\n`,
    head: (entry) => (entry.level === "pointer" ? pointer(entry, mark) : head(entry, mark)),
    imports: (statements) => `Imports:\n${statements.join("\n")}\n\n`,
    body: ({ kind, text }) => (text === "" ? "" : `${isDocument(kind) ? "Text" : "Code"}:\n${text}\n\n`),
    groupClosing: "",
    itemsClosing: "",
    footerOpening: "",
    leftOut: (counts) => `${mark} ${leftOutSentence(counts)} ${mark}\n\n`,
    sourcesOpening: `${mark} Sources ${mark}\n`,
    source: (place) => `- ${sourceLine({ ...place, path: oneLine(place.path) })}\n`,
    sourcesClosing: "",
    closing: "",
    nothing: (sentence) => `${sentence}\n`,
  };
};

function longestSigns(text: string): number {
  if (!text.includes("===")) return 0;
  return longestRun(text, /(?<=(?:^|[\n\r\v\f\u0085\u2028\u2029])[^\S\n\r]*)=+/g);
}

function heading(entry: Entry, mark: string): string {
  return `${mark} ${entry.kind}: ${shortName(entry.name)} ${entry.citation} ${mark}`;
}

function pointer(entry: Entry, mark: string): string {
  return `${heading(entry, mark)} ${oneLine([location(entry), ...entry.notes].join(", "))}\n`;
}

function head(entry: Entry, mark: string): string {
  const lines = [
    heading(entry, mark),
    `File: ${location(entry)}`,
    `Score: ${[entry.score.toFixed(2), ...remarks(entry).map(oneLine)].join(", ")}`,
    ...(entry.related.length > 0 ? [`Related: ${entry.related.map(shortName).join(", ")}`] : []),
    ...(entry.doc ? [`About: ${oneLine(entry.doc)}`] : []),
  ];
  return `${lines.join("\n")}\n\n`;
}

function location(entry: Entry): string {
  return `${oneLine(entry.path)}:${lineRange(entry)}`;
}

function isDocument(kind: Entry["kind"]): boolean {
  return (documentKinds as readonly string[]).includes(kind);
}
