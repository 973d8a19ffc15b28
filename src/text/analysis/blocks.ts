/**
 * How a text is built: headings, paragraphs, code blocks and tables, each with the empty lines after it. Together they
 * are the text.
 */
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

/** If neither path nor type decides, a name without an ending is prose, any other name code or data. */
export function dialectOf(path: string, type?: string): Dialect {
  const byPath = byEnding.find(([ending]) => ending.test(path));
  if (byPath) return byPath[1];
  const typed = type === undefined ? undefined : byType.find(([pattern]) => pattern.test(type));
  if (typed) return typed[1];
  return type !== undefined || /[^/]\.[^./]+$/.test(path) ? "code" : "markdown";
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})/;
const frontMatter = /^---[ \t]*$/;
const frontMatterEnd = /^(?:---|\.\.\.)[ \t]*$/;
const tableLine = /^ {0,3}\|.*\|[ \t]*$|^ {0,3}\+[-=+]+\+[ \t]*$/;

/** One pass over the lines; no step looks further ahead than one line. */
export function blocksOf(text: string, dialect: Dialect): TextBlock[] {
  return new BlockReader(text, dialect).read();
}

class BlockReader {
  readonly #text: string;
  readonly #dialect: Dialect;
  readonly #underlines: ReturnType<typeof underlineReader>;
  readonly #blocks: TextBlock[] = [];
  #current: (Omit<TextBlock, "text"> & { kind: Kind }) | undefined;
  /** Where the current block begins. */
  #start = 0;
  /** The mark that ends the open code block. */
  #fence = "";
  #isAfterBlank = false;

  constructor(text: string, dialect: Dialect) {
    this.#text = text;
    this.#dialect = dialect;
    this.#underlines = underlineReader(dialect);
  }

  read(): TextBlock[] {
    for (let at = 0; at < this.#text.length; ) at = this.#readLine(at);
    this.#finish(this.#text.length);
    return this.#blocks;
  }

  /** Returns the index of the next line. */
  #readLine(at: number): number {
    const end = lineEnd(this.#text, at);
    // Only the beginning of a line decides its kind: a line of megabytes is not copied to look at it.
    const line = withoutEnd(this.#text.slice(at, Math.min(end, at + longestLooked)));
    if (this.#current?.kind === "fence" || this.#current?.kind === "front") {
      if (this.#closes(line)) this.#current.kind = "closed";
      return end;
    }
    if (end - at <= longestLooked && line.trim() === "") {
      this.#current ??= { kind: "text" };
      this.#isAfterBlank = true;
      return end;
    }
    const titleLines = this.#begin(line, at, end);
    this.#isAfterBlank = false;
    return titleLines === 2 ? lineEnd(this.#text, end) : end;
  }

  #closes(line: string): boolean {
    return this.#current!.kind === "front" ? frontMatterEnd.test(line) : closesFence(line, this.#fence);
  }

  /** Begins a block with a line that does not go on with the current one; returns how many lines a heading has. */
  #begin(line: string, at: number, end: number): Heading["lines"] | undefined {
    const open = this.#current?.kind;
    const mayBeTitle = this.#isAfterBlank || open !== "text";
    const heading =
      headingOf(line, this.#dialect) ?? (mayBeTitle ? this.#underlines(this.#text, line, end) : undefined);
    const kind = this.#kindOf(line, at, heading);
    if (kind === open && !this.#isAfterBlank && (kind === "text" || kind === "table")) return undefined;
    this.#finish(at);
    this.#current = { kind };
    if (kind === "fence") this.#fence = fenceLine.exec(line)![1]!;
    if (kind === "fence" || kind === "table" || kind === "front") this.#current.whole = true;
    if (kind !== "heading") return undefined;
    const { level, title, lines } = heading!;
    Object.assign(this.#current, { level, title });
    return lines;
  }

  #kindOf(line: string, at: number, heading: Heading | undefined): Kind {
    const isCode = this.#dialect === "code";
    if (!isCode && fenceLine.test(line)) return "fence";
    if (at === 0 && this.#dialect === "markdown" && frontMatter.test(line)) return "front";
    if (heading) return "heading";
    return !isCode && tableLine.test(line) ? "table" : "text";
  }

  /** The next block begins at `end`. */
  #finish(end: number): void {
    if (!this.#current || end === this.#start) return;
    const { kind: _kind, ...block } = this.#current;
    this.#blocks.push({ text: this.#text.slice(this.#start, end), ...block });
    this.#start = end;
    this.#current = undefined;
  }
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
