/** How a text is built: headings, paragraphs, code blocks and tables, each with the empty lines after it. Together they are the text. */
export type TextBlock = {
  text: string;
  /** Of a heading: 1 is the highest, and its words without marks. */
  level?: number;
  title?: string;
  /** A code block or a table: worth keeping in one piece. */
  whole?: boolean;
};

/** How headings are written. `code` has none: a `#` in it begins a comment. */
export type Dialect = "markdown" | "rst" | "asciidoc" | "org" | "code";

const byEnding: [RegExp, Dialect][] = [
  [/\.(?:rst|rest)$/i, "rst"],
  [/\.(?:adoc|asciidoc|asc|rdoc)$/i, "asciidoc"],
  [/\.org$/i, "org"],
  [/\.(?:md|markdown|mdx|mdc|mkd|txt|text|html?|wiki|log)$/i, "markdown"],
];
const byType: [RegExp, Dialect][] = [
  [/rst|restructuredtext/i, "rst"],
  [/asciidoc/i, "asciidoc"],
  [/^(?:text\/)?(?:x-)?org$/i, "org"],
  [/markdown|^text\/(?:plain|html)\b|^(?:md|text|html)$/i, "markdown"],
];

/** Where neither path nor type tells, a name without an ending is prose, any other code or data. */
export function dialectOf(path: string, type?: string): Dialect {
  const byPath = byEnding.find(([ending]) => ending.test(path));
  if (byPath) return byPath[1];
  const typed = type === undefined ? undefined : byType.find(([pattern]) => pattern.test(type));
  if (typed) return typed[1];
  return type !== undefined || /[^/]\.[^./]+$/.test(path) ? "code" : "markdown";
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})/;
const frontMatter = /^---[ \t]*$/;
const tableLine = /^ {0,3}\|.*\|[ \t]*$|^ {0,3}\+[-=+]+\+[ \t]*$/;

/** One pass over the lines; no step looks further than the next of them. */
export function blocksOf(text: string, dialect: Dialect): TextBlock[] {
  const blocks: TextBlock[] = [];
  const underlines = underlineReader(dialect);
  let current: (TextBlock & { kind: Kind }) | undefined;
  let start = 0;
  const finish = (end: number) => {
    if (!current || end === start) return;
    const { kind: _kind, ...block } = current;
    blocks.push({ ...block, text: text.slice(start, end) });
    start = end;
    current = undefined;
  };
  /** The mark that ends the open code block. */
  let fence = "";
  let blank = false;
  for (let at = 0; at < text.length; ) {
    const end = lineEnd(text, at);
    // Only the beginning of a line decides its kind: a line of megabytes is not copied to look at it.
    const line = withoutEnd(text.slice(at, Math.min(end, at + longestLooked)));
    const isBlank = end - at <= longestLooked && line.trim() === "";
    const kind = current?.kind;
    if (kind === "fence" || kind === "front") {
      const closes = kind === "front" ? /^(?:---|\.\.\.)[ \t]*$/.test(line) : closesFence(line, fence);
      if (closes) current!.kind = "closed";
    } else if (isBlank) {
      current ??= { kind: "text", text: "" };
    } else {
      const fenceMark = dialect === "code" ? undefined : fenceLine.exec(line)?.[1];
      const heading = headingOf(line, dialect) ?? (blank || kind !== "text" ? underlines(text, line, end) : undefined);
      const next: Kind =
        fenceMark !== undefined
          ? "fence"
          : at === 0 && dialect === "markdown" && frontMatter.test(line)
            ? "front"
            : heading
              ? "heading"
              : dialect !== "code" && tableLine.test(line)
                ? "table"
                : "text";
      const continues = current !== undefined && !blank && next === kind && (next === "text" || next === "table");
      if (!continues) {
        finish(at);
        current = {
          kind: next,
          text: "",
          ...(next === "heading" ? { level: heading!.level, title: heading!.title } : {}),
        };
        if (next === "fence" || next === "table" || next === "front") current.whole = true;
        if (fenceMark !== undefined) fence = fenceMark;
        if (heading?.lines === 2) {
          at = lineEnd(text, end);
          blank = false;
          continue;
        }
      }
    }
    blank = isBlank && current?.kind !== "fence" && current?.kind !== "front";
    at = end;
  }
  finish(text.length);
  return blocks;
}

type Kind = "text" | "heading" | "fence" | "front" | "table" | "closed";
type Heading = { level: number; title: string; lines: 1 | 2 };

const longestLooked = 2000;
const longestTitle = 200;

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

function withoutEnd(line: string): string {
  return line.endsWith("\n") ? line.slice(0, line.endsWith("\r\n") ? -2 : -1) : line;
}

function closesFence(line: string, fence: string): boolean {
  const mark = fenceLine.exec(line)?.[1];
  return mark?.startsWith(fence) === true && line.trim() === mark;
}

const marks: Partial<Record<Dialect, RegExp>> = {
  markdown: /^ {0,3}(#{1,6})(?:[ \t]+|$)/,
  asciidoc: /^(={1,6})[ \t]+/,
  org: /^(\*{1,6})[ \t]+/,
};
const htmlHeading = /^[ \t]*<h([1-6])(?:\s[^<>]{0,200})?>([^<>]{1,200})<\/h\1>[ \t]*$/i;

function headingOf(line: string, dialect: Dialect): Heading | undefined {
  const mark = marks[dialect]?.exec(line);
  if (mark) return { level: mark[1]!.length, title: titleOf(line.slice(mark[0].length)), lines: 1 };
  const html = dialect === "markdown" ? htmlHeading.exec(line) : undefined;
  return html ? { level: Number(html[1]), title: titleOf(html[2]!), lines: 1 } : undefined;
}

function titleOf(text: string): string {
  const title = text.replace(/\s+/g, " ").trim();
  let end = title.length;
  while (end > 0 && title[end - 1] === "#") end--;
  return title
    .slice(0, Math.min(end, longestTitle))
    .replace(/[\ud800-\udbff]$/, "")
    .trim();
}

/** Titles with a line of signs below them. In reStructuredText the signs rank in the order in which they come. */
function underlineReader(dialect: Dialect): (text: string, line: string, end: number) => Heading | undefined {
  if (dialect !== "markdown" && dialect !== "rst") return () => undefined;
  const signs: string[] = [];
  return (text, line, end) => {
    if (line.length > longestTitle || end >= text.length || !/[\p{L}\p{N}]/u.test(line) || tableLine.test(line))
      return undefined;
    const below = withoutEnd(text.slice(end, Math.min(lineEnd(text, end), end + longestLooked))).trimEnd();
    if (!underline.test(below)) return undefined;
    const sign = below[0]!;
    if (dialect === "markdown") {
      const level = sign === "=" ? 1 : sign === "-" ? 2 : 0;
      // A list item or a quotation above a rule is no title.
      return level === 0 || /^\s*(?:[-*+>]|\d+[.)])\s/.test(line)
        ? undefined
        : { level, title: titleOf(line), lines: 2 };
    }
    if (below.length < line.trimEnd().length) return undefined;
    if (!signs.includes(sign)) signs.push(sign);
    return { level: Math.min(6, signs.indexOf(sign) + 1), title: titleOf(line), lines: 2 };
  };
}

const underline = /^([=\-~^"'`#*+.:_])\1{2,}$/;
