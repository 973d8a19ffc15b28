/**
 * As much of TOML as is needed to change one table and be sure of the rest: statements with their positions, and no
 * values but strings.
 */

export type TomlValue = {
  start: number;
  end: number;
  /** A text, or a list of texts. Other values are ignored. */
  text?: string;
  items?: TomlValue[];
  kind: "text" | "list" | "table" | "other";
};

export type TomlStatement = {
  kind: "table" | "list" | "pair";
  /** The full key, with the name of its table. */
  key: string[];
  /** The table that it is in; for a header, its own. */
  table: string[];
  /** From its first character to the end of its line, without the line break. */
  start: number;
  end: number;
  value?: TomlValue;
};

export type TomlFault = { offset: number; what: string };

class Fault extends Error {
  readonly offset: number;
  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

type Cursor = { readonly text: string; at: number };

/** Nobody writes deeper nesting by hand, and parsing is recursive. */
const deepest = 50;

export function readToml(text: string): TomlStatement[] | { fault: TomlFault } {
  try {
    return readStatements({ text, at: text.startsWith("\ufeff") ? 1 : 0 });
  } catch (error) {
    if (error instanceof Fault) return { fault: { offset: error.offset, what: error.message } };
    throw error;
  }
}

function readStatements(cursor: Cursor): TomlStatement[] {
  const { text } = cursor;
  const statements: TomlStatement[] = [];
  const seen = new Set<string>();
  let table: string[] = [];
  let lists = 0;
  for (;;) {
    skip(cursor, true);
    if (cursor.at >= text.length) return statements;
    const start = cursor.at;
    const opening = /\[\[?/y;
    opening.lastIndex = start;
    const [bracket = ""] = opening.exec(text) ?? [];
    cursor.at += bracket.length;
    skip(cursor, false);
    const name = readKey(cursor);
    let value: TomlValue | undefined;
    if (bracket === "") {
      expect(cursor, "=");
      skip(cursor, false);
      value = readValue(cursor, 0);
    } else {
      expect(cursor, bracket === "[" ? "]" : "]]");
      table = name;
      if (bracket === "[[") lists++;
    }
    skip(cursor, false);
    if (text[cursor.at] === "#") skipComment(cursor);
    if (cursor.at < text.length && !/[\r\n]/.test(text[cursor.at]!))
      throw new Fault(cursor.at, "goes on after a value");
    const key = bracket === "" ? [...table, ...name] : name;
    // Below a list of tables the same keys come again.
    const identity = JSON.stringify([bracket, lists, key]);
    if (bracket !== "[[" && seen.has(identity)) throw new Fault(start, `has ${JSON.stringify(key.join("."))} twice`);
    seen.add(identity);
    const kind = bracket === "" ? "pair" : bracket === "[" ? "table" : "list";
    statements.push({ kind, key, table, start, end: cursor.at, ...(value && { value }) });
  }
}

function readKey(cursor: Cursor): string[] {
  const key: string[] = [];
  for (;;) {
    const quote = cursor.text[cursor.at];
    if (quote === '"' || quote === "'") key.push(readText(cursor).text!);
    else {
      const bare = /[\w-]+/y;
      bare.lastIndex = cursor.at;
      const word = bare.exec(cursor.text)?.[0];
      if (!word) throw new Fault(cursor.at, "lacks a key");
      key.push(word);
      cursor.at += word.length;
    }
    skip(cursor, false);
    if (cursor.text[cursor.at] !== ".") return key;
    cursor.at++;
    skip(cursor, false);
  }
}

/** Every value that is neither a string nor a container, matched to its end. */
const plain = (() => {
  const digits = "\\d(?:_?\\d)*";
  const whole = "(?:0|[1-9](?:_?\\d)*)";
  const based = ["0x[\\da-fA-F](?:_?[\\da-fA-F])*", "0o[0-7](?:_?[0-7])*", "0b[01](?:_?[01])*"];
  const number = `[+-]?(?:inf|nan|${whole}(?:\\.${digits})?(?:[eE][+-]?${digits})?)`;
  const time = "\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?";
  const date = `\\d{4}-\\d{2}-\\d{2}(?:[Tt ]${time}(?:[Zz]|[+-]\\d{2}:\\d{2})?)?`;
  return new RegExp(`(?:${["true", "false", date, time, ...based, number].join("|")})(?![\\w.:+-])`, "y");
})();

function readValue(cursor: Cursor, depth: number): TomlValue {
  const { text, at: start } = cursor;
  if (depth > deepest) throw new Fault(start, "is nested too deep");
  const first = text[start];
  if (first === '"' || first === "'") return readText(cursor);
  if (first === "[" || first === "{") return readContainer(cursor, first, depth);
  plain.lastIndex = start;
  const literal = plain.exec(text)?.[0];
  if (!literal) throw new Fault(start, "lacks a value");
  cursor.at += literal.length;
  return { kind: "other", start, end: cursor.at };
}

function readContainer(cursor: Cursor, opening: "[" | "{", depth: number): TomlValue {
  const { text, at: start } = cursor;
  const closing = opening === "[" ? "]" : "}";
  const items: TomlValue[] = [];
  cursor.at++;
  for (;;) {
    skip(cursor, true);
    if (text[cursor.at] === closing) break;
    if (opening === "{") {
      readKey(cursor);
      expect(cursor, "=");
      skip(cursor, true);
    }
    items.push(readValue(cursor, depth + 1));
    skip(cursor, true);
    if (text[cursor.at] === ",") cursor.at++;
    else if (text[cursor.at] !== closing) throw new Fault(cursor.at, `lacks a comma or ${closing}`);
  }
  cursor.at++;
  return { kind: opening === "[" ? "list" : "table", start, end: cursor.at, items };
}

function readText(cursor: Cursor): TomlValue {
  const { text, at: start } = cursor;
  const quote = text[start]!;
  const long = text.startsWith(quote.repeat(3), start);
  const end = long ? endOfLong(text, start + 3, quote) : endOfShort(text, start + 1, quote);
  if (end < 0) throw new Fault(start, "has a text without a closing quote");
  cursor.at = end;
  const inner = text.slice(start + (long ? 3 : 1), end - (long ? 3 : 1));
  return { kind: "text", start, end, text: quote === "'" ? inner : unescaped(inner, start) };
}

/** After the closing quote, or -1. */
function endOfShort(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length && text[at] !== "\n"; at++) {
    if (text[at] === quote) return at + 1;
    if (text[at] === "\\" && quote === '"') at++;
  }
  return -1;
}

/** Up to two quotes may come right before the closing three. */
function endOfLong(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\" && quote === '"') at++;
    else if (text.startsWith(quote.repeat(3), at)) {
      let end = at + 3;
      while (end < at + 5 && text[end] === quote) end++;
      return end;
    }
  }
  return -1;
}

const letters: Readonly<Record<string, string>> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\u001b" };

function unescaped(inner: string, offset: number): string {
  return inner.replace(
    /\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|\s*\n\s*|[\s\S]|$)/g,
    (_, sequence: string) => {
      if (/^[uUx]./.test(sequence)) {
        const code = Number.parseInt(sequence.slice(1), 16);
        if (code > 0x10ffff) throw new Fault(offset, "has a text with an unknown character");
        return String.fromCodePoint(code);
      }
      if (sequence.trim() === "" && sequence.includes("\n")) return "";
      if (sequence === '"' || sequence === "\\" || sequence === "/") return sequence;
      const letter = Object.hasOwn(letters, sequence) ? letters[sequence] : undefined;
      if (letter === undefined) throw new Fault(offset, "has a text with an unknown escape");
      return letter;
    },
  );
}

function expect(cursor: Cursor, word: string): void {
  skip(cursor, false);
  if (!cursor.text.startsWith(word, cursor.at)) throw new Fault(cursor.at, `lacks ${word}`);
  cursor.at += word.length;
}

function skip(cursor: Cursor, lines: boolean): void {
  const blanks = lines ? " \t\r\n" : " \t";
  for (;;) {
    while (cursor.at < cursor.text.length && blanks.includes(cursor.text[cursor.at]!)) cursor.at++;
    if (!lines || cursor.text[cursor.at] !== "#") return;
    skipComment(cursor);
  }
}

function skipComment(cursor: Cursor): void {
  while (cursor.at < cursor.text.length && cursor.text[cursor.at] !== "\n" && cursor.text[cursor.at] !== "\r")
    cursor.at++;
}
