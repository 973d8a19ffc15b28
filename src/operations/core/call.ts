import type { z } from "zod";
import { closeModels } from "../../embed/opened-models.ts";
import type { OpenOptions, Workspace } from "../../workspace/workspace.ts";
import { runDiscreetly } from "./hide-paths.ts";
import { readInput } from "./input.ts";
import type { Environment, Operation, WorkspaceOptions } from "./operation.ts";
import { folderOf, placeIn } from "./workspace-root.ts";

/** Options of a call besides the operation's input; all have defaults. */
export type CallOptions = Partial<Omit<Environment, "workspace">> & {
  /** An opened workspace to use instead of opening the one at `path`; it stays open afterwards. */
  workspace?: Workspace;
  /** Opens a folder in place of `openWorkspace`; the caller that passes this function also closes the workspace. */
  open?: (folder: string, options: OpenOptions) => Promise<Workspace>;
};

export const defaultOwner = "local";

/** Calls of this process that are still running. */
let running = 0;

/** Runs an operation once: checks the input, opens the workspace when it is first needed, and closes it. */
export async function call<Input extends z.ZodObject, Output extends z.ZodType>(
  operation: Operation<Input, Output>,
  rawInput: z.input<Input>,
  options: CallOptions = {},
): Promise<{ input: z.output<Input>; output: z.output<Output> }> {
  const input = readInput(operation, rawInput, options.nameOf);
  const { workspace: opened, open: openFolder, ...rest } = options;
  const owner = options.owner ?? opened?.owner ?? defaultOwner;
  let opening: Promise<Workspace> | undefined;
  const workspace = async (openOptions?: WorkspaceOptions): Promise<Workspace> => {
    // A server opens a workspace once and answers many owners from it.
    if (opened) return opened.owner === owner ? opened : { ...opened, owner };
    opening ??= open(input, { owner, ...openOptions }, options);
    return opening;
  };
  running++;
  try {
    const environment: Environment = { ...rest, workspace, owner };
    const root = options.discreet ? opened?.root : undefined;
    if (root !== undefined) return { input, output: await runDiscreetly(operation, input, environment, root) };
    return { input, output: await operation.run(input, environment) };
  } finally {
    if (!openFolder) await closeQuietly(opening);
    // Models stay open as long as workspaces do: a caller that keeps those open closes both.
    running--;
    if (running === 0 && !openFolder && !opened) await closeModels();
  }
}

async function open(
  { path = ".", workspace }: { path?: unknown; workspace?: unknown },
  { at, ...options }: WorkspaceOptions & { owner: string },
  { open: opening, folder: from }: Pick<CallOptions, "open" | "folder">,
): Promise<Workspace> {
  const place = { path: String(path), ...(workspace === undefined ? {} : { workspace: String(workspace) }) };
  const folder = at === undefined ? await folderOf(place, from) : placeIn(at, from);
  if (opening) return opening(folder, options);
  const { openWorkspace } = await import("../../workspace/workspace.ts");
  return Object.assign(await openWorkspace(folder, options), { isForOneCall: true });
}

/** A workspace that failed to open was already reported by the operation; there is nothing to close. */
async function closeQuietly(opening: Promise<Workspace> | undefined): Promise<void> {
  const workspace = await opening?.catch(() => undefined);
  await workspace?.close();
}
