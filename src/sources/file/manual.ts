import { splitLines } from "../../text/lines.ts";
import type { Extraction } from "../code/extraction.ts";
import { type Heading, sectioned } from "./sections.ts";

/** Characters at the beginning of a file that are searched for the title of a manual page. */
const headLength = 20_000;

/** True for the source of a manual page, in roff with the macros of man or of mdoc. */
export function looksManual(text: string): boolean {
  return /^\.(?:TH|Dt)[ \t]+\S/m.test(text.slice(0, headLength));
}

/** A manual page: `.SH` and `.SS` begin its sections, and every option is a section below them. */
export function extractManual(path: string, text: string): Extraction {
  const lines = splitLines(text);
  const name = /^\.(?:TH|Dt)[ \t]+("[^"\n]+"|\S+)/m.exec(text)?.[1];
  const headings = lines.flatMap((line, index) => headingAt(lines, line, index) ?? []);
  const lineKinds = lines.map((line) => (/^[.']\\"/.test(line) ? "comment" : "prose"));
  const title = name === undefined ? {} : { title: plain(name) };
  return sectioned(path, "roff", lines, { headings, lineKinds, firstLine: 1, ...title }, () => []);
}

const optionLevel = 3;

function headingAt(lines: readonly string[], line: string, index: number): Heading | undefined {
  const [, section, ownTitle] = /^\.(S[HSs]|Sh)\b[ \t]*(.*)$/.exec(line) ?? [];
  if (section !== undefined) {
    // A title may be on the next line.
    const lastLine = ownTitle === "" ? index + 2 : index + 1;
    const title = plain(ownTitle || (lines[index + 1] ?? ""));
    return title === "" ? undefined : { line: index + 1, lastLine, level: /^S[Hh]$/.test(section) ? 1 : 2, title };
  }
  const tag = /^\.TP\b/.test(line) ? lines[index + 1] : undefined;
  const item = /^\.It[ \t]+Fl[ \t]+(.+)$/.exec(line)?.[1];
  const option = item === undefined ? plain(tag ?? "") : `-${plain(item).replace(/\b(?:Ar|Cm|Ns|Fl)[ \t]+/g, "")}`;
  if (!/^--?\w/.test(option)) return undefined;
  return { line: index + 1, lastLine: item === undefined ? index + 2 : index + 1, level: optionLevel, title: option };
}

/** The text of a line without requests (`.BI`), fonts (`\fB`) and escapes (`\-`). */
function plain(line: string): string {
  return line
    .replace(/^\.[A-Z]{1,2}[ \t]+/, "")
    .replace(/\\f(?:\[[^\]]*\]|\(..|.)/g, "")
    .replace(/\\([-e.'`])/g, (_, sign: string) => (sign === "e" ? "\\" : sign))
    .replace(/\\[&|^%]/g, "")
    .replaceAll('"', "")
    .replace(/\s+/g, " ")
    .trim();
}
