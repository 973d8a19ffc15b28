import * as z from "zod";
import { DossierError } from "../../errors.ts";
import { path, workspace } from "../../options.ts";
import { configPath, type Origin, originsOf, readConfig, resolvePlace } from "../../workspace/config/config.ts";
import { removeOrigin } from "../../workspace/config/config-write.ts";
import { type Environment, operation } from "../core/operation.ts";
import { writableRootOf } from "../core/workspace-root.ts";
import { commandLine, counted, plain } from "../terminal/phrases.ts";

export const disconnect = operation({
  name: "disconnect",
  command: "notes disconnect",
  group: "Notes",
  summary: "Disconnect notes from a workspace: they leave the index; where they come from nothing is changed",
  input: z.object({
    name: z.string().trim().min(1).describe("What they are connected as; dossier notes list tells"),
    path,
    workspace,
  }),
  output: z.object({
    name: z.string(),
    config: z.string().describe("The file that it was taken out of"),
    removed: z.number().int().describe("Notes that left the index"),
    undo: z.string().describe("The command that connects them again"),
    warnings: z.array(z.string()),
  }),
  positional: ["name"],
  onlyOn: "cli",
  examples: [{ command: "dossier notes disconnect tana", what: "no question sees these notes any more" }],
  async run(input, environment) {
    const root = await writableRootOf(input);
    await refuseFound(root, input.name);
    const origin = removeOrigin(root, input.name);
    return {
      name: origin.name,
      config: configPath(root),
      undo: commandLine(["dossier", "notes", "connect", ...words(root, origin), "-C", root]),
      ...(await leaveIndex(origin.name, environment)),
    };
  },
  text({ name, removed, undo }) {
    const removedText = removed > 0 ? `; ${counted(removed, "note")} left the index` : "";
    return `${plain(name)} is no longer connected${removedText}. To undo that:\n  ${undo}`;
  },
});

/** A vault that is implied because the workspace is one has no entry in the config file to remove. */
async function refuseFound(root: string, name: string): Promise<void> {
  const config = await readConfig(root);
  const hasName = (origin: Origin) => origin.name.toLowerCase() === name.toLowerCase();
  if (config.notes.some(hasName) || !(await originsOf(root, config)).some(hasName)) return;
  throw new DossierError(
    "bad-input",
    `${name} was never connected: ${root} is a vault itself, by its folder .obsidian or logseq, and is always read.`,
  );
}

/** The command that connects the origin again. */
function words(root: string, { name, from, kind, live }: Origin): string[] {
  return [
    ...(from === undefined ? [] : [resolvePlace(root, { name, from })]),
    ...["--name", name],
    ...(kind === undefined ? [] : ["--kind", kind]),
    ...(live ? ["--live-url", live.url, "--token-variable", live.tokenVariable] : []),
    ...(live?.workspace === undefined ? [] : ["--tana-workspace", live.workspace]),
  ];
}

/**
 * Removed at once if there is an index. A failure here does not fail the command, since the next question does it
 * again.
 */
async function leaveIndex(name: string, environment: Environment): Promise<{ removed: number; warnings: string[] }> {
  const { signal, progress } = environment;
  try {
    const workspace = await environment.workspace({ create: false });
    const { store, owner } = workspace;
    const notesOf = async () => (await store.graph.origins(owner)).find(({ origin }) => origin === name)?.notes ?? 0;
    const before = await notesOf();
    const { refreshNotes } = await import("../../indexing/notes/notes.ts");
    const { warnings } = await refreshNotes(workspace, { now: Date.now(), signal, progress });
    return { removed: before - (await notesOf()), warnings };
  } catch (error) {
    if (!(error instanceof DossierError)) throw error;
    if (error.code === "not-indexed") return { removed: 0, warnings: [] };
    return { removed: 0, warnings: [`The notes leave the index with the next question: ${error.message}`] };
  }
}
