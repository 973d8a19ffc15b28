import * as z from "zod";
import { path } from "../../options.ts";
import { keptTypes, type RecordType, recordTypes, type StoredRecord } from "../../stores/records.ts";
import { operation } from "../core/operation.ts";
import { paint } from "../terminal/colours.ts";
import { memoryTitle } from "./memory-shape.ts";
import { findRecord } from "./record-find.ts";

export const recordLine = z.object({
  id: z.string(),
  type: z.enum(keptTypes),
  title: z.string().describe("The beginning of what it says"),
});

export function lineOf(record: StoredRecord): z.output<typeof recordLine> {
  return { id: record.id, type: record.type, title: memoryTitle(record) };
}

export const ids = z
  .array(z.string().trim().min(1))
  .min(1)
  .describe("Ids of memories, experiences or values, their beginnings, or citations");

export const forget = operation({
  name: "forget",
  command: "memory forget",
  group: "Memories",
  summary: "Forget memories, experiences or values; they can be restored unless they are purged",
  access: "write",
  input: z.object({
    ids,
    path,
    purge: z.boolean().default(false).describe("Delete for good, also what was forgotten before"),
  }),
  output: z.object({
    forgotten: z.array(recordLine),
    purged: z.boolean().describe("True when nothing can be restored"),
  }),
  positional: ["ids"],
  examples: [
    { command: "dossier memory forget mem-1k3f", what: "can be taken back" },
    { command: "dossier memory forget mem-1k3f exp-9q2z --purge", what: "for good" },
  ],
  async run({ ids, purge }, environment) {
    const workspace = await environment.workspace();
    const { owner } = workspace;
    const recordsById = new Map<string, StoredRecord>();
    // All are resolved before the first is forgotten: a mistake changes nothing.
    for (const id of ids) {
      const record = await findRecord(workspace, id, { types: recordTypes, state: purge ? "either" : "kept" });
      recordsById.set(record.id, record);
    }
    const records = await workspace.records();
    const forgotten = [...recordsById.values()].map(lineOf);
    if (!purge) await records.write(owner, [], { removed: [...recordsById.keys()], at: Date.now() });
    else {
      await records.purge(owner, [...recordsById.keys()], Date.now());
      // Purged text must leave the index at once, not with the next question, since the index holds its words.
      const { refreshRecords } = await import("../../indexing/library/records.ts");
      for (const type of new Set(forgotten.map(({ type }) => type as RecordType)))
        await refreshRecords(workspace, type, { patience: 60_000 });
      await workspace.store.compact();
    }
    return { forgotten, purged: purge };
  },
  text({ forgotten, purged }, _input, colour) {
    const p = paint(colour);
    const lines = forgotten.map(
      ({ id, title }) => `${purged ? "Deleted for good:" : "Forgotten:"} ${p.cyan(id)}  ${title}`,
    );
    if (!purged)
      lines.push(p.dim(`To take it back: dossier memory restore ${forgotten.map(({ id }) => id).join(" ")}`));
    return lines.join("\n");
  },
});
