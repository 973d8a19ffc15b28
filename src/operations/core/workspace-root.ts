import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { DossierError } from "../../errors.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Environment } from "./operation.ts";

type Asked = { path: string; workspace?: string };

/** The folder that an input means: by the name of its workspace, by a path, or by a name where no path is called so. */
export async function folderOf({ path, workspace }: Asked, from?: string): Promise<string> {
  const place = placeIn(path, from);
  if (workspace === undefined && existsSync(place)) return place;
  const { resolveWorkspaceName, workspaceFolder } = await import("../../workspace/registry.ts");
  return workspace === undefined ? (resolveWorkspaceName(path) ?? place) : workspaceFolder(workspace);
}

/** A path as the process meant it that asks. `from`: the folder it asks from, where that is not this process's own. */
export function placeIn(path: string, from: string | undefined): string {
  return from === undefined ? path : resolve(from, path);
}

/** The root of the workspace that an input means, without opening it. */
export async function rootOf(asked: Asked, from?: string): Promise<string> {
  const { findRoot } = await import("../../workspace/root.ts");
  return findRoot(await folderOf(asked, from));
}

/** The same for what is about to be written there: not into a folder that no question may be asked of. */
export async function writableRootOf(asked: Asked): Promise<string> {
  const [root, { refusal }] = await Promise.all([rootOf(asked), import("../../workspace/root.ts")]);
  const refused = refusal(root);
  if (refused) throw new DossierError("refused-root", `${root} is ${refused}.`);
  return root;
}

/** The root with its index, where there is one: a workspace that has none yet has settings all the same. */
export async function rootAndIndex(
  asked: Asked,
  environment: Environment,
): Promise<{ root: string; index?: Workspace }> {
  try {
    const index = await environment.workspace({ create: false });
    return { root: index.root, index };
  } catch (error) {
    if (!(error instanceof DossierError) || error.code !== "not-indexed") throw error;
    return { root: await rootOf(asked, environment.folder) };
  }
}
