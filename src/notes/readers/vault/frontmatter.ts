import { readQuoted, splitFlow, withoutComment } from "./yaml-scalars.ts";

/** One key of the YAML block at the top of a file. Nested keys are joined with dots. */
export type FrontmatterEntry = { key: string; values: Scalar[] };
/** `quoted`: then `5` and `true` are words. */
export type Scalar = { text: string; quoted: boolean };

export type Frontmatter = {
  entries: FrontmatterEntry[];
  /** The line after it. */
  end: number;
  /** Lines that belong to no key. */
  stray: string[];
};

/** State of the parser. `open`: the keys that deeper indented lines belong to. `current`: the key of list items. */
type Reading = {
  lines: readonly string[];
  at: number;
  entries: FrontmatterEntry[];
  open: { indent: number; key: string }[];
  current?: FrontmatterEntry;
  stray: string[];
  /** Number of quotes or brackets without an end. */
  unclosed: number;
};

const longestKey = 200;
const blockScalar = /^[|>][-+\d]{0,2}(?:\s+#.*)?$/;
const nothing = /^(?:~|null)?$/i;

/**
 * Parses the part of YAML that notes use: scalars, quoted strings, both kinds of lists, block texts, nested keys.
 * Anything else is kept as text. Undefined where there is no such block, or nothing in it looks like a key: then it is
 * text between two rules.
 */
export function readFrontmatter(lines: readonly string[]): Frontmatter | undefined {
  if (lines[0]?.trimEnd() !== "---") return undefined;
  const last = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  if (last < 0) return undefined;
  const reading: Reading = { lines: lines.slice(1, last), at: 0, entries: [], open: [], stray: [], unclosed: 0 };
  while (reading.at < reading.lines.length) readLine(reading);
  if (reading.entries.length === 0 && reading.stray.length > 0) return undefined;
  const entries = reading.entries.filter(({ values }) => values.length > 0);
  return { entries, stray: reading.stray, end: last + 1 };
}

function readLine(reading: Reading): void {
  const line = reading.lines[reading.at++]!;
  const text = line.trim();
  if (text === "" || text.startsWith("#")) return;
  const indent = indentOf(line);
  const keyed = splitKey(text);
  if (/^-(?:\s|$)/.test(text) && reading.current) {
    for (const value of readItem(reading, text.slice(1).trim(), indent)) reading.current.values.push(value);
  } else if (keyed) {
    while (reading.open.length > 0 && reading.open.at(-1)!.indent >= indent) reading.open.pop();
    const entry: FrontmatterEntry = { key: [...reading.open.map(({ key }) => key), keyed.key].join("."), values: [] };
    if (keyed.value === "") reading.open.push({ indent, key: keyed.key });
    else entry.values = readValue(reading, keyed.value, indent);
    reading.entries.push(entry);
    reading.current = entry;
  } else {
    keep(reading, text);
  }
}

/** A line that cannot be parsed belongs to the value before it. */
function keep({ current, stray }: Reading, text: string): void {
  const last = current?.values.at(-1);
  if (last) last.text += ` ${text}`;
  else if (current) current.values.push({ text, quoted: false });
  else stray.push(text);
}

/** An item of a list; an item made of keys is kept as text. */
function readItem(reading: Reading, value: string, indent: number): Scalar[] {
  if (value !== "" && !splitKey(value)) return readValue(reading, value, indent);
  const parts = [value, ...below(reading, indent, () => true).map((line) => line.trim())];
  const text = parts.filter(Boolean).join(", ");
  return text === "" ? [] : [{ text, quoted: false }];
}

function readValue(reading: Reading, value: string, indent: number): Scalar[] {
  if (blockScalar.test(value)) return readBlock(reading, value.startsWith("|") ? "\n" : " ", indent);
  if (/^["']/.test(value)) {
    const quotedText = gather(reading, value, (text) => readQuoted(text));
    if (quotedText !== undefined) return [{ text: quotedText, quoted: true }];
  }
  // `[[Page]]` without quotes is a nested list in YAML, but its author means a link.
  if (value.startsWith("[") && !/^\[\[(?!\[)/.test(value)) {
    const list = gather(reading, value, (text) => splitFlow(text));
    if (list) return list.filter(({ text, quoted }) => quoted || !nothing.test(text));
  }
  if (value.startsWith("{")) {
    const flow = gather(reading, value, (text) => splitFlow(text) && text);
    if (flow) return [{ text: flow, quoted: false }];
  }
  const more = below(reading, indent, (text) => !splitKey(text) && !/^(?:-(?:\s|$)|#)/.test(text));
  const text = [withoutComment(value), ...more.map((line) => withoutComment(line.trim()))].join(" ").trim();
  return nothing.test(text) ? [] : [{ text, quoted: false }];
}

function readBlock(reading: Reading, joint: string, indent: number): Scalar[] {
  const lines = below(reading, indent, () => true, true);
  const margin = lines.reduce((least, line) => (line.trim() === "" ? least : Math.min(least, indentOf(line))), 1000);
  const text = lines
    .map((line) => line.slice(margin).trimEnd())
    .join(joint)
    .trim();
  return text === "" ? [] : [{ text, quoted: true }];
}

/** Takes the following lines that are indented deeper, while they are accepted. */
function below(reading: Reading, indent: number, accepts: (text: string) => boolean, blank = false): string[] {
  const lines: string[] = [];
  for (; reading.at < reading.lines.length; reading.at++) {
    const line = reading.lines[reading.at]!;
    const text = line.trim();
    if (text === "" ? !blank : indentOf(line) <= indent || !accepts(text)) break;
    lines.push(line);
  }
  return lines;
}

const mostLinesGathered = 200;
/** After this many unclosed ones, the end is searched only on the same line. */
const mostUnclosed = 10;

/** Parses a value that may span several lines; consumes them only where it ends. */
function gather<Value>(reading: Reading, value: string, parse: (text: string) => Value | undefined): Value | undefined {
  let text = value;
  for (let at = reading.at; ; at++) {
    const parsed = parse(text);
    if (parsed !== undefined) {
      reading.at = at;
      return parsed;
    }
    if (at >= reading.lines.length || at - reading.at >= mostLinesGathered || reading.unclosed > mostUnclosed) {
      reading.unclosed++;
      return undefined;
    }
    text += ` ${reading.lines[at]!.trim()}`;
  }
}

/** `key: value`, `"key": value`, `key:`. */
function splitKey(text: string): { key: string; value: string } | undefined {
  if (/^["']/.test(text)) {
    const close = text.indexOf(text[0]!, 1);
    if (close < 2 || !/^\s*:(?:\s|$)/.test(text.slice(close + 1, close + 20))) return undefined;
    return { key: text.slice(1, close), value: text.slice(text.indexOf(":", close) + 1).trim() };
  }
  if (/^(?:[#[\]{},&*!|>%@`]|-\s)/.test(text)) return undefined;
  const colon = text.slice(0, longestKey).search(/:(?:\s|$)/);
  // Cutting the text must not create a closing quote or bracket.
  if (colon < 1 || (colon + 1 < text.length && !/\s/.test(text[colon + 1]!))) return undefined;
  return { key: text.slice(0, colon).trim(), value: text.slice(colon + 1).trim() };
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
