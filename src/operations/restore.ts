import * as z from "zod";
import { path } from "../options.ts";
import { recordTypes, type StoredRecord } from "../stores/records.ts";
import { ids, lineOf, recordLine } from "./forget.ts";
import { operation } from "./operation.ts";
import { paint } from "./paint.ts";
import { findRecord } from "./record-find.ts";

export const restore = operation({
  name: "restore",
  summary: "Bring back what was forgotten",
  access: "write",
  input: z.object({ ids, path }),
  output: z.object({ restored: z.array(recordLine) }),
  positional: ["ids"],
  examples: [
    { command: "dossier memories --deleted", what: "what was forgotten" },
    { command: "dossier restore mem-1k3f", what: "bring one back" },
  ],
  async run({ ids }, environment) {
    const workspace = await environment.workspace();
    const found = new Map<string, StoredRecord>();
    for (const id of ids) {
      const record = await findRecord(workspace, id, { types: recordTypes, state: "forgotten" });
      found.set(record.id, record);
    }
    const records = await workspace.records();
    for (const id of found.keys()) await records.restore(workspace.owner, id);
    return { restored: [...found.values()].map(lineOf) };
  },
  text: ({ restored }, _input, colour) =>
    restored.map(({ id, title }) => `Restored: ${paint(colour).cyan(id)}  ${title}`).join("\n"),
});
