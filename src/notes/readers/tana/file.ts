import { createReadStream } from "node:fs";
import { access, constants, open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { DossierError } from "../../../errors.ts";
import { utf8Pieces } from "../../../text/lines.ts";
import { oneLine } from "../../../text/one-line.ts";
import { type Choose, JsonError, scanJson } from "../json-stream.ts";
import type { Reading, SheetState } from "../reader.ts";

/**
 * A JSON file of Tana: finding it, recognising it by its beginning, reading it, and explaining what is wrong with it.
 */

/** What the file should be, and what to do if it is not. */
export type ExpectedFile = { what: string; fix: string };

/** Bytes per read. */
const chunkSize = 1024 * 1024;
/** Bytes that are read to recognise a file: some exports begin with megabytes of layouts. */
const glanceSize = 8 * 1024 * 1024;

/** Incremented when the readers make different notes from the same file. */
const readerVersion = 1;

/** The one sheet of a file, without reading it. */
export async function sheetOf(place: string, expected: ExpectedFile): Promise<SheetState> {
  const { size, mtimeMs } = await statOf(place, expected);
  try {
    await access(place, constants.R_OK);
  } catch (error) {
    throw unreadable(place, expected, error);
  }
  return { name: basename(place), stamp: `${readerVersion}-${size}-${mtimeMs}` };
}

async function statOf(place: string, expected: ExpectedFile): Promise<{ size: number; mtimeMs: number }> {
  const stats = await stat(place).catch((error: unknown) => {
    throw unreadable(place, expected, error);
  });
  if (stats.isDirectory()) {
    throw new DossierError(
      "bad-input",
      `${place} is a folder, not ${expected.what}. Give the path of the file itself.`,
    );
  }
  if (!stats.isFile()) throw new DossierError("bad-input", `${place} is no file, and so not ${expected.what}.`);
  if (stats.size === 0) throw new DossierError("bad-input", `${place} is empty. ${expected.fix}`);
  return stats;
}

function unreadable(place: string, expected: ExpectedFile, cause: unknown): DossierError {
  const code = (cause as NodeJS.ErrnoException).code ?? "";
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new DossierError("not-found", `There is no file ${place}. ${expected.fix}`, { cause });
  }
  return new DossierError("not-readable", `${place} cannot be read${code === "" ? "" : ` (${code})`}.`, { cause });
}

/**
 * Hands over parts of the beginning of a file until `decide` knows whether it is the right one. False for invalid JSON
 * or a missing file.
 */
export async function glance(
  place: string,
  choose: Choose,
  decide: (path: string, text: string) => boolean | undefined,
): Promise<boolean> {
  let decision: boolean | undefined;
  const scanner = scanJson(choose, (path, text) => {
    decision ??= decide(path, text);
  });
  try {
    // Reading a pipe would block.
    if (!(await stat(place)).isFile()) return false;
    const file = await open(place, "r");
    try {
      const buffer = Buffer.alloc(64 * 1024);
      const utf8 = utf8Pieces();
      for (let at = 0; at < glanceSize && decision === undefined; ) {
        const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
        if (bytesRead === 0) break;
        scanner.write(utf8(buffer.subarray(0, bytesRead)));
        at += bytesRead;
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    // It is not such a file, unless it was recognised before it broke off.
    if (!(error instanceof JsonError || error instanceof SyntaxError || (error as NodeJS.ErrnoException).code))
      throw error;
  }
  return decision ?? false;
}

/** Hands over the selected parts of the whole file. Throws a sentence that says why it cannot be read. */
export async function readJson(
  place: string,
  expected: ExpectedFile,
  choose: Choose,
  take: (path: string, text: string) => void,
  { signal, progress }: Pick<Reading, "signal" | "progress">,
): Promise<void> {
  const { size } = await statOf(place, expected);
  const scanner = scanJson(choose, take);
  const utf8 = utf8Pieces();
  let head: Buffer | undefined;
  let done = 0;
  try {
    for await (const chunk of createReadStream(place, { highWaterMark: chunkSize })) {
      signal?.throwIfAborted();
      head ??= (chunk as Buffer).subarray(0, 512);
      scanner.write(utf8(chunk as Buffer));
      done += (chunk as Buffer).length;
      progress?.(done, size);
    }
    scanner.end();
  } catch (error) {
    if (error instanceof JsonError) throw broken(place, expected, error, head ?? Buffer.alloc(0));
    if (error instanceof SyntaxError)
      throw broken(place, expected, new JsonError("malformed", done), head ?? Buffer.alloc(0));
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw unreadable(place, expected, error);
    throw error;
  }
}

function broken(place: string, expected: ExpectedFile, error: JsonError, head: Buffer): DossierError {
  const seems = error.reason === "malformed" ? otherThanJson(head) : undefined;
  const at = `near byte ${error.at.toLocaleString("en-US")}`;
  const sentences: Record<JsonError["reason"], string> = {
    empty: `${place} is empty. ${expected.fix}`,
    truncated: `${place} breaks off before its end, as an incomplete copy or download does. Nothing was read from it. ${expected.fix}`,
    malformed: `${place} is ${seems === undefined ? `not valid JSON (${at}), and so` : `${seems},`} not ${expected.what}. ${expected.fix}`,
    "too-large": `${place} has one entry of more than 256 MB ${at}, which is more than can be read.`,
  };
  return new DossierError("bad-input", sentences[error.reason], { cause: error });
}

/** What a file that does not begin like JSON seems to be. */
function otherThanJson(head: Buffer): string | undefined {
  const text = head.toString("latin1");
  const begin = text.trimStart();
  if (text.startsWith("PK\u0003\u0004")) return "a ZIP archive";
  if (text.startsWith("\u001f\u008b")) return "a gzip archive";
  if (text.startsWith("SQLite format 3")) return "an SQLite database";
  if (text.startsWith("\u00ff\u00fe") || text.startsWith("\u00fe\u00ff")) return "a text in UTF-16";
  if (text.startsWith("%PDF")) return "a PDF";
  if (/^<(?:!doctype html|html)/i.test(begin)) return "a web page";
  if (begin.startsWith("<")) return "XML";
  if (text.includes("\u0000")) return "a binary file";
  return /^(?:\u00ef\u00bb\u00bf)?\s*[[{]/.test(text) ? undefined : "a text";
}

/** Records what is at a path, but not all keys of a dictionary. */
export function remember(seen: Map<string, string>, path: string, text: string): void {
  if (seen.size < 20 || seen.has(path)) seen.set(path, text);
}

/** What other kind of JSON document it seems to be, by its paths with their first character or their text. */
export function likelyFormat(seen: ReadonlyMap<string, string>): string {
  if (seen.get("") === "[") return "a JSON list";
  if (seen.get("") !== "{") return "a single JSON value";
  if (seen.get("version")?.startsWith('"TanaIntermediateFile'))
    return `${seen.get("version")} (an import file for Tana)`;
  if (seen.has("storeData") || (seen.has("docs") && seen.has("formatVersion"))) return "a Tana workspace export";
  const keys = [...seen.keys()]
    .filter((path) => path !== "" && !/[.[]/.test(path))
    .map((key) => oneLine(key).slice(0, 40));
  const others = keys.length > 5 ? " and more" : "";
  return keys.length === 0 ? "an empty JSON object" : `JSON with ${keys.slice(0, 5).join(", ")}${others}`;
}
