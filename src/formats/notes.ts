import { type Facts, isNode, type LinkKind } from "../item.ts";
import { headingText, longestName, shortened, shortName } from "./characters.ts";
import type { PrintedEntry, WalkStep } from "./format.ts";

/** Facts of notes, for all formats. Facts that are missing or of another type are left out. */

export type NoteEntry = PrintedEntry & { source: "note" };

export function isNote(entry: PrintedEntry): entry is NoteEntry {
  return isNode(entry.source);
}

/**
 * Whether a note is only one line and was reached by links: it is listed under the note that led to it, without a
 * heading. A sentence that was found directly is listed under its owner in the same way, since it is too long for a
 * heading.
 */
export function isPlainNote(entry: PrintedEntry): boolean {
  if (!isNote(entry) || entry.level !== "full") return false;
  const [first = "", ...others] = entry.text.split("\n");
  const isOwned = strings(entry.facts?.breadcrumb).length > 0;
  const below = (entry.distance ?? 0) > 0 || (isOwned && (first.length > longestName || isLineOfPage(entry)));
  if (!below || noteTags(entry).length > 0 || noteFields(entry).length > 0) return false;
  return others.every((line) => line.trim() === "");
}

/** A line that was found directly and not asked for: its page is the heading. */
function isLineOfPage({ facts }: PrintedEntry): boolean {
  return facts?.asked === undefined;
}

/** The one line of a plain note. */
export function plainText(entry: PrintedEntry): string {
  return headingText(entry.text) || titleOf(entry);
}

/** The heading of a note and the text below it. A name that is too long for a heading also begins the text. */
export function noteText(entry: PrintedEntry): { title: string; text: string } {
  const [first = "", ...others] = entry.text.split("\n");
  const line = headingText(first);
  const text = others.join("\n");
  // The cut may be inside the name.
  if (line === "" || (entry.level === "elided" && !isShortened(entry.name))) return { title: titleOf(entry), text };
  return line.length <= longestName ? { title: line, text } : { title: titleOf(entry), text: entry.text };
}

function isShortened(name: string): boolean {
  return name.endsWith("…");
}

/** The note's name as the index has it. */
export function titleOf({ name }: PrintedEntry): string {
  return shortName(name) || nameless;
}

const nameless = "(no name)";

/** The note's id in its application, or else its id in Dossier. */
export function noteKey(entry: PrintedEntry): string {
  return factText(entry, "id") ?? entry.citation.replace(/^\[|\]$/g, "");
}

export function factText({ facts }: PrintedEntry, name: string): string | undefined {
  const value = facts?.[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function noteTags({ facts }: PrintedEntry): string[] {
  return strings(facts?.tags)
    .map((tag) => headingText(tag.replace(/^#+/, "")))
    .filter((tag) => tag !== "");
}

/** Fields that have a value. */
export function noteFields({ facts }: PrintedEntry): [name: string, values: string[]][] {
  const fields = facts?.fields;
  if (typeof fields !== "object" || Array.isArray(fields)) return [];
  return Object.entries(fields)
    .map(([name, values]): [string, string[]] => [headingText(name) || nameless, strings(values).filter(Boolean)])
    .filter(([, values]) => values.length > 0);
}

function strings(value: Facts[string] | undefined): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** Whether the note's checkbox is ticked; undefined without a checkbox. */
export function isDone({ facts }: PrintedEntry): boolean | undefined {
  return typeof facts?.done === "boolean" ? facts.done : undefined;
}

/** `[x] ` or `[ ] ` before the name of a note with a checkbox. */
export function checkbox(entry: PrintedEntry): string {
  const done = isDone(entry);
  if (done === undefined) return "";
  return done ? "[x] " : "[ ] ";
}

/** The link that leads to the note from the last step of its path. */
export function relationOf({ facts, distance = 0 }: PrintedEntry): LinkKind | undefined {
  return distance > 0 && typeof facts?.relation === "string" ? (facts.relation as LinkKind) : undefined;
}

/** Longest name of a step. It is short because it is repeated with every note below the step. */
const longestStep = 60;

export function stepName(name: string): string {
  return shortened(name, longestStep) || nameless;
}

/** The note's owners, the outermost first. */
export function breadcrumb({ facts }: PrintedEntry): string[] {
  return strings(facts?.breadcrumb).map(stepName);
}

/**
 * `SOC Defender > Milestones`: the notes that led to this one, or its owners if it was found directly; "" if neither is
 * known.
 */
export function wayOf(entry: PrintedEntry, write: (name: string) => string): string {
  const { way = [] } = entry;
  return way.length > 0 ? wayWords(way, write) : breadcrumb(entry).map(write).join(" > ");
}

/** The path in words. A step that was not reached as a child names its relation: `Milestones > Ada (reference)`. */
export function wayWords(way: readonly WalkStep[], write: (name: string) => string): string {
  return way.map(({ name, relation }) => write(stepName(name)) + relationSuffix(relation)).join(" > ");
}

function relationSuffix(relation: LinkKind | undefined): string {
  return relation === undefined || relation === "child" ? "" : ` (${relation})`;
}

/** Most values or tags printed of one list in a document for readers. */
const mostValues = 20;
const mostTags = 8;

/** `Ada, Grace, and 12 more`. */
export function listed(values: readonly string[], write: (value: string) => string): string {
  const more = values.length > mostValues ? [`and ${values.length - mostValues} more`] : [];
  return [...values.slice(0, mostValues).map((value) => write(headingText(value))), ...more].join(", ");
}

/**
 * Fields with long lists cut to their beginning and a single value without a list, and how many values each field lost.
 */
export function listedFields(entry: PrintedEntry): {
  fields: [name: string, value: string | string[]][];
  more: Record<string, number>;
} {
  const all = noteFields(entry);
  const cut = all.filter(([, values]) => values.length > mostValues);
  return {
    fields: all.map(([name, values]) => [name, single(values.slice(0, mostValues))]),
    more: Object.fromEntries(cut.map(([name, values]) => [name, values.length - mostValues])),
  };
}

export function single(values: string[]): string | string[] {
  return values.length === 1 ? values[0]! : values;
}

/** ` #project #security`: the tags that the title does not contain. */
export function tagWords(entry: PrintedEntry, title: string, write: (tag: string) => string): string {
  const titleTags = new Set(title.toLowerCase().match(/(?<!\S)#[^\s#,.;:!?()]+/g));
  const tags = noteTags(entry).filter((tag) => !titleTags.has(`#${tag.toLowerCase()}`));
  const more = tags.length > mostTags ? ` and ${tags.length - mostTags} more` : "";
  return (
    tags
      .slice(0, mostTags)
      .map((tag) => ` #${write(shortened(tag, longestStep))}`)
      .join("") + more
  );
}
