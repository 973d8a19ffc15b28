import { DossierError } from "../errors.ts";

/** Limit of a document in bytes of UTF-8. */
export const largestDocument = 5_000_000;

/** A text with a higher share of U+FFFD was not UTF-8 when it was read: an image or a program. */
const strangeShare = 0.1;

/** A document's content as it is stored. Throws when it is not text or too long. */
export function documentContent(text: string): string {
  // Lone surrogates cannot be written as UTF-8; nothing else is changed.
  const content = text.replace(/\p{Surrogate}/gu, "\ufffd");
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

/** Rounded up, so that a size over the limit is never printed as the limit. */
function megabytes(bytes: number): string {
  return String(Math.ceil(bytes / 1000) / 1000);
}
