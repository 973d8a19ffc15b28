import * as z from "zod";
import { header, lineOf } from "../../learned/exchange/exchange.ts";
import { path } from "../../options.ts";
import { type RecordStore, type RecordType, recordTypes, type StoredRecord } from "../../stores/records.ts";
import { hasReadableRecords } from "../core/closed-records.ts";
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
    const counts = Object.fromEntries(recordTypes.map((type) => [type, 0])) as Record<RecordType, number>;
    for (const type of recordTypes) {
      if (!records || !types.includes(type)) continue;
      const all = await readAll(records, workspace.owner, type);
      counts[type] = all.length;
      for (const record of all) lines.push(lineOf(record));
    }
    return { records: lines.length - 1, counts, lines: `${lines.join("\n")}\n` };
  },
});

const batchSize = 500;

/** Everything that was there when it began. */
async function readAll(records: RecordStore, owner: string, type: RecordType): Promise<StoredRecord[]> {
  const ids = await records.ids(owner, { type });
  const all: StoredRecord[] = [];
  for (let from = 0; from < ids.length; from += batchSize) {
    all.push(...(await records.get(owner, ids.slice(from, from + batchSize))));
  }
  return all.sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1));
}
