import { headingText, longestRun, shortName, wellFormed } from "../characters.ts";
import type { Format, MakeFormat, PrintedEntry } from "../format.ts";
import { isNote, isPlainNote, wayWords } from "../notes.ts";
import { isRecord } from "../records.ts";
import {
  hasBody,
  leftOutSentence,
  lineRange,
  numbered,
  remarks,
  sourceLine,
  textLabel,
  truncated,
  useLines,
} from "../words.ts";
import { plainFile } from "./files.ts";
import { noteBlock, noteHeader, noteLine } from "./notes.ts";
import { recordHead, recordPointer } from "./records.ts";

/** Lines of the document's own are marked `=== ... ===`, with more signs than any line of the texts begins with. */
export const plain: MakeFormat = (texts, _title, headed): Format => {
  let longest = 2;
  for (const text of texts) longest = Math.max(longest, longestSigns(text));
  const mark = "=".repeat(longest + 1);
  return {
    opening: "",
    header: (about) => noteHeader(about, mark),
    title: (text) => `${mark} ${headingText(text)} ${mark}\n\n`,
    notice: (sentence) => `${mark} ${headingText(sentence)} ${mark}\n\n`,
    groupOpening: (title) => `${mark} ${title} ${mark}\n\n`,
    file: plainFile(mark),
    head: (entry) => {
      if (isNote(entry)) return headed && isPlainNote(entry) ? noteLine(entry, mark) : noteBlock(entry, mark);
      if (isRecord(entry)) return entry.level === "pointer" ? recordPointer(entry, mark) : recordHead(entry, mark);
      if (entry.level === "pointer") return pointer(entry, mark);
      return entry.style === "brief" ? briefHead(entry, mark) : head(entry, mark);
    },
    place: (way) => `${mark} ${wayWords(way, headingText)} ${mark}\n\n`,
    pointersOpening: (count) => (count > 0 ? `${mark} Also related ${mark}\n\n` : ""),
    imports: (statements) => `Imports:\n${statements.join("\n")}\n\n`,
    body: (entry) => (isNote(entry) || entry.level === "pointer" ? "" : body(entry, mark)),
    groupClosing: "",
    itemsClosing: "",
    footerOpening: "",
    summary: (sentence) => `${mark} ${headingText(sentence)} ${mark}\n\n`,
    leftOut: (counts) => `${mark} ${leftOutSentence(counts)} ${mark}\n\n`,
    sourcesOpening: `${mark} Sources ${mark}\n`,
    source: (place) => `- ${sourceLine(place, headingText)}\n`,
    sourcesClosing: "",
    closing: "",
    nothing: (sentence) => `${sentence}\n`,
  };
};

function longestSigns(text: string): number {
  if (!text.includes("===")) return 0;
  // Invisible or unprinted characters may precede the signs.
  return longestRun(text, /(?<=(?:^|[\n\r\v\f\u0085\u2028\u2029])[\s\p{Cc}\p{Cf}]*)=+/gu);
}

function heading(entry: PrintedEntry, mark: string): string {
  return `${mark} ${entry.kind}: ${shortName(entry.name)} ${entry.citation} ${mark}`;
}

function pointer(entry: PrintedEntry, mark: string): string {
  return `${heading(entry, mark)} ${headingText([location(entry), ...entry.notes].join(", "))}\n`;
}

function head(entry: PrintedEntry, mark: string): string {
  const lines = [
    heading(entry, mark),
    `File: ${location(entry)}`,
    `Score: ${[entry.score.toFixed(2), ...remarks(entry).map(headingText)].join(", ")}`,
    ...(entry.related.length > 0 ? [`Related: ${entry.related.map(shortName).join(", ")}`] : []),
    ...(entry.doc ? [`About: ${headingText(entry.doc)}`] : []),
  ];
  return `${lines.join("\n")}\n\n`;
}

/** The pointer's line; more lines only for related names and notes. */
function briefHead(entry: PrintedEntry, mark: string): string {
  const lines = [
    `${heading(entry, mark)} ${headingText(entry.path)}:${lineRange(entry)}`,
    ...(entry.related.length > 0 ? [`Related: ${entry.related.map(shortName).join(", ")}`] : []),
    ...entry.notes.map((note) => `Note: ${headingText(note)}`),
    ...(entry.doc ? [`About: ${headingText(entry.doc)}`] : []),
  ];
  return `${lines.join("\n")}\n${hasBody(entry) ? "" : "\n"}`;
}

function body(entry: PrintedEntry, mark: string): string {
  const label = isRecord(entry) ? "Text" : textLabel(entry);
  const text = isRecord(entry) ? wellFormed(entry.text) : numbered(entry);
  const rest = entry.rest === undefined ? "" : `${mark} ${headingText(truncated(entry.rest))} ${mark}\n`;
  const uses = useLines(entry, { name: headingText, code: headingText }).map((line) => `${line}\n`);
  if (text === "") return rest && `${rest}\n`;
  return `${label}:\n${text}\n${rest}${uses.join("")}\n`;
}

function location(entry: PrintedEntry): string {
  return `${headingText(entry.path)}:${lineRange(entry)}`;
}
