import { DossierError } from "../errors.ts";
import { compileGlob, type Glob, GlobError } from "../text/glob/glob.ts";

/** Limit of patterns in one filter, and of matching steps over all paths: some tenths of a second. */
const mostGlobs = 200;
const mostSteps = 20_000_000;

/**
 * Path filters, the same on every engine. A glob is relative to the root; one without a slash matches at any depth,
 * one that names a folder matches everything in it, a leading `!` excludes.
 */
export function pathMatcher(globs: string[]): (path: string) => boolean {
  if (globs.length > mostGlobs) {
    throw new DossierError("bad-input", `The path filter has ${globs.length} patterns; ${mostGlobs} are the most.`);
  }
  const included: Glob[] = [];
  const excluded: Glob[] = [];
  for (const glob of globs) {
    if (glob.startsWith("!")) excluded.push(compile(glob.slice(1)));
    else included.push(compile(glob));
  }
  const all = [...included, ...excluded];
  return (path) => {
    if (all.reduce((sum, glob) => sum + glob.steps(), 0) > mostSteps) {
      throw new DossierError("bad-input", "The path filter is too costly to match; use simpler patterns.");
    }
    return (
      (included.length === 0 || included.some((glob) => glob.matches(path))) &&
      !excluded.some((glob) => glob.matches(path))
    );
  };
}

const everything: Glob = { matches: () => true, steps: () => 0, states: 0 };

function compile(glob: string): Glob {
  const pattern = glob.replace(/^\.\//, "").replace(/\/+$/, "");
  if (pattern === "" || pattern === ".") return everything;
  try {
    return compileGlob(pattern.replace(/^\//, ""), { anyDepth: !pattern.includes("/"), folder: true });
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    const message = `The path filter "${glob.slice(0, 80)}" is not a valid glob: ${error.message}.`;
    throw new DossierError("bad-input", message, { cause: error });
  }
}
