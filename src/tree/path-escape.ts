import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";

/** True when `target`, absolute and without links, is the root or below it. */
export function isInside(root: string, target: string): boolean {
  if (target === root) return true;
  return target.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** The path relative to the root, with `/` on every system. */
export function relativePath(root: string, target: string): string {
  const path = relative(root, target);
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

export type ResolvedTarget = { target: string } | { reason: "outside-root" | "gone" | "not-readable" };

/**
 * The target of a relative path after following every link. Refuses paths that leave the root: absolute paths, `..`,
 * NUL, and links to the outside. The root must be a real path.
 */
export function resolveInside(root: string, path: string): ResolvedTarget {
  if (path.includes("\0") || isAbsolute(path)) return { reason: "outside-root" };
  const absolute = resolve(root, path);
  if (!isInside(root, absolute)) return { reason: "outside-root" };
  try {
    const target = realpathSync.native(absolute);
    return isInside(root, target) ? { target } : { reason: "outside-root" };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    return { reason: ["EACCES", "EPERM"].includes(code) ? "not-readable" : "gone" };
  }
}
