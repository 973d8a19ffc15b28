import { statSync } from "node:fs";
import * as z from "zod";
import { path } from "../../options.ts";
import { operation } from "../core/operation.ts";
import { paint } from "../terminal/colours.ts";
import { plain } from "../terminal/phrases.ts";

export const workspaces = operation({
  name: "workspaces",
  command: "workspace list",
  group: "Index",
  summary: "List the workspaces that have a name, for use with --workspace",
  access: "admin",
  input: z.object({ path: path.describe("A path; the workspace that it lies in is marked") }),
  output: z.object({
    registry: z.string().describe("The file that keeps the names"),
    workspaces: z.array(
      z.object({
        name: z.string(),
        aliases: z.array(z.string()),
        folder: z.string(),
        exists: z.boolean(),
        current: z.boolean().describe("Whether the given path lies in it"),
      }),
    ),
  }),
  examples: [
    { command: "dossier workspace list", what: "every name, and where it leads" },
    { command: 'dossier "open decisions" --workspace shop', what: "ask one of them from anywhere" },
  ],
  async run({ path }) {
    const [{ namedWorkspaces, registryPath }, { findRoot }] = await Promise.all([
      import("../../workspace/registry.ts"),
      import("../../workspace/root.ts"),
    ]);
    const root = findRoot(path);
    const workspaces = namedWorkspaces().map((workspace) => ({
      ...workspace,
      exists: statSync(workspace.folder, { throwIfNoEntry: false })?.isDirectory() ?? false,
      current: workspace.folder === root,
    }));
    return { registry: registryPath(), workspaces };
  },
  text({ workspaces }, _input, colour) {
    const p = paint(colour);
    if (workspaces.length === 0) {
      return `No workspace has a name yet. Give one to this folder: ${p.bold("dossier workspace name <name>")}`;
    }
    const width = Math.max(...workspaces.map(({ name }) => name.length));
    return workspaces
      .map(({ name, aliases, folder, exists, current }) => {
        const more = aliases.length > 0 ? p.dim(` (also ${aliases.join(", ")})`) : "";
        const missingMark = exists ? "" : p.red(" is gone");
        return `${current ? "*" : " "} ${p.bold(name.padEnd(width))}  ${plain(folder)}${missingMark}${more}`;
      })
      .join("\n");
  },
});
