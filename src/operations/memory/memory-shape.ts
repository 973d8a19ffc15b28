import * as z from "zod";
import { categories, type Memory } from "../../learned/memory.ts";
import type { StoredRecord } from "../../stores/records.ts";
import { visible } from "../../text/invisible.ts";
import { redact } from "../../text/secrets/secrets.ts";
import { iso } from "../../text/times/iso.ts";
import { paint } from "../terminal/colours.ts";

const time = z.string().describe("ISO 8601");

/** A memory as results show it. */
export const memoryShape = z.object({
  id: z.string(),
  content: z.string(),
  category: z.enum(categories),
  importance: z.number(),
  tags: z.array(z.string()),
  created: time,
  changed: time,
  supersedes: z.string().optional().describe("The memory that this one replaced"),
  supersededBy: z.string().optional().describe("The memory that took its place: it is no longer true"),
  supersededAt: time.optional(),
  pinned: z.boolean().optional().describe("In every brief, first"),
  scope: z.string().optional().describe("Where it holds: ~ in all workspaces of its user, else a path glob"),
  until: time.optional().describe("When it ends"),
  forgotten: time.optional().describe("When it was forgotten"),
  anchors: z
    .array(z.looseObject({ name: z.string(), path: z.string(), hash: z.string() }))
    .optional()
    .describe("Where the names it mentions were defined when it was written"),
});

export type ShownMemory = z.output<typeof memoryShape>;

export function bodyOf(record: Pick<StoredRecord, "body">): Memory {
  return record.body as Memory;
}

/** A memory for results: secrets are replaced here as everywhere, since agents read these. */
export function shownMemory(record: StoredRecord): ShownMemory {
  const { content, category, importance, tags, supersedes, superseded, pinned, scope, until, anchors } = bodyOf(record);
  return {
    id: record.id,
    content: redact(content).text,
    category,
    importance,
    tags: tags.map((tag) => redact(tag).text),
    created: iso(record.created),
    changed: iso(record.changed),
    ...(supersedes !== undefined && { supersedes }),
    ...(superseded && { supersededBy: superseded.by, supersededAt: iso(superseded.at) }),
    ...(pinned && { pinned }),
    ...(scope !== undefined && { scope }),
    ...(until !== undefined && { until: iso(until) }),
    ...(record.deleted !== undefined && { forgotten: iso(record.deleted) }),
    ...(anchors && { anchors }),
  };
}

/** Longer contents are cut where many are listed. */
const longestListed = 300;

/** One memory for people: a line of facts and the content below it, whole or cut. */
export function memoryText(memory: ShownMemory, colour: boolean, whole = true): string {
  const p = paint(colour);
  const facts = [
    p.cyan(memory.id),
    memory.created.slice(0, 10),
    memory.category,
    `importance ${memory.importance}`,
    ...(memory.pinned ? ["pinned"] : []),
    ...(memory.scope === undefined ? [] : [`in ${visibleLine(memory.scope)}`]),
    ...(memory.until === undefined ? [] : [`until ${memory.until.slice(0, 10)}`]),
    ...memory.tags.map((tag) => `#${visibleLine(tag)}`),
    ...(memory.supersededBy ? [p.yellow(`superseded by ${memory.supersededBy}`)] : []),
    ...(memory.forgotten ? [p.yellow(`forgotten ${memory.forgotten.slice(0, 10)}`)] : []),
  ];
  const content = whole || memory.content.length <= longestListed ? memory.content : cut(memory.content, longestListed);
  return [facts.join("  "), ...content.split(/\r?\n/).map((line) => `  ${visibleLine(line)}`)].join("\n");
}

/** The beginning of what a record says, for lists of choices. */
export function memoryTitle({ body }: Pick<StoredRecord, "body">): string {
  const { content, goal, text } = body as { content?: string; goal?: string; text?: string };
  const line = visibleLine(redact(content ?? goal ?? text ?? "").text).trim();
  return line.length > 60 ? cut(line, 60) : line;
}

function cut(text: string, length: number): string {
  return `${text
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, "")
    .trimEnd()}…`;
}

/** Without invisible characters and terminal control sequences. */
export function visibleLine(line: string): string {
  return visible(line).replace(/[\t\n]/g, "  ");
}
