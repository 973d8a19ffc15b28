import type { Extraction, OwnText, Reference, Unit } from "../code/extraction.ts";

/** A heading in any markup language. Lines are 1-based. */
export type Heading = {
  /** First line of the heading, overline included. */
  line: number;
  /** Last line of the heading, underline included. */
  lastLine: number;
  level: number;
  title: string;
};

/** The result of a markup reader: headings, and which lines are not prose. */
export type MarkupOutline = {
  headings: Heading[];
  /** For each line: prose, code (a fence, a literal block) or comment. */
  lineKinds: ("prose" | "code" | "comment")[];
  /** Lines before this one are metadata (front matter). */
  firstLine: number;
  /** The page's title from its metadata; the headings are below it. */
  title?: string;
};

/** Longer sections are split at paragraphs into parts that can be printed alone. */
const longestSection = 120;
/**
 * Text before the first heading is a section of its own if it has at least this many lines. Text under a page title
 * always is.
 */
const leastPreamble = 8;

type Span = { title: string; start: number; end: number; level: number; parent?: number; bare?: boolean };

/** Sections by headings: each ends before the next heading of any level, so no line belongs to two. */
export function sectioned(
  path: string,
  language: string,
  lines: string[],
  outline: MarkupOutline,
  linksIn: (text: string) => string[],
): Extraction {
  const spans = parts(headed(path, lines, outline), lines, outline);
  const page = pageTitle(outline);
  const qualified: string[] = [];
  const units = spans.map((span): Unit => {
    const outer = span.parent === undefined ? (span.title === page ? undefined : page) : qualified[span.parent];
    const above = outer === undefined ? "" : `${outer} > `;
    qualified.push(above + span.title);
    return {
      kind: "section",
      name: span.title,
      qualified: above + span.title,
      parent: span.parent,
      startLine: span.start,
      endLine: span.end,
      own: ownText(lines, outline, span.start, span.end),
      references: references(linksIn(lines.slice(span.start - 1, span.end).join("\n"))),
      ...(span.bare && { unsearched: true }),
    };
  });
  const covered = spans[0]?.start ?? lines.length + 1;
  return {
    language,
    kind: "document",
    doc: firstParagraph(lines, outline),
    ...(outline.title === undefined ? {} : { title: outline.title }),
    units,
    imports: [],
    rest: ownText(lines, outline, 1, covered - 1),
    references: references(linksIn(lines.slice(0, covered - 1).join("\n"))),
  };
}

/** The title above all headings. A first heading that repeats it is the title itself. */
function pageTitle({ title, headings }: MarkupOutline): string | undefined {
  return headings[0]?.title.toLowerCase() === title?.toLowerCase() ? undefined : title;
}

function headed(path: string, lines: string[], outline: MarkupOutline): Span[] {
  const spans: Span[] = [];
  const first = outline.headings[0]?.line ?? lines.length + 1;
  const preamble = lines.slice(outline.firstLine - 1, first - 1);
  const long = outline.headings.length === 0 ? longestSection : outline.title === undefined ? leastPreamble : 0;
  if (preamble.filter((line) => line.trim() !== "").length > long) {
    const start = outline.firstLine + preamble.findIndex((line) => line.trim() !== "");
    spans.push({ title: outline.title ?? stem(path), start, end: lastWritten(lines, start, first - 1), level: 7 });
  }
  const open: { level: number; index: number }[] = [];
  outline.headings.forEach((heading, index) => {
    const next = outline.headings[index + 1]?.line ?? lines.length + 1;
    while (open.length > 0 && open.at(-1)!.level >= heading.level) open.pop();
    const end = lastWritten(lines, heading.lastLine, next - 1);
    spans.push({
      title: heading.title || stem(path),
      start: heading.line,
      end,
      level: heading.level,
      parent: open.at(-1)?.index,
      bare: saysNothing(lines, outline, heading.lastLine + 1, end),
    });
    open.push({ level: heading.level, index: spans.length - 1 });
  });
  return spans;
}

