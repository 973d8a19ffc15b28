import { wellFormed } from "../../../formats/characters.ts";
import { isInFile, isWholeFile, sourceTraits } from "../../../item.ts";
import type { Request } from "../../../options.ts";
import { tellingLines } from "../../../sources/commits/message-noise.ts";
import { cellLines } from "../../../sources/file/notebook-cells.ts";
import { hasIdentifier, linesWithIdentifier } from "../../../text/analysis/identifiers.ts";
import { memoizeRecent } from "../../../text/memoize.ts";
import { redact } from "../../../text/secrets/secrets.ts";
import { countLines } from "../../../text/truncation/comments.ts";
import type { LineStructure } from "../../../text/truncation/line-structure.ts";
import { wholeLines } from "../../../text/truncation/whole-lines.ts";
import { importedNames } from "../../imports.ts";
import type { PrintLevel } from "../../layout/print-level.ts";
import { ownSpan, type Unique } from "../../unique.ts";
import { byNearness, withDecisions } from "./deciding-lines.ts";
import { folded, structureOf } from "./folded.ts";
import {
  closeGaps,
  dedented,
  essentialLines,
  fileOrder,
  hasFocus,
  headLines,
  isFunction,
  memberLines,
  outlineLines,
  printOrder,
  relevantLines,
  requiredLines,
  signatureLines,
  withoutDoc,
} from "./kept-lines.ts";
import type { WeighLines } from "./line-weights.ts";
import { isSkeleton } from "./skeleton.ts";

/** Utility of each level, relative to an item printed whole. */
export const utilities = {
  full: 1,
  /** All lines of the item, without the context lines around them. */
  own: 0.97,
  /** The loss of folding a doc comment that contains all words of the query. */
  doc: 0.1,
  signature: 0.25,
  pointer: 0.08,
  /** Elided text: a base, plus parts for the relevant lines that are kept and for the share of all lines. */
  elided: { base: 0.3, relevant: 0.45, share: 0.2 },
  /** A container whose best parts are printed separately adds little. */
  outline: 0.2,
} as const;

/** Context lines are only given up if the text without them is shorter than this share of the text. */
const contextShare = 0.92;
/** An elision that keeps more than this share only makes the text harder to read. */
const mostKept = 0.8;
/** Shorter text is not elided. Neither is text that takes a small share of the budget (in characters per token). */
const shortText = { lines: 8, characters: 500, charactersPerToken: 0.2 };

/** The print levels with text, best first. Secrets are redacted before anything is counted. */
export function textLevels(unique: Unique, request: Request, weigh: WeighLines): PrintLevel[] {
  // A record is printed whole or only named: it has no declaration, and a sentence with a gap changes its meaning.
  if (!isInFile(unique.item.source)) return [recordLevel(unique)];
  return request.includeCodeContent ? codeLevels(unique, request, weigh) : [];
}

function recordLevel(unique: Unique): PrintLevel {
  const text = ownPrintable(unique);
  const lines = text.split("\n");
  const telling = sourceTraits[unique.item.source].group === "commit" ? tellingLines(lines) : [];
  if (telling.length === 0 || telling.length === lines.length)
    return { level: "full", text, imports: [], utility: utilities.full };
  const mark = `[... ${countLines(lines.length - telling.length)}: trailers and steps of a squash]`;
  return {
    level: "elided",
    text: [...telling.map((line) => lines[line]!), "", mark].join("\n"),
    lines: [...telling, undefined, undefined],
    imports: [],
    utility: utilities.full,
  };
}

function pointerLevel(utility: number): PrintLevel {
  return { level: "pointer", text: "", imports: [], utility };
}

