import * as z from "zod";
import { DossierError } from "../../errors.ts";
import { currentOnly, isCurrent, readScope } from "../../learned/memory/validity.ts";
import { categories } from "../../learned/memory.ts";
import { path } from "../../options.ts";
import type { RecordFilter, RecordStore, StoredRecord } from "../../stores/records.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { hasReadableRecords, unreadPart } from "../core/closed-records.ts";
import { after, type Cursor, cursorOf, next, pageOf } from "../core/cursor.ts";
import { signals } from "../core/item-shapes.ts";
import { type Environment, operation } from "../core/operation.ts";
import { pageText } from "../library/library-shape.ts";
import { paint } from "../terminal/colours.ts";
import { parseTime } from "../terminal/parse-time.ts";
import { bodyOf, memoryShape, memoryText, shownMemory } from "./memory-shape.ts";
import { findRecord } from "./record-find.ts";
import { forgottenPage, newestFirst, newestPage, placeOf, rankedRecords } from "./record-page.ts";

const input = z.object({
  query: z
    .string()
    .optional()
    .describe("Rank by this question, or show the one with this id; else the newest come first"),
  path,
  category: z.array(z.enum(categories)).optional().describe("Only these kinds"),
  tags: z.array(z.string().trim().min(1)).optional().describe("Only those with all of these labels"),
  minImportance: z.number().min(0).max(1).optional().describe("Only those that matter at least as much"),
  since: z.string().optional().describe("Only those written since a date or within an age: 2026-01-31, 30d, 2w"),
  until: z.string().optional().describe("Only those written before a date or longer ago than an age"),
  asOf: z.string().optional().describe("What was true at a date or an age ago, also what was replaced since"),
  all: z.boolean().default(false).describe("Also those that another took the place of, or that have ended"),
  pinned: z.boolean().default(false).describe("Only those that are in every brief"),
  scope: z
    .string()
    .optional()
    .describe("Only those of this scope: ~ of all your workspaces, or a path glob as it was given"),
  deleted: z.boolean().default(false).describe("Only those that were forgotten and can be restored"),
  limit: z.number().int().min(1).max(500).default(20).describe("Most memories to show"),
  offset: z.number().int().min(0).default(0).describe("How many to pass over first"),
  after,
  full: z.boolean().default(false).describe("Print long contents whole on a terminal"),
});

type Input = z.output<typeof input>;

const output = z.object({
  total: z.number().int().min(0).describe("How many there are on all pages; with a query, how many were ranked"),
  memories: z.array(
    memoryShape.extend({
      score: z.number().optional(),
      because: signals.optional(),
      notes: z.array(z.string()).optional(),
    }),
  ),
  next,
  warnings: z.array(z.string()).optional(),
});

type MemoryPage = z.output<typeof output>;

export const memories = operation({
  name: "memories",
  command: "memory list",
  group: "Memories",
  summary: "List what was remembered, or find it by a question",
  input,
  output,
  positional: ["query"],
  examples: [
    { command: "dossier memory list", what: "the newest" },
    { command: 'dossier memory list "how do we deploy"', what: "the best for a question" },
    { command: "dossier memory list --category decision,preference --since 30d", what: "of two kinds and a month" },
    {
      command: "dossier memory list --tags auth,api --min-importance 0.7",
      what: "with both labels, the important ones",
    },
    { command: 'dossier memory list "which port" --as-of 2026-01-31', what: "what was true then" },
    { command: "dossier memory list --pinned", what: "what is in every brief" },
    { command: "dossier memory list --deleted", what: "what was forgotten" },
  ],
  async run(input, environment) {
    const filter = filterOf(input, Date.now(), environment.nameOf);
    const cursor = cursorOf("memories", input, environment);
    const workspace = await environment.workspace();
    if (!hasReadableRecords(workspace)) return { total: 0, memories: [] };
    const [listed, warnings] = [
      await pageFor(workspace, input, filter, cursor, environment),
      await unreadPart(workspace),
    ];
    return { ...listed, ...(warnings.length > 0 && { warnings }) };
  },
  text({ total, memories, next }, { offset, after, full, query, deleted }, colour) {
    if (total === 0)
      return query || deleted ? "There are no such memories." : "Nothing was remembered yet, or nothing like this.";
    const whole = full || (total === 1 && memories.length === 1);
    const lines = memories.map((memory) => {
      const score = memory.score === undefined ? "" : `${memory.score.toFixed(2)}  `;
      const notes = (memory.notes ?? []).map((note) => `\n  ${paint(colour).yellow(note)}`);
      return `${score}${memoryText(memory, colour, whole)}${notes.join("")}`;
    });
    // The cursor of a ranking is too long for a person to read, so people are told an offset.
    const page = { offset, shown: memories.length, total, after, next: query ? undefined : next };
    const rest = pageText(page, "memory", "memories");
    return [...lines, ...(rest === "" ? [] : [paint(colour).dim(rest)])].join("\n");
  },
});

