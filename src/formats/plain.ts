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
    block: (entry) => (entry.level === "pointer" ? [pointer(entry, mark)] : block(entry, mark)),
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

function block(entry: Entry, mark: string): string[] {
  const head = [
    heading(entry, mark),
    `File: ${location(entry)}`,
    `Score: ${[entry.score.toFixed(2), ...remarks(entry).map(oneLine)].join(", ")}`,
    ...(entry.related.length > 0 ? [`Related: ${entry.related.map(shortName).join(", ")}`] : []),
    ...(entry.doc ? [`About: ${oneLine(entry.doc)}`] : []),
  ];
  const parts = [`${head.join("\n")}\n\n`];
  if (entry.imports.length > 0) parts.push(`Imports:\n${entry.imports.join("\n")}\n\n`);
  if (entry.text !== "") parts.push(`${isDocument(entry) ? "Text" : "Code"}:\n${entry.text}\n\n`);
  return parts;
}

function location(entry: Entry): string {
  return `${oneLine(entry.path)}:${lineRange(entry)}`;
}

function isDocument({ kind }: Entry): boolean {
  return (documentKinds as readonly string[]).includes(kind);
}
