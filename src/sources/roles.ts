import type { Role } from "../item.ts";
import { rolesByLayout } from "../tree/roles/by-layout.ts";
import { detectLanguage } from "./code/languages.ts";
import { isTestPath } from "./code/test-paths.ts";

/** Roles of files that are not the product's own code, by their paths. */
export function rolesOf(paths: Iterable<string>): Map<string, Role> {
  return rolesByLayout(paths, isOwnCode);
}

/** Settings of tools that are written as code: every repository has them, and they say nothing about the product. */
const toolSettings =
  /^(?:setup|conf|conftest|noxfile|fabfile|tasks|manage)\.py$|^(?:gulpfile|gruntfile|jakefile|rakefile)|[.-](?:config|conf|setup|rc)\.[cm]?[jt]s$|^\..+rc\.[cm]?js$|^build\.(?:rs|gradle|gradle\.kts|sbt|zig)$|^settings\.gradle/i;

function isOwnCode(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return detectLanguage(name) !== undefined && !toolSettings.test(name) && !isTestPath(path);
}
