import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import * as z from "zod";
import { DossierError } from "../errors.ts";
import { type JsonNode, lineAndColumn, nodeAt, readJson } from "../text/json/parse-json.ts";
import { closest } from "../text/similarity/closest.ts";

/** A settings file that people may write by hand: errors are reported with their place. */
export type ConfigFile = { path: string; text: string; root: JsonNode };

/** Settings are small; what is larger is something else, and would be read before every question. */
const mostBytes = 1_000_000;

/** Undefined where there is no such file. */
export function openConfigFile(path: string): ConfigFile | undefined {
  const text = readText(path);
  return text === undefined ? undefined : parseConfig(path, text);
}

export function parseConfig(path: string, text: string): ConfigFile {
  const read = readJson(text);
  if (!("fault" in read)) return { path, text, root: read };
  const { line, column } = lineAndColumn(text, read.fault.offset);
  throw new DossierError("bad-config", `${path}, line ${line}, column ${column}: it ${read.fault.what}.`);
}

/** The text of a settings file; undefined where there is none. */
export function readText(path: string): string | undefined {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw new DossierError("bad-config", `${path} is not a file.`);
    if (stats.size > mostBytes) {
      throw new DossierError("bad-config", `${path} is ${stats.size} bytes large; at most ${mostBytes} are read.`);
    }
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") {
      throw new DossierError("bad-config", `${path} is not a text in UTF-8.`, { cause: error });
    }
    if (error instanceof DossierError) throw error;
    throw new DossierError("not-readable", `${path} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
}

/**
 * A strict object schema that reports unknown keys. Other schemas state what they take: "takes a whole number from 1
 * to 5".
 */
export function settings<Shape extends z.ZodRawShape>(shape: Shape) {
  const keys = Object.keys(shape);
  return z.strictObject(shape, {
    error(issue) {
      if (issue.code !== "unrecognized_keys") return `takes an object with ${keys.join(", ")}`;
      const unknown = (issue.keys as string[])[0]!;
      const guess = closest(unknown, keys);
      return `has no key ${JSON.stringify(unknown)}. ${guess ? `Did you mean ${guess}?` : `It takes ${keys.join(", ")}`}`;
    },
  });
}

/** The file's value, checked; a mistake becomes one sentence with its place and what is allowed there. */
export function checked<Schema extends z.ZodType>(file: ConfigFile, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(file.root.value);
  if (parsed.success) return parsed.data;
  // A key that is misspelt is also one that is missing: the first says what to do.
  const issues = parsed.error.issues;
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0]!;
  if (issue.code === "unrecognized_keys") {
    throw wrongPlace(file, issue.path, issue.message, [...issue.path, issue.keys[0]!]);
  }
  if (!issue.message.startsWith("takes ")) throw wrongPlace(file, issue.path, issue.message);
  const value = valueAt(file.root.value, issue.path);
  const sentence = value === undefined ? `is missing; it ${issue.message}` : `${issue.message}, not ${preview(value)}`;
  throw wrongPlace(file, issue.path, sentence);
}

/** The error for something in the file; `problem` follows the setting's name: "lenses.review has no key …". */
export function wrongPlace(
  { path, text, root }: ConfigFile,
  way: readonly PropertyKey[],
  problem: string,
  at: readonly PropertyKey[] = way,
): DossierError {
  const { line } = lineAndColumn(text, nodeAt(root, at).start);
  const end = /[.?!]$/.test(problem) ? "" : ".";
  return new DossierError("bad-config", `${path}, line ${line}: ${nameOf(way)} ${problem}${end}`);
}

/** `notes[0].live.url`. */
function nameOf(way: readonly PropertyKey[]): string {
  if (way.length === 0) return "it";
  return way
    .map((step) =>
      typeof step === "number"
        ? `[${step}]`
        : /^[\w-]+$/.test(String(step))
          ? `.${String(step)}`
          : `[${preview(step)}]`,
    )
    .join("")
    .replace(/^\./, "");
}

function valueAt(value: unknown, way: readonly PropertyKey[]): unknown {
  return way.reduce<unknown>(
    (inner, step) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, step) ? inner[step as never] : undefined,
    value,
  );
}

const longestShown = 60;

function preview(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

/** A writer that changes the file this often between our reading and writing ignores what others wrote, too. */
const mostAttempts = 5;

/**
 * Writes the result of `change` atomically: a reader sees the old text or the new one. A concurrent change is read
 * again and not lost. A broken file is an error and stays as it is.
 */
export function changeConfigFile(path: string, change: (file: ConfigFile | undefined) => string): void {
  changeTextFile(path, (text) => change(text === undefined ? undefined : parseConfig(path, text)));
}

/** The same for a file of any format. */
export function changeTextFile(path: string, change: (text: string | undefined) => string): void {
  for (let attempt = 1; ; attempt++) {
    const before = readText(path);
    const text = change(before);
    if (attempt >= mostAttempts || readText(path) === before) {
      replaceFile(path, text);
      return;
    }
  }
}

let writeCount = 0;

function replaceFile(path: string, text: string): void {
  const existing = statSync(path, { throwIfNoEntry: false });
  // The target of a link is replaced, not the link.
  const target = existing ? realpathSync.native(path) : path;
  const temporary = `${target}.${process.pid}-${++writeCount}.tmp`;
  try {
    mkdirSync(dirname(target), { recursive: true });
    const file = openSync(temporary, "wx", existing ? existing.mode & 0o777 : 0o666);
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC") throw error;
    throw new DossierError("not-readable", `${path} cannot be written: ${message}.`, { cause: error });
  }
}
