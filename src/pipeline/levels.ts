import { wellFormed } from "../formats/characters.ts";
import type { Level } from "../item.ts";
import type { Request } from "../options.ts";
import { elide } from "../text/elide.ts";
import { redact } from "../text/secrets.ts";
import { isWholeFile } from "./kinds.ts";
import { outlineLines, relevantLines, signatureLines } from "./lines.ts";
import type { LineWeight } from "./relevance.ts";
import type { Unique } from "./unique.ts";

/** One way to print an item. */
export type Rung = {
  level: Level;
  text: string;
  /** First sentence of the doc comment, where the text is only a signature. */
  doc?: string;
  /** Imports that the text uses. */
  imports: string[];
  /** What the reader has of the item, 0..1. */
  utility: number;
};

/** What each level is worth when the item itself is worth 1. */
export const utilities = {
  full: 1,
  signature: 0.45,
  pointer: 0.12,
  /** Elided text is worth more than a signature by the relevant lines it keeps, and by its share of all lines. */
  elided: { least: 0.45, relevant: 0.35, share: 0.15 },
  /** A container whose best parts are printed beside it adds little. */
  outline: { elided: 0.25, signature: 0.25, pointer: 0.04 },
} as const;

/** Elision that keeps more than this of the text only makes it harder to read. */
const mostKept = 0.8;
/** Text of fewer lines is not worth eliding. */
const fewestLines = 8;

/** Every way to print an item, best first. Secrets are gone before anything is counted. */
export function rungsOf(unique: Unique, request: Request, weigh: LineWeight): Rung[] {
  const lines = safe(unique.lines.join("\n")).split("\n");
  const rungs: Rung[] = [];
  if (request.includeCodeContent) {
    if (!unique.outline) rungs.push({ level: "full", text: lines.join("\n"), imports: unique.imports.map(safe), utility: utilities.full });
    if (!unique.outline || isWholeFile(unique.item.kind)) rungs.push(...elided(unique, lines, weigh));
  }
  rungs.push(...signature(unique, lines));
  const pointer = unique.outline ? utilities.outline.pointer : utilities.pointer;
  rungs.push({ level: "pointer", text: "", imports: [], utility: pointer });
  return rungs;
}

function safe(text: string): string {
  return redact(wellFormed(text)).text;
}

function elided(unique: Unique, lines: string[], weigh: LineWeight): Rung[] {
  if (lines.length < fewestLines) return [];
  const weights = lines.map(weigh);
  const keep = isWholeFile(unique.item.kind) ? outlineLines(lines, weights) : relevantLines(unique, lines, weights);
  if (keep.size === 0 || keep.size > mostKept * lines.length) return [];
  const text = elide(lines, (line) => keep.has(line), unique.item.language).join("\n");
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const kept = [...keep].reduce((sum, line) => sum + weights[line]!, 0);
  const share = keep.size / lines.length;
  const { least, relevant, share: shared } = utilities.elided;
  const utility = unique.outline
    ? utilities.outline.elided
    : least + relevant * (total > 0 ? kept / total : share) + shared * share;
  return [{ level: "elided", text, imports: usedIn(text, unique.imports.map(safe)), utility }];
}

function signature(unique: Unique, lines: string[]): Rung[] {
  const text = isWholeFile(unique.item.kind) ? "" : signatureLines(unique, lines).join("\n");
  const doc = firstSentence(unique, lines);
  if (text.trim() === "" && doc === undefined) return [];
  const utility = unique.outline ? utilities.outline.signature : utilities.signature;
  return [{ level: "signature", text, ...(doc ? { doc } : {}), imports: [], utility }];
}

/** The doc comment's first sentence; none when the text has changed since and no longer says it. */
function firstSentence({ item, freshness }: Unique, lines: string[]): string | undefined {
  const flat = safe(item.doc ?? "").replace(/\s+/g, " ").trim();
  const sentence = /^.{0,240}?[.!?。](?=\s|$)/u.exec(flat)?.[0] ?? wellFormed(flat.slice(0, 160));
  if (sentence === "") return undefined;
  const start = sentence.slice(0, 24);
  if (freshness === "moved" && !lines.join(" ").replace(/\s+/g, " ").includes(start)) return undefined;
  return sentence;
}

/** Import statements with a name that occurs in the text. */
export function usedIn(text: string, imports: string[]): string[] {
  if (imports.length === 0) return imports;
  const words = new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);
  return imports.filter((statement) => {
    const names = statement.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
    return names.some((name) => !importWords.has(name) && words.has(name));
  });
}

const importWords = new Set("import from as use using require include const let var type static pub crate self".split(" "));

/** A reduced copy of a rung's text. */
export function cutRung(rung: Rung, text: string): Rung {
  const share = text.length / Math.max(1, rung.text.length);
  const { least, relevant, share: shared } = utilities.elided;
  const utility = Math.min(rung.utility, least + (relevant + shared) * Math.min(1, share));
  return { level: "elided", text, imports: usedIn(text, rung.imports), utility };
}
