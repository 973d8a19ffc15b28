/**
 * JSON that people write by hand, parsed with the position of everything in it: faults can be pointed at, and edits
 * leave the rest as it is.
 */

export type JsonNode = {
  /** Offset of its first character, and after its last. */
  start: number;
  end: number;
  value: unknown;
  /** The parts of an object or a list, in order; absent for other values. */
  parts?: JsonPart[];
};

export type JsonPart = {
  key: string | number;
  /** Where its key begins, or in a list its value. */
  start: number;
  node: JsonNode;
  /** Offset of the comma after it. */
  comma?: number;
};

/** `what` follows the name of the file: "has no value here". */
export type JsonFault = { offset: number; what: string };

/** No one writes deeper by hand, and reading is recursive. */
const deepest = 100;

/**
 * Reads a text. Comments, commas before a closing bracket and a byte order mark do no harm; a key that comes twice
 * does.
 */
export function readJson(text: string): JsonNode | { fault: JsonFault } {
  try {
    return readWhole({ text, at: text.startsWith("\ufeff") ? 1 : 0 });
  } catch (error) {
    if (error instanceof Fault) return { fault: { offset: error.offset, what: error.message } };
    throw error;
  }
}

/** The part that a way of keys and positions leads to, or the last one on it that exists. */
export function nodeAt(root: JsonNode, way: readonly PropertyKey[]): JsonNode {
  let node = root;
  for (const step of way) {
    const part = node.parts?.find(({ key }) => key === step);
    if (!part) return node;
    node = part.node;
  }
  return node;
}

/** 1-based, as editors count. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r")) + 1;
  return { line: before.split(/\r\n|\r|\n/).length, column: offset - lineStart + 1 };
}

class Fault extends Error {
  readonly offset: number;
  constructor(offset: number, what: string) {
    super(what);
    this.offset = offset;
  }
}

/** How far a text has been read. */
type Cursor = { readonly text: string; at: number };

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const words: readonly [string, unknown][] = [
  ["true", true],
  ["false", false],
  ["null", null],
];

function readWhole(cursor: Cursor): JsonNode {
  skip(cursor);
  if (cursor.at >= cursor.text.length) throw new Fault(cursor.at, "is empty");
  const node = readValue(cursor, 0);
  skip(cursor);
  if (cursor.at < cursor.text.length) throw new Fault(cursor.at, "goes on after its end");
  return node;
}

function readValue(cursor: Cursor, depth: number): JsonNode {
  const { text, at: start } = cursor;
  const first = text[start];
  if (depth > deepest) throw new Fault(start, `is nested more than ${deepest} deep`);
  if (first === "{" || first === "[") return readContainer(cursor, first, depth);
  if (first === '"') return { start, value: readString(cursor), end: cursor.at };
  for (const [word, value] of words) {
    if (text.startsWith(word, start)) return { start, value, end: (cursor.at += word.length) };
  }
  numberPattern.lastIndex = start;
  const [number] = numberPattern.exec(text) ?? [];
  if (number === undefined) throw unexpected(cursor, "a value");
  return { start, value: Number(number), end: (cursor.at += number.length) };
}

function readContainer(cursor: Cursor, opening: "{" | "[", depth: number): JsonNode {
  const { text } = cursor;
  const start = cursor.at++;
  const closing = opening === "{" ? "}" : "]";
  const parts: JsonPart[] = [];
  const keys = new Set<string>();
  for (;;) {
    skip(cursor);
    if (text[cursor.at] === closing) break;
    const last = parts.at(-1);
    if (last && last.comma === undefined) throw unexpected(cursor, `a comma or ${closing}`);
    const partStart = cursor.at;
    const key = opening === "{" ? readKey(cursor, keys) : parts.length;
    const part: JsonPart = { key, start: partStart, node: readValue(cursor, depth + 1) };
    parts.push(part);
    skip(cursor);
    if (text[cursor.at] === ",") part.comma = cursor.at++;
  }
  cursor.at++;
  const value =
    opening === "{"
      ? Object.fromEntries(parts.map(({ key, node }) => [key, node.value]))
      : parts.map(({ node }) => node.value);
  return { start, end: cursor.at, value, parts };
}

function readKey(cursor: Cursor, keys: Set<string>): string {
  const start = cursor.at;
  if (cursor.text[start] !== '"') throw unexpected(cursor, "a key in double quotes");
  const key = readString(cursor);
  if (keys.has(key)) throw new Fault(start, `has the key ${JSON.stringify(key)} twice`);
  keys.add(key);
  skip(cursor);
  if (cursor.text[cursor.at] !== ":") throw unexpected(cursor, "a colon");
  cursor.at++;
  skip(cursor);
  return key;
}

function readString(cursor: Cursor): string {
  const { text, at: start } = cursor;
  let end = start + 1;
  while (end < text.length && text[end] !== '"' && text[end] !== "\n") end += text[end] === "\\" ? 2 : 1;
  if (text[end] !== '"') throw new Fault(start, "has a text without a closing quote");
  cursor.at = end + 1;
  try {
    return JSON.parse(text.slice(start, cursor.at)) as string;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Fault(start, "has a text with a control character or an unknown escape");
  }
}

/** Passes over blanks and comments. */
function skip(cursor: Cursor): void {
  const { text } = cursor;
  for (;;) {
    while (" \t\r\n".includes(text[cursor.at] ?? "x")) cursor.at++;
    if (text.startsWith("//", cursor.at)) {
      while (cursor.at < text.length && text[cursor.at] !== "\n" && text[cursor.at] !== "\r") cursor.at++;
    } else if (text.startsWith("/*", cursor.at)) {
      const end = text.indexOf("*/", cursor.at + 2);
      if (end < 0) throw new Fault(cursor.at, "has a comment without an end");
      cursor.at = end + 2;
    } else return;
  }
}

function unexpected({ text, at }: Cursor, expected: string): Fault {
  return new Fault(at, at >= text.length ? `ends where ${expected} should be` : `lacks ${expected}`);
}
