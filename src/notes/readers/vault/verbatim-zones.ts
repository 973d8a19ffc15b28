import { codeSpans } from "./code-spans.ts";

/** The kind of a line, known before it is parsed. */
export const zone = {
  /** Ordinary text. */
  open: 0,
  /** Begins code or mathematics, possibly as the text of a list item: the item counts, the rest is verbatim. */
  begins: 1,
  /** Inside code, mathematics or a comment: neither structure nor links. */
  verbatim: 2,
  /** Begins one of Logseq's `#+BEGIN` blocks with ordinary text. */
  beginsText: 3,
  /** Inside such a block, or after the end of a comment: links, but no structure. */
  held: 4,
} as const;

export type Zones = {
  of: Uint8Array;
  /** For lines that are partly inside a comment: the part outside. */
  visible: Map<number, { from: number; to: number }>;
};

/** A block of lines: the kind of the first, the kind of the others, and how its end is recognised. */
type Block = { first: number; inside: number; ends(line: string): boolean; name: string; needsEnd: boolean };

const prefix = String.raw`^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]*){0,20}`;
const fence = new RegExp(`${prefix}(\`{3,50}|~{3,50})([^\`]*)$`);
const mathematics = new RegExp(`${prefix}\\$\\$(.*)$`);
const orgBegin = /^[ \t]*(?:-[ \t]+)?#\+BEGIN_([A-Za-z]{1,40})/i;
/** Logseq's blocks whose text is verbatim. */
const verbatimBlocks = new Set(["src", "example", "comment", "export"]);

/** Marks the verbatim lines from `start` on. `outline`: by Logseq's rules. */
export function findZones(lines: readonly string[], start: number, outline: boolean): Zones {
  const zones: Zones = { of: new Uint8Array(lines.length), visible: new Map() };
  // Delimiters without an end further down are not searched again.
  const unclosed = new Set<string>();
  for (let i = start; i < lines.length; ) {
    const block = blockAt(lines[i]!, outline);
    const end = block && endOf(block, lines, i, unclosed);
    if (block && end !== undefined) {
      zones.of[i] = block.first;
      zones.of.fill(block.inside, i + 1, end);
      i = Math.max(end, i + 1);
    } else {
      i = markComments(lines, i, zones, outline, unclosed);
    }
  }
  return zones;
}

function blockAt(line: string, outline: boolean): Block | undefined {
  if (line.includes("```") || line.includes("~~~")) {
    const run = fence.exec(line)?.[1];
    if (run) return fenced(run, outline);
  }
  if (line.includes("$$")) {
    const rest = mathematics.exec(line)?.[1];
    const ends = (other: string): boolean => other.includes("$$");
    if (rest !== undefined && !ends(rest))
      return { first: zone.begins, inside: zone.verbatim, ends, name: "$$", needsEnd: true };
  }
  if (outline && line.includes("#+")) {
    const name = orgBegin.exec(line)?.[1]?.toLowerCase();
    if (name) return orgBlock(name);
  }
  return undefined;
}

function fenced(run: string, outline: boolean): Block {
  const mark = run[0]!;
  const close = new RegExp(`^[ \\t>]*${mark}{${run.length},}[ \\t]*$`);
  return {
    first: zone.begins,
    inside: zone.verbatim,
    ends: (line) => line.includes(run) && close.test(line),
    name: run,
    // Logseq treats an unclosed fence as text; elsewhere it is code to the end of the file.
    needsEnd: outline,
  };
}

function orgBlock(name: string): Block {
  const verbatim = verbatimBlocks.has(name);
  const end = `#+end_${name}`;
  return {
    first: verbatim ? zone.begins : zone.beginsText,
    inside: verbatim ? zone.verbatim : zone.held,
    ends: (line) => line.includes("#+") && line.trim().toLowerCase() === end,
    name: end,
    needsEnd: true,
  };
}

/** The line after the block's last one. */
function endOf(block: Block, lines: readonly string[], start: number, unclosed: Set<string>): number | undefined {
  if (!unclosed.has(block.name)) {
    for (let i = start + 1; i < lines.length; i++) if (block.ends(lines[i]!)) return i + 1;
    unclosed.add(block.name);
  }
  return block.needsEnd ? undefined : lines.length;
}

/** Marks comments that begin on a line and end on a later one; returns the next line to examine. */
function markComments(
  lines: readonly string[],
  start: number,
  zones: Zones,
  outline: boolean,
  unclosed: Set<string>,
): number {
  for (let i = start, from = 0; ; ) {
    const line = lines[i]!;
    const opened = openedComment(line, from, outline, unclosed);
    const end = opened && closeOf(opened.close, lines, i + 1, unclosed);
    if (opened && !end) continue;
    if (from > 0 || opened) zones.visible.set(i, { from, to: opened?.at ?? line.length });
    if (!opened || !end) return i + 1;
    zones.of.fill(zone.verbatim, i + 1, end.line);
    zones.of[end.line] = zone.held;
    i = end.line;
    from = end.at;
  }
}

/** The first comment on a line, from a position on, that is not closed on the same line. */
function openedComment(
  line: string,
  from: number,
  outline: boolean,
  unclosed: Set<string>,
): { at: number; close: string } | undefined {
  if (!line.includes("<!--", from) && (outline || !line.includes("%%", from))) return undefined;
  const spans = codeSpans(line);
  const mark = /`+|<!--|%%|\\[`<%\\]/g;
  mark.lastIndex = from;
  for (let match = mark.exec(line); match; match = mark.exec(line)) {
    const [text] = match;
    if (text.startsWith("\\") || (text === "%%" && outline)) continue;
    if (text.startsWith("`")) {
      mark.lastIndex = spans(match.index) ?? mark.lastIndex;
      continue;
    }
    const close = text === "%%" ? "%%" : "-->";
    if (unclosed.has(close)) continue;
    const end = line.indexOf(close, mark.lastIndex);
    if (end < 0) return { at: match.index, close };
    mark.lastIndex = end + close.length;
  }
  return undefined;
}

function closeOf(
  close: string,
  lines: readonly string[],
  start: number,
  unclosed: Set<string>,
): { line: number; at: number } | undefined {
  for (let i = start; i < lines.length; i++) {
    const at = lines[i]!.indexOf(close);
    if (at >= 0) return { line: i, at: at + close.length };
  }
  unclosed.add(close);
  return undefined;
}
