import * as z from "zod";
import { path } from "../../options.ts";
import { operation } from "../core/operation.ts";
import { rootOf } from "../core/workspace-root.ts";
import { plain } from "../terminal/phrases.ts";

/** Names belong to the user of this machine: no remote caller gives or takes them. */
export const nameWorkspace = operation({
  name: "name_workspace",
  command: "workspace name",
  group: "Index",
  summary: "Give the workspace of a folder a name, and other names besides, for use with --workspace",
  input: z.object({
    name: z.string().trim().describe("Up to 64 small letters, digits and hyphens"),
    path,
    alias: z.array(z.string().trim()).default([]).describe("Other names that mean the same workspace"),
  }),
  output: z.object({
    name: z.string(),
    folder: z.string(),
    aliases: z.array(z.string()),
    registry: z.string().describe("The file that keeps the names"),
  }),
  positional: ["name", "path"],
  onlyOn: "cli",
  examples: [
    { command: "dossier workspace name shop", what: "this folder is called shop" },
    { command: "dossier workspace name shop ~/work/shop --alias s,store", what: "another folder, and two more names" },
  ],
  async run({ name, path, alias }) {
    const [root, { nameWorkspace, registryPath }] = await Promise.all([
      rootOf({ path }),
      import("../../workspace/registry.ts"),
    ]);
    return { ...nameWorkspace({ name, folder: root, aliases: alias }), registry: registryPath() };
  },
  text({ name, folder, aliases }) {
    const others = aliases.length > 0 ? `, or ${aliases.join(", ")}` : "";
    return `${plain(folder)} is called ${name}${others}. Ask it from anywhere: dossier "…" --workspace ${name}`;
  },
});
