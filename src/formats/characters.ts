/** Longest name printed in a heading; a longer one is really a paragraph. */
export const longestName = 160;

/**
 * Half of a surrogate pair is not a character: encoders disagree on it, so it becomes U+FFFD before anything is
 * counted.
 */
export function wellFormed(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? text.replace(/\p{Surrogate}/gu, "\ufffd") : text;
}

/** A name or path for a heading: one line, no control or direction-changing characters. */
export function headingText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.trim();
  return wellFormed(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e0fff}]+/gu, " ")
    .trim();
}

/**
 * The lines of a text, with any kind of line end, without control and direction-changing characters. The first one
 * begins with a visible character; blank lines at the end are left out.
 */
export function textLines(text: string): string[] {
  const lines = wellFormed(text)
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => line.replace(/(?:(?!\t)[\p{Cc}\u202a-\u202e\u2066-\u2069\ufeff])+/gu, " ").trimEnd());
  const first = lines.findIndex((line) => line !== "");
  if (first < 0) return [];
  const last = lines.findLastIndex((line) => line !== "");
  return [lines[first]!.trimStart(), ...lines.slice(first + 1, last + 1)];
}

export function shortName(name: string): string {
  return shortened(name, longestName);
}

/** The text as one line of at most `longest` characters. */
export function shortened(text: string, longest: number): string {
  const line = headingText(text);
  if (line.length <= longest) return line;
  return `${wellFormed(line.slice(0, longest - 1)).trimEnd()}…`;
}

/** Characters that a format may have to escape, which changes the length by up to about three bytes: `\\[`, `&lt;`. */
const escapable = /[\\`[\]<>*&"]/;

/**
 * The beginning of a line, cut to this many bytes. That also bounds its tokens in any encoding, since no token is
 * shorter than a byte. Ordinary text has some four bytes per token.
 */
export function briefLine(text: string, mostBytes: number): string {
  const line = headingText(text);
  let bytes = 0;
  let end = 0;
  for (const character of line) {
    bytes += escapable.test(character) ? 3 : Buffer.byteLength(character);
    if (bytes > mostBytes) return `${line.slice(0, end).trimEnd()}…`;
    end += character.length;
  }
  return line;
}

/** Length of the longest match of a pattern with the `g` flag. */
export function longestRun(text: string, pattern: RegExp): number {
  let longest = 0;
  for (const match of text.matchAll(pattern)) longest = Math.max(longest, match[0].length);
  return longest;
}
