import { realpathSync } from "node:fs";
import { basename, isAbsolute, resolve } from "node:path";
import { DossierError } from "../../errors.ts";
import { alternatives } from "../../text/similarity/closest.ts";
import { isInside } from "../../tree/path-escape.ts";

/**
 * The folder that an agent means by a project: the name of a workspace, the name of one of the folders it was given,
 * or a path inside them. Anything outside is refused, after following links: an agent's request may come from a text
 * it has read.
 */
export async function projectFolder(project: string, given: readonly string[]): Promise<string> {
  // The folder at hand is given as ".", which is nobody's name.
  const folders = given.map((folder) => resolve(folder));
  const { resolveWorkspaceName, workspaceNames } = await import("../../workspace/registry.ts");
  const byName = resolveWorkspaceName(project) ?? folders.find((folder) => basename(folder) === project);
  if (byName !== undefined) return byName;
  const roots = folders.flatMap((folder) => realPath(folder) ?? []);
  const candidates = isAbsolute(project) ? [project] : folders.map((folder) => resolve(folder, project));
  const real = project.includes("\0") ? [] : candidates.flatMap((path) => realPath(path) ?? []);
  const inside = real.find((path) => roots.some((root) => isInside(root, path)));
  if (inside !== undefined) return inside;
  const quoted = JSON.stringify(project.slice(0, 200));
  if (real.length > 0 || isAbsolute(project) || project.includes("..")) {
    throw new DossierError("outside-root", `${quoted} is outside the folders that were given.`);
  }
  const names = [...folders.map((folder) => basename(folder)), ...workspaceNames()];
  throw new DossierError("unknown-workspace", `There is no project ${quoted}; ${alternatives(project, names)}`);
}

/** Undefined for a path that does not exist or may not be read. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP", "ENAMETOOLONG"].includes(code)) return undefined;
    throw error;
  }
}
