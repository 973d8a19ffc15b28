import type { Dropped } from "../../document.ts";
import {
  type Enriched,
  type Facts,
  type InnerUnit,
  type Item,
  isInFile,
  isWholeFile,
  type Scored,
} from "../../item.ts";
import type { Request } from "../../options.ts";
import type { Lens } from "../../recipes/lenses.ts";
import type { Recipe } from "../../recipes/recipe.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { droppedFor } from "../dropped.ts";
import { allImports, usedImports } from "../imports.ts";
import { type OpenedFile, openFile, spanHash, workspaceModules } from "../open-file.ts";
import { conditionOf } from "./conditions.ts";
import { withContextLines } from "./context-lines.ts";
import { enrichRecords } from "./enrich-records.ts";

export type Enrichment = { items: Enriched[]; unreadable: Dropped[]; filesRead: number; warnings: string[] };

/**
 * Attaches the exact text of every item. What is printed equals the file on disk: its lines are read now and compared
 * with the indexed hash. If they differ, the item is searched in the current file; if the file is gone, the stored text
 * is used and marked as stored.
 */
export async function enrich(
  ranked: Scored[],
  request: Request,
  recipe: Recipe,
  workspace: Workspace,
): Promise<Enrichment> {
  const inFiles = ranked.filter(({ item }) => isInFile(item.source));
  const [texts, records] = await Promise.all([
    enrichFiles(inFiles, request, workspace),
    enrichRecords(
      ranked.filter(({ item }) => !isInFile(item.source)),
      (facts) => withFields(facts, request, recipe.notes?.lens),
      workspace,
    ),
  ]);
  const order = new Map(ranked.map((scored, rank) => [scored.item.id, rank]));
  return {
    items: [...texts.items, ...records.items].sort((a, b) => order.get(a.item.id)! - order.get(b.item.id)!),
    unreadable: [...texts.unreadable, ...records.unreadable],
    filesRead: texts.filesRead,
    warnings: [...texts.warnings, ...records.warnings],
  };
}

/** A note's facts with all its fields if the request includes them, otherwise only those that the lens always shows. */
function withFields(facts: Facts, { includeFields }: Request, lens: Lens | undefined): Facts {
  const { fields, ...others } = facts;
  if (includeFields || fields === undefined) return facts;
  const lensFields = new Set(lens?.includeFields.map(normalized));
  const shownFields = Object.entries(fields).filter(([name]) => lensFields.has(normalized(name)));
  return shownFields.length > 0 ? { ...others, fields: Object.fromEntries(shownFields) } : others;
}

/** "Blocked by" and "blocked-by" are the same field. */
function normalized(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, "-");
}

async function enrichFiles(ranked: Scored[], request: Request, workspace: Workspace): Promise<Enrichment> {
  const paths = [...new Set(ranked.map(({ item }) => item.path))];
  const outlines = await workspace.store.outlines(workspace.owner, paths);
  const modules = request.includeImports ? await workspaceModules(paths, workspace) : undefined;
  const opened = new Map<string, Promise<OpenedFile>>();
  const open = (path: string) => {
    let file = opened.get(path);
    if (!file) opened.set(path, (file = openFile(path, outlines.get(path), workspace, modules?.get(path))));
    return file;
  };
  const related = request.includeRelated ? await relatedNames(ranked, workspace) : new Map<string, string[]>();
  const unreadable: Dropped[] = [];
  const warnings: string[] = [];
  const enriched: Enriched[] = [];
  const withoutTests = request.tests === "exclude" ? await testsOf(paths, workspace) : undefined;
  for (const scored of ranked) {
    const file = await open(scored.item.path);
    const found = await locate(scored.item, file);
    const place = found && (withoutTests?.(scored.item, found, file.lines) ?? found);
    if (place && isBlank(file, place)) {
      unreadable.push(droppedFor(scored, "empty"));
      continue;
    }
    if (place) {
      enriched.push(await attach(scored, place, file, related.get(scored.item.id) ?? [], request));
      continue;
    }
    unreadable.push(droppedFor(scored, "unreadable"));
    warnings.push(
      `${scored.item.qualifiedName} is no longer in ${scored.item.path}${file.why ? ` (${file.why})` : ""}.`,
    );
  }
  const files = await Promise.all(opened.values());
  return { items: enriched, unreadable, filesRead: files.filter((file) => file.onDisk).length, warnings };
}

function isBlank({ lines }: OpenedFile, { startLine, endLine }: Place): boolean {
  for (let line = startLine; line <= endLine; line++) if (lines[line - 1]?.trim()) return false;
  return true;
}

type Place = { startLine: number; endLine: number; freshness: Enriched["freshness"] };

