import type { Dropped } from "../document.ts";
import { addressOf, type Enriched, type Facts, type Item, isTurn, isWholeFile, type Scored } from "../item.ts";
import type { Request } from "../options.ts";
import { attach } from "../pipeline/5-enrich/enrich.ts";
import { droppedFor } from "../pipeline/dropped.ts";
import { hashLines, itemId, sourceOf } from "../sources/itemize.ts";
import { hashText } from "../text/hash.ts";
import { splitLines } from "../text/lines.ts";
import { redact } from "../text/secrets/secrets.ts";
import { existingFolder } from "../workspace/root.ts";
import { locateEntity } from "./locate-entity.ts";
import { type DescribedFile, type NotRead, openFiles } from "./open-files.ts";
import { type Entity, kindOf, type SearchResult, sectionTitle, statedPlace } from "./search-result.ts";

export type ResultEnrichment = {
  items: Enriched[];
  unreadable: Dropped[];
  /** The result behind each item. */
  results: Map<string, SearchResult>;
  filesRead: number;
  warnings: string[];
};

/**
 * Reads the lines of each result from its file as it is now. If there are none, the caller's own text is used, marked
 * as such.
 */
export async function enrichResults(
  results: readonly SearchResult[],
  projectRoot: string,
  request: Request,
): Promise<ResultEnrichment> {
  const open = openFiles(projectRoot, existingFolder(projectRoot));
  const items: Enriched[] = [];
  const unreadable: Dropped[] = [];
  const warnings: string[] = [];
  const byId = new Map<string, SearchResult>();
  const read = new Set<string>();
  const scores = scaleScores(results.map(({ score }) => score));
  for (const [rank, result] of results.entries()) {
    const { entity } = result;
    const { path } = statedPlace(entity);
    const file = path === undefined ? undefined : await open(path);
    if (file && !("reason" in file)) read.add(file.path);
    const score = scores[rank]!;
    const ranked = { signals: {}, distance: 0, score, because: { [result.source || "search"]: score } };
    const { enriched, why } = await enrichOne(entity, file, ranked, request);
    const { item } = enriched ?? { item: withoutText(entity, file?.path ?? "", rank) };
    if (!byId.has(item.id)) byId.set(item.id, result);
    if (enriched) items.push(enriched);
    else {
      unreadable.push(droppedFor({ ...ranked, item }, "unreadable"));
      warnings.push(`${item.name} is left out: ${why}.`);
    }
  }
  return { items, unreadable, results: byId, filesRead: read.size, warnings };
}

type Ranked = Omit<Scored, "item">;
type Outcome = { enriched?: Enriched; why: string };

async function enrichOne(
  entity: Entity,
  file: DescribedFile | NotRead | undefined,
  ranked: Ranked,
  request: Request,
): Promise<Outcome> {
  if (file && !("reason" in file)) {
    const enriched = await fromFile(entity, file, ranked, request);
    if (enriched) return { enriched, why: "" };
  }
  const why = reasonFor(entity, file);
  // The caller's copy of a file that may not be read is not printed either.
  if (file && "reason" in file && (file.reason === "outside-root" || file.reason === "secret")) return { why };
  const lines = splitLines(entity.content || entity.summary || "");
  if (lines.every((line) => line.trim() === "")) return { why };
  return { enriched: stored(entity, file, lines, { ...ranked, notes: [`stored text: ${why}`] }), why };
}

async function fromFile(
  entity: Entity,
  { path, file, units, language }: DescribedFile,
  ranked: Ranked,
  request: Request,
): Promise<Enriched | undefined> {
  const place = locateEntity(entity, file.lines, units);
  if (!place) return undefined;
  const { startLine, endLine, unit, moved } = place;
  const isUnit = unit !== undefined && unit.startLine === startLine && unit.endLine === endLine;
  const kind = kindOf(entity.type) ?? unit?.kind ?? (units[0]!.kind === "file" ? "block" : "section");
  const { source } = units[0]!;
  const doc = unit?.doc || entity.summary;
  const item: Item = {
    id: isUnit ? unit.id : itemId(source, path, kind, `${entity.name} ${startLine}-${endLine}`, 0),
    source,
    kind,
    name: redact(entity.name).text,
    qualifiedName: isUnit ? unit.qualifiedName : qualifiedName(entity, path),
    path,
    startLine,
    endLine,
    language,
    ...(unit?.signature && !isWholeFile(kind) ? { signature: unit.signature } : {}),
    ...(doc ? { doc } : {}),
    hash: hashLines(file.lines, startLine, endLine),
  };
  const section = kind === "message" ? { section: sectionTitle(entity.type) } : {};
  const freshness = moved ? "moved" : "current";
  return attach({ ...ranked, ...section, item }, { startLine, endLine, freshness }, file, [], request);
}

