import { ownSpan, sizeOf, type Unique } from "./unique.ts";

/** Which lines of a text to keep when it cannot be printed whole. Lines are counted from 0. */

/** Lines kept around a line that speaks of the query. */
const around = 1;
/** Relevant lines kept at most, those that speak most of the query. */
const mostRelevant = 24;
/** Lines of a part that are kept for being a part. */
const mostOfPart = 30;
/** Lines of an outline. */
const mostOutline = 40;
/** A gap this short is kept: its mark would cost as much. */
const shortGap = 2;
/** Longest signature printed. */
const longestSignature = 12;

/** Signature, what speaks of the query with a line around, the parts that were merged in, and the closing line. */
export function relevantLines(unique: Unique, lines: string[], weights: number[]): Set<number> {
  const own = ownSpan(unique);
  const first = own.startLine - unique.startLine;
  const last = Math.min(first + sizeOf(own), lines.length) - 1;
  const keep = new Set(signatureIndexes(unique, lines));
  for (const line of heaviest(weights, first, last)) {
    for (let i = Math.max(first, line - around); i <= Math.min(last, line + around); i++) keep.add(i);
  }
  for (const part of unique.focus ?? []) {
    const start = part.startLine - unique.startLine;
    for (let i = start; i < start + Math.min(sizeOf(part), mostOfPart); i++) if (i >= first && i <= last) keep.add(i);
  }
  if (keep.size <= 2) for (let i = first; i <= Math.min(last, first + 4); i++) keep.add(i);
  if (/^\s*(?:[)\]}]+[;,]?|end\b.*|<\/.*>)\s*$/.test(lines[last] ?? "")) keep.add(last);
  return closeGaps(keep, first, last);
}

const declaration =
  /^(?:\t|\s{0,4})(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|pub(?:\([^)]*\))?|open|sealed|override|virtual|unsafe|extern)\s+)*(?:class|def|function|func|fn|fun|interface|type|enum|struct|trait|impl|module|namespace|package|record|object|protocol|extension|const|mod|macro_rules!|CREATE)\b|^#{1,6}\s|^\[[^\]]+\]\s*$/;

/** A whole file as its declarations or headings, and the lines that speak most of the query. */
export function outlineLines(lines: string[], weights: number[]): Set<number> {
  const keep = new Set<number>();
  for (const line of heaviest(weights, 0, lines.length - 1).slice(0, mostRelevant / 2)) keep.add(line);
  for (let i = 0; i < lines.length && keep.size < mostOutline; i++) if (declaration.test(lines[i]!)) keep.add(i);
  if (keep.size === 0) for (let i = 0; i < Math.min(4, lines.length); i++) keep.add(i);
  return closeGaps(keep, 0, lines.length - 1);
}

/** The declaration as it stands in the text, without common indentation. */
export function signatureLines(unique: Unique, lines: string[]): string[] {
  const found = signatureIndexes(unique, lines).map((index) => lines[index]!);
  const indents = found.filter((line) => line.trim() !== "").map((line) => /^\s*/.exec(line)![0].length);
  const indent = Math.min(...indents, 80);
  return found.map((line) => line.slice(Math.min(indent, /^\s*/.exec(line)![0].length)));
}

/** Where the indexed signature stands now; the first line that is not blank when it is not found or there is none. */
function signatureIndexes(unique: Unique, lines: string[]): number[] {
  const own = ownSpan(unique);
  const first = own.startLine - unique.startLine;
  const end = Math.min(first + sizeOf(own), lines.length);
  const wanted = (unique.item.signature ?? "").split("\n");
  const opening = wanted[0]!.trim();
  if (opening !== "") {
    for (let i = first; i < end; i++) {
      if (lines[i]!.trim().startsWith(opening)) return range(i, Math.min(i + Math.min(wanted.length, longestSignature), end));
    }
  }
  for (let i = first; i < end; i++) if (lines[i]!.trim() !== "") return [i];
  return [];
}

function heaviest(weights: number[], first: number, last: number): number[] {
  const relevant = range(first, last + 1).filter((line) => (weights[line] ?? 0) > 0);
  return relevant.sort((a, b) => weights[b]! - weights[a]! || a - b).slice(0, mostRelevant);
}

function closeGaps(keep: Set<number>, first: number, last: number): Set<number> {
  const order = [...keep].filter((line) => line >= first && line <= last).sort((a, b) => a - b);
  const closed = new Set<number>();
  let previous: number | undefined;
  for (const line of order) {
    if (previous !== undefined && line - previous - 1 <= shortGap) for (const between of range(previous + 1, line)) closed.add(between);
    closed.add(line);
    previous = line;
  }
  return closed;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}