function codeLevels(unique: Unique, request: Request, weigh: WeighLines): PrintLevel[] {
  const text = safeText(unique.lines.join("\n"));
  const lines = text.split("\n");
  const imports = request.includeImports ? unique.imports.map(safeText) : [];
  const own = ownLines(unique, lines);
  const users = importUsers(imports, own, () => structureOf(unique, own));
  const cells = isNotebook(unique) ? cellLines(own) : [];
  if (cells.length > 0) return notebookLevels(unique, own, cells);
  if (unique.outline) return isWholeFile(unique.item.kind) ? [] : headLevel(unique, own, users, weigh);
  const ownImports = users.of(own.map((_, line) => line));
  const levels: PrintLevel[] = [
    {
      level: "full",
      text,
      imports: withContext(unique, lines, imports, ownImports),
      context: true,
      utility: utilities.full,
    },
  ];
  const textWithoutContext = own.join("\n");
  if (textWithoutContext.length < contextShare * text.length) {
    levels.push({
      level: "full",
      text: textWithoutContext,
      imports: ownImports,
      utility: utilities.own,
    });
  }
  return [...levels, ...shortDocLevel(unique, own, users, weigh), ...elidedLevel(unique, request, own, users, weigh)];
}

function isNotebook({ item }: Unique): boolean {
  return item.path.endsWith(".ipynb");
}

/** Lines of a notebook's cells in its shorter forms, if the notebook does not fit whole. */
const shortNotebooks = [80, 20];

/** The text of a notebook's cells. Outputs, images and metadata are folded, and never printed. */
function notebookLevels(unique: Unique, lines: string[], cells: number[]): PrintLevel[] {
  return [cells.length, ...shortNotebooks.filter((most) => most < cells.length)].map((most) => {
    const utility = most === cells.length ? utilities.full : utilities.outline;
    return folded(unique, lines, new Set(cells.slice(0, most)), () => [], utility);
  });
}

/** The imports that an item's own lines or its context lines use. */
function withContext(unique: Unique, lines: string[], imports: string[], ownImports: string[]): string[] {
  const { startLine, endLine } = ownSpan(unique);
  const above = lines.slice(0, startLine - unique.startLine);
  const around = [...above, ...lines.slice(endLine - unique.startLine + 1)].join("\n");
  if (around === "" || imports.length === ownImports.length) return ownImports;
  const isUsed = (statement: string) => importedNames(statement).some((name) => hasIdentifier(around, name));
  return imports.filter((statement) => ownImports.includes(statement) || isUsed(statement));
}

/** All code, with only the beginning of a long doc comment. */
function shortDocLevel(unique: Unique, lines: string[], users: ImportUsers, weigh: WeighLines): PrintLevel[] {
  const keep = isWholeFile(unique.item.kind) ? undefined : withoutDoc(unique, lines, structureOf(unique, lines));
  if (!keep) return [];
  const weights = weigh(lines);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const hidden = weights.reduce((sum, weight, line) => (keep.has(line) ? sum : sum + weight), 0);
  const utility = utilities.own - utilities.doc * (total > 0 ? hidden / total : 0);
  return [folded(unique, lines, keep, users.of, utility)];
}

/** The text of a full print level without context lines. */
export function ownText(unique: Unique, { text, context }: PrintLevel): string {
  return context ? ownLines(unique, text.split("\n")).join("\n") : text;
}

function ownLines(unique: Unique, lines: string[]): string[] {
  const { startLine, endLine } = ownSpan(unique);
  return lines.slice(startLine - unique.startLine, endLine - unique.startLine + 1);
}

/** The item's own lines as they would be printed. */
export function ownPrintable(unique: Unique): string {
  return ownLines(unique, safeText(unique.lines.join("\n")).split("\n")).join("\n");
}

/** The levels without the item's text: signature and pointer. */
export function shortLevels(unique: Unique): PrintLevel[] {
  if (!isInFile(unique.item.source)) return [pointerLevel(utilities.pointer)];
  // An outline needs no pointer: its name is printed with its parts.
  if (unique.outline) return [];
  return [...signatureLevel(unique), pointerLevel(utilities.pointer)];
}

