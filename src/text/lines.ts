/**
 * The one definition of lines. They end at "\n", and a "\r" before it belongs to the line end. A lone "\r" is a
 * character like any other. A final line end makes no empty line after it.
 */
export function splitLines(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (text.includes("\r\n")) {
    const ended = text.endsWith("\n") ? lines.length : lines.length - 1;
    for (let i = 0; i < ended; i++) if (lines[i]!.endsWith("\r")) lines[i] = lines[i]!.slice(0, -1);
  }
  return lines;
}

export type DecodedText = {
  text: string;
  /** False when bytes that are no text in the file's encoding were replaced by U+FFFD. */
  valid: boolean;
};

/** A file's bytes as text: UTF-8, or UTF-16 where a byte order mark says so. The mark itself is dropped. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const { text, valid } = decoded(bytes);
  // Tools that add a mark without looking leave two of them.
  return { text: text.startsWith("\ufeff") ? text.replace(/^\ufeff+/, "") : text, valid };
}

function decoded(bytes: Uint8Array): DecodedText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes, "utf-16le");
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes, "utf-16be");
  try {
    return { text: strictUtf8.decode(bytes), valid: true };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { text: lenientUtf8.decode(bytes), valid: false };
  }
}

/**
 * Pieces of a file as pieces of UTF-8, for what reads a file bit by bit: they are changed only where a byte order mark
 * says UTF-16. The first piece must have the mark.
 */
export function utf8Pieces(): (piece: Uint8Array) => Uint8Array {
  let decode: ((piece: Uint8Array) => string) | undefined;
  let isFirst = true;
  return (piece) => {
    if (isFirst && piece.length > 1) {
      isFirst = false;
      if (piece[0] === 0xff && piece[1] === 0xfe) decode = utf16Decoder(false);
      else if (piece[0] === 0xfe && piece[1] === 0xff) decode = utf16Decoder(true);
    }
    return decode ? Buffer.from(decode(piece)) : piece;
  };
}

/** Decodes pieces that may end within a character. The mark itself is dropped. */
function utf16Decoder(isBigEndian: boolean): (piece: Uint8Array) => string {
  const decoder = new TextDecoder("utf-16le");
  let odd = Buffer.alloc(0);
  return (piece) => {
    const bytes = Buffer.concat([odd, piece]);
    const even = bytes.subarray(0, bytes.length & ~1);
    odd = Buffer.from(bytes.subarray(even.length));
    return decoder.decode(isBigEndian ? even.swap16() : even, { stream: true });
  };
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });
const lenientUtf8 = new TextDecoder("utf-8");

// Done by hand: Node without full ICU has no utf-16be, and lone surrogates must not stop a strict decoder half way.
function decodeUtf16(bytes: Uint8Array, order: "utf-16le" | "utf-16be"): DecodedText {
  const even = (bytes.length - 2) & ~1;
  const units = Buffer.from(bytes.subarray(2, 2 + even));
  if (order === "utf-16be") units.swap16();
  const raw = units.toString("utf16le");
  const lone = /\p{Surrogate}/gu;
  const damaged = even !== bytes.length - 2 || lone.test(raw);
  return { text: damaged ? raw.replace(/\p{Surrogate}/gu, "\ufffd") : raw, valid: !damaged };
}