/** Ends a place before the tests at its end, as of a Rust file that ends with `mod tests`. */
async function testsOf(
  paths: readonly string[],
  { store, owner }: Workspace,
): Promise<(item: Item, place: Place, lines: readonly string[]) => Place> {
  const items = (await Promise.all(paths.map((path) => store.itemsOf(owner, path)))).flat();
  const tests = items.filter(({ test, kind }) => test && !isWholeFile(kind)).sort((a, b) => b.endLine - a.endLine);
  const isEmpty = (line: string | undefined) => line?.trim() === "";
  return (item, place, lines) => {
    if (item.test || place.freshness === "moved") return place;
    let { endLine } = place;
    for (const { path, startLine, endLine: last } of tests) {
      if (path !== item.path || startLine <= place.startLine || last < endLine || startLine > endLine) continue;
      endLine = startLine - 1;
      while (endLine > place.startLine && isEmpty(lines[endLine - 1])) endLine--;
    }
    return { ...place, endLine };
  };
}

/** Where an item is in its file now; undefined when it is gone. */
export async function locate(item: Item, file: OpenedFile): Promise<Place | undefined> {
  if (!file.onDisk && file.lines.length === 0) return undefined;
  if (spanHash(file.lines, item.startLine, item.endLine) === item.hash) {
    return { startLine: item.startLine, endLine: item.endLine, freshness: file.onDisk ? "current" : "stored" };
  }
  if (!file.onDisk) return undefined;
  const { relocate } = await import("../../sources/relocate.ts");
  const moved = await relocate(item, file.text);
  return moved && { ...moved, freshness: "moved" };
}

/** An item with its lines from the file, and with context lines. */
export async function attach(
  scored: Scored,
  place: Place,
  file: OpenedFile,
  related: string[],
  request: Request,
): Promise<Enriched> {
  const { item } = scored;
  const isUnit = !isWholeFile(item.kind) && item.kind !== "section";
  // Around a field are other fields, which say nothing about it.
  const hasContext = isUnit && item.kind !== "field";
  const { startLine, endLine } = hasContext
    ? withContextLines(place, request.contextLines, file, item.language)
    : place;
  const condition = conditionOf(file.lines, item.language, place.startLine);
  const statements = request.includeImports && isUnit ? await file.imports() : [];
  const imports = usedImports(statements, file.lines, { startLine, endLine });
  return {
    ...scored,
    item: { ...item, startLine: place.startLine, endLine: place.endLine },
    lines: file.lines.slice(startLine - 1, endLine),
    startLine,
    endLine,
    freshness: place.freshness,
    imports,
    ...(imports.length > 0 ? { fileImports: allImports(statements, file.lines) } : {}),
    ...(file.unchanged && place.freshness === "current" ? { parts: partsOf(place, file, scored.askedWhole) } : {}),
    related,
    merged: [],
    ...(condition === undefined ? {} : { notes: [...(scored.notes ?? []), condition] }),
    citation: {
      id: `[${item.id}]`,
      itemId: item.id,
      path: item.path,
      startLine: place.startLine,
      endLine: place.endLine,
      hash: spanHash(file.lines, place.startLine, place.endLine),
    },
  };
}

const shortestFolded = 8;

/** The outermost units inside these lines, or all of them. */
function partsOf({ startLine, endLine }: Place, { spans }: OpenedFile, withNested = false): InnerUnit[] {
  const size = endLine - startLine;
  // Shorter items are never folded, so their parts are not needed.
  if (size < shortestFolded) return [];
  const inside = spans
    .filter(([start, end, name]) => name !== "" && start >= startLine && end <= endLine && end - start < size)
    .sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const parts: InnerUnit[] = [];
  for (const [start, end, name] of inside) {
    if (withNested || start > (parts.at(-1)?.endLine ?? 0)) parts.push({ startLine: start, endLine: end, name });
  }
  return parts;
}

/** How many items get related names: lower ones are rarely printed with more than a pointer. */
const mostRelated = 20;

/** Names of the items that each item calls, extends, implements or references: at most six. */
async function relatedNames(ranked: Scored[], { store, owner }: Workspace): Promise<Map<string, string[]>> {
  const ids = ranked.slice(0, mostRelated).map(({ item }) => item.id);
  const links = await store.links(owner, ids, "from", ["calls", "extends", "implements", "references"], ids.length * 8);
  const items = new Map(
    (await store.items(owner, [...new Set(links.map((link) => link.to))])).map((item) => [item.id, item]),
  );
  const names = new Map<string, string[]>();
  for (const { from, to } of links) {
    const item = items.get(to);
    const callees = names.get(from) ?? [];
    if (!item || to === from || callees.length >= 6 || callees.includes(item.name)) continue;
    names.set(from, [...callees, item.name]);
  }
  return names;
}
