import { type CodeSpans, codeSpans } from "./code-spans.ts";
import { type Destination, readDestination } from "./destination.ts";

/** The mentions in a line of text, each with its range. */
export type InlineToken = { start: number; end: number } & (
  | { kind: "page"; target: string; shown?: string; tag: boolean }
  | { kind: "block"; id: string; shown?: string }
  | { kind: "file"; target: string; shown: string }
  | { kind: "tag"; name: string }
  | { kind: "field"; name: string; value: string }
);

const special = /[`[\](#\\<%:]/g;
const anything = /[[#(]|\]:/;
const address = /[^\s)\]>|"'`]*/y;
const uuid = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";
const blockReference = new RegExp(String.raw`\(\((${uuid})\)\)`, "y");
const fieldInBrackets = /^([^\s:[\](){}][^:[\](){}]{0,60}?)::\s*(.*)$/s;
const fieldInParentheses = /\(([^\s:[\](){}][^:[\](){}]{0,60}?)::\s/y;

const tagBefore = /[\s(,;"'*_~|>=]/;
/** Letters, digits, emoji, `_`, `-`, and `/` between the levels; at least one that is not a digit. */
const obsidianTag = /(?:[\p{L}\p{N}\p{M}\p{Extended_Pictographic}_/-]|\u200d){1,200}/uy;
const logseqTag =
  /[^\s+,!?'":;#[\](){}<>`|“”‘’、。，；：！？（）【】][^\s,!?'":;#[\](){}<>`|“”‘’、。，；：！？（）【】]{0,199}/y;
const notDigits = /[^\d/_-]/;

/** Page names are shorter; a longer text is no link. */
const longestLink = 1000;
const deepestBrackets = 1000;

/** Every mention in a line, in the order of their ends. Linear in the length of the line. */
export function scanInline(text: string, outline: boolean): InlineToken[] {
  if (!anything.test(text)) return [];
  const scan: Scan = { text, outline, tokens: [], spans: codeSpans(text), unclosed: new Set(), brackets: [] };
  for (let at = 0; ; ) {
    special.lastIndex = at;
    const match = special.exec(text);
    if (!match) return scan.tokens;
    at = step(scan, match[0], match.index);
  }
}

type Bracket = { at: number; double: boolean; nested: boolean };

/** One pass over one line, with the open brackets and the comments without an end. */
type Scan = {
  readonly text: string;
  readonly outline: boolean;
  readonly tokens: InlineToken[];
  readonly spans: CodeSpans;
  readonly unclosed: Set<string>;
  brackets: Bracket[];
};

/** Reads what begins or ends here; returns where to continue. */
function step(scan: Scan, character: string, at: number): number {
  switch (character) {
    case "\\":
      return at + 2;
    case "`":
      return scan.spans(at) ?? afterRun(scan, at);
    case "<":
      return scan.text.startsWith("<!--", at) ? afterComment(scan, at, 4, "-->") : at + 1;
    case "%":
      return !scan.outline && scan.text.startsWith("%%", at) ? afterComment(scan, at, 2, "%%") : at + 1;
    case ":":
      return scan.text.startsWith("://", at) ? afterAddress(scan, at) : at + 1;
    case "#":
      return readTag(scan, at);
    case "(":
      return scan.outline ? readBlockReference(scan, at) : readParenthesis(scan, at);
    case "[":
      return openBracket(scan, at);
    default:
      return closeBracket(scan, at);
  }
}

function afterRun(scan: Scan, at: number): number {
  let end = at + 1;
  while (scan.text[end] === "`") end++;
  return end;
}

function afterComment(scan: Scan, at: number, length: number, close: string): number {
  const end = scan.unclosed.has(close) ? -1 : scan.text.indexOf(close, at + length);
  if (end < 0) scan.unclosed.add(close);
  return end < 0 ? at + length : end + close.length;
}

function afterAddress(scan: Scan, at: number): number {
  address.lastIndex = at;
  address.test(scan.text);
  return Math.max(address.lastIndex, at + 1);
}

function readTag(scan: Scan, at: number): number {
  const before = scan.text[at - 1];
  if (before !== undefined && !tagBefore.test(before)) return at + 1;
  // `#[[two words]]`: the brackets are read as a link.
  if (scan.outline && scan.text.startsWith("[[", at + 1)) return at + 1;
  const pattern = scan.outline ? logseqTag : obsidianTag;
  pattern.lastIndex = at + 1;
  const run = pattern.exec(scan.text)?.[0] ?? "";
  const name = run.replace(scan.outline ? /[.*~=_/]+$/ : /\/+$/, "");
  if (name === "" || (!scan.outline && !notDigits.test(name))) return at + 1;
  const end = at + 1 + name.length;
  scan.tokens.push({ kind: "tag", start: at, end, name });
  return end;
}

function readBlockReference(scan: Scan, at: number): number {
  blockReference.lastIndex = at;
  const id = blockReference.exec(scan.text)?.[1];
  if (!id) return at + 1;
  const end = blockReference.lastIndex;
  scan.tokens.push({ kind: "block", id, ...embedded(scan, at, end) });
  return end;
}

/** `(key:: value)`. */
function readParenthesis(scan: Scan, at: number): number {
  fieldInParentheses.lastIndex = at;
  const name = fieldInParentheses.exec(scan.text)?.[1];
  if (!name) return at + 1;
  const start = fieldInParentheses.lastIndex;
  const destination = closingParenthesis(scan.text, start);
  if (destination === undefined) return at + 1;
  const value = scan.text.slice(start, destination).trim();
  scan.tokens.push({ kind: "field", start: at, end: destination + 1, name, value });
  return destination + 1;
}

function openBracket(scan: Scan, at: number): number {
  // Of three brackets the last two belong to the link.
  const double = scan.text[at + 1] === "[" && scan.text[at + 2] !== "[";
  if (scan.brackets.length >= deepestBrackets) scan.brackets = [];
  scan.brackets.push({ at, double, nested: false });
  return double ? at + 2 : at + 1;
}

function closeBracket(scan: Scan, at: number): number {
  const top = scan.brackets.pop();
  if (!top) return at + 1;
  if (!top.double) return closeSingle(scan, top.at, at);
  if (scan.text[at + 1] === "]" && !/^\((?:https?:|mailto:)/.test(scan.text.slice(at + 2, at + 10))) {
    return closeDouble(scan, top, at);
  }
  // `[[1] x]` and `[[1]](https://…)`: two separate brackets.
  scan.brackets.push({ at: top.at, double: false, nested: false });
  return closeSingle(scan, top.at + 1, at);
}

function closeDouble(scan: Scan, top: Bracket, at: number): number {
  const target = scan.text.slice(top.at + 2, at);
  const parent = scan.brackets.at(-1);
  if (parent?.double) parent.nested = true;
  // Only Logseq has links inside page names.
  const allowed = scan.outline || !top.nested;
  if (allowed && target.length <= longestLink && target.trim() !== "") {
    const tag = scan.outline && scan.text[top.at - 1] === "#";
    const start = tag || scan.text[top.at - 1] === "!" ? top.at - 1 : top.at;
    scan.tokens.push({ kind: "page", target, tag, ...embedded(scan, start, at + 2) });
  }
  return at + 2;
}

/** `[label](destination)`, `[label]: destination` at the start of a line, `[key:: value]`, or none of these. */
function closeSingle(scan: Scan, open: number, at: number): number {
  const next = scan.text[at + 1];
  const label = scan.text.slice(open + 1, at);
  if (next === "(") {
    const destination = readDestination(scan.text, at + 2);
    if (destination) return addLink(scan, open, label, destination);
  } else if (next === ":" && scan.text.slice(0, open).trim() === "" && !label.startsWith("^")) {
    const target = /^:[ \t]+<?([^\s<>]+)/.exec(scan.text.slice(at + 1, at + 1 + longestLink));
    if (target) {
      const end = at + 1 + target[0].length;
      scan.tokens.push({ kind: "file", start: open, end, target: target[1]!, shown: label });
      return end;
    }
  } else if (!scan.outline && label.length <= longestLink && label.includes("::")) {
    const field = fieldInBrackets.exec(label);
    if (field) {
      // Links inside are its values and no further mentions.
      while ((scan.tokens.at(-1)?.start ?? -1) > open) scan.tokens.pop();
      const [, name, value] = field;
      scan.tokens.push({ kind: "field", start: open, end: at + 1, name: name!, value: value!.trim() });
    }
  }
  return at + 1;
}

function addLink(scan: Scan, open: number, shown: string, destination: Destination): number {
  const start = scan.text[open - 1] === "!" ? open - 1 : open;
  const { end } = destination;
  if ("page" in destination)
    scan.tokens.push({ kind: "page", start, end, target: destination.page, shown, tag: false });
  else if ("block" in destination) scan.tokens.push({ kind: "block", start, end, id: destination.block, shown });
  else scan.tokens.push({ kind: "file", start, end, target: destination.file, shown });
  return end;
}

/** Extended by the braces of `{{embed …}}` around it. */
function embedded(scan: Scan, start: number, end: number): { start: number; end: number } {
  if (!scan.outline) return { start, end };
  const before = /\{\{\s?embed\s{1,3}$/.exec(scan.text.slice(Math.max(0, start - 13), start));
  const after = before && /^\s{0,3}\}\}/.exec(scan.text.slice(end, end + 5));
  return before && after ? { start: start - before[0].length, end: end + after[0].length } : { start, end };
}

function closingParenthesis(text: string, start: number): number | undefined {
  let depth = 0;
  const end = Math.min(text.length, start + longestLink);
  for (let at = start; at < end; at++) {
    if (text[at] === "(" && ++depth > 8) return undefined;
    if (text[at] === ")" && depth-- === 0) return at;
  }
  return undefined;
}