/** Memoised: the next queries often print the same texts. */
const redacted = memoizeRecent((text) => redact(wellFormed(text)), 2_000_000);

function safeText(text: string): string {
  return redacted(text).text;
}

function elidedLevel(
  unique: Unique,
  request: Request,
  lines: string[],
  users: ImportUsers,
  weigh: WeighLines,
): PrintLevel[] {
  const length = lines.reduce((sum, line) => sum + line.length + 1, 0);
  const shortest = Math.max(shortText.characters, shortText.charactersPerToken * request.maxTokens);
  if (lines.length < shortText.lines || length < shortest) return [];
  const weights = weigh(lines);
  // An outline of a catalogue of messages would not contain the pasted message.
  const isOutline = isWholeFile(unique.item.kind) && unique.askedLine === undefined && !hasFocus(unique);
  const structure = structureOf(unique, lines);
  const keep = isOutline ? outlineLines(lines, weights, structure) : relevantLines(unique, lines, weights, structure);
  const counted = isFunction(unique) ? withDecisions(weights, lines, structure) : weights;
  const total = counted.reduce((sum, weight) => sum + weight, 0);
  const { base, relevant, share: shared } = utilities.elided;
  // For a long file, only the wanted lines: with all lines that contain words of the question it may not fit.
  const sets = hasFocus(unique) ? [keep, essentialLines(unique, lines, structure)] : [keep];
  return sets.flatMap((kept) => {
    if (kept.size === 0 || kept.size > mostKept * lines.length || isSkeleton(unique, lines, kept)) return [];
    const keptWeight = [...kept].reduce((sum, line) => sum + counted[line]!, 0);
    const share = kept.size / lines.length;
    const utility = base + relevant * (total > 0 ? keptWeight / total : share) + shared * share;
    return [folded(unique, lines, kept, users.of, utility)];
  });
}

const shortestHead = 3;

/** A container whose parts are separate items: its declaration, doc comment and fields, with the parts folded. */
function headLevel(unique: Unique, lines: string[], users: ImportUsers, weigh: WeighLines): PrintLevel[] {
  const keep = headLines(unique, lines, weigh, structureOf(unique, lines));
  // A shorter head has only the name, which each part prints anyway.
  if (keep.size < shortestHead || isSkeleton(unique, lines, keep)) return [];
  return [folded(unique, lines, keep, users.of, utilities.outline)];
}

/**
 * The longest beginning of an item that fits together with its relevant lines (binary search), or the most lines around
 * the requested one; undefined if even the relevant lines do not fit.
 */
export function longestHead(
  unique: Unique,
  whole: PrintLevel,
  weigh: WeighLines,
  fits: (printLevel: PrintLevel) => boolean,
): PrintLevel | undefined {
  const own = { text: ownText(unique, whole) };
  const lines = own.text.split("\n");
  const weights = weigh(lines);
  const structure = structureOf(unique, lines);
  const users = importUsers(whole.imports, lines, () => structure);
  const order = headOrder(unique, lines, weights, structure);
  const essential = requiredLines(unique);
  const upTo = (count: number, kept: ReadonlySet<number>) => {
    const chosen = new Set(kept);
    for (const line of order.slice(0, count)) chosen.add(line);
    const closed = unique.askedWhole ? chosen : closeGaps(chosen, lines.length - 1, structure);
    const keep = count === 0 ? chosen : wholeLines(closed, lines, structure, essential);
    return { ...folded(unique, lines, keep, users.of, utilities.own), within: own };
  };
  const relevant = unique.askedWhole ? new Set<number>() : relevantLines(unique, lines, weights, structure);
  // An item that prints a message or raised an error must show that line. For other items, a cut with more lines is
  // more useful than the signature and a few lines.
  const sets = hasFocus(unique) ? [relevant, essentialLines(unique, lines, structure)] : [relevant];
  const kept = sets.find((set) => fits(upTo(0, set)));
  if (!kept) return undefined;
  let [best, low, high] = [upTo(0, kept), 0, Math.min(order.length, lines.length - 1)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const longer = upTo(middle, kept);
    if (fits(longer)) [best, low] = [longer, middle];
    else high = middle - 1;
  }
  return best;
}