type MemoryRequest = { records: RecordStore; query: string; filter: RecordFilter; input: Input; cursor: Cursor };

async function pageFor(
  workspace: Workspace,
  input: Input,
  filter: RecordFilter,
  cursor: Cursor,
  { nameOf }: Environment,
): Promise<MemoryPage> {
  const records = await workspace.records();
  const query = input.query?.trim() ?? "";
  const asked: MemoryRequest = { records, query, filter, input, cursor };
  const byId = await findNamed(workspace, query, input.deleted);
  if (byId) return { total: 1, memories: [shownMemory(byId)] };
  if (input.asOf !== undefined) {
    const now = Date.now();
    return validAt(workspace, asked, { now, asOf: parseTime(input.asOf, now, nameOf?.("asOf") ?? "asOf") });
  }
  if (query === "") {
    const { total, page, ...more } = await newestPage(records, workspace.owner, filter, cursor, input);
    return { total, memories: page.map(shownMemory), ...more };
  }
  if (!input.deleted) return rankedPage(workspace, asked);
  const { page, ...more } = await forgottenPage(records, workspace.owner, filter, cursor, { ...input, query });
  return { ...more, memories: page.map(shownMemory) };
}

/** The memory whose id the query is. Text that only might be an id, such as mem-leak, may also be a question. */
async function findNamed(workspace: Workspace, query: string, deleted: boolean): Promise<StoredRecord | undefined> {
  if (!/^\[?mem-[0-9a-z]+\]?$/i.test(query)) return undefined;
  try {
    return await findRecord(workspace, query, { types: ["memory"], state: deleted ? "forgotten" : "kept" });
  } catch (error) {
    const whole = query.startsWith("[") || query.length === "mem-".length + 13;
    if (!whole && error instanceof DossierError && error.code === "not-found") return undefined;
    throw error;
  }
}

function filterOf(input: Input, now: number, nameOf = (key: string) => key): RecordFilter {
  const { category, tags, minImportance, since, until, deleted, all, asOf, pinned, scope } = input;
  const where = {
    ...(category && { category }),
    ...(pinned && { pinned: [true] }),
    ...(scope !== undefined && { scope: [readScope(scope) ?? ""] }),
  };
  return {
    type: "memory",
    deleted,
    ...(Object.keys(where).length > 0 && { where }),
    ...(!all && !deleted && asOf === undefined && currentOnly(now)),
    // Stored tags are in lower case, except for imported ones.
    ...(tags && { whereAll: { tags: tags.map((tag) => [tag, tag.toLowerCase()]) } }),
    ...(minImportance !== undefined && { atLeast: { importance: minImportance } }),
    ...(since !== undefined && { since: parseTime(since, now, nameOf("since")) }),
    ...(until !== undefined && { until: parseTime(until, now, nameOf("until")) }),
  };
}

async function rankedPage(
  workspace: Workspace,
  { records, query, filter, input, cursor }: MemoryRequest,
): Promise<MemoryPage> {
  // Searching leaves out memories that are no longer valid.
  const { type: _type, deleted: _deleted, without: _without, ...conditions } = filter;
  const ids = Object.keys(conditions).length > 0 ? await records.ids(workspace.owner, filter) : undefined;
  if (ids?.length === 0) return { total: 0, memories: [] };
  const request = { source: "memory" as const, query, ...(ids && { ids }) };
  const { page, ranked, ...more } = await rankedRecords(workspace, request, cursor, input);
  const read = await records.get(
    workspace.owner,
    page.map(({ item }) => item.id),
  );
  const byId = new Map(read.map((record) => [record.id, shownMemory(record)]));
  const memories = page.flatMap(({ item, score, because, notes }) => {
    const memory = byId.get(item.id);
    return memory ? [{ ...memory, score, because, ...(notes && { notes }) }] : [];
  });
  return { total: ranked, memories, ...more };
}

/** Memories that were valid at a time: those replaced since included, later ones not. */
async function validAt(
  workspace: Workspace,
  { records, query, filter, input, cursor }: MemoryRequest,
  at: { now: number; asOf: number },
): Promise<MemoryPage> {
  const ids = await records.ids(workspace.owner, filter);
  const currentThen = (await records.get(workspace.owner, ids)).filter((record) =>
    isCurrent(bodyOf(record), record.created, at),
  );
  if (query === "") {
    const { page, ...more } = pageOf(currentThen.sort(newestFirst), cursor, input, placeOf, 1);
    return { total: currentThen.length, memories: page.map(shownMemory), ...more };
  }
  if (currentThen.length === 0) return { total: 0, memories: [] };
  const request = { source: "memory" as const, query, ids: currentThen.map(({ id }) => id), before: at.asOf };
  const { page, ranked, ...more } = await rankedRecords(workspace, request, cursor, input);
  const byId = new Map(currentThen.map((record) => [record.id, shownMemory(record)]));
  const memories = page.map(({ item, score, because }) => ({ ...byId.get(item.id)!, score, because }));
  return { total: ranked, memories, ...more };
}
