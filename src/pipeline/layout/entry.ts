import type { PrintedEntry, WalkStep } from "../../formats/format.ts";
import { type Facts, isInFile } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { Look } from "../../recipes/recipe.ts";
import { ownSpan, type Unique } from "../unique.ts";
import { sectionOf } from "./groups.ts";
import { lineNumbers } from "./line-numbers.ts";
import type { Shown } from "./printed-parts.ts";

/** An item as formats know it: what is said of it, and what of its text is printed. */
export function entryOf({ unique, printLevel }: Shown, request: Request, look: Look): PrintedEntry {
  const { item, score, citation, related, facts, distance, via } = unique;
  const span = printedSpan({ unique, printLevel });
  return {
    source: item.source,
    style: look.style,
    ...(look.title === undefined ? {} : { section: sectionOf(unique, look).title }),
    ...(facts ? { facts: { ...factsOf(facts, via?.[0]?.kind, request), ...askedFact(unique) } } : {}),
    ...(item.source === "note" ? { distance, way: wayOf(unique) } : {}),
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

/** What an item is a part of, which its text does not show: the class of a method. A heading is read as what follows it. */
export function scopeOf({ unique: { item } }: Pick<Shown, "unique">): string | undefined {
  const at = item.qualifiedName.indexOf("::");
  if (at < 0 || item.kind === "section") return undefined;
  const qualified = item.qualifiedName.slice(at + 2);
  const around = qualified.length > item.name.length ? qualified.slice(0, -item.name.length) : "";
  return around === "" || !qualified.endsWith(item.name) ? undefined : around.replace(/[.:#>\s]+$/, "");
}

function scopeEntry(scope: string | undefined): { scope?: string } {
  return scope === undefined || scope === "" ? {} : { scope };
}

/** A note that was asked for has a heading, though it be but a line. */
function askedFact({ item, signals }: Unique): Facts {
  return item.source === "note" && signals.asked ? { asked: true } : {};
}

/** How a note was reached is said with it; which thread a message is of is not, where one thread was asked. */
function factsOf(facts: Facts, relation: string | undefined, { thread }: Request): Facts {
  const { thread_title: _, ...others } = facts;
  return { ...(thread === undefined ? facts : others), ...(relation === undefined ? {} : { relation }) };
}

export function isPointer({ printLevel }: Shown): boolean {
  return printLevel.level === "pointer";
}

/** The way from the source, which comes first, to what led here. */
function wayOf({ via = [] }: Unique): WalkStep[] {
  return via
    .map(({ id, key = id, name }, index): WalkStep => {
      const before = via[index + 1];
      return before ? { id: key, name, relation: before.kind } : { id: key, name };
    })
    .reverse();
}

/** Where a note of a list stands: below what led to it, or below what owns it. */
export function placeOf({ way = [], facts }: PrintedEntry): WalkStep[] {
  if (way.length > 0) return way;
  return [facts?.breadcrumb ?? []].flat().map((name) => ({ id: "", name: String(name) }));
}

/** The lines that are printed, or of which a part is. */
export function printedSpan({ unique, printLevel }: Pick<Shown, "unique" | "printLevel">): {
  startLine: number;
  endLine: number;
} {
  if (!printLevel.context) return ownSpan(unique);
  return { startLine: unique.startLine, endLine: unique.endLine };
}

/** `withParts`: also what was merged into it, where its text is one of many and not beside the rest of its file. */
function notesOf({ freshness, merged, notes: given }: Unique, withParts: boolean): string[] {
  const notes = [...(given ?? [])];
  for (const { why } of merged) if (why.startsWith("same text in ")) notes.push(why.replace("same text in", "same in"));
  const isSaid = notes.some((note) => note.startsWith("stored text"));
  if (freshness === "stored" && !isSaid) notes.push("stored text: the file is gone");
  if (freshness === "moved") notes.push("moved since indexing");
  if (!withParts) return notes;
  const inside = merged.filter(({ why }) => why === "inside" || why === "overlapping").map(({ name }) => name);
  if (inside.length > 0) notes.push(`includes ${inside.slice(0, 3).join(", ")}${inside.length > 3 ? "..." : ""}`);
  return notes;
}