/** The caller's own copy of an entity: under its path if it has one, else as a record. */
function stored(entity: Entity, file: { path: string } | undefined, lines: string[], ranked: Ranked): Enriched {
  const { startLine: stated } = statedPlace(entity);
  const startLine = file ? (stated ?? 1) : 1;
  const span = { startLine, endLine: startLine + lines.length - 1 };
  const item = {
    ...(file ? itemOfFile(entity, file.path) : record(entity, lines)),
    ...span,
    hash: hashText(lines.join("\n")),
  };
  const facts: Facts = isTurn(item.source) ? { thread_title: item.name } : { heading: item.name };
  return {
    ...ranked,
    ...(file ? {} : { facts, section: sectionTitle(entity.type) }),
    item,
    lines,
    ...span,
    freshness: file ? "stored" : "current",
    imports: [],
    related: [],
    merged: [],
    citation: { id: `[${item.id}]`, itemId: item.id, path: addressOf(item), ...span, hash: item.hash },
  };
}

function itemOfFile(entity: Entity, path: string): Item {
  const kind = kindOf(entity.type) ?? "block";
  const { startLine = 1, endLine = startLine } = statedPlace(entity);
  const source = sourceOf(kind);
  return {
    id: itemId(source, path, kind, `${entity.name} stored ${hashText(entity.content ?? "")}`, startLine),
    source,
    kind,
    name: redact(entity.name).text,
    qualifiedName: qualifiedName(entity, path),
    path,
    startLine,
    endLine,
    hash: "",
  };
}

function record(entity: Entity, lines: string[]): Item {
  const [source, kind, prefix] =
    kindOf(entity.type) === "message"
      ? (["message", "message", "msg"] as const)
      : (["document", "chunk", "doc"] as const);
  const id = `${prefix}-${hashText([entity.name, entity.type, ...lines].join("\0"))}`;
  const name = redact(entity.name).text;
  return { id, source, kind, name, qualifiedName: name, path: id, startLine: 1, endLine: lines.length, hash: "" };
}

/** An entity that is left out. Each counts, even if others have the same name. */
function withoutText(entity: Entity, path: string, rank: number): Item {
  const kind = kindOf(entity.type) ?? "block";
  const { startLine = 1, endLine = startLine } = statedPlace(entity);
  const name = redact(entity.name).text;
  const id = itemId("code", path, kind, `${entity.name} left out`, rank);
  return { id, source: "code", kind, name, qualifiedName: name, path, startLine, endLine, hash: "" };
}

function qualifiedName({ name, qualifiedName: stated }: Entity, path: string): string {
  return redact(stated?.startsWith(`${path}::`) ? stated : `${path}::${name}`).text;
}

const reasons: Record<NotRead["reason"], string> = {
  gone: "the file is gone",
  "not-readable": "the file cannot be read",
  "outside-root": "its path leads out of the project",
  "not-a-file": "its path is no file",
  "too-large": "the file is too large",
  secret: "its file may hold secrets",
  binary: "its file is not text",
};

function reasonFor(entity: Entity, file: DescribedFile | NotRead | undefined): string {
  if (!file) return "it is in no file";
  if ("reason" in file) return reasons[file.reason];
  return statedPlace(entity).startLine === undefined
    ? "nobody says where in its file it is"
    : "it is no longer in its file";
}

/** Scores between 0 and 1, in the same order and proportion; those that are already stay as they are. */
function scaleScores(scores: readonly number[]): number[] {
  const least = scores.reduce((a, b) => Math.min(a, b), 0);
  const most = scores.reduce((a, b) => Math.max(a, b), 0);
  if (least >= 0 && most <= 1) return [...scores];
  return scores.map((score) => (most === least ? 1 : (score - least) / (most - least)));
}
