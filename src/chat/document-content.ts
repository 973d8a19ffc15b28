import { DossierError } from "../errors.ts";

/** Bytes of UTF-8 that a document may have. */
export const largestDocument = 5_000_000;

/** More of it than this share was no UTF-8 when it was read: not text, but a picture or a program. */
const strangeShare = 0.1;

/** A document's content as it is stored. Throws for what is no text, and for what is too much. */
export function documentContent(given: string): string {
  // Half characters cannot be written as UTF-8; nothing else is changed.
  const content = given.replace(/\p{Surrogate}/gu, "\ufffd");
  const size = Buffer.byteLength(content);
  if (size > largestDocument) {
    const limit = `${megabytes(size)} MB long; at most ${megabytes(largestDocument)} MB are kept`;
    throw new DossierError("too-long", `The document is ${limit}.`);
  }
  if (content.includes("\0")) throw noText("it has NUL characters");
  const strange = content.split("\ufffd").length - 1;
  if (strange > Math.max(4, content.length * strangeShare)) throw noText("much of it is not UTF-8");
  return content;
}

function noText(why: string): DossierError {
  return new DossierError("bad-input", `The document is not text: ${why}. Only texts are kept.`);
}

/** Never rounded down to the limit that it is over. */
function megabytes(bytes: number): string {
  return String(Math.ceil(bytes / 1000) / 1000);
}
