import type { LineStructure, TextRange } from "./line-structure.ts";

/**
 * A comment or string of up to this many lines is kept whole; of a longer one, the first paragraph is kept, at most
 * `mostOfText` lines.
 */
const shortText = 8;
const mostOfText = 4;
/** If no sentence ends within those lines, text is shown to the end of the first sentence, up to this many lines. */
const longestParagraph = 8;
/** A gap of up to this many lines is shown, since its mark would take as much room. */
const shortGap = 1;

/** A line that is empty except for comment marks. */
const blank = /^[\s/*#;%"'!-]*$/;

/**
 * The lines to keep, and the lines they need to be understood correctly: heads of scopes, the matching bracket, the
 * `try` of an `except`. A comment is kept whole, or with its beginning and end only, or not at all. `essential` lines
 * are always kept.
 */
export function wholeLines(
  keep: ReadonlySet<number>,
  lines: readonly string[],
  structure: LineStructure,
  essential: ReadonlySet<number> = new Set(),
): Set<number> {
  const kept = new Set<number>();
  const texts = new Set<TextRange>();
  const queue: number[] = [];
  const add = (line: number) => {
    if (kept.has(line) || line < 0 || line >= lines.length) return;
    kept.add(line);
    queue.push(line);
  };
  const close = () => {
    for (let line = queue.pop(); line !== undefined; line = queue.pop()) {
      for (const other of structure.needs(line)) add(other);
      const text = structure.textAt(line);
      if (!text || texts.has(text)) continue;
      texts.add(text);
      add(text.start);
      if (text.closes) add(text.end);
      if (!text.comment) continue;
      const last = text.end - text.start < shortText ? text.end : paragraphEnd(text, lines);
      for (let inner = text.start; inner <= last; inner++) add(inner);
    }
  };
  for (const line of keep) add(line);
  close();
  for (let gaps = shortGaps(kept, lines.length); gaps.length > 0; gaps = shortGaps(kept, lines.length)) {
    for (const line of gaps) add(line);
    close();
  }
  for (const text of texts) if (text.comment) shorten(text, lines, kept, keep, essential);
  for (const line of [...kept]) if (lines[line]!.trim() === "" && isAtGap(line, kept, lines.length)) kept.delete(line);
  return kept;
}

/**
 * A comment that is not kept whole is cut at the end of a paragraph: the first one, or the last one that was chosen
 * together with all lines before it.
 */
function shorten(
  text: TextRange,
  lines: readonly string[],
  kept: Set<number>,
  chosen: ReadonlySet<number>,
  essential: ReadonlySet<number>,
): void {
  let missing = false;
  for (let line = text.start; line <= text.end && !missing; line++)
    missing = !kept.has(line) && lines[line]!.trim() !== "";
  if (!missing) return;
  let next = text.start;
  while (next < text.end && chosen.has(next)) next++;
  while (next > text.start && !blank.test(lines[next]!)) next--;
  for (const line of restOfText(text, lines)) if (line >= next && !essential.has(line)) kept.delete(line);
}

/** The last line of a text's first paragraph; of a long one, of its first sentences. */
function paragraphEnd({ start, end }: TextRange, lines: readonly string[]): number {
  let first = start;
  while (first < end && blank.test(lines[first]!)) first++;
  let last = first;
  while (last + 1 < end && !blank.test(lines[last + 1]!)) last++;
  if (last - start < mostOfText) return last;
  const ends = (line: number) => /[.!?:]["')]*\s*$/.test(lines[line]!);
  for (let line = start + mostOfText - 1; line >= first; line--) if (ends(line)) return line;
  for (let line = start + mostOfText; line < Math.min(last, start + longestParagraph); line++)
    if (ends(line)) return line;
  return Math.min(last, start + longestParagraph - 1);
}

function shortGaps(kept: ReadonlySet<number>, count: number): number[] {
  const gaps: number[] = [];
  let gap: number[] = [];
  for (let line = 0; line < count; line++) {
    if (!kept.has(line)) gap.push(line);
    else {
      if (gap.length > 0 && gap.length <= shortGap && gap[0]! > 0) gaps.push(...gap);
      gap = [];
    }
  }
  return gaps;
}

function isAtGap(line: number, kept: ReadonlySet<number>, count: number): boolean {
  return (line > 0 && !kept.has(line - 1)) || (line + 1 < count && !kept.has(line + 1));
}

const rests = new WeakMap<TextRange, ReadonlySet<number>>();

/** The lines of a long comment after its first paragraph: they are printed together or not at all. Memoised. */
export function restOfText(text: TextRange, lines: readonly string[]): ReadonlySet<number> {
  let rest = rests.get(text);
  if (!rest) {
    const isShort = !text.comment || text.end - text.start < shortText;
    const first = isShort ? text.end : paragraphEnd(text, lines) + 1;
    const end = isShort ? first : text.closes ? text.end : text.end + 1;
    rest = new Set(Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i));
    rests.set(text, rest);
  }
  return rest;
}
