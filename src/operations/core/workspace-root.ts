import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { DossierError } from "../../errors.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Environment } from "./operation.ts";

type PlaceInput = { path: string; workspace?: string };

/** The folder that an input means: the name of a workspace, a path, or a name if there is no such path. */
export async function folderOf({ path, workspace }: PlaceInput, from?: string): Promise<string> {
  const place = placeIn(path, from);
  if (workspace === undefined && existsSync(place)) return place;
  const { resolveWorkspaceName, workspaceFolder } = await import("../../workspace/registry.ts");
  return workspace === undefined ? (resolveWorkspaceName(path) ?? place) : workspaceFolder(workspace);
}

/** A path resolved as the asking process means it. `from`: its folder, where that is not this process's own. */
export function placeIn(path: string, from: string | undefined): string {
  return from === undefined ? path : resolve(from, path);
}

/** The root of the workspace that an input means, without opening it. */
export async function rootOf(place: PlaceInput, from?: string): Promise<string> {
  const { findRoot } = await import("../../workspace/root.ts");
  return findRoot(await folderOf(place, from));
}

/** The same for writing: a folder that may not be indexed is refused. */
export async function writableRootOf(place: PlaceInput): Promise<string> {
  const [root, { refusal }] = await Promise.all([rootOf(place), import("../../workspace/root.ts")]);
  const refused = refusal(root);
  if (refused) throw new DossierError("refused-root", `${root} is ${refused}.`);
  return root;
}

/** The root with its index, if there is one: a workspace without an index may still have settings. */
export async function rootAndIndex(
  place: PlaceInput,
  environment: Environment,
): Promise<{ root: string; index?: Workspace }> {
  try {
    const index = await environment.workspace({ create: false });
    return { root: index.root, index };
  } catch (error) {
    if (!(error instanceof DossierError) || error.code !== "not-indexed") throw error;
    return { root: await rootOf(place, environment.folder) };
  }
}
