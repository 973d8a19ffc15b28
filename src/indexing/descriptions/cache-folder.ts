import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commonFolder } from "../../git/head.ts";
import { hashText } from "../../text/hash.ts";
import { cacheFolder } from "../../workspace/database-paths.ts";
import { workerScript } from "../files/worker-script.ts";
import type { CacheFolders } from "./description-cache.ts";

const folderName = "descriptions";

/**
 * The folder with a workspace's cached file descriptions: one for all work trees of a repository, and one for each
 * build of the worker, so that no build reads what another wrote. Undefined if the build cannot be identified.
 */
export function descriptionFolders(root: string, script = workerScript()): CacheFolders | undefined {
  if (script === undefined) return undefined;
  const program = hashText(readFileSync(script));
  const all = join(cacheFolder(), folderName);
  return { folder: join(all, `${program}-${hashText(commonFolder(root) ?? root)}`), all };
}
