import { citationIds } from "../../formats/citation.ts";
import { codeSpan, fenced, neutralName } from "../../formats/markdown/escape-markdown.ts";
import { lineRange } from "../../formats/words.ts";
import type { encodingNames } from "../../options.ts";
import { tokenCounter } from "../../text/tokens/tokens.ts";

/** One opened item as it is printed: its own lines, or a list of lines about it. */
export type OpenedSection = {
  /** A path, or the address of a record: `memory:mem-1k3f`. */
  path: string;
  startLine?: number;
  endLine?: number;
  id?: string;
  kind?: string;
  name?: string;
  language?: string;
  notes: string[];
  /** If given, `lines` are the entries of a list with this title; otherwise they are the item's text. */
  list?: string;
  lines: string[];
};

export type PrintOptions = {
  format: "markdown" | "json";
  lineNumbers: boolean;
  maxTokens: number;
  encoding: (typeof encodingNames)[number];
};

/** In tokens. With less room nothing more is tried: a heading alone takes as many. */
const smallestRoom = 16;

/** `shown`: how many lines of each section are in the text; 0 for those that do not fit at all. */
export type PrintedSections = { text: string; tokens: number; shown: number[] };

/**
 * Prints sections in the given order within the budget. The first that does not fit is cut (binary search over its
 * lines) and says where the rest is.
 */
export function printSections(sections: OpenedSection[], options: PrintOptions): PrintedSections {
  const { count } = tokenCounter(options.encoding);
  const write = options.format === "json" ? writeJson : writeMarkdown;
  const citations = citationIds(sections.flatMap(({ id }) => id ?? []));
  const printer = (shown: number[]) => write(sections, shown, citations, options.lineNumbers);
  const shown = sections.map(() => 0);
  const whole = printer(sections.map(({ lines }) => Math.max(1, lines.length)));
  if (whole.length <= options.maxTokens * 12) {
    const tokens = count(whole);
    if (tokens <= options.maxTokens) return { text: whole, tokens, shown: sections.map(({ lines }) => lines.length) };
  }
  const room = options.maxTokens;
  for (const [at, { lines }] of sections.entries()) {
    const fits = (kept: number) => count(printer(shown.with(at, kept))) <= room;
    // A line takes at least one token.
    let [high, low] = [Math.min(Math.max(1, lines.length), room), 0];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (fits(middle)) low = middle;
      else high = middle - 1;
    }
    shown[at] = low;
    // Stop after a cut section: further ones would hide that it was cut.
    if (low < lines.length || room - count(printer(shown)) < smallestRoom) break;
  }
  const text = printer(shown);
  return { text, tokens: count(text), shown };
}

function writeMarkdown(
  sections: OpenedSection[],
  shown: number[],
  citations: Map<string, string>,
  lineNumbers: boolean,
): string {
  const parts: string[] = [];
  let path: string | undefined;
  for (const [at, section] of sections.entries()) {
    const lineCount = shown[at]!;
    if (lineCount === 0) continue;
    if (section.path !== path) parts.push(`### ${neutralName(section.path)}\n`);
    path = section.path;
    const head = headOf(section, citations);
    if (head !== "") parts.push(`${head}\n`);
    const lines = section.lines.slice(0, lineCount);
    if (section.list === undefined) {
      if (lines.length > 0)
        parts.push(`${fenced(numbered(section, lines, lineNumbers).join("\n"), section.language)}\n`);
    } else parts.push(...lines.map((line) => `${/^ */.exec(line)![0]}- ${codeSpan(line)}\n`));
    const rest = restOf(section, lineCount);
    if (rest !== undefined) parts.push(`*(${neutralName(rest)})*\n`);
  }
  const missing = shown.filter((lineCount) => lineCount === 0).length;
  // No advice to raise the budget: it may be the highest that the surface takes.
  if (missing > 0)
    parts.push(`*${missing} more did not fit: open ${missing === 1 ? "it" : "them"} in another call.*\n`);
  return parts.join("");
}

/** `10-24 [cod-1k3f] function bookAmount (moved since indexing), used by:` */
function headOf(section: OpenedSection, citations: Map<string, string>): string {
  const { startLine, endLine, id, kind, name, notes, list } = section;
  const range = startLine === undefined ? [] : [lineRange({ startLine, endLine: endLine ?? startLine })];
  const cited = id === undefined ? [] : [citations.get(id)!];
  const kindAndName = kind === undefined ? [] : [`${kind} ${neutralName(name ?? "")}`.trim()];
  const remarks = notes.length > 0 ? [`(${notes.map(neutralName).join(", ")})`] : [];
  const words = [...range, ...cited, ...kindAndName, ...remarks].join(" ");
  return list === undefined ? words : `${words}${words === "" ? "" : ", "}${list}:`;
}

function numbered({ startLine }: OpenedSection, lines: string[], lineNumbers: boolean): string[] {
  if (!lineNumbers || startLine === undefined) return lines;
  const width = String(startLine + lines.length - 1).length;
  return lines.map((line, at) => `${String(startLine + at).padStart(width)} ${line}`.trimEnd());
}

/** Where the rest of a cut section is. */
function restOf({ path, startLine, endLine, lines, list }: OpenedSection, lineCount: number): string | undefined {
  const missing = lines.length - lineCount;
  if (missing <= 0) return undefined;
  if (list !== undefined || startLine === undefined) return `${missing} more`;
  return `truncated, the rest is ${path}:${startLine + lineCount}-${endLine ?? startLine + lines.length - 1}`;
}

function writeJson(
  sections: OpenedSection[],
  shown: number[],
  citations: Map<string, string>,
  lineNumbers: boolean,
): string {
  const items = sections.flatMap((section, at) => {
    const lineCount = shown[at]!;
    if (lineCount === 0) return [];
    const { path, startLine, endLine, id, kind, name, notes, list } = section;
    const lines = section.lines.slice(0, lineCount);
    const rest = restOf(section, lineCount);
    const item = {
      path,
      ...(startLine === undefined ? {} : { start: startLine, end: endLine ?? startLine }),
      ...(id === undefined ? {} : { id: citations.get(id)!.slice(1, -1) }),
      ...(kind === undefined ? {} : { type: kind, name }),
      ...(notes.length > 0 ? { notes } : {}),
      ...(list === undefined ? { code: numbered(section, lines, lineNumbers).join("\n") } : { [list]: lines }),
      ...(rest === undefined ? {} : { truncated: rest }),
    };
    return [JSON.stringify(item)];
  });
  const missing = shown.filter((kept) => kept === 0).length;
  return `{"items":[\n${items.join("\n,")}\n]${missing > 0 ? `,"omitted":${missing}` : ""}}\n`;
}
