/**
 * The one definition of lines: they end at "\n", a "\r" before it belongs to the line end, a lone "\r" is a
 * character like any other, and a final line end makes no empty line after it.
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
