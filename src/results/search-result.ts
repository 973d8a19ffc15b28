import * as z from "zod";
import { codeKinds, documentKinds, type Kind } from "../item.ts";

/** The results of a caller's own search. Database rows contain nulls, which count as absent. */

const text = z.string().nullish();
const line = z.number().nullish();

const entity = z.object({
  id: z.union([z.string(), z.number()]).nullish(),
  name: z.string(),
  type: z.string(),
  qualifiedName: text,
  /** The caller's copy of the text: printed, marked as stored, if the file cannot be. */
  content: text,
  /** A summary, printed if there is no text. */
  summary: text,
  filePath: text,
  startLine: line,
  endLine: line,
  /** The same three as separate fields. */
  metadata: z.object({ filePath: text, startLine: line, endLine: line }).nullish(),
});

export const searchResults = z.array(
  z.object({
    entity,
    entityId: z.union([z.string(), z.number()]).nullish(),
    /** Higher is better. Scores outside 0 to 1 are scaled to it. */
    score: z.number(),
    /** Which search found it: "semantic", "keyword". */
    source: text,
  }),
);

/** An entity with its score, as a search of the caller's own returns it. Lines are 1-based and inclusive. */
export type SearchResult = z.input<typeof searchResults>[number];
export type Entity = SearchResult["entity"];

export type StatedPlace = { path?: string; startLine?: number; endLine?: number };

/** The place of an entity as its caller states it. An invalid line, such as 0 or 1.5, is ignored. */
export function statedPlace({ metadata, ...direct }: Entity): StatedPlace {
  const path = direct.filePath || metadata?.filePath;
  const start = direct.startLine ?? metadata?.startLine;
  const end = direct.endLine ?? metadata?.endLine;
  const startLine = isLine(start) ? start : undefined;
  const endLine = isLine(end) && startLine !== undefined && end >= startLine ? end : undefined;
  return {
    ...(path ? { path } : {}),
    ...(startLine === undefined ? {} : { startLine }),
    ...(endLine === undefined ? {} : { endLine }),
  };
}

function isLine(value: number | null | undefined): value is number {
  return Number.isSafeInteger(value) && value! >= 1;
}

/** Names of other tools for the kinds of entities. */
const otherNames = new Map<string, Kind>([
  ["struct", "class"],
  ["record", "class"],
  ["object", "class"],
  ["component", "class"],
  ["trait", "interface"],
  ["protocol", "interface"],
  ["constructor", "method"],
  ["test", "function"],
  ["variable", "constant"],
  ["property", "field"],
  ["namespace", "module"],
  ["package", "module"],
  ["requirement", "section"],
  ["feature", "section"],
  ["session", "message"],
  ["decision", "message"],
]);

/** The kind that a caller's type stands for; undefined for an unknown type. */
export function kindOf(type: string): Kind | undefined {
  const name = type.toLowerCase();
  const ownKind = [...codeKinds, ...documentKinds, "message" as const].find((kind) => kind === name);
  return ownKind ?? otherNames.get(name);
}

/** The section of the document that entities of a type are printed in, where their file does not say it. */
export function sectionTitle(type: string): string {
  const kind = kindOf(type);
  if (kind === "message") return "Previous Conversations";
  if (kind === undefined || kind === "config") return "Other Context";
  return (documentKinds as readonly Kind[]).includes(kind) ? "Related Documentation" : "Relevant Code";
}
