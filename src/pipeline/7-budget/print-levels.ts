import { shortName, wellFormed } from "../../formats/characters.ts";
import { isInFile, isWholeFile, sourceTraits } from "../../item.ts";
import type { Request } from "../../options.ts";
import { tellingLines } from "../../sources/commits/message-noise.ts";
import { hasIdentifier, linesWithIdentifier } from "../../text/analysis/identifiers.ts";
import { memoizeRecent } from "../../text/memoize.ts";
import { redact } from "../../text/secrets/secrets.ts";
import { countLines } from "../../text/truncation/comments.ts";
import { type Elided, elide, type IsInText, inTexts } from "../../text/truncation/elide.ts";
import { importedNames } from "../imports.ts";
import type { PrintLevel } from "../layout/print-level.ts";
import { ownSpan, type Unique } from "../unique.ts";
import {
  askedIndex,
  essentialLines,
  headLines,
  outlineLines,
  relevantLines,
  signatureLines,
  withoutDoc,
} from "./kept-lines.ts";
import type { WeighLines } from "./line-weights.ts";

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

/** Context lines are only given up if the text without them is below this share. */
const contextShare = 0.92;
/** Elision that keeps more than this share only makes the text harder to read. */
const mostKept = 0.8;
/** Shorter text is not elided, nor is text that takes a small share of the budget (in characters per token). */
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
  if (unique.outline) return isWholeFile(unique.item.kind) ? [] : headLevel(unique, own, imports, weigh);
  const levels: PrintLevel[] = [{ level: "full", text, imports, context: true, utility: utilities.full }];
  const textWithoutContext = own.join("\n");
  if (textWithoutContext.length < contextShare * text.length) {
    levels.push({
      level: "full",
      text: textWithoutContext,
      imports: usedIn(textWithoutContext, imports),
      utility: utilities.own,
    });
  }
  return [
    ...levels,
    ...shortDocLevel(unique, own, imports, weigh),
    ...elidedLevel(unique, request, own, imports, weigh),
  ];
}

/** All code, with only the beginning of a long doc comment. */
function shortDocLevel(unique: Unique, lines: string[], imports: string[], weigh: WeighLines): PrintLevel[] {
  const keep = isWholeFile(unique.item.kind) ? undefined : withoutDoc(unique, lines);
  if (!keep) return [];
  const weights = weigh(lines);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const hidden = weights.reduce((sum, weight, line) => (keep.has(line) ? sum : sum + weight), 0);
  const utility = utilities.own - utilities.doc * (total > 0 ? hidden / total : 0);
  return [folded(unique, lines, keep, (_, text) => usedIn(text, imports), utility)];
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
  // An outline needs no pointer: its parts are printed with its name.
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
  imports: string[],
  weigh: WeighLines,
): PrintLevel[] {
  const length = lines.reduce((sum, line) => sum + line.length + 1, 0);
  const shortest = Math.max(shortText.characters, shortText.charactersPerToken * request.maxTokens);
  if (lines.length < shortText.lines || length < shortest) return [];
  const weights = weigh(lines);
  const isOutline = isWholeFile(unique.item.kind) && unique.askedLine === undefined;
  const keep = isOutline ? outlineLines(lines, weights) : relevantLines(unique, lines, weights);
  if (keep.size === 0 || keep.size > mostKept * lines.length) return [];
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const keptWeight = [...keep].reduce((sum, line) => sum + weights[line]!, 0);
  const share = keep.size / lines.length;
  const { base, relevant, share: shared } = utilities.elided;
  const utility = base + relevant * (total > 0 ? keptWeight / total : share) + shared * share;
  return [folded(unique, lines, keep, (_, text) => usedIn(text, imports), utility)];
}

const shortestHead = 3;

/** A container whose parts are items of their own: its declaration, doc comment and fields, with the parts folded. */
function headLevel(unique: Unique, lines: string[], imports: string[], weigh: WeighLines): PrintLevel[] {
  const keep = headLines(unique, lines, weigh);
  // Shorter: only its name, which each part prints anyway.
  if (keep.size < shortestHead) return [];
  return [folded(unique, lines, keep, (_, text) => usedIn(text, imports), utilities.outline)];
}

/** Lines printed around a line that was asked for, where it is in a class or file but in none of its units. */
const mostAround = 80;

