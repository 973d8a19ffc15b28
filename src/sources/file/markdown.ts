import { splitLines } from "../../text/lines.ts";
import { percentDecoded } from "../../text/percent-decoding.ts";
import type { Extraction } from "../code/extraction.ts";
import { type Heading, type MarkupOutline, sectioned } from "./sections.ts";

/** Markdown sections by headings (ATX and setext); fences, HTML comments and front matter are not headings. */
export function extractMarkdown(path: string, text: string): Extraction {
  const lines = splitLines(text);
  return sectioned(path, "markdown", lines, markdownOutline(lines), markdownLinks);
}

export function markdownOutline(lines: string[]): MarkupOutline {
  const headings: Heading[] = [];
  const lineKinds: MarkupOutline["lineKinds"] = lines.map(() => "prose");
  const firstLine = afterFrontMatter(lines);
  let fence: string | undefined;
  let inComment = false;
  for (let line = firstLine; line <= lines.length; line++) {
    const text = lines[line - 1]!;
    if (fence !== undefined) {
      lineKinds[line - 1] = "code";
      if (closes(text, fence)) fence = undefined;
      continue;
    }
    if (inComment) {
      lineKinds[line - 1] = "comment";
      inComment = !text.includes("-->");
      continue;
    }
    const opening = /^\s*(?:[-*+>]\s+|\d+[.)]\s+)*(`{3,}|~{3,})([^`]*)$/.exec(text);
    if (opening) {
      fence = opening[1]!;
      lineKinds[line - 1] = "code";
      continue;
    }
    if (/^\s*<!--/.test(text)) {
      lineKinds[line - 1] = "comment";
      inComment = !text.includes("-->");
      continue;
    }
    const heading = atx(text, line) ?? underlined(lines, line, firstLine);
    if (heading) headings.push(heading);
  }
  const title = titleIn(lines.slice(0, firstLine - 1));
  return { headings, lineKinds, firstLine, ...(title === undefined ? {} : { title }) };
}

function closes(text: string, fence: string): boolean {
  const mark = text.trim().replace(/^(?:>\s*)+/, "");
  return mark.length >= fence.length && mark === fence[0]!.repeat(mark.length);
}

function atx(text: string, line: number): Heading | undefined {
  const match = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(text);
  if (!match) return undefined;
  const title = plainTitle((match[2] ?? "").replace(/(?:^|[ \t])#+[ \t]*$/, ""));
  return { line, lastLine: line, level: match[1]!.length, title };
}

/** A setext heading: a line of `=` or `-` under a single line. */
function underlined(lines: string[], line: number, firstLine: number): Heading | undefined {
  const under = lines[line];
  if (under === undefined || !/^ {0,3}(?:=+|-{2,})\s*$/.test(under)) return undefined;
  const text = lines[line - 1]!;
  if (/^\s*$|^ {0,3}(?:[-*+>|#]|\d+[.)]\s)|^\s{4}|^[-=|:\s]+$/.test(text)) return undefined;
  if (line > firstLine && lines[line - 2]!.trim() !== "") return undefined;
  return { line, lastLine: line + 1, level: under.trim().startsWith("=") ? 1 : 2, title: plainTitle(text) };
}

function afterFrontMatter(lines: string[]): number {
  const mark = lines[0]?.trimEnd();
  if (mark !== "---" && mark !== "+++") return 1;
  const end = lines.findIndex(
    (line, index) => index > 0 && (line.trimEnd() === mark || (mark === "---" && line.trimEnd() === "...")),
  );
  return end === -1 || end > 200 ? 1 : end + 2;
}

/** `title: Collections` in YAML, `title = "Collections"` in TOML. */
function titleIn(frontMatter: string[]): string | undefined {
  for (const line of frontMatter) {
    const value = /^title[ \t]*[:=][ \t]*(.+)$/.exec(line)?.[1]?.trim();
    if (value === undefined || /^[>|&*{[]/.test(value)) continue;
    return plainTitle(/^(["'])(.*)\1$/.exec(value)?.[2] ?? value) || undefined;
  }
  return undefined;
}

const longestTitle = 300;

/** A heading without links, emphasis, images and anchors. */
function plainTitle(text: string): string {
  return text
    .slice(0, longestTitle)
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1")
    .replace(/\{#[^}]*\}\s*$/, "")
    .replace(/<[^>]+>/g, "")
    .replace(/[*`]+|(?<!\w)_+|_+(?!\w)/g, "")
    .trim();
}

/** Link targets inside the workspace, without anchors. */
export function markdownLinks(text: string): string[] {
  const targets: string[] = [];
  for (const match of text.matchAll(
    /\]\([ \t]*<?([^)\s>]{1,500})>?(?:[ \t][^)\n]{0,300})?\)|^ {0,3}\[[^\]\n]{1,300}\]:[ \t]*<?(\S{1,500}?)>?(?:\s|$)/gm,
  )) {
    const target = (match[1] ?? match[2])!.replace(/[#?].*$/, "");
    if (target !== "" && !/^[a-z][a-z\d+.-]*:|^\/\/|^@/i.test(target)) targets.push(percentDecoded(target));
  }
  return targets;
}
