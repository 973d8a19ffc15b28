import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DossierError } from "../../errors.ts";
import { lensNames } from "../../options.ts";

/** The name in workspace/config/config.ts, which takes too long to load where there is no config file. */
const configName = "dossier.json";

/**
 * Names of the lenses of the workspace around a path, its own ones last. A broken config file has none: questions
 * report what is wrong.
 */
export async function lensNamesAt(path: string): Promise<string[]> {
  if (!hasConfigAbove(resolve(path))) return [...lensNames];
  const [{ findRoot }, { lensesOf, readConfig }] = await Promise.all([
    import("../../workspace/root.ts"),
    import("../../workspace/config/config.ts"),
  ]);
  try {
    return lensesOf(await readConfig(findRoot(path))).map(({ name }) => name);
  } catch (error) {
    if (error instanceof DossierError) return [...lensNames];
    throw error;
  }
}

function hasConfigAbove(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, configName))) return true;
    if (dirname(at) === at) return false;
  }
}
