import { citationIds } from "../../formats/citation.ts";
import { codeSpan, fenced, neutralName } from "../../formats/markdown/escape-markdown.ts";
import { lineRange } from "../../formats/words.ts";
import type { encodingNames } from "../../options.ts";
import { tokenCounter } from "../../text/tokens/tokens.ts";

/** One thing that was asked for, as it is printed: its own lines, or lines about it. */
export type OpenedSection = {
  /** What it is called where it is in no file: `memory:mem-1k3f`. */
  path: string;
  startLine?: number;
  endLine?: number;
  id?: string;
  kind?: string;
  name?: string;
  language?: string;
  notes: string[];
  /** What `lines` are: its text, or one entry each of a list with this title. */
  list?: string;
  lines: string[];
};

export type PrintOptions = {
  format: "markdown" | "json";
  lineNumbers: boolean;
  maxTokens: number;
  encoding: (typeof encodingNames)[number];
};

/** With fewer tokens left than this nothing more is tried: a heading alone takes as many. */
const leastRoom = 16;

/** `shown`: how many lines of each section are in the text; 0 for those that do not fit at all. */
export type PrintedSections = { text: string; tokens: number; shown: number[] };

/** Sections in the order they were asked for, within the budget: the first that does not fit is cut, and says where its rest is. */
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
    // No line is cheaper than a token.
    let [most, least] = [Math.min(Math.max(1, lines.length), room), 0];
    while (least < most) {
      const middle = Math.ceil((least + most) / 2);
      if (fits(middle)) least = middle;
      else most = middle - 1;
    }
    shown[at] = least;
    // What comes after a cut section would hide that it was cut.
    if (least < lines.length || room - count(printer(shown)) < leastRoom) break;
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
    } else parts.push(...lines.map((line) => `- ${codeSpan(line)}\n`));
    const rest = restOf(section, lineCount);
    if (rest !== undefined) parts.push(`*(${neutralName(rest)})*\n`);
  }
  const missing = shown.filter((lineCount) => lineCount === 0).length;
  if (missing > 0) parts.push(`*${missing} more did not fit: raise max_tokens, or open fewer at once.*\n`);
  return parts.join("");
}

/** `10-24 [cod-1k3f] function bookAmount (moved since indexing), used by:` */
function headOf(section: OpenedSection, citations: Map<string, string>): string {
  const { startLine, endLine, id, kind, name, notes, list } = section;
  const range = startLine === undefined ? [] : [lineRange({ startLine, endLine: endLine ?? startLine })];
  const cited = id === undefined ? [] : [citations.get(id)!];
  const called = kind === undefined ? [] : [`${kind} ${neutralName(name ?? "")}`.trim()];
  const remarks = notes.length > 0 ? [`(${notes.map(neutralName).join(", ")})`] : [];
  const words = [...range, ...cited, ...called, ...remarks].join(" ");
  return list === undefined ? words : `${words}${words === "" ? "" : ", "}${list}:`;
}

function numbered({ startLine }: OpenedSection, lines: string[], lineNumbers: boolean): string[] {
  if (!lineNumbers || startLine === undefined) return lines;
  const width = String(startLine + lines.length - 1).length;
  return lines.map((line, at) => `${String(startLine + at).padStart(width)} ${line}`.trimEnd());
}

/** What to ask for next, where it was cut. */
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
