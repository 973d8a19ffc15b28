import * as z from "zod";
import { DossierError } from "../../errors.ts";
import { path } from "../../options.ts";
import { operation } from "../core/operation.ts";
import { toolSets } from "../core/serving.ts";
import { counted } from "../terminal/phrases.ts";
import { asksToInstall, installExit, installFields, installOutput, installText } from "./mcp-install-shape.ts";

/**
 * A placeholder such as `${workspaceFolder}` that the client did not replace, because it reads another client's file.
 */
function isVariable(path: string): boolean {
  return /^\$\{[\w.:-]+\}$/.test(path);
}

export const mcp = operation({
  name: "mcp",
  command: "mcp",
  group: "Serve",
  summary: "Answer a coding agent over standard input and output (Model Context Protocol), until it goes away",
  input: z.object({
    path: path.describe("The folder to answer from when the agent names none of its own"),
    tools: z.enum(toolSets).default("default").describe("default: those that an agent needs; all: every command"),
    ...installFields,
  }),
  output: z.object({
    calls: z.number().int().min(0).optional().describe("Calls that were answered"),
    setup: installOutput.optional().describe("What was set up, where that was asked for"),
    warnings: z.array(z.string()),
  }),
  onlyOn: "cli",
  answersOn: "stderr",
  // While setting up, standard output is ours.
  isAside: (input) => !asksToInstall(input),
  examples: [
    { command: "dossier mcp", what: "what a client runs; it speaks first" },
    { command: "dossier mcp -C ~/project --tools all", what: "another folder, with every command as a tool" },
    { command: "dossier mcp --install claude-code --hooks", what: "set a client up for this folder" },
    { command: "dossier mcp --install vscode --print", what: "show what would be written" },
    { command: "dossier mcp --uninstall claude-code", what: "undo it" },
  ],
  async run(input, environment) {
    if (asksToInstall(input)) {
      const { installMcp } = await import("./mcp-install.ts");
      const setup = await installMcp(input, environment.nameOf);
      return { setup, warnings: setup.warnings };
    }
    const { tools } = input;
    const path = isVariable(input.path) ? "." : input.path;
    const { serveAgent, session, signal = new AbortController().signal } = environment;
    if (!serveAgent) throw new DossierError("bad-input", "Only the command line can start a server.");
    return { ...(await serveAgent({ path, tools, session, signal })), warnings: [] };
  },
  exit: ({ setup }) => (setup ? installExit(setup) : 0),
  text: ({ calls = 0, setup }, _input, colour) =>
    setup ? installText(setup, colour) : `Ended after ${counted(calls, "call")}.`,
});
