import type { Header } from "../../document.ts";
import type { WalkStep } from "../format.ts";
import { headerWords } from "../header.ts";
import {
  checkbox,
  factText,
  isPlainNote,
  listed,
  type NoteEntry,
  noteFields,
  noteText,
  plainText,
  relationOf,
  tagWords,
  titleOf,
  wayOf,
  wayWords,
} from "../notes.ts";
import { neutralItem, neutralName, neutralNote, neutralWords } from "./escape-markdown.ts";
import { noteMarkdown } from "./note-text.ts";
import { noteLines, restLines } from "./records.ts";

/**
 * Heading levels below the document's own heading: one for each branch, and one for a note with text of its own below
 * it. No level is skipped.
 */
const firstLevel = 2;
const lastLevel = 3;

export function header(document: Header): string {
  const { query, facts, warnings } = headerWords(document);
  const factWords = facts.map(([name, words]) => `${name}: ${neutralName(words)}`).join(" | ");
  const warningLines = warnings.map((words) => `> ${neutralName(words)}\n`).join(">\n");
  return `# Context${query && `: ${neutralName(query)}`}\n\n*${factWords}*\n\n${warningLines && `${warningLines}\n`}`;
}

/** A note in a document of notes: under a heading as deep as the path to the note, or in a list. */
export function outlineNote(entry: NoteEntry): string {
  if (entry.level === "pointer") return `- ${pointerLine(entry)}${remarks(entry.notes)}\n`;
  if (isPlainNote(entry)) return plainNote(entry);
  const { title, text } = noteText(entry);
  const { distance = 0 } = entry;
  const relation = relationOf(entry);
  const way = italic(wayOf(entry, neutralName)) + (relation && relation !== "child" ? `(${relation})` : "");
  const place = italic(neutralName(factText(entry, "place") ?? ""));
  const below = [way.trim(), place.trim()].filter(Boolean).join(" · ");
  const heading = `${headingSigns(distance)} ${titled(entry, title, neutralWords)}`;
  return blocks(entry, text, below ? [heading, "", below] : [heading]);
}

/** A note among other records. */
export function noteBlock(entry: NoteEntry): string {
  if (entry.level === "pointer") return `- note: ${pointerLine(entry)}${remarks(entry.notes)}\n`;
  const { title, text } = noteText(entry);
  const relation = relationOf(entry);
  const way = italic(wayOf(entry, neutralName)) + (relation && relation !== "child" ? `(${relation})` : "");
  return blocks(entry, text, [`**Note** ${titled(entry, title, neutralWords)}`, ...(way ? [way.trimEnd()] : [])]);
}

/**
 * The line that says where the following notes are. It has no citation, since the steps themselves are not printed. A
 * note that was found directly has a heading of its own.
 */
export function notePlace(way: readonly WalkStep[], isFound = false): string {
  if (isFound) return `${headingSigns(0)} ${wayWords(way, neutralName)}\n\n`;
  return `- *${wayWords(way, neutralName)}*\n`;
}

function headingSigns(distance: number): string {
  return "#".repeat(Math.min(lastLevel, firstLevel + distance));
}

function plainNote(entry: NoteEntry): string {
  const relation = relationOf(entry);
  const manner = relation && relation !== "child" ? [relation] : [];
  return `- ${checkbox(entry)}${unboxed(neutralItem(plainText(entry)))} ${entry.citation}${remarks([...manner, ...entry.notes])}\n`;
}

function pointerLine(entry: NoteEntry): string {
  return titled(entry, titleOf(entry), neutralItem);
}

/** `[x] Name #tag [not-1k3f]`. */
function titled(entry: NoteEntry, title: string, write: (title: string) => string): string {
  return `${checkbox(entry)}${unboxed(write(title))}${tagWords(entry, title, neutralName)} ${entry.citation}`;
}

/** Escapes a name that begins like a checkbox. */
function unboxed(title: string): string {
  return title.replace(/^\[(?=[ x]\])/i, "\\[");
}

function italic(words: string): string {
  return words && `*${words}* `;
}

function remarks(notes: readonly string[]): string {
  return notes.length > 0 ? ` (${notes.map(neutralNote).join(", ")})` : "";
}

/** The facts of a note, its fields and its text, separated by empty lines. */
function blocks(entry: NoteEntry, text: string, head: string[]): string {
  const fields = noteFields(entry).map(
    ([name, values]) => `- **${neutralName(name)}**: ${listed(values, neutralWords)}`,
  );
  const headLines = [...head, ...noteLines(entry)];
  const all = [headLines.join("\n"), fields.join("\n"), noteMarkdown(text), restLines(entry).join("\n")];
  return `${all.filter((block) => block !== "").join("\n\n")}\n\n`;
}
