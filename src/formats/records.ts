import { type Facts, isInFile, isNode, type SourceName } from "../item.ts";
import type { PrintedEntry } from "./format.ts";

/** Facts of records, in the words that all formats share. Missing facts are left out. */

/**
 * All sources except files and the notes graph, which have their own printing. The compiler reports a new source that
 * is missing from the tables of the formats.
 */
export type RecordSource = Exclude<SourceName, "code" | "file" | "reference" | "note">;
export type RecordEntry = PrintedEntry & { source: RecordSource };

export function isRecord(entry: PrintedEntry): entry is RecordEntry {
  return !isInFile(entry.source) && !isNode(entry.source);
}

/** Whether the record is in its short form: only the text and the citation are printed. */
export function isShort({ level }: RecordEntry): boolean {
  return level === "signature";
}

/** "root cause". */
export function kindName({ kind }: PrintedEntry): string {
  return kind.replace("_", " ");
}

/** How a format escapes a fact that is printed beside its own markup. */
type Write = (words: string) => string;

/** `Category: fact, Importance: 0.8`. */
export function memoryFacts(entry: RecordEntry, write: Write): string {
  return [
    ...factWith(entry, "category", "Category: ", write),
    ...factWith(entry, "importance", "Importance: ", write),
  ].join(", ");
}

/** `debugging | read-the-error`. */
export function experienceFacts(entry: RecordEntry, write: Write): string {
  return [...factWith(entry, "domain", "", write), ...factWith(entry, "strategy", "", write)].join(" | ");
}

/** `full, cluster size: 12`. */
export function valueFacts(entry: RecordEntry, write: Write): string {
  return [...factWith(entry, "axis", "", write), ...factWith(entry, "cluster_size", "cluster size: ", write)].join(
    ", ",
  );
}

/** `by Ada on 2026-03-01`. */
export function commitFacts(entry: RecordEntry, write: Write): string {
  return [...factWith(entry, "author", "by ", write), ...factWith(entry, "timestamp", "on ", dayIn(write))].join(" ");
}

/** `docs/setup.md > Install, part 2/7`. */
export function documentFacts(entry: RecordEntry, write: Write): string {
  const steps: Write = (heading) => heading.split(" > ").map(write).filter(Boolean).join(" > ");
  const place = [...factWith(entry, "path", "", write), ...factWith(entry, "heading", "", steps)].join(" > ");
  return [place, ...factWith(entry, "chunk", "part ", write)].filter(Boolean).join(", ");
}

/** `Ada on 2026-03-01 in Launch plan`; `2026-03-01 in Launch plan` if the text itself names the speaker. */
export function messageFacts(entry: RecordEntry, write: Write): string {
  const speaker = words(entry.facts?.speaker) || words(entry.facts?.role);
  const who = `\n${entry.text}`.includes(`\n${speaker}: `) ? "" : write(speaker);
  const on = who === "" ? "" : "on ";
  return [who, ...factWith(entry, "timestamp", on, dayIn(write)), ...factWith(entry, "thread_title", "in ", write)]
    .filter(Boolean)
    .join(" ");
}

/** Writes only the day of a timestamp. */
function dayIn(write: Write): Write {
  return (timestamp) => write(/^\d{4}-\d\d-\d\d(?=T)/.exec(timestamp)?.[0] ?? timestamp);
}

/** `1a2b3c4`, or nothing. */
export function shortSha({ facts }: RecordEntry): string {
  return words(facts?.sha).slice(0, 7);
}

/**
 * Most files named. If there are more, one fewer is named and the rest is counted, so that it never prints "and 1
 * more".
 */
const mostFiles = 3;

/** `a.py, b.py, and 12 more`. */
export function commitFiles({ facts }: RecordEntry, write: Write): string {
  const files = [facts?.files_changed ?? []].flat().map(words).filter(Boolean);
  const shownFiles = files.length > mostFiles ? files.slice(0, mostFiles - 1) : files;
  const more = files.length > shownFiles.length ? [`and ${files.length - shownFiles.length} more`] : [];
  return [...shownFiles.map(write), ...more].join(", ");
}

function factWith({ facts }: RecordEntry, name: string, label: string, write: Write): string[] {
  const text = write(words(facts?.[name]));
  return text === "" ? [] : [label + text];
}

function words(value: Facts[string] | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "";
  return typeof value === "number" ? String(Number(value.toFixed(4))) : String(value);
}

/** Most elements of a list in a structured format: a merge may have touched thousands of files. */
const mostListed = 20;

/** All facts with long lists cut to their beginning, and how many elements each list lost. */
export function listedFacts({ facts = {} }: RecordEntry): { facts: Facts; more: Record<string, number> } {
  const more: Record<string, number> = {};
  const listed = Object.entries(facts).map(([name, value]): [string, Facts[string]] => {
    if (!Array.isArray(value) || value.length <= mostListed) return [name, value];
    more[name] = value.length - mostListed;
    return [name, value.slice(0, mostListed)];
  });
  return { facts: Object.fromEntries(listed), more };
}

/** Each fact that is not empty, as one line of words: `["tags", "db, login"]`. */
export function factWords(entry: RecordEntry): [name: string, words: string][] {
  const { facts, more } = listedFacts(entry);
  return Object.entries(facts).flatMap(([name, value]): [string, string][] => {
    const all = Array.isArray(value) ? value.join(", ") : words(value);
    if (all === "") return [];
    return [[name, more[name] ? `${all}, and ${more[name]} more` : all]];
  });
}
