import type { SkipReason } from "./reasons.ts";

/** Number of bytes at the start of a file that decide whether it is indexed. */
const sampleBytes = 8 * 1024;
const markerLines = 40;

/**
 * A file with a higher share of bytes that are neither UTF-8 nor printable is not text; accents in old encodings stay
 * below it.
 */
const strangeShare = 0.3;

// Generated-file notices count only in a comment near the top: code may mention these words further down or in a
// string.
const commentStart = /^\s*(?:\/\/|\/\*|\*|#|--|;|%|<!--|"""|''')/;
/** In a script, `/*` is text that the script prints: the notice of a file that it generates. */
const script = /\.(?:pl|pm|py|rb|rake|sh|bash|tcl|awk|r|jl|exs?)$/i;
const scriptComment = /^\s*(?:#|"""|''')/;
const generatedMarker =
  /\bcode generated\b.*\bdo not edit\b|@generated\b|\b(?:auto-?|automatically |machine[- ])generated\b.*\b(?:do not|don't) (?:edit|modify|change)\b|\bgenerated (?:by|from|with)\b.*\b(?:do not|don't) (?:edit|modify|change)\b/i;

const longLine = 5000;
/** Longer lines are not prose: a paragraph may be one line, but none is this long. */
const longParagraph = 100_000;
const longAverage = 300;
const prose = /\.(?:md|markdown|mdx|rst|txt|adoc|asciidoc|org|rdoc|pod|tex|html?|wiki|textile)$/i;

/** Why the content should not be indexed, or undefined. */
export function reasonByContent(path: string, bytes: Uint8Array): SkipReason | undefined {
  if (bytes.length === 0) return undefined;
  if (looksBinary(bytes)) return "binary";
  if (looksGenerated(path, bytes)) return "generated";
  if (looksMinified(path, bytes)) return "minified";
  return undefined;
}

function looksBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, sampleBytes);
  if (hasUtf16Mark(sample)) return false;
  if (sample.includes(0)) return true;
  let strange = 0;
  for (let at = 0; at < sample.length; ) {
    const length = sequenceLength(sample, at);
    // A sequence that the end of the sample cuts off does not count as strange.
    if (length === 0 && at + 4 <= sample.length) strange++;
    at += Math.max(length, 1);
  }
  return strange > sample.length * strangeShare;
}

/** Whether the file begins with a UTF-16 byte order mark, little or big endian, as some Windows tools write it. */
function hasUtf16Mark(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** Bytes of the character at `at`, or 0 if none is printable UTF-8 there. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return first >= 0x20 || (first >= 0x07 && first <= 0x0d) || first === 0x1b ? 1 : 0;
  const length = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length === 0 || first >= 0xf5) return 0;
  for (let i = 1; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

function looksGenerated(path: string, bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString("latin1");
  if (!/generated/i.test(head)) return false;
  const lines = head.split("\n", markerLines);
  return lines.some((line, at) => {
    if (!isComment(path, line)) return false;
    // Two lines are read together, since such notices are often wrapped.
    return generatedMarker.test(line + " " + (lines[at + 1] ?? ""));
  });
}

/** Whether a line of a file begins or continues a comment. */
export function isComment(path: string, line: string): boolean {
  return (script.test(path) ? scriptComment : commentStart).test(line);
}

function looksMinified(path: string, bytes: Uint8Array): boolean {
  if (bytes.length <= longLine) return false;
  let longest = 0;
  let lines = 0;
  for (let start = 0; start < bytes.length; lines++) {
    let end = bytes.indexOf(0x0a, start);
    if (end < 0) end = bytes.length;
    if (end - start > longest) longest = end - start;
    start = end + 1;
  }
  if (prose.test(path)) return longest > longParagraph;
  return longest > longLine && (bytes.length / lines > longAverage || longest > bytes.length / 2);
}
