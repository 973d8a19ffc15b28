import { DossierError } from "../errors.ts";

/** Paths of documents: relative, with `/`, composed (NFC), the same for whoever writes them in another way. */

/** UTF-8 bytes; what file systems take is a little more. */
export const longestPath = 1000;
const longestSegment = 255;

/** A path as it is stored. Throws a sentence that says what is wrong with one that cannot be. */
export function documentPath(given: string): string {
  const path = normalised(given);
  if (/[\\/]\s*$/.test(given)) throw refusal(given, "it names a folder; a document's path ends in its name");
  // Whatever takes an id or a path could not tell which one is meant.
  if (/^[a-z]{3}-[0-9a-z]{13}$/.test(path)) throw refusal(given, "it looks like an id");
  return path;
}

/** A folder as it is stored: without a slash at its end. */
export function folderPath(given: string): string {
  return normalised(given);
}

function normalised(given: string): string {
  // The control characters that are white space at the end of a segment are refused too: nobody means them.
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(given)) throw refusal(given, "it has control characters");
  if (/\p{Surrogate}/u.test(given)) throw refusal(given, "it has half a character");
  const slashed = given.normalize("NFC").trim().replace(/\\/g, "/");
  if (slashed.startsWith("/") || /^[a-z]:/i.test(slashed)) {
    throw refusal(given, "it must be relative, such as notes/plan.md");
  }
  const segments = slashed.split("/").map((segment) => segment.trim());
  if (segments.includes("..")) throw refusal(given, 'it must not have ".."');
  const kept = segments.filter((segment) => segment !== "" && segment !== ".");
  if (kept.length === 0) throw refusal(given, "it is empty");
  // What was only a space away from a drive's letter is one now.
  if (/^[a-z]:/i.test(kept[0]!)) throw refusal(given, "it must be relative, such as notes/plan.md");
  const path = kept.join("/").normalize("NFC");
  if (Buffer.byteLength(path) > longestPath || kept.some((segment) => Buffer.byteLength(segment) > longestSegment)) {
    throw new DossierError(
      "too-long",
      `The path ${shown(given)} is too long; ${longestPath} bytes may be, and ${longestSegment} in each part of it.`,
    );
  }
  return path;
}

/** `notes` and `notes/2026` of `notes/2026/plan.md`, the outermost first. */
export function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) folders.push(path.slice(0, at));
  return folders;
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function refusal(given: string, why: string): DossierError {
  return new DossierError("bad-input", `${shown(given)} is no path of a document: ${why}.`);
}

function shown(given: string): string {
  return JSON.stringify(given.length > 80 ? `${given.slice(0, 77)}...` : given);
}
