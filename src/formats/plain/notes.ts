import type { Header } from "../../document.ts";
import { headingText, textLines } from "../characters.ts";
import { headerWords } from "../header.ts";
import {
  checkbox,
  factText,
  listed,
  type NoteEntry,
  noteFields,
  noteText,
  plainText,
  relationOf,
  tagWords,
  titleOf,
  wayOf,
} from "../notes.ts";
import { truncated } from "../words.ts";

export function noteHeader(document: Header, mark: string): string {
  const { query, facts, warnings } = headerWords(document);
  const factWords = facts.map(([name, words]) => `${name}: ${words}`).join(" | ");
  const warningLines = warnings.map((words) => `Note: ${words}\n`).join("");
  return `${mark} Context${query && `: ${query}`} ${mark}\n${factWords}\n${warningLines}\n`;
}

/** A one-line note, and the relation by which it was reached. */
export function noteLine(entry: NoteEntry, mark: string): string {
  const relation = relationOf(entry);
  return line(entry, plainText(entry), mark, [...(relation ? [relation] : []), ...entry.notes]);
}

/** A whole note: its name in a marked line, its facts in lines that begin with a fixed label. */
export function noteBlock(entry: NoteEntry, mark: string): string {
  if (entry.level === "pointer") return line(entry, titleOf(entry), mark, entry.notes);
  const relation = relationOf(entry);
  const { title, text } = noteText(entry);
  const way = wayOf(entry, headingText);
  const place = factText(entry, "place");
  const lines = [
    line(entry, title, mark, []).trimEnd(),
    ...(way ? [`Way: ${way}${relation ? ` (${relation})` : ""}`] : []),
    ...(place ? [`Place: ${headingText(place)}`] : []),
    `Score: ${entry.score.toFixed(2)}`,
    ...entry.notes.map((note) => `Note: ${headingText(note)}`),
    ...noteFields(entry).map(([name, values]) => `- ${name}: ${listed(values, headingText)}`),
    ...(textLines(text).length > 0 ? ["Text:", ...textLines(text)] : []),
    ...(entry.rest === undefined ? [] : [`${mark} ${headingText(truncated(entry.rest))} ${mark}`]),
  ];
  return `${lines.join("\n")}\n\n`;
}

/** `=== note: [x] Name #tag [not-1k3f] ===`. */
function line(entry: NoteEntry, title: string, mark: string, remarks: string[]): string {
  const remarkWords = headingText(remarks.join(", "));
  const tags = tagWords(entry, title, headingText);
  return `${mark} note: ${checkbox(entry)}${title}${tags} ${entry.citation} ${mark}${remarkWords && ` ${remarkWords}`}\n`;
}