/**
 * The longest beginning of an item that fits together with its relevant lines (binary search), or the most lines around the one that was asked
 * for; undefined if even the relevant lines do not fit.
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
  const isInText = openTexts(unique, lines);
  const users = importUsers(whole.imports, lines);
  const order = printOrder(unique, lines.length);
  const upTo = (count: number, kept: ReadonlySet<number>) => {
    const keep = new Set(kept);
    for (const line of order.slice(0, count)) keep.add(line);
    return { ...folded(unique, lines, keep, (elided) => users.of(elided), utilities.own, isInText), within: own };
  };
  const relevant = relevantLines(unique, lines, weights);
  // What prints a message must show it. For others, a beginning tells more than their signature and a few lines.
  const sets = unique.signals.message === undefined ? [relevant] : [relevant, essentialLines(unique, lines)];
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

/** Indexes of lines in the order in which they are added to a cut: from the first on, or from the asked line outwards. */
function printOrder(unique: Unique, count: number): number[] {
  const lines = Array.from({ length: count }, (_, line) => line);
  const asked = askedIndex(unique);
  if (asked === undefined) return lines;
  const { kind } = unique.item;
  const order = lines.sort((a, b) => Math.abs(a - asked) - Math.abs(b - asked) || a - b);
  return kind === "function" || kind === "method" ? order : order.slice(0, mostAround);
}

const memoizedTexts = memoizeRecent((key) => {
  const [language] = key.split("\0", 1) as [string];
  return inTexts(key.slice(language.length + 1).split("\n"), language === "" ? undefined : language);
}, 2_000_000);

function openTexts({ item }: Unique, lines: string[]): IsInText {
  return memoizedTexts(`${item.language ?? ""}\0${lines.join("\n")}`);
}

/** The kept lines; each fold names the units it hides. */
function folded(
  unique: Unique,
  lines: string[],
  keep: Set<number>,
  importsOf: (elided: Elided, text: string) => string[],
  utility: number,
  isInText: IsInText = openTexts(unique, lines),
): PrintLevel {
  const first = ownSpan(unique).startLine;
  const hidden = (start: number, end: number) =>
    (unique.parts ?? [])
      .filter((part) => part.startLine >= first + start && part.endLine < first + end)
      .map(({ name }) => shortName(name));
  const elided = elide(lines, (line) => keep.has(line), unique.item.language, hidden, isInText);
  const text = elided.lines.join("\n");
  return { level: "elided", text, lines: elided.origins, imports: importsOf(elided, text), utility };
}

function signatureLevel(unique: Unique): PrintLevel[] {
  // A section's heading is its name, which a pointer has too.
  if (unique.item.kind === "section") return [];
  const text = isWholeFile(unique.item.kind) ? "" : safeText(signatureLines(unique).join("\n"));
  const doc = firstSentence(unique);
  if (text.trim() === "" && doc === undefined) return [];
  return [{ level: "signature", text, ...(doc ? { doc } : {}), imports: [], utility: utilities.signature }];
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

/** Import statements with a name that occurs in the text. */
function usedIn(text: string, imports: string[]): string[] {
  if (imports.length === 0) return imports;
  return imports.filter((statement) => importedNames(statement).some((name) => hasIdentifier(text, name)));
}

/** As `usedIn`, for many cuts of the same lines: the lines are searched once. */
function importUsers(imports: string[], lines: string[]): { of(elided: Elided): string[] } {
  const text = lines.join("\n");
  const statements = imports.map((statement) => {
    const names = importedNames(statement);
    return { statement, names, lines: new Set(names.flatMap((name) => linesWithIdentifier(lines, text, name))) };
  });
  return {
    of: (elided) => {
      const keptLines = elided.origins.filter((line) => line !== undefined);
      const marks = elided.lines.filter((_, i) => elided.origins[i] === undefined).join("\n");
      return statements
        .filter(
          ({ names, lines }) =>
            keptLines.some((line) => lines.has(line)) || names.some((name) => hasIdentifier(marks, name)),
        )
        .map(({ statement }) => statement);
    },
  };
}

/** A print level with only a part of the text. */
export function cutLevel(printLevel: PrintLevel, text: string, lines: (number | undefined)[]): PrintLevel {
  const share = text.length / Math.max(1, printLevel.text.length);
  const { base, relevant, share: shared } = utilities.elided;
  const utility = Math.min(printLevel.utility, base + (relevant + shared) * Math.min(1, share));
  return { level: "elided", text, lines, imports: usedIn(text, printLevel.imports), utility };
}
