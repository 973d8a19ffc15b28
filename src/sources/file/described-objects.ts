import type { Heading } from "./sections.ts";

/** Directives of Sphinx that describe one thing in the indented text below: a setting, an option, a function. */
const description =
  /^\.\. (?:[a-z]+:)?(confval|data|option|envvar|function|method|class|attribute|property|exception|macro|member|type|var|describe|object|(?<=rst:)(?:directive|role)|decorator|fixture|hook|command):: +(\S.*)$/;

/** Deeper than every title, so that a described object is below its section. */
const level = 100;
const longestName = 120;

/**
 * The headings of a reStructuredText page, and one for each object that it describes; what follows its text belongs to
 * the section again.
 */
export function withDescribed(lines: readonly string[], titles: readonly Heading[]): Heading[] {
  const titleLines = new Set(titles.map(({ line }) => line));
  const headings: Heading[] = [];
  let section: Heading | undefined;
  let parts = 1;
  let inDescription = false;
  let place = 0;
  lines.forEach((text, index) => {
    const line = index + 1;
    if (titleLines.has(line)) {
      section = titles[place++]!;
      headings.push(section);
      parts = 1;
      inDescription = false;
      return;
    }
    if (/^\s|^$/.test(text) || (section !== undefined && line <= section.lastLine)) return;
    const found = description.exec(text);
    if (found && hasText(lines, line)) {
      headings.push({ line, lastLine: line, level, title: nameOf(found[1]!, found[2]!) });
      inDescription = true;
    } else if (inDescription && isProse(text)) {
      if (section) headings.push({ ...section, line, lastLine: line, title: `${section.title} (${++parts})` });
      inDescription = section === undefined;
    }
  });
  return headings;
}

/**
 * False for labels, comments and settings of the markup: they have no content of their own, so they stay with the text
 * before them.
 */
function isProse(text: string): boolean {
  return !/^\.\.(?:\s|$)/.test(text) || /^\.\. (?:note|warning|tip|code-block|versionadded)::/.test(text);
}

/** Whether indented text follows the line. */
function hasText(lines: readonly string[], line: number): boolean {
  const next = lines.slice(line, line + 4).find((each) => each.trim() !== "");
  return next !== undefined && /^\s/.test(next);
}

/**
 * The name of an object: raises for `raises(type, *, match=None)`, uv_run for `int uv_run(loop)`; an option keeps its
 * whole text.
 */
function nameOf(directive: string, argument: string): string {
  const text = argument.slice(0, longestName).trim();
  if (directive === "option" || directive === "describe") return text;
  return (
    text
      .replace(/\s*(?:[(=]|(?<!:):(?!:)).*$/, "")
      .split(/\s+/)
      .at(-1)!
      .replace(/^[*&]+/, "") || text
  );
}
