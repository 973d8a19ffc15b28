import { existsSync } from "node:fs";
import manifest from "../package.json" with { type: "json" };

/** The version of this package, as package.json states it. */
export const version: string = manifest.version;

let dist: URL | undefined;

/**
 * A file that the build makes: in `dist` of this package, whether this module runs as source or is bundled into a
 * program there.
 */
export function builtFile(path: string): URL {
  dist ??= new URL("dist/", packageFolder());
  return new URL(path, dist);
}

/** The nearest folder around this module with a package.json. */
function packageFolder(): URL {
  let folder = new URL(".", import.meta.url);
  while (!existsSync(new URL("package.json", folder))) {
    const outer = new URL("..", folder);
    if (outer.href === folder.href) throw new Error(`There is no package.json around ${import.meta.url}.`);
    folder = outer;
  }
  return folder;
}
