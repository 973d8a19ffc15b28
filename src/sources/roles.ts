import type { Role } from "../item.ts";
import { rolesByLayout } from "../tree/roles/by-layout.ts";
import { detectLanguage } from "./code/languages.ts";
import { isTestPath } from "./code/tests.ts";

/** What of a workspace is not the product's own, by its paths. */
export function rolesOf(paths: Iterable<string>): Map<string, Role> {
  return rolesByLayout(paths, isOwnCode);
}

/** Settings of tools that are written as code: they are there in every repository and say nothing of what it is about. */
const toolSettings =
  /^(?:setup|conf|conftest|noxfile|fabfile|tasks|manage)\.py$|^(?:gulpfile|gruntfile|jakefile|rakefile)|[.-](?:config|conf|setup|rc)\.[cm]?[jt]s$|^\..+rc\.[cm]?js$|^build\.(?:rs|gradle|gradle\.kts|sbt|zig)$|^settings\.gradle/i;

function isOwnCode(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return detectLanguage(name) !== undefined && !toolSettings.test(name) && !isTestPath(path);
}
