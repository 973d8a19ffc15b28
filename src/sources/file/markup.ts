import { splitLines } from "../../text/lines.ts";
import type { Extraction } from "../code/extraction.ts";
import { withDescribed } from "./described-objects.ts";
import { type Heading, type MarkupOutline, sectioned } from "./sections.ts";

/** reStructuredText: a title is a line with a line of punctuation below it, and optionally one above. */
export function extractRestructured(path: string, text: string): Extraction {
  const lines = splitLines(text);
  return sectioned(
    path,
    "restructuredtext",
    lines,
    { headings: withDescribed(lines, underlines(lines)), lineKinds: literalBlocks(lines), firstLine: 1 },
    restructuredLinks,
  );
}

/** True for a plain text file with underlined titles, as in the `docs/*.txt` of many projects. */
export function looksRestructured(text: string): boolean {
  const lines = splitLines(text.slice(0, 20_000));
  return underlines(lines).length > 0 && /^\.\. |::\s*$|^:\w+:|``/m.test(text);
}

const punctuation = /^([!-/:-@[-`{-~])\1{2,}\s*$/;

function underlines(lines: string[]): Heading[] {
  const headings: Heading[] = [];
  const styles: string[] = [];
  for (let line = 2; line <= lines.length; line++) {
    const under = punctuation.exec(lines[line - 1]!);
    const title = lines[line - 2]!;
    if (
      !under ||
      /^\s|^$/.test(title) ||
      punctuation.test(title) ||
      lines[line - 1]!.trimEnd().length < Math.min(title.trimEnd().length, 4)
    ) {
      // An overlined title may be indented.
      if (!under || title.trim() === "" || punctuation.test(title) || !isOver(lines[line - 3], under[1]!)) continue;
    }
    const over = isOver(lines[line - 3], under[1]!);
    if (!over && line > 2 && lines[line - 3]!.trim() !== "" && !/^\.\. _.*:$/.test(lines[line - 3]!)) continue;
    const style = (over ? "over" : "") + under[1];
    if (!styles.includes(style)) styles.push(style);
    headings.push({
      line: over ? line - 2 : line - 1,
      lastLine: line,
      level: styles.indexOf(style) + 1,
      title: title.trim().replace(/``|`/g, ""),
    });
  }
  return headings;
}

function isOver(line: string | undefined, mark: string): boolean {
  return line !== undefined && punctuation.exec(line)?.[1] === mark;
}

/** Indented lines after a line that ends in `::` or after a code directive are code. */
function literalBlocks(lines: string[]): MarkupOutline["lineKinds"] {
  const kinds: MarkupOutline["lineKinds"] = lines.map(() => "prose");
  let block: number | undefined;
  lines.forEach((line, index) => {
    const indent = line.trim() === "" ? undefined : line.length - line.trimStart().length;
    if (block !== undefined && indent !== undefined && indent <= block) block = undefined;
    if (block !== undefined) {
      if (indent !== undefined) kinds[index] = "code";
      return;
    }
    if (
      indent !== undefined &&
      (/^\s*\.\. (?:code-block|code|sourcecode|literalinclude|console|snippet)::/.test(line) ||
        (/::\s*$/.test(line) && !/^\s*\.\. /.test(line)))
    )
      block = indent;
  });
  return kinds;
}

function restructuredLinks(text: string): string[] {
  const targets: string[] = [];
  for (const match of text.matchAll(
    /:doc:`(?:[^`<\n]{0,300}<)?([^`>\n]{1,300})>?`|^[ \t]*\.\. (?:include|literalinclude)::\s*(\S+)/gm,
  ))
    targets.push((match[1] ?? match[2])!.trim());
  return targets;
}

/** Characters that underline AsciiDoc's titles, by level. */
const asciidocLevels = "=-~^+";

