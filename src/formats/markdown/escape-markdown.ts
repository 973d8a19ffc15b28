import { headingText, longestRun, textLines } from "../characters.ts";

/**
 * Escapes the text of records, which is printed in a Markdown document without a fence. Only text that would be read as
 * a block, a comment, a citation or one of the document's own lines is escaped; most text passes unchanged. Each line
 * is escaped independently of the others, so that a cut text is safe too.
 */

/**
 * Where the first line of a text is printed. A sign that begins a block at the start of a line is plain text within a
 * line.
 */
export type LinePosition = "line" | "within";

/** The lines of a text, escaped so that none begins a block. */
export function neutralText(text: string, place: LinePosition): string[] {
  return textLines(text).map((line, index) =>
    index === 0 && place === "within" ? neutralWords(line) : neutralLine(line),
  );
}

/** Escapes a whole line of text and keeps its indentation. */
export function neutralLine(line: string): string {
  const indent = /^\s*/.exec(line)![0];
  const text = withoutCitations(line.slice(indent.length).replace(/^[\s\p{Cf}]+/u, ""));
  const marks = blockMarks(text);
  return indent + marks.replace(/[^\da-z]/gi, "\\$&") + escapeWords(text.slice(marks.length));
}

/** Escapes text after a list marker: it may begin with emphasis, but not with a block. */
export function neutralItem(text: string): string {
  const words = withoutCitations(text.replace(/^[\s\p{Cf}]+/u, ""));
  const marks = /^(?:\*{1,3}|_{1,3})(?=[^\s*_])/.test(words) ? "" : blockMarks(words);
  return marks.replace(/[^\da-z]/gi, "\\$&") + escapeWords(words.slice(marks.length));
}

/** Escapes text that does not begin its line. */
export function neutralWords(text: string): string {
  return escapeWords(withoutCitations(text));
}

