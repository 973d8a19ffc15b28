import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type context, tokenCounter } from "../../../src/index.ts";
import type { Scores } from "../set.ts";
import { printedLines } from "./printed-lines.ts";

/** Lines of one file that an answer shows together. `tokens`: what these lines take by themselves. */
export type Span = { path: string; lines: number[]; tokens: number };

/** What an answer shows of files, in the order of print, and the tokens of the whole document. */
export type Answer = { spans: Span[]; used: number };

type Context = Awaited<ReturnType<typeof context>>;
type Included = Context["items"][number];

const counter = tokenCounter("o200k_base");

export function spanOf(path: string, numbers: number[], texts: readonly string[]): Span {
  return { path, lines: numbers, tokens: counter.count(`${texts.join("\n")}\n`) };
}

/** Lines of the files of a folder, read once. */
export type Lines = (path: string) => readonly string[];

export function linesIn(folder: string): Lines {
  const known = new Map<string, string[]>();
  return (path) => {
    let lines = known.get(path);
    if (!lines) {
      const file = join(folder, path);
      known.set(path, (lines = existsSync(file) ? readFileSync(file, "utf8").split(/\r?\n/) : []));
    }
    return lines;
  };
}

/** Read from the result's items, not from its text, so that it holds for every layout. A pointer shows no line. */
export function answerOf({ items, tokens }: Pick<Context, "items" | "tokens">, lines: Lines): Answer {
  const spans = items.filter(showsLines).map((item) => {
    const file = lines(item.path);
    const numbers = printedLines(item, file, { dedented: item.level === "signature" });
    return spanOf(
      item.path,
      numbers,
      numbers.map((number) => file[number - 1]!),
    );
  });
  return { spans: spans.filter((span) => span.lines.length > 0), used: tokens.used };
}

/** An item that is lines of a file, and prints some of them. */
function showsLines({ source, level }: Included): boolean {
  return level !== "pointer" && isInFile(source);
}

function isInFile(source: string): boolean {
  return source === "code" || source === "file" || source === "reference";
}

const fence = /^(`{3,}|~{3,})/;
/** What stands before each part of a file. */
const spanMark = /^@+\d+(?:-\d+)? \[/;
/** The same at the end of a file's heading, where the part comes first. */
const namedPart = /:\d+(?:-\d+)? \[[a-z]{3}-\w+\].*$/;

/**
 * What the tokens of a Markdown document are spent on, as shares of all of them.
 * - `content`: lines that stand so in the files, imports among them
 * - `marks`: what is printed among these and stands in no file
 * - `headings`: paths, line ranges, citations and fences
 * - `uses`: who uses what was asked for
 * - `records`: what is in no file
 * - `pointers`: what is only named
 * - `frame`: the rest, such as titles and the footer
 */
export function sharesOf(context: Pick<Context, "items" | "tokens" | "text">, lines: Lines): Scores {
  const { items, tokens, text } = context;
  const parts: Record<string, string[]> = { content: [], marks: [], headings: [], uses: [], frame: [] };
  let known = new Set<string>();
  let open: string | undefined;
  let inUses = false;
  for (const line of text.split("\n")) {
    const mark = fence.exec(line)?.[1];
    if (open !== undefined) {
      if (mark !== undefined && line.trim() === open) {
        open = undefined;
        parts.headings!.push(line);
      } else if (spanMark.test(line)) parts.headings!.push(line);
      else (known.has(line.trim()) ? parts.content! : parts.marks!).push(line);
    } else if (mark !== undefined) {
      open = mark;
      parts.headings!.push(line);
    } else if (line.startsWith("### ")) {
      const path = line.slice(4).replace(namedPart, "").replaceAll("\\", "");
      known = new Set(lines(path).map((each) => each.trim()));
      parts.headings!.push(line);
      inUses = false;
    } else if (/^(?:Used|Tested) by:$/.test(line) || (inUses && line.startsWith("- "))) {
      inUses = true;
      parts.uses!.push(line);
    } else parts.frame!.push(line);
  }
  const records = sum(items.filter((item) => !isInFile(item.source)).map((item) => item.tokens));
  const pointers = sum(items.filter(({ level }) => level === "pointer").map((item) => item.tokens));
  const share = (part: number) => (tokens.used === 0 ? undefined : part / tokens.used);
  const shares = Object.entries(parts).map(([name, each]) => [
    name,
    share(each.length === 0 ? 0 : counter.count(`${each.join("\n")}\n`)),
  ]);
  return { ...Object.fromEntries(shares), records: share(records), pointers: share(pointers) } as Scores;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
