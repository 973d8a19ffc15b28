import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commonFolder } from "../../git/head.ts";
import { hashText } from "../../text/hash.ts";
import { cacheFolder } from "../../workspace/database-paths.ts";
import { workerScript } from "../files/pool.ts";
import type { KeptPlace } from "./kept.ts";

const folderName = "descriptions";

/**
 * Where the descriptions of a workspace's files are kept: together for all work trees of a repository, and apart for each program that
 * describes, so that none is used by another than the one that made it. Undefined where no program can be named.
 */
export function keptPlace(root: string, script = workerScript()): KeptPlace | undefined {
  if (script === undefined) return undefined;
  const program = hashText(readFileSync(script));
  const all = join(cacheFolder(), folderName);
  return { folder: join(all, `${program}-${hashText(commonFolder(root) ?? root)}`), all };
}