/** The order in which lines are added to a cut: for a found item, the lines around relevant ones come first. */
function headOrder(unique: Unique, lines: string[], weights: number[], structure: LineStructure): number[] {
  if (unique.askedWhole) return fileOrder(unique, lines, structure);
  const order = printOrder(unique, lines, structure);
  return unique.askedLine === undefined ? byNearness(order, weights) : order;
}

function signatureLevel(unique: Unique): PrintLevel[] {
  // A section's heading is its name, which a pointer contains too.
  if (unique.item.kind === "section") return [];
  const text = isWholeFile(unique.item.kind) ? "" : signatureText(unique);
  const doc = firstSentence(unique);
  if (text.trim() === "" && doc === undefined) return [];
  return [{ level: "signature", text, ...(doc ? { doc } : {}), imports: [], utility: utilities.signature }];
}

/** The declaration; for a container with merged parts also their declarations, with a mark for the lines between. */
function signatureText(unique: Unique): string {
  const lines = ownPrintable(unique).split("\n");
  const members = unique.focus ? memberLines(unique, lines, structureOf(unique, lines)) : undefined;
  const outline = members
    ? folded(unique, lines, members, () => [], utilities.signature).text.split("\n")
    : [...signatureLines(unique, lines)].map((line) => lines[line]!);
  return dedented(outline).join("\n");
}

/** The doc comment's first sentence; undefined if the text has changed and no longer contains it. */
function firstSentence({ item, freshness, lines }: Unique): string | undefined {
  const flat = safeText(item.doc ?? "")
    .replace(/\s+/g, " ")
    .trim();
  const sentence = /^.{0,240}?[.!?。](?=\s|$)/u.exec(flat)?.[0] ?? wellFormed(flat.slice(0, 160));
  if (sentence === "") return undefined;
  const start = sentence.slice(0, 24);
  if (freshness === "moved" && !lines.join(" ").replace(/\s+/g, " ").includes(start)) return undefined;
  return sentence;
}

const usersByLevel = new WeakMap<object, ImportUsers>();

type ImportUsers = { of(lines: readonly (number | undefined)[]): string[] };

/**
 * Import statements with a name that occurs in these lines. The lines are searched once for many choices of them. A
 * name that only a comment or a docstring contains does not count as used.
 */
function importUsers(imports: string[], lines: string[], structure: () => LineStructure): ImportUsers {
  if (imports.length === 0) return { of: () => imports };
  const text = lines.join("\n");
  const users = new Map<string, Set<number>>();
  const usersOf = (statement: string) => {
    let found = users.get(statement);
    if (!found) {
      const named = importedNames(statement).flatMap((name) => linesWithIdentifier(lines, text, name));
      users.set(statement, (found = new Set(named.filter((line) => !structure().isComment(line)))));
    }
    return found;
  };
  return {
    of: (shown) => {
      const printed = new Set(shown);
      return imports.filter((statement) => [...usersOf(statement)].some((line) => printed.has(line)));
    },
  };
}

/** A print level with only a part of the text. */
export function cutLevel(
  unique: Unique,
  printLevel: PrintLevel,
  text: string,
  lines: (number | undefined)[],
): PrintLevel {
  const share = text.length / Math.max(1, printLevel.text.length);
  const { base, relevant, share: shared } = utilities.elided;
  const utility = Math.min(printLevel.utility, base + (relevant + shared) * Math.min(1, share));
  let users = usersByLevel.get(printLevel);
  if (!users) {
    const own = ownText(unique, printLevel).split("\n");
    usersByLevel.set(printLevel, (users = importUsers(printLevel.imports, own, () => structureOf(unique, own))));
  }
  return { level: "elided", text, lines, imports: users.of(lines), utility };
}
