import * as z from "zod";
import { DossierError } from "../../errors.ts";
import {
  type KeptType,
  type RecordType,
  type RecordWrite,
  recordTypes,
  type StoredRecord,
} from "../../stores/records.ts";
import { hashText } from "../../text/hash.ts";
import { jsonText } from "../../text/json/json-text.ts";
import { iso } from "../../text/times/iso.ts";
import { experienceSchema } from "../experience/schema.ts";
import { memorySchema } from "../memory/schema.ts";
import { defaultCategory, defaultImportance } from "../memory.ts";
import { valueSchema } from "../value/schema.ts";

/**
 * Records as JSON lines: a header, then one record per line, its body beside type, id and times. Exporting an import
 * gives the same bytes.
 */

const version = 1;
export const header = JSON.stringify({ dossier: "records", version });

const prefixes: Record<RecordType, string> = { memory: "mem", experience: "exp", value: "val" };
const schemas: Record<RecordType, z.ZodType> = {
  memory: memorySchema,
  experience: experienceSchema,
  value: valueSchema,
};

export function lineOf({ type, id, created, changed, body }: StoredRecord): string {
  return jsonText({ type, id, created: iso(created), changed: iso(changed), ...(ordered(type, body) as object) });
}

/** The body with its keys in a fixed order. An invalid body is returned unchanged. */
export function ordered(type: KeptType, body: unknown): unknown {
  if (type === "draft") return body;
  const parsed = schemas[type].safeParse(body);
  return parsed.success ? parsed.data : body;
}

export type ReadLine =
  | {
      record: RecordWrite;
      /** Keys of another tool's line that mean nothing here. */
      ignored: string[];
    }
  | { bad: string }
  | { header: true };

/** Parses one line. A line of another tool that only has a text becomes a memory, dated `now` unless it has a time. */
export function readLine(text: string, now: number): ReadLine {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch (error) {
    return { bad: `is no JSON: ${(error as Error).message}` };
  }
  if (typeof line !== "object" || line === null || Array.isArray(line)) return { bad: "is no JSON object" };
  if (isDeeper(line, deepest)) return { bad: `is nested more than ${deepest} deep` };
  if ("dossier" in line) return readHeader(line);
  if ("type" in line) return readRecord(line as Record<string, unknown>, now);
  if ("content" in line) return readPlain(line as Record<string, unknown>, now);
  return { bad: 'has neither "type" nor "content"' };
}

/** Limit of nesting: records are flat, and SQLite refuses JSON a thousand levels deep. */
const deepest = 50;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function readHeader(line: object): ReadLine {
  const parsed = z.object({ dossier: z.literal("records"), version: z.number().int().min(1) }).safeParse(line);
  if (!parsed.success) return { bad: "looks like the first line of an export, but is none" };
  if (parsed.data.version <= version) return { header: true };
  const versions = `version ${parsed.data.version}; this one reads up to ${version}`;
  throw new DossierError("store-newer", `The file was exported by a newer Dossier (${versions}).`);
}

const isoDate = /^(?:\d{4}|[+-]\d{6})-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;
const time = z
  .string()
  .refine((text) => isoDate.test(text) && Number.isFinite(Date.parse(text)), "is no date of ISO 8601")
  .transform((text) => Date.parse(text));

const envelope = z.looseObject({
  type: z.enum(recordTypes),
  id: z
    .string()
    .regex(/^[a-z]{3}-[0-9a-z]+$/, "is no id of a record")
    .max(40)
    .optional(),
  created: time.optional(),
  changed: time.optional(),
});

function readRecord(line: Record<string, unknown>, now: number): ReadLine {
  const outer = envelope.safeParse(line);
  if (!outer.success) return { bad: reasonOf(outer.error) };
  const { type, id, created = now, changed = created, ...rest } = outer.data;
  if (id !== undefined && !id.startsWith(`${prefixes[type]}-`)) {
    return { bad: `id is no id of a record of type ${type}: ${id}` };
  }
  const inner = schemas[type].safeParse(type === "memory" ? { ...memoryDefaults, ...rest } : rest);
  if (!inner.success) return { bad: reasonOf(inner.error) };
  // The id is a hash of the line, so that a file may be imported twice.
  const recordId = id ?? `${prefixes[type]}-${hashText(JSON.stringify([type, inner.data]))}`;
  return { record: { type, id: recordId, created, changed, body: inner.data }, ignored: [] };
}

const memoryDefaults = { category: defaultCategory, importance: defaultImportance, tags: [] };

function readPlain(line: Record<string, unknown>, now: number): ReadLine {
  const { content, category, importance, tags, created, changed, id, ...rest } = line;
  const isOwnId = typeof id === "string" && /^mem-[0-9a-z]{1,36}$/.test(id);
  const ignored = [...(id !== undefined && !isOwnId ? ["id"] : []), ...Object.keys(rest)];
  const fields = { content, category, importance, tags, created, changed, ...(isOwnId && { id }) };
  const present = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
  const result = readRecord({ type: "memory", ...present }, now);
  return "record" in result ? { ...result, ignored } : result;
}

/** The first problem in a few words: "category is not one of preference, fact". */
function reasonOf({ issues }: z.ZodError): string {
  const issue = issues[0]!;
  const place = issue.path.join(".");
  const problem = (() => {
    if (issue.code === "invalid_value") return `is not one of ${issue.values.join(", ")}`;
    if (issue.code === "too_big" && issue.origin === "string") return `is longer than ${issue.maximum} characters`;
    if (issue.code === "too_big" && issue.origin === "array") return `has more than ${issue.maximum} entries`;
    if (issue.code === "too_big") return `is more than ${issue.maximum}`;
    if (issue.code === "too_small" && issue.origin === "string") return "is empty";
    if (issue.code === "too_small") return `is less than ${issue.minimum}`;
    if (issue.code === "invalid_type") {
      return /received undefined$/.test(issue.message) ? "is missing" : `is no ${issue.expected}`;
    }
    return issue.message;
  })();
  return place === "" ? problem : `${place} ${problem}`;
}
