import * as z from "zod";
import { path } from "../../options.ts";
import { operation } from "../core/operation.ts";
import { commandLine, plain } from "../terminal/phrases.ts";

export const unnameWorkspace = operation({
  name: "unname_workspace",
  command: "workspace unname",
  group: "Index",
  summary: "Take the name of a workspace away; the folder and its index stay as they are",
  input: z.object({ name: z.string().trim().min(1).describe("The name, or one of its aliases"), path }),
  output: z.object({
    name: z.string(),
    folder: z.string(),
    aliases: z.array(z.string()),
    undo: z.string().describe("The command that gives it back"),
  }),
  positional: ["name"],
  onlyOn: "cli",
  examples: [{ command: "dossier workspace unname shop", what: "the name is free again" }],
  async run({ name }) {
    const { unnameWorkspace } = await import("../../workspace/registry.ts");
    const removed = unnameWorkspace(name);
    const alias = removed.aliases.length > 0 ? ["--alias", removed.aliases.join(",")] : [];
    const undo = commandLine(["dossier", "workspace", "name", removed.name, removed.folder, ...alias]);
    return { ...removed, undo };
  },
  text: ({ name, folder, undo }) => `${plain(folder)} is no longer called ${name}. To undo that: ${undo}`,
});
