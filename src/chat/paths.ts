import { DossierError } from "../errors.ts";

/** Paths of documents: relative, with `/`, in NFC, so that every spelling of a path is stored the same way. */

/** UTF-8 bytes; file systems allow a little more. */
export const longestPath = 1000;
const longestSegment = 255;

/** A path as it is stored. Throws an error that says why a path is invalid. */
export function documentPath(input: string): string {
  const path = normalised(input);
  if (/[\\/]\s*$/.test(input)) throw refusal(input, "it names a folder; a document's path ends in its name");
  // Operations accept an id or a path in one parameter, so a path must not look like an id.
  if (/^[a-z]{3}-[0-9a-z]{13}$/.test(path)) throw refusal(input, "it looks like an id");
  return path;
}

/** A folder's path as it is stored: without the final slash. */
export function folderPath(input: string): string {
  return normalised(input);
}

function normalised(input: string): string {
  // Control characters at the ends are refused too, though trimming would remove some of them.
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(input)) throw refusal(input, "it has control characters");
  if (/\p{Surrogate}/u.test(input)) throw refusal(input, "it has half a character");
  const slashed = input.normalize("NFC").trim().replace(/\\/g, "/");
  if (slashed.startsWith("/") || /^[a-z]:/i.test(slashed)) {
    throw refusal(input, "it must be relative, such as notes/plan.md");
  }
  const segments = slashed.split("/").map((segment) => segment.trim());
  if (segments.includes("..")) throw refusal(input, 'it must not have ".."');
  const names = segments.filter((segment) => segment !== "" && segment !== ".");
  if (names.length === 0) throw refusal(input, "it is empty");
  // Trimming a segment may have produced a drive letter.
  if (/^[a-z]:/i.test(names[0]!)) throw refusal(input, "it must be relative, such as notes/plan.md");
  const path = names.join("/").normalize("NFC");
  if (Buffer.byteLength(path) > longestPath || names.some((segment) => Buffer.byteLength(segment) > longestSegment)) {
    throw new DossierError(
      "too-long",
      `The path ${quoted(input)} is too long; ${longestPath} bytes may be, and ${longestSegment} in each part of it.`,
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

function refusal(input: string, why: string): DossierError {
  return new DossierError("bad-input", `${quoted(input)} is no path of a document: ${why}.`);
}

function quoted(input: string): string {
  return JSON.stringify(input.length > 80 ? `${input.slice(0, 77)}...` : input);
}
