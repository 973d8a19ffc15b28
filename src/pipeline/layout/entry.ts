import type { PrintedEntry, WalkStep } from "../../formats/format.ts";
import { type Facts, isInFile, isNode } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { Look } from "../../recipes/recipe.ts";
import { ownSpan, type Unique } from "../unique.ts";
import { sectionOf } from "./groups.ts";
import type { PrintLevel } from "./print-level.ts";
import type { Shown } from "./printed-parts.ts";

/** The DTO of an item for the formats: its metadata, and the text that is printed. */
export function entryOf({ unique, printLevel }: Shown, request: Request, look: Look): PrintedEntry {
  const { item, score, citation, related, facts, distance, via } = unique;
  const span = printedSpan({ unique, printLevel });
  return {
    source: item.source,
    style: look.style,
    ...(look.title === undefined ? {} : { section: sectionOf(unique, look).title }),
    ...(facts ? { facts: { ...factsOf(facts, via?.[0]?.kind, request), ...askedFact(unique) } } : {}),
    ...(isNode(item.source) ? { distance, way: walkPath(unique) } : {}),
    citation: citation.id,
    kind: item.kind,
    name: item.name,
    ...scopeEntry(scopeOf({ unique })),
    path: citation.path,
    ...span,
    score,
    ...(item.language ? { language: item.language } : {}),
    level: printLevel.level,
    notes: notesOf(unique, request.layout === "entities"),
    ...(printLevel.doc ? { doc: printLevel.doc } : {}),
    ...(printLevel.rest === undefined ? {} : { rest: printLevel.rest }),
    related: request.includeRelated && printLevel.level !== "pointer" ? related : [],
    text: printLevel.text,
    ...(unique.uses && printLevel.level !== "pointer" ? { uses: unique.uses } : {}),
    ...(request.lineNumbers && isInFile(item.source) ? { numbers: lineNumbers(unique, printLevel) } : {}),
  };
}

/** The scope that an item's text does not show, such as the class of a method. None for a section. */
export function scopeOf({ unique: { item } }: Pick<Shown, "unique">): string | undefined {
  const at = item.qualifiedName.indexOf("::");
  if (at < 0 || item.kind === "section") return undefined;
  const qualified = item.qualifiedName.slice(at + 2);
  const scope = qualified.length > item.name.length ? qualified.slice(0, -item.name.length) : "";
  return scope === "" || !qualified.endsWith(item.name) ? undefined : scope.replace(/[.:#>\s]+$/, "");
}

function scopeEntry(scope: string | undefined): { scope?: string } {
  return scope === undefined || scope === "" ? {} : { scope };
}

/** A note that was asked for has a heading, even if it is only one line. */
function askedFact({ item, signals }: Unique): Facts {
  return isNode(item.source) && signals.asked ? { asked: true } : {};
}

/** Adds the relation by which a note was reached; removes the thread's title if the request is about one thread. */
function factsOf(facts: Facts, relation: string | undefined, { thread }: Request): Facts {
  const { thread_title: _, ...others } = facts;
  return { ...(thread === undefined ? facts : others), ...(relation === undefined ? {} : { relation }) };
}

export function isPointer({ printLevel }: Shown): boolean {
  return printLevel.level === "pointer";
}

/** The path to a note, from the source of the walk to the note before it. */
function walkPath({ via = [] }: Unique): WalkStep[] {
  return via
    .map(({ id, key = id, name }, index): WalkStep => {
      const before = via[index + 1];
      return before ? { id: key, name, relation: before.kind } : { id: key, name };
    })
    .reverse();
}

/** The place of a note in a list: below the notes that led to it, or below those that own it. */
export function placeOf({ way = [], facts }: PrintedEntry): WalkStep[] {
  if (way.length > 0) return way;
  return [facts?.breadcrumb ?? []].flat().map((name) => ({ id: "", name: String(name) }));
}

/** The range of lines that is printed, whole or in part. */
export function printedSpan({ unique, printLevel }: Pick<Shown, "unique" | "printLevel">): {
  startLine: number;
  endLine: number;
} {
  if (!printLevel.context) return ownSpan(unique);
  return { startLine: unique.startLine, endLine: unique.endLine };
}

/** The line number on disk of every printed line; undefined for elision marks and for lines that close a cut. */
function lineNumbers(unique: Unique, { text, context, lines }: PrintLevel): (number | undefined)[] {
  if (text === "") return [];
  const first = context ? unique.startLine : ownSpan(unique).startLine;
  const printed = lines ?? text.split("\n").map((_, i) => i);
  return printed.map((line) => (line === undefined ? undefined : first + line));
}

/** `withParts`: also names merged items, where the item is not printed beside the rest of its file. */
function notesOf({ freshness, merged, notes: itemNotes }: Unique, withParts: boolean): string[] {
  const notes = [...(itemNotes ?? [])];
  notes.push(...copyNote(merged));
  const hasStoredNote = notes.some((note) => note.startsWith("stored text"));
  if (freshness === "stored" && !hasStoredNote) notes.push("stored text: the file is gone");
  if (freshness === "moved") notes.push("moved since indexing");
  if (!withParts) return notes;
  const inside = merged.filter(({ why }) => why === "inside" || why === "overlapping").map(({ name }) => name);
  if (inside.length > 0) notes.push(`includes ${inside.slice(0, 3).join(", ")}${inside.length > 3 ? "..." : ""}`);
  return notes;
}

const copyPrefix = "same text in ";
/** Most places listed in a note; the others are only counted. */
const mostCopies = 4;

/** `same in docs/b.md, lines 50-57`: each place once, however many equal sections a file has. */
function copyNote(merged: Unique["merged"]): string[] {
  const copies = merged.filter(({ why }) => why.startsWith(copyPrefix));
  const places = [...new Set(copies.map(({ why }) => why.slice(copyPrefix.length)))];
  if (places.length === 0) return [];
  // Other files come first: they tell the reader more than lines of the same file.
  places.sort((a, b) => Number(a.startsWith("lines ")) - Number(b.startsWith("lines ")));
  const more = places.length > mostCopies ? ` and ${places.length - mostCopies} more` : "";
  return [`same in ${places.slice(0, mostCopies).join(", ")}${more}`];
}
