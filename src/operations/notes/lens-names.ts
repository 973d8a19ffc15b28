import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DossierError } from "../../errors.ts";
import { lensNames } from "../../options.ts";

/** As notes/config.ts calls it, which takes too long to load where there is none. */
const configName = "dossier.json";

/** Names of the lenses of the workspace around a path, its own ones last. A config file that is wrong has none: questions say what is wrong. */
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
