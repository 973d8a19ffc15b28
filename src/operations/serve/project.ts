import { realpathSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { DossierError } from "../../errors.ts";
import { isInside } from "../../tree/path-escape.ts";

/**
 * The folder that an agent means by a project: the name of a workspace, the name of one of the folders it was given, or a path inside them.
 * Whatever is outside of them is refused, links followed: what an agent asks for may come from a text it has read.
 */
export async function projectFolder(project: string, folders: readonly string[]): Promise<string> {
  const { resolveWorkspaceName, workspaceNames } = await import("../../workspace/registry.ts");
  const named = resolveWorkspaceName(project) ?? folders.find((folder) => basename(folder) === project);
  if (named !== undefined) return named;
  const roots = folders.flatMap((folder) => realPath(folder) ?? []);
  const candidates = isAbsolute(project) ? [project] : folders.map((folder) => join(folder, project));
  const real = project.includes("\0") ? [] : candidates.flatMap((path) => realPath(path) ?? []);
  const inside = real.find((path) => roots.some((root) => isInside(root, path)));
  if (inside !== undefined) return inside;
  const shown = JSON.stringify(project.slice(0, 200));
  if (real.length > 0 || isAbsolute(project) || project.includes("..")) {
    throw new DossierError("outside-root", `${shown} is outside the folders that were given.`);
  }
  const known = [...folders.map((folder) => basename(folder)), ...workspaceNames()];
  throw new DossierError("unknown-workspace", `There is no project ${shown}; there are ${known.join(", ")}.`);
}

/** Undefined where nothing is, or nothing that may be looked at. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP", "ENAMETOOLONG"].includes(code)) return undefined;
    throw error;
  }
}
