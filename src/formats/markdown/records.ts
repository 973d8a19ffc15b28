import { headingText, shortName, textLines } from "../characters.ts";
import type { PrintedEntry } from "../format.ts";
import {
  commitFacts,
  commitFiles,
  documentFacts,
  experienceFacts,
  kindName,
  memoryFacts,
  messageFacts,
  type RecordEntry,
  type RecordSource,
  shortSha,
  valueFacts,
} from "../records.ts";
import { truncated } from "../words.ts";
import {
  codeSpan,
  neutralItem,
  neutralLine,
  neutralName,
  neutralNote,
  neutralText,
  neutralWords,
} from "./escape-markdown.ts";
import { noteMarkdown } from "./note-text.ts";

/** A record is one block of lines. Its text is escaped, so that it cannot end the block. */
export function recordBlock(entry: RecordEntry): string {
  return `${blocks[entry.source](entry).join("\n")}\n\n`;
}

/**
 * The short form of a record: its text as one line of a list. The empty line ends the list, since a whole record may
 * follow.
 */
export function recordLine(entry: RecordEntry): string {
  const notes = entry.notes.length > 0 ? ` (${entry.notes.map(neutralNote).join(", ")})` : "";
  return `- ${neutralItem(headingText(entry.text))} ${entry.citation}${notes}\n\n`;
}

/** One line of a list. */
export function recordPointer(entry: RecordEntry): string {
  const notes = entry.notes.length > 0 ? ` (${entry.notes.map(neutralNote).join(", ")})` : "";
  return `- ${kindName(entry)}: ${neutralName(shortName(entry.name))} ${entry.citation}${notes}\n`;
}

/** `> Note: ...`, one line each. */
export function noteLines({ notes }: PrintedEntry): string[] {
  return notes.map((note) => `> Note: ${neutralNote(note)}`);
}

/** `*(truncated, see full at src/a.ts:12)*`. */
export function restLines({ rest }: PrintedEntry): string[] {
  return rest === undefined ? [] : [`*(${neutralName(truncated(rest))})*`];
}

const blocks: Record<RecordSource, (entry: RecordEntry) => string[]> = {
  memory: (entry) => {
    const [first = "", ...others] = neutralText(entry.text, "within");
    const facts = memoryFacts(entry, neutralName);
    return [
      `**Memory**: ${first}`.trimEnd(),
      ...others,
      ...restLines(entry),
      `${facts ? `*${facts}* ` : ""}${entry.citation}`,
      ...noteLines(entry),
    ];
  },
  experience: (entry) => {
    const facts = experienceFacts(entry, neutralName);
    const rest = restLines(entry);
    return [
      `**Experience**${facts ? `: ${facts}` : ""} ${entry.citation}`,
      ...notesAbove(entry),
      ...bullets(entry.text),
      ...(rest.length > 0 ? ["", ...rest] : []),
    ];
  },
  value: (entry) => {
    const facts = valueFacts(entry, neutralName);
    return [
      `**Value**${facts ? ` (${facts})` : ""} ${entry.citation}:`,
      ...notesAbove(entry),
      ...neutralText(entry.text, "line"),
      ...restLines(entry),
    ];
  },
  document: (entry) => markdownBlock("Document", documentFacts(entry, shortFact), entry),
  message: (entry) => markdownBlock("Message", messageFacts(entry, shortFact), entry),
  commit: (entry) => {
    const sha = shortSha(entry);
    const facts = [sha && codeSpan(sha), commitFacts(entry, neutralName), entry.citation].filter(Boolean);
    const files = commitFiles(entry, (path) => neutralName(shortName(path)));
    return [
      `**Commit** ${facts.join(" ")}`,
      ...notesAbove(entry),
      ...neutralText(entry.text, "line"),
      ...restLines(entry),
      ...(files ? [`*Files: ${files}*`] : []),
    ];
  },
};

/** Text written for readers is Markdown: it stays readable, but cannot look like the document's own lines. */
function markdownBlock(title: string, facts: string, entry: RecordEntry): string[] {
  return [
    `**${title}**${facts ? ` ${facts}` : ""} ${entry.citation}`,
    ...noteLines(entry),
    "",
    noteMarkdown(entry.text).trimEnd(),
    ...restLines(entry).flatMap((line) => ["", line]),
  ];
}

function shortFact(words: string): string {
  return neutralName(shortName(words));
}

/** The empty line ends the quotation; text directly below would belong to it. */
function notesAbove(entry: PrintedEntry): string[] {
  return entry.notes.length > 0 ? [...noteLines(entry), ""] : [];
}

/** `Goal: find it` becomes `- **Goal**: find it`; a line without a label belongs to the one above. */
function bullets(text: string): string[] {
  let indent = "";
  return textLines(text).map((line) => {
    const [, label, words = ""] = /^([A-Z][A-Za-z ]{0,23}): (.*)$/.exec(line) ?? [];
    if (label === undefined) return line === "" ? "" : indent + neutralLine(line);
    indent = "  ";
    return `- **${label}**: ${neutralWords(words)}`;
  });
}
