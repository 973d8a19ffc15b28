import { ownSpan, sizeOf, type Unique } from "../unique.ts";
import type { WeighLines } from "./line-weights.ts";

/** Which lines of a text to keep when it cannot be printed whole. Lines are counted from 0. */

/** Lines kept around a relevant line. */
const linesAround = 1;
/** How many of the most relevant lines are kept: a share of all lines, within limits. */
const relevant = { share: 0.12, fewest: 3, most: 24 };
/** Lines of a merged part that are kept. */
const mostOfPart = 30;
/** Lines of an outline. */
const mostOutline = 40;
/** A container's own lines are all kept up to this many; of more, at least `fewestHead` are. */
const mostHead = 40;
const fewestHead = 12;
/** A gap up to this many lines is printed too: text with few gaps reads better, and answers contain no fewer of the needed lines (226 questions). */
const shortGap = 12;
/** Longest signature printed, in lines. */
const longestSignature = 12;
const deepestIndent = 80;
/** Merged parts whose first line a signature shows. */
const mostParts = 4;
/** First lines that are kept of a text without relevant lines. */
const fewestLines = 4;

/** Lines kept on either side of a line that was asked for. */
const aroundAsked = 8;

/** Index of the line that was asked for, if there is one. */
export function askedIndex(unique: Unique): number | undefined {
  return unique.askedLine === undefined ? undefined : unique.askedLine - ownSpan(unique).startLine;
}

/** An item's own lines to keep: the signature, relevant lines, merged parts, and the closing line. */
export function relevantLines(unique: Unique, lines: string[], weights: number[]): Set<number> {
  const last = lines.length - 1;
  const keep = new Set(signatureIndexes(unique.item.signature, lines));
  const asked = askedIndex(unique);
  // Who asks for a line does not ask for others that have the words of the path.
  if (asked !== undefined)
    return closeGaps(new Set([...keep, ...range(asked - aroundAsked, asked + aroundAsked + 1)]), last);
  for (const line of heaviest(weights)) for (let i = line - linesAround; i <= line + linesAround; i++) keep.add(i);
  for (const part of unique.focus ?? []) {
    const start = part.startLine - ownSpan(unique).startLine;
    for (let i = start; i < start + Math.min(sizeOf(part), mostOfPart); i++) keep.add(i);
  }
  if (keep.size <= 2) for (let i = 0; i < fewestLines; i++) keep.add(i);
  if (/^\s*(?:[)\]}]+[;,]?|end\b.*|<\/.*>)\s*$/.test(lines[last] ?? "")) keep.add(last);
  return closeGaps(keep, last);
}

/** The fewest lines of what prints a message: its signature, and the lines that print it. */
export function essentialLines(unique: Unique, lines: string[]): Set<number> {
  const keep = new Set(signatureIndexes(unique.item.signature, lines));
  for (const part of (unique.focus ?? []).slice(0, 1)) {
    const start = part.startLine - ownSpan(unique).startLine;
    const end = start + Math.min(sizeOf(part), mostOfPart);
    for (let line = start - linesAround; line < end + linesAround; line++) keep.add(line);
  }
  return keep;
}

/** A doc comment with fewer lines is not folded; of a longer one the first paragraph is kept, at most `mostOfDoc` lines. */
const shortDoc = 16;
const mostOfDoc = 4;