/** A title that is a paragraph of its own, underlined by a line whose length differs by at most one character. */
function underlinedTitle(lines: readonly string[], index: number): { level: number; title: string } | undefined {
  const [title = "", under = ""] = [lines[index]?.trimEnd(), lines[index + 1]?.trimEnd()];
  const before = lines[index - 1]?.trim() ?? "";
  const level = asciidocLevels.indexOf(under[0] ?? " ") + 1;
  if (level === 0 || under.length < 2 || under !== under[0]!.repeat(under.length)) return undefined;
  if (Math.abs(under.length - title.length) > 1 || !/^[^\s.[].*[\p{L}\p{N}]|^[\p{L}\p{N}]/u.test(title))
    return undefined;
  const isAlone = before === "" || /^\[.*\]$|^\/\/|^:[\w-]+:/.test(before);
  return isAlone ? { level, title: title.trim() } : undefined;
}

/** AsciiDoc: `== Title`, or a title underlined; listing and literal blocks are skipped. */
export function extractAsciidoc(path: string, text: string): Extraction {
  const links = (part: string) =>
    [...part.matchAll(/(?:xref|include|link):{1,2}([^\s[:#]{1,300})(?:[:#][^\s[]{0,300})?\[/g)].map(
      (match) => match[1]!,
    );
  return byPattern(
    path,
    "asciidoc",
    text,
    /^(={1,6}|#{1,6})\s+(\S.*)$/,
    /^(?:-{4,}|\.{4,}|={4,}|\+{4,}|\/{4,}|```)\s*$/,
    links,
    underlinedTitle,
  );
}

/** Org mode: `** Title`. */
export function extractOrg(path: string, text: string): Extraction {
  const links = (part: string) => [...part.matchAll(/\[\[(?:file:)?([^\]:#\n]{1,300})\]/g)].map((match) => match[1]!);
  return byPattern(path, "org", text, /^(\*{1,8})\s+(\S.*)$/, /^\s*#\+(?:begin|end)_\w+/i, links);
}

/** RDoc: `== Title`; what is indented is code. */
export function extractRdoc(path: string, text: string): Extraction {
  const lines = splitLines(text);
  const headings = lines.flatMap((line, index): Heading[] => {
    const [, marks, title] = /^(={1,6})\s*([^\s=].*)$/.exec(line) ?? [];
    if (marks === undefined) return [];
    return [{ line: index + 1, lastLine: index + 1, level: marks.length, title: title!.trim() }];
  });
  const lineKinds = lines.map((line) => (/^\s+\S/.test(line) ? "code" : "prose"));
  const links = (part: string) => [...part.matchAll(/(?:rdoc-ref|link):([^\s\]:#]{1,300})/g)].map((match) => match[1]!);
  return sectioned(path, "rdoc", lines, { headings, lineKinds, firstLine: 1 }, links);
}

function byPattern(
  path: string,
  language: string,
  text: string,
  heading: RegExp,
  fence: RegExp,
  links: (text: string) => string[],
  titleAt: typeof underlinedTitle = () => undefined,
): Extraction {
  const lines = splitLines(text);
  const headings: Heading[] = [];
  const lineKinds: MarkupOutline["lineKinds"] = [];
  let open: string | undefined;
  lines.forEach((line, index) => {
    const underlined = open === undefined ? titleAt(lines, index) : undefined;
    if (underlined) headings.push({ ...underlined, line: index + 1, lastLine: index + 2 });
    // The line below a title opens no block.
    const isUnder = headings.at(-1)?.lastLine === index + 1 && headings.at(-1)!.line === index;
    if (underlined || isUnder) {
      lineKinds.push("prose");
      return;
    }
    const mark = fence
      .exec(line)?.[0]
      .trim()
      .toLowerCase()
      .replace(/_begin|_end|begin_|end_/, "");
    lineKinds.push(open !== undefined || mark !== undefined ? "code" : "prose");
    if (open !== undefined) open = mark === open ? undefined : open;
    else if (mark !== undefined) open = mark;
    else {
      const match = heading.exec(line);
      if (match)
        headings.push({ line: index + 1, lastLine: index + 1, level: match[1]!.length, title: match[2]!.trim() });
    }
  });
  return sectioned(path, language, lines, { headings, lineKinds, firstLine: 1 }, links);
}

const latexLevels = ["part", "chapter", "section", "subsection", "subsubsection", "paragraph"];

export function extractLatex(path: string, text: string): Extraction {
  return byTags(
    path,
    "latex",
    text,
    /^\s*\\(part|chapter|section|subsection|subsubsection|paragraph)\*?(?:\[[^\]]*\])?\{(.*?)\}/,
    (tag) => latexLevels.indexOf(tag) + 1,
  );
}

export function extractHtml(path: string, text: string): Extraction {
  const extraction = byTags(path, "html", text, /<h([1-6])\b[^>]*>(.*?)<\/h\1>/i, Number);
  const title = /<title[^>]{0,200}>([^<]{0,500})<\/title>/i.exec(text)?.[1]?.trim();
  return { ...extraction, doc: title || undefined };
}

function byTags(
  path: string,
  language: string,
  text: string,
  heading: RegExp,
  level: (tag: string) => number,
): Extraction {
  const lines = splitLines(text);
  const headings = lines.flatMap((line, index): Heading[] => {
    const match = line.length > 2000 ? null : heading.exec(line);
    const title = match?.[2]?.replace(/<[^>]*>/g, "").trim();
    return match && title ? [{ line: index + 1, lastLine: index + 1, level: level(match[1]!), title }] : [];
  });
  return sectioned(path, language, lines, { headings, lineKinds: lines.map(() => "prose"), firstLine: 1 }, () => []);
}

/** Plain text: whole, or split at paragraphs when it is long. */
export function extractPlain(path: string, text: string): Extraction {
  const lines = splitLines(text);
  return sectioned(path, "text", lines, { headings: [], lineKinds: lines.map(() => "prose"), firstLine: 1 }, () => []);
}
