import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type context, tokenCounter } from "../../src/index.ts";
import { printedLines } from "./printed-lines.ts";
import type { Scores } from "./set.ts";

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

/**
 * What the tokens of a document are spent on, as shares of all of them. `content` is lines of files; `marks` what is printed among them and
 * is none; `blocks` what else belongs to an item: its heading, its location; `frame` what belongs to none: headings of groups, the footer.
 */
export function sharesOf({ items, tokens }: Pick<Context, "items" | "tokens">, { spans, used }: Answer): Scores {
  const count = (text: string) => (text === "" ? 0 : counter.count(text));
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const shown = items.filter(({ level }) => level !== "pointer");
  const content = sum(spans.map((span) => span.tokens));
  const texts = sum(shown.filter(showsLines).map(({ text }) => count(`${text}\n`)));
  const records = sum(shown.filter((item) => !showsLines(item)).map((item) => item.tokens));
  const printed = new Set<string>();
  const imports = sum(
    shown.filter(showsLines).flatMap((item) =>
      item.imports.map((statement) => {
        const key = `${item.path}\n${statement}`;
        if (printed.has(key)) return 0;
        printed.add(key);
        return count(`${statement}\n`);
      }),
    ),
  );
  const relations = sum(shown.filter(showsLines).map(({ related }) => count(related.join(", "))));
  const pointers = sum(items.filter(({ level }) => level === "pointer").map((item) => item.tokens));
  const blocks = sum(shown.filter(showsLines).map((item) => item.tokens));
  const share = (part: number) => (used === 0 ? undefined : part / used);
  return {
    content: share(content),
    marks: share(Math.max(0, texts - content)),
    imports: share(imports),
    relations: share(relations),
    blocks: share(Math.max(0, blocks - texts - imports - relations)),
    records: share(records),
    pointers: share(pointers),
    frame: share(Math.max(0, tokens.used - blocks - records - pointers)),
  };
}