/** All lines except those of a long doc comment after its first paragraph; undefined without such a comment. */
export function withoutDoc(unique: Unique, lines: string[]): Set<number> | undefined {
  const doc = docSpan(unique, lines);
  if (!doc || doc.end - doc.start < shortDoc) return undefined;
  const paragraph = range(doc.start + 1, doc.end).find((line) => /^[\s/*#;%-]*$/.test(lines[line]!)) ?? doc.end;
  const docEnd = Math.min(paragraph, doc.start + mostOfDoc);
  const closing = /(?:\*\/|"""|''')\s*$/.test(lines[doc.end - 1]!) ? 1 : 0;
  const hidden = new Set(range(docEnd, doc.end - closing));
  return new Set(range(0, lines.length).filter((line) => !hidden.has(line)));
}

/** The lines of the doc comment, above the declaration or below it as in Python. `end` is exclusive. */
function docSpan({ item }: Unique, lines: string[]): { start: number; end: number } | undefined {
  const signature = signatureIndexes(item.signature, lines);
  const [first, last] = [signature[0] ?? 0, signature.at(-1) ?? 0];
  const quotes = /^\s*[rRuU]?("""|''')/.exec(lines[last + 1] ?? "")?.[1];
  if (quotes !== undefined) {
    const end = range(last + 2, lines.length).find((line) => lines[line]!.includes(quotes));
    return end === undefined ? undefined : { start: last + 1, end: end + 1 };
  }
  const isComment = (line: number) => /^\s*(?:\/\*|\*|\/\/|#(?!\[)|--|;|%)/.test(lines[line]!);
  const start = range(0, first).find(isComment);
  if (start === undefined) return undefined;
  let end = start;
  while (end < first && isComment(end)) end++;
  return { start, end };
}

/** A container's lines outside all its parts; of too many, the first ones and the most relevant. */
export function headLines(unique: Unique, lines: string[], weigh: WeighLines): Set<number> {
  const first = ownSpan(unique).startLine;
  const inPart = new Set<number>();
  for (const part of unique.parts ?? []) {
    for (let line = part.startLine; line <= part.endLine; line++) inPart.add(line - first);
  }
  const own = range(0, lines.length).filter((line) => !inPart.has(line) && lines[line]!.trim() !== "");
  // Closing a gap must not print a part: it is an item of its own, or was not worth printing.
  const closed = (keep: Set<number>) =>
    new Set([...closeGaps(keep, lines.length - 1)].filter((line) => keep.has(line) || !inPart.has(line)));
  if (unique.parts === undefined || own.length > mostHead) {
    const signature = signatureIndexes(unique.item.signature, lines);
    const relevantIndexes = heaviest(weigh(lines)).filter((line) => !inPart.has(line));
    return closed(new Set([...signature, ...own.slice(0, fewestHead), ...relevantIndexes.slice(0, mostHead / 2)]));
  }
  return closed(new Set(own));
}

const declaration =
  /^(?:\t|\s{0,4})(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\([^)]*\))?|open|sealed|override|virtual|unsafe|extern)\s+)*(?:class|def|function|func|fn|fun|interface|type|enum|struct|trait|impl|module|namespace|package|record|object|protocol|extension|const|mod|macro_rules!|CREATE)\b|^#{1,6}\s|^\[[^\]]+\]\s*$/;

/** The outline of a whole file: declarations or headings, and the most relevant lines. */
export function outlineLines(lines: string[], weights: number[]): Set<number> {
  const keep = new Set(heaviest(weights).slice(0, mostOutline / 4));
  for (let i = 0; i < lines.length && keep.size < mostOutline; i++) if (declaration.test(lines[i]!)) keep.add(i);
  if (keep.size === 0) for (let i = 0; i < fewestLines; i++) keep.add(i);
  return closeGaps(keep, lines.length - 1);
}

/** The declaration as written, and the first lines of merged parts, without common indentation. */
export function signatureLines(unique: Unique): string[] {
  const { startLine, endLine } = ownSpan(unique);
  const lines = unique.lines.slice(startLine - unique.startLine, endLine - unique.startLine + 1);
  const indexes = new Set(signatureIndexes(unique.item.signature, lines));
  for (const part of (unique.focus ?? []).slice(0, mostParts)) {
    const inside = range(part.startLine - startLine, part.endLine - startLine + 1);
    const first = inside.find((i) => declaration.test(lines[i] ?? "")) ?? inside.find((i) => lines[i]?.trim());
    if (first !== undefined) indexes.add(first);
  }
  const outline = [...indexes].sort((a, b) => a - b).map((index) => lines[index]!);
  const indents = outline.filter((line) => line.trim() !== "").map(indentOf);
  const indent = Math.min(...indents, deepestIndent);
  return outline.map((line) => line.slice(Math.min(indent, indentOf(line))));
}

function indentOf(line: string): number {
  return /^[ \t]*/.exec(line)![0].length;
}

/** Indexes of the indexed signature's lines in the current text; of the first non-blank line if there is none. */
function signatureIndexes(signature: string | undefined, lines: string[]): number[] {
  const signatureLines = (signature ?? "").split("\n");
  const opening = signatureLines[0]!.trim();
  const start = opening === "" ? -1 : lines.findIndex((line) => line.trim().startsWith(opening));
  if (start >= 0)
    return range(start, Math.min(start + Math.min(signatureLines.length, longestSignature), lines.length));
  const first = lines.findIndex((line) => line.trim() !== "");
  return first < 0 ? [] : [first];
}

function heaviest(weights: number[]): number[] {
  const { share, fewest, most } = relevant;
  const count = Math.min(most, Math.max(fewest, Math.round(share * weights.length)));
  const relevantIndexes = range(0, weights.length).filter((line) => weights[line]! > 0);
  return relevantIndexes.sort((a, b) => weights[b]! - weights[a]! || a - b).slice(0, count);
}

function closeGaps(keep: Set<number>, last: number): Set<number> {
  const order = [...keep].filter((line) => line >= 0 && line <= last).sort((a, b) => a - b);
  if (order.length === 0) return new Set();
  const closed = new Set<number>();
  let previous = -1;
  for (const line of [...order, last + 1]) {
    if (line - previous - 1 <= shortGap) for (const between of range(previous + 1, line)) closed.add(between);
    if (line <= last) closed.add(line);
    previous = line;
  }
  return closed;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}
