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
import { iso } from "../../text/times/iso.ts";
import { experienceSchema } from "../experience/schema.ts";
import { memorySchema } from "../memory/schema.ts";
import { defaultCategory, defaultImportance } from "../memory.ts";
import { valueSchema } from "../value/schema.ts";

/**
 * Records as JSON lines: a header, then one record a line, its body beside type, id and times. What is read and written again gives the
 * same bytes.
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
  return JSON.stringify({ type, id, created: iso(created), changed: iso(changed), ...(ordered(type, body) as object) });
}

/** The keys in one order, whoever wrote them. A body that is not what it should be is given out as it is. */
export function ordered(type: KeptType, body: unknown): unknown {
  if (type === "draft") return body;
  const parsed = schemas[type].safeParse(body);
  return parsed.success ? parsed.data : body;
}

export type ReadLine =
  | { record: RecordWrite /** Keys of another tool's line that mean nothing here. */; ignored: string[] }
  | { bad: string }
  | { header: true };

/** One line of a file. Lines of other tools that are no more than a text are memories, written down `now` unless they say when. */
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

/** Records are flat; SQLite reads no JSON that is a thousand deep. */
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
  // The same line gets the same id, so that a file may be read twice.
  const given = id ?? `${prefixes[type]}-${hashText(JSON.stringify([type, inner.data]))}`;
  return { record: { type, id: given, created, changed, body: inner.data }, ignored: [] };
}

const memoryDefaults = { category: defaultCategory, importance: defaultImportance, tags: [] };

function readPlain(line: Record<string, unknown>, now: number): ReadLine {
  const { content, category, importance, tags, created, changed, id, ...rest } = line;
  const ours = typeof id === "string" && /^mem-[0-9a-z]{1,36}$/.test(id);
  const ignored = [...(id !== undefined && !ours ? ["id"] : []), ...Object.keys(rest)];
  const known = { content, category, importance, tags, created, changed, ...(ours && { id }) };
  const given = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined && value !== null));
  const read = readRecord({ type: "memory", ...given }, now);
  return "record" in read ? { ...read, ignored } : read;
}

/** What is wrong first, in a few words: "category is not one of preference, fact". */
function reasonOf({ issues }: z.ZodError): string {
  const issue = issues[0]!;
  const place = issue.path.join(".");
  const said = (() => {
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
  return place === "" ? said : `${place} ${said}`;
}
