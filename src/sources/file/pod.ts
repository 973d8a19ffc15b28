import { splitLines } from "../../text/lines.ts";
import type { Extraction } from "../code/extraction.ts";
import { type Heading, type MarkupOutline, sectioned } from "./sections.ts";

/** POD: `=head2 Title`; indented text is code. */
export function extractPod(path: string, text: string): Extraction {
  return podSections(path, splitLines(text));
}

/**
 * Perl with its documentation: POD is part of the file that it describes, so its headings are sections of that file.
 */
export function extractPerl(path: string, text: string, extractCode: (text: string) => Extraction): Extraction {
  const lines = splitLines(text);
  const inPod = podLines(lines);
  if (!inPod.includes(true)) return extractCode(text);
  const pod = podSections(
    path,
    lines.map((line, index) => (inPod[index] ? line : "")),
  );
  const firstSection = pod.units[0]?.startLine ?? Number.POSITIVE_INFINITY;
  const code = extractCode(
    withLines(text, lines, (line, index) => {
      if (!inPod[index]) return line;
      // `=encoding` before the first heading is a remark.
      return index + 1 < firstSection ? line.replace(/^=/, "#") : " ".repeat(line.length);
    }),
  );
  return {
    ...code,
    doc: code.doc ?? pod.doc,
    // A section ends before the next heading, so no section in code contains another.
    units: [...code.units, ...pod.units.map((unit) => ({ ...unit, parent: undefined }))],
  };
}

/** POD begins with any command at the start of a line and ends with `=cut`. */
function podLines(lines: string[]): boolean[] {
  let inPod = false;
  return lines.map((line) => {
    const command = /^=([a-zA-Z]\w*)/.exec(line)?.[1];
    if (command === "cut") {
      const wasPod = inPod;
      inPod = false;
      return wasPod;
    }
    if (command !== undefined) inPod = true;
    return inPod;
  });
}

/** The text with each line rewritten to another of the same length, so that line ends and offsets are unchanged. */
function withLines(text: string, lines: string[], rewritten: (line: string, index: number) => string): string {
  let at = 0;
  let result = "";
  lines.forEach((line, index) => {
    const start = text.indexOf(line, at);
    result += text.slice(at, start) + rewritten(line, index);
    at = start + line.length;
  });
  return result + text.slice(at);
}

function podSections(path: string, lines: string[]): Extraction {
  const lineKinds: MarkupOutline["lineKinds"] = lines.map((line) =>
    /^\s+\S/.test(line) ? "code" : /^=(?!head|item)\w/.test(line) ? "comment" : "prose",
  );
  const headings = lines.flatMap((line, index): Heading[] => {
    const [, level, title] = /^=head([1-6])\s+(\S.*)$/.exec(line) ?? [];
    if (level === undefined) return [];
    return [{ line: index + 1, lastLine: index + 1, level: Number(level), title: plain(title!) }];
  });
  const named = headings.findIndex(({ title }) => title === "NAME");
  const title = named < 0 ? undefined : firstName(lines.slice(headings[named]!.lastLine));
  return sectioned(
    path,
    "pod",
    lines,
    // `=pod` and `=encoding` before the first heading are not text.
    { headings, lineKinds, firstLine: headings[0]?.line ?? 1, ...(title === undefined ? {} : { title }) },
    () => [],
  );
}

/** The plain text of `C<code>` and `L<Mojo::URL/"path">`. */
function plain(text: string): string {
  return text.replace(/[A-Z]<+\s?([^<>]*?)\s?>+/g, "$1").trim();
}

/** `Mojo::URL - Uniform Resource Locator`, below `=head1 NAME`. */
function firstName(below: string[]): string | undefined {
  const line = below.find((each) => each.trim() !== "") ?? "";
  return /^([\w:.-]+)\s/.exec(`${line} `)?.[1];
}
