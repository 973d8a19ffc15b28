import * as z from "zod";
import { unreadWarning } from "../../errors.ts";
import { header, lineOf } from "../../learned/exchange/exchange.ts";
import { path } from "../../options.ts";
import { readableRecords } from "../../stores/readable-records.ts";
import { type RecordStore, type RecordType, recordTypes, type StoredRecord } from "../../stores/records.ts";
import { hasReadableRecords, unreadPart } from "../core/closed-records.ts";
import { operation } from "../core/operation.ts";

const count = z.number().int().min(0);

export const exportRecords = operation({
  name: "export",
  command: "memory export",
  group: "Memories",
  summary: "Print memories, experiences and values as JSON lines, for a backup or another workspace",
  input: z.object({
    path,
    types: z
      .array(z.enum(recordTypes))
      .min(1)
      .default([...recordTypes])
      .describe("What to export; what was forgotten never is"),
  }),
  output: z.object({
    records: count,
    counts: z.record(z.enum(recordTypes), count).describe("How many of each type"),
    lines: z.string().describe("A header and one JSON object a line, oldest first within a type"),
    warnings: z.array(z.string()),
  }),
  examples: [
    { command: "dossier memory export > records.jsonl", what: "everything" },
    { command: "dossier memory export --types memory > memories.jsonl", what: "only memories" },
  ],
  text: ({ lines }) => lines,
  async run({ types }, environment) {
    const workspace = await environment.workspace();
    const records = hasReadableRecords(workspace) ? await workspace.records() : undefined;
    const lines = [header];
    const warnings = new Set<string>(await unreadPart(workspace));
    const counts = Object.fromEntries(recordTypes.map((type) => [type, 0])) as Record<RecordType, number>;
    for (const type of recordTypes) {
      if (!records || !types.includes(type)) continue;
      const { all, unread } = await readAll(records, workspace.owner, type);
      for (const warning of unread) warnings.add(warning);
      counts[type] = all.length;
      for (const record of all) lines.push(lineOf(record));
    }
    return { records: lines.length - 1, counts, lines: `${lines.join("\n")}\n`, warnings: [...warnings] };
  },
});

const batchSize = 500;

/** Everything that was there when it began, as far as it can be read: of damaged records this is what is left. */
async function readAll(
  records: RecordStore,
  owner: string,
  type: RecordType,
): Promise<{ all: StoredRecord[]; unread: string[] }> {
  const ids = await records.ids(owner, { type });
  const all: StoredRecord[] = [];
  const unread: string[] = [];
  for (let from = 0; from < ids.length; from += batchSize) {
    const readable = await readableRecords(records, owner, ids.slice(from, from + batchSize));
    all.push(...readable.records);
    for (const error of readable.damage.values()) unread.push(unreadWarning(error)!);
  }
  all.sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
  return { all, unread };
}