/** An anchor, a list of pages, a link to a heading of this page. */
const noText =
  /^\s*(?:<a (?:id|name)=[^>]*>(?:<\/a>)?|\[\[[^\]]*\]\]|\.\. _[^:]+:|(?:[-*+]|\d+[.)])\s*\[[^\]]*\]\(#[^)]*\))?\s*$/;
const listsPages = /^\.\. (?:toctree|contents)::/;

/**
 * True for a heading that only has other headings below it, and for a table of contents, which only repeats headings:
 * each of these headings is found separately.
 */
function saysNothing(lines: readonly string[], { lineKinds }: MarkupOutline, start: number, end: number): boolean {
  let inList = false;
  for (let line = start; line <= end; line++) {
    const text = lines[line - 1]!;
    inList = listsPages.test(text) || (inList && /^(?:\s|$)/.test(text));
    if (!inList && lineKinds[line - 1] !== "comment" && !noText.test(text)) return false;
  }
  return true;
}

/** Blank lines at the end belong to no section. */
function lastWritten(lines: string[], start: number, end: number): number {
  let last = end;
  while (last > start && lines[last - 1]!.trim() === "") last--;
  return last;
}

function parts(spans: Span[], lines: string[], outline: MarkupOutline): Span[] {
  const result: Span[] = [];
  const place: number[] = [];
  for (const span of spans) {
    place.push(result.length);
    const parent = span.parent === undefined ? undefined : place[span.parent];
    let start = span.start;
    for (let part = 1; ; part++) {
      const end = span.end - start + 1 > longestSection ? cutBefore(lines, outline, start, span.end) : span.end;
      result.push({
        ...span,
        title: part === 1 ? span.title : `${span.title} (${part})`,
        start,
        end: lastWritten(lines, start, end),
        parent,
      });
      if (end >= span.end) break;
      start = end + 1;
      while (lines[start - 1]!.trim() === "") start++;
    }
  }
  return result;
}

/** The last line of a part: the last paragraph end within the limit, or a plain cut. */
function cutBefore(lines: string[], outline: MarkupOutline, start: number, end: number): number {
  const furthest = Math.min(end, start + longestSection - 1);
  // A remainder of a few lines is not a separate part.
  if (end - furthest < longestSection / 6) return end;
  for (let line = furthest; line > start + longestSection / 3; line--) {
    if (lines[line - 1]!.trim() === "" && outline.lineKinds[line - 1] === "prose") return line - 1;
  }
  return furthest;
}

function ownText(lines: string[], outline: MarkupOutline, start: number, end: number): OwnText {
  const prose: string[] = [];
  const code: string[] = [];
  for (let line = start; line <= end; line++)
    (outline.lineKinds[line - 1] === "code" ? code : prose).push(lines[line - 1]!);
  return { comment: prose.join("\n").trim(), string: "", code: code.join("\n").trim() };
}

function references(names: string[]): Reference[] {
  return [...new Set(names)].slice(0, 60).map((name) => ({ kind: "references", name }));
}

function firstParagraph(lines: string[], outline: MarkupOutline): string | undefined {
  const inHeading = new Set(
    outline.headings.flatMap(({ line, lastLine }) => Array.from({ length: lastLine - line + 1 }, (_, i) => line + i)),
  );
  const paragraph: string[] = [];
  for (let line = outline.firstLine; line <= lines.length && paragraph.length < 12; line++) {
    const text = lines[line - 1]!.trim();
    const isProse =
      text !== "" &&
      !inHeading.has(line) &&
      outline.lineKinds[line - 1] === "prose" &&
      /\p{L}/u.test(text) &&
      !isBadge(text);
    if (isProse) paragraph.push(text);
    else if (paragraph.length > 0) break;
  }
  return paragraph.join("\n") || undefined;
}

/** True for images, badges, directives and raw tags: many READMEs begin with them, but they have no content. */
function isBadge(text: string): boolean {
  return /^(?:\[?!\[|<\/?[a-z]|\.\. |:[\w-]+:|\[[^\]]*\]:)/i.test(text);
}

function stem(path: string): string {
  const file = path.slice(path.lastIndexOf("/") + 1);
  const dot = file.lastIndexOf(".");
  return dot > 0 ? file.slice(0, dot) : file;
}
