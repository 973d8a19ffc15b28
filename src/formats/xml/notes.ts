import type { Header } from "../../document.ts";
import { headingText } from "../characters.ts";
import { headerWords } from "../header.ts";
import {
  factText,
  isDone,
  listed,
  type NoteEntry,
  noteFields,
  noteTags,
  noteText,
  relationOf,
  wayOf,
} from "../notes.ts";
import { remarks } from "../words.ts";
import { attribute, cdata, escapeText } from "./escape-xml.ts";

/** Opens the document. */
export function noteHeader(document: Header): string {
  const { query, facts, warnings } = headerWords(document);
  const attributes = facts.map(([name, words]) => attribute(name.toLowerCase(), words));
  return `<context${attribute("query", query)}${attributes.join("")}>\n${warnings.map((words) => `<warning>${escapeText(words)}</warning>\n`).join("")}`;
}

/**
 * A whole note. `key` is its id in its application; `way` lists the notes that led to it, or its owners if it was found
 * directly.
 */
export function noteElement(entry: NoteEntry): string {
  const { title, text } = noteText(entry);
  const { distance, score } = entry;
  const pointer = entry.level === "pointer";
  const details = pointer
    ? []
    : [
        attribute("key", factText(entry, "id")),
        attribute("origin", factText(entry, "origin")),
        attribute("place", factText(entry, "place")),
        attribute("distance", distance),
        attribute("relation", relationOf(entry)),
        attribute("way", wayOf(entry, headingText)),
        attribute("score", score.toFixed(2)),
      ];
  const attributes = [
    attribute("id", entry.citation.replace(/^\[|\]$/g, "")),
    attribute("name", title),
    attribute("tags", listed(noteTags(entry), headingText)),
    attribute("done", isDone(entry)?.toString()),
    ...details,
    attribute("note", (pointer ? entry.notes : remarks(entry)).join(", ")),
  ].join("");
  const inside = pointer
    ? []
    : [
        ...noteFields(entry).map(
          ([name, values]) => `<field${attribute("name", name)}>${escapeText(listed(values, headingText))}</field>`,
        ),
        ...(text === "" ? [] : [`<text>${cdata(text)}</text>`]),
        ...(entry.rest === undefined ? [] : [`<truncated>${escapeText(entry.rest)}</truncated>`]),
      ];
  if (inside.length === 0) return `<note${attributes}/>\n`;
  return `<note${attributes}>\n${inside.join("\n")}\n</note>\n`;
}
