import picomatch from "picomatch";
import { DossierError } from "../errors.ts";

/**
 * Path filters, the same on every engine. A glob is relative to the root; one without a slash matches at any depth,
 * one that names a folder matches everything in it, a leading `!` excludes.
 */
export function pathMatcher(globs: string[]): (path: string) => boolean {
  const wanted: ((path: string) => boolean)[] = [];
  const unwanted: ((path: string) => boolean)[] = [];
  for (const glob of globs) {
    if (glob.startsWith("!")) unwanted.push(compile(glob.slice(1)));
    else wanted.push(compile(glob));
  }
  return (path) =>
    (wanted.length === 0 || wanted.some((match) => match(path))) && !unwanted.some((match) => match(path));
}

function compile(glob: string): (path: string) => boolean {
  const pattern = glob.replace(/^\.\//, "").replace(/\/+$/, "");
  if (pattern === "" || pattern === ".") return () => true;
  const anchored = pattern.replace(/^\//, "");
  const patterns = pattern.includes("/")
    ? [anchored, `${anchored}/**`]
    : [anchored, `**/${anchored}`, `**/${anchored}/**`];
  try {
    const match = picomatch(patterns, { dot: true, nonegate: true });
    return (path) => match(path);
  } catch (error) {
    throw new DossierError("bad-input", `The path filter "${glob.slice(0, 80)}" is not a valid glob.`, {
      cause: error,
    });
  }
}
