/**
 * Escapes characters that a database cannot store: PostgreSQL has no NUL in texts, one SQLite driver ends them there,
 * and lone surrogates are no UTF-8, so two paths would become one. Each is written as a mark and four hexadecimal
 * digits; the order of all other texts is unchanged.
 */
const odd = /[\0\ufffe\p{Cs}]/gu;
const marked = /\ufffe([0-9a-f]{4})/g;

export function escapeText(text: string): string {
  return text.replace(odd, (character) => `\ufffe${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export function unescapeText(text: string): string {
  if (!text.includes("\ufffe")) return text;
  return text.replace(marked, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

export const escapedOrNull = (text: string | undefined): string | null =>
  text === undefined ? null : escapeText(text);

/** For JSON lists that SQL reads. */
export const escapedList = (texts: readonly string[]): string => JSON.stringify(texts.map(escapeText));

const lone = /\p{Cs}/u;

/** A content as UTF-8; as JSON where it has lone surrogates, which UTF-8 cannot represent. */
export function packContent(content: string): Uint8Array | string {
  return lone.test(content) ? JSON.stringify(content) : Buffer.from(content, "utf8");
}

export function unpackContent(packed: Uint8Array | string): string {
  if (typeof packed === "string") return JSON.parse(packed) as string;
  return Buffer.from(packed.buffer, packed.byteOffset, packed.length).toString("utf8");
}

/** A limit that every engine accepts: SQLite would read a negative number as "all", PostgreSQL would refuse it. */
export function atMost(limit: number): number {
  return Math.min(Math.max(0, Math.floor(limit)), 2 ** 31);
}

/**
 * Replaces NUL and lone surrogates, which survive neither SQLite's JSON nor PostgreSQL's texts; no real name has them.
 */
export function storable(text: string): string {
  return unstorable.test(text) ? text.replace(allUnstorable, "\ufffd") : text;
}

const unstorable = /[\0\ud800-\udfff]/u;
const allUnstorable = /[\0\ud800-\udfff]/gu;
