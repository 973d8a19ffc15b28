import { ownSpan, sizeOf, type Unique } from "../unique.ts";
import type { WeighLines } from "./line-weights.ts";

/** Which lines of a text to keep when it cannot be printed whole. Lines are counted from 0. */

/** Lines kept around a line that speaks of the query. */
const around = 1;
/** Of the lines that speak of the query, those that do most are kept: a share of all lines, within limits. */
const relevant = { share: 0.12, fewest: 3, most: 24 };
/** Lines of a part that are kept for being a part. */
const mostOfPart = 30;
/** Lines of an outline. */
const mostOutline = 40;
/** Lines of a container's own that are all kept, and how many of more. */
const mostHead = 40;
const fewestHead = 12;
/** A gap this short is kept: a text with few holes is read better, and answers to questions hold no fewer of the lines they need (226 questions). */
const shortGap = 12;
/** Longest signature printed, in lines. */
const longestSignature = 12;
const deepestIndent = 80;
/** Merged parts whose first line a signature shows. */
const mostParts = 4;
/** First lines of a text in which nothing speaks of the query. */
const fewestLines = 4;

/** Of an item's own lines: the signature, what speaks of the query, the parts that were merged in, and the closing line. */
export function relevantLines(unique: Unique, lines: string[], weights: number[]): Set<number> {
  const last = lines.length - 1;
  const keep = new Set(signatureIndexes(unique.item.signature, lines));
  for (const line of heaviest(weights)) for (let i = line - around; i <= line + around; i++) keep.add(i);
  for (const part of unique.focus ?? []) {
    const start = part.startLine - ownSpan(unique).startLine;
    for (let i = start; i < start + Math.min(sizeOf(part), mostOfPart); i++) keep.add(i);
  }
  if (keep.size <= 2) for (let i = 0; i < fewestLines; i++) keep.add(i);
  if (/^\s*(?:[)\]}]+[;,]?|end\b.*|<\/.*>)\s*$/.test(lines[last] ?? "")) keep.add(last);
  return closeGaps(keep, last);
}

/** A doc comment of fewer lines is not worth folding, and of a longer one so many are kept where its first paragraph is no shorter. */
const shortDoc = 16;
const mostOfDoc = 4;

/** All lines but those of a long doc comment after its first paragraph; undefined where there is none. */
export function withoutDoc(unique: Unique, lines: string[]): Set<number> | undefined {
  const doc = docSpan(unique, lines);
  if (!doc || doc.end - doc.start < shortDoc) return undefined;
  const paragraph = range(doc.start + 1, doc.end).find((line) => /^[\s/*#;%-]*$/.test(lines[line]!)) ?? doc.end;
  const docEnd = Math.min(paragraph, doc.start + mostOfDoc);
  const closing = /(?:\*\/|"""|''')\s*$/.test(lines[doc.end - 1]!) ? 1 : 0;
  const hidden = new Set(range(docEnd, doc.end - closing));
  return new Set(range(0, lines.length).filter((line) => !hidden.has(line)));
}

/** Where the doc comment stands: above the declaration, or below it as Python has it. The end is not part of it. */
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

/** Of a container's own lines, those that are of none of its parts; of many, the first ones and those that speak most of the query. */
export function headLines(unique: Unique, lines: string[], weigh: WeighLines): Set<number> {
  const first = ownSpan(unique).startLine;
  const inPart = new Set<number>();
  for (const part of unique.parts ?? []) {
    for (let line = part.startLine; line <= part.endLine; line++) inPart.add(line - first);
  }
  const own = range(0, lines.length).filter((line) => !inPart.has(line) && lines[line]!.trim() !== "");
  // A part in a short gap is an item of its own, or was found not worth it.
  const closed = (keep: Set<number>) =>
    new Set([...closeGaps(keep, lines.length - 1)].filter((line) => keep.has(line) || !inPart.has(line)));
  if (unique.parts === undefined || own.length > mostHead) {
    const signature = signatureIndexes(unique.item.signature, lines);
    const speaking = heaviest(weigh(lines)).filter((line) => !inPart.has(line));
    return closed(new Set([...signature, ...own.slice(0, fewestHead), ...speaking.slice(0, mostHead / 2)]));
  }
  return closed(new Set(own));
}

const declaration =
  /^(?:\t|\s{0,4})(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\([^)]*\))?|open|sealed|override|virtual|unsafe|extern)\s+)*(?:class|def|function|func|fn|fun|interface|type|enum|struct|trait|impl|module|namespace|package|record|object|protocol|extension|const|mod|macro_rules!|CREATE)\b|^#{1,6}\s|^\[[^\]]+\]\s*$/;

/** A whole file as its declarations or headings, and the lines that speak most of the query. */
export function outlineLines(lines: string[], weights: number[]): Set<number> {
  const keep = new Set(heaviest(weights).slice(0, mostOutline / 4));
  for (let i = 0; i < lines.length && keep.size < mostOutline; i++) if (declaration.test(lines[i]!)) keep.add(i);
  if (keep.size === 0) for (let i = 0; i < fewestLines; i++) keep.add(i);
  return closeGaps(keep, lines.length - 1);
}

/** The declaration as it stands in the text, and the first lines of what was merged in, without common indentation. */
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

/** Where the indexed signature stands now; the first line that is not blank when it is not found or there is none. */
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
  const speaking = range(0, weights.length).filter((line) => weights[line]! > 0);
  return speaking.sort((a, b) => weights[b]! - weights[a]! || a - b).slice(0, count);
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
