import * as z from "zod";
import { DossierError } from "../../errors.ts";
import type { Memory } from "../../learned/memory.ts";
import { path } from "../../options.ts";
import { keptTypes, type RecordStore, type StoredRecord } from "../../stores/records.ts";
import { operation } from "../core/operation.ts";
import { paint } from "../terminal/colours.ts";
import { lineOf, recordLine } from "./forget.ts";
import { findRecord } from "./record-find.ts";
import { current } from "./supersede.ts";

function isSuperseded({ type, body }: StoredRecord): boolean {
  return type === "memory" && (body as Memory).superseded !== undefined;
}

export const restore = operation({
  name: "restore",
  command: "memory restore",
  group: "Memories",
  summary: "Bring back what was forgotten or dropped, or what another memory took the place of",
  access: "write",
  input: z.object({
    ids: z
      .array(z.string().trim().min(1))
      .min(1)
      .describe("Ids of memories, experiences, values or drafts, their beginnings, or citations"),
    path,
  }),
  output: z.object({ restored: z.array(recordLine) }),
  positional: ["ids"],
  examples: [
    { command: "dossier memory list --deleted", what: "what was forgotten" },
    { command: "dossier memory restore mem-1k3f", what: "bring one back" },
  ],
  async run({ ids }, environment) {
    const workspace = await environment.workspace();
    const recordsById = new Map<string, StoredRecord>();
    for (const id of ids) {
      const record = await findRecord(workspace, id, { types: keptTypes, state: "either" });
      if (record.deleted === undefined && !isSuperseded(record)) {
        throw new DossierError("not-found", `${record.id} was not forgotten.`);
      }
      recordsById.set(record.id, record);
    }
    const records = await workspace.records();
    for (const [id, record] of recordsById) {
      if (record.deleted !== undefined) await undelete(record, records, workspace.owner);
      if (isSuperseded(record)) await records.change(workspace.owner, id, current);
    }
    return { restored: [...recordsById.values()].map(lineOf) };
  },
  text: ({ restored }, _input, colour) =>
    restored.map(({ id, title }) => `Restored: ${paint(colour).cyan(id)}  ${title}`).join("\n"),
});

/** Restores a memory. If a newer memory with the same words holds its slot, it comes back without one. */
async function undelete(record: StoredRecord, records: RecordStore, owner: string): Promise<void> {
  try {
    await records.restore(owner, record.id);
  } catch (error) {
    const isTaken = error instanceof DossierError && error.code === "conflict";
    if (!isTaken || record.type !== "memory") throw error;
    const { id, type, created, changed, body } = record;
    await records.write(owner, [{ id, type, created, changed, body }]);
  }
}