/** A code span that holds any one line. */
export function codeSpan(text: string): string {
  const line = withoutCitations(headingText(text));
  const ticks = "`".repeat(longestRun(line, /`+/g) + 1);
  const space = /^`|`$/.test(line) || line === "" ? " " : "";
  return `${ticks}${space}${line}${space}${ticks}`;
}

/** A fence is longer than any run of its character inside, so the text cannot close it. */
export function fenced(text: string, language?: string): string {
  const fence = fenceFor(text);
  return `${fence}${fenceLanguage(language)}\n${text}\n${fence}`;
}

export function fenceFor(text: string): string {
  return "`".repeat(Math.max(3, longestRun(text, /`+/g) + 1));
}

/** The language as the info string of a fence. */
export function fenceLanguage(language = ""): string {
  return /^[\w+#.-]*$/.test(language) ? language : "";
}

/** Escapes names and other short facts, so that they cannot close the document's own markup around them. */
export function neutralName(text: string): string {
  return escapeName(headingText(text));
}

/** The document's own remarks, with real citations: `contradicts [mem-1k3f] (older)`. */
export function neutralNote(note: string): string {
  const pieces = headingText(note).split(/(?<!\S)(\[[a-z]{3}-[\w-]+\])(?=[\s,.;:)]|$)/);
  return pieces.map((piece, index) => (index % 2 === 1 ? piece : escapeName(piece))).join("");
}

/**
 * Brackets that a reader may take for a link, its definition or a box to tick. Others stay: `app/[slug]/page.ts` is
 * copied from a heading.
 */
const linkBrackets = /\]\(|^\[[^\]]*\](?:$|:)|^\[[ x]\]|\[\^|!\[/i;

function escapeName(line: string): string {
  const addresses = /:\/\/|www\./i.test(line);
  const hasLink = linkBrackets.test(line) || withoutCitations(line) !== line;
  return line.replace(/[\\`[\]<>*]|&(?=#|\w+;)/g, (sign, place: number) => {
    if (!hasLink && (sign === "[" || sign === "]")) return sign;
    // See escapeAddress.
    const space = sign === "<" && addresses && /\S/.test(line[place - 1] ?? " ") ? " " : "";
    return `${space}\\${sign}`;
  });
}

/** Signs at the beginning of a line that would make it a block or one of the document's own lines. */
const blockStarts: RegExp[] = [
  // Lists and thematic breaks, and `**Memory**:` or `*Category: ...`.
  /^\*+/,
  /^_{1,3}(?=[A-Z])|^[-_](?=[-_\s]*$)/,
  /^>/,
  /^#(?=#|\s|$)/,
  /^[-+](?=\s|$)/,
  /^\d{1,9}[.)](?=\s|$)/,
  // Underlines of headings, thematic breaks, the second row of a table.
  /^[-:|](?=[-:|\s]*$)/,
  /^=(?==*\s*$)/,
  /^(?:~{3,}|`{3,})/,
  // Definitions of links and footnotes, whose label may continue on the next line; `[fix] words` and `[[page]]` are not
  // definitions.
  /^\[(?![^[\]\\]*\](?!:)|\[[^[\]\\]*\]\])/,
];

function blockMarks(text: string): string {
  for (const start of blockStarts) {
    const match = start.exec(text);
    if (match) return match[0];
  }
  return "";
}

/**
 * Escapes citations and lists of them, in code spans too: `[mem-1k3f]` becomes `\[mem-1k3f\]`. A search of the raw text
 * then finds only the document's own citations.
 */
export function withoutCitations(text: string): string {
  return text.replace(/\[\s*[a-z]{3}-[\w-]{4,}(?:[\s,;]+[a-z]{3}-[\w-]{4,})*\s*\]/g, (citation, offset: number) => {
    return `${isEscaped(text, offset) ? "" : "\\"}${citation.slice(0, -1)}\\]`;
  });
}

/** True when an odd number of backslashes precedes this position. */
function isEscaped(text: string, place: number): boolean {
  let start = place;
  while (text[start - 1] === "\\") start--;
  return (place - start) % 2 === 1;
}

/** Text that Markdown parsers may read as markup, in the order in which they look for it. */
const special = new RegExp(
  [
    // Characters that are escaped already, and back-ticks.
    /\\[!-/:-@[-`{-~]|`+/,
    // Autolinks stay readable: `Ada <ada@example.com>`.
    /<(?:[\w.+-]+@[\w.-]+|https?:\/\/[^\s<>`\\]*)>/,
    // Addresses, then tags and comments, entities, images.
    /(?:(?:https?|ftp):\/\/|www\.)[^\s<]*/,
    /<(?=[a-z/!?])|&(?=#|[a-z][a-z\d]{0,40};)|!(?=\[)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gi",
);

/**
 * Code spans that end in their line are kept. Back-ticks without a partner are escaped, so that they cannot pair with
 * back-ticks on a later line.
 */
function escapeWords(text: string): string {
  if (!/[`<&]|!\[/.test(text)) return text;
  const closing = closingTicks(text);
  let escaped = "";
  let done = 0;
  let addressEnd = -1;
  special.lastIndex = 0;
  for (let match = special.exec(text); match; match = special.exec(text)) {
    const [sign] = match;
    const end = sign[0] === "`" ? closing(sign.length, special.lastIndex) : undefined;
    escaped += text.slice(done, match.index);
    done = special.lastIndex = end ?? special.lastIndex;
    if (end !== undefined) escaped += text.slice(match.index, end);
    else if (/^\w/.test(sign)) {
      escaped += escapeAddress(sign);
      addressEnd = done;
    } else if (sign === "<" && match.index === addressEnd) escaped += " \\<";
    else escaped += /^\\|^<./.test(sign) ? sign : sign.replace(/./g, "\\$&");
  }
  return escaped + text.slice(done);
}

/**
 * Some parsers read everything up to a space or `<` as the address, including code spans and backslashes. So no code
 * span may begin inside an address, and a space is inserted before a `<` that has to be escaped.
 */
function escapeAddress(address: string): string {
  return address.replace(/`|&(?=#|[a-z][a-z\d]{0,40};)|!(?=\[)/gi, (sign, place: number) =>
    isEscaped(address, place) ? sign : `\\${sign}`,
  );
}

/**
 * Finds the end of a code span opened by a given number of back-ticks. The positions must be asked in ascending order.
 */
function closingTicks(text: string): (length: number, from: number) => number | undefined {
  const starts = new Map<number, number[]>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const positions = starts.get(run.length);
    if (positions) positions.push(index);
    else starts.set(run.length, [index]);
  }
  for (const positions of starts.values()) positions.reverse();
  return (length, from) => {
    const open = starts.get(length) ?? [];
    while (open.length > 0 && open.at(-1)! < from) open.pop();
    return open.length > 0 ? open.at(-1)! + length : undefined;
  };
}
