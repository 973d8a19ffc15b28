import { longestQuery, type Zone } from "./query-parts.ts";

export type QueryPath = { path: string; line?: number };

// One linear scan for runs of path characters; each run is then judged alone, and long ones are data.
const pathRun = /[\w@.+\-/\\:]+/g;
const longestPath = 300;
const pythonFrame = /File "([^"]+)", line (\d+)/g;
/** `in map.php on line 52`, `file Map.swift, line 52`, `In Application.php line 745:`. */
const spokenPlace = /\b(?:file|in) ([^\s"':,]{1,300}\.\w{1,8}),? (?:on )?line (\d{1,7})\b/gi;
/** Endings that say "file" even without a folder; `obj.method` is not a path. */
export const fileEnding =
  /\.(py|pyi|js|jsx|mjs|cjs|ts|tsx|mts|cts|go|rs|java|kt|kts|scala|c|h|cc|cpp|cxx|hpp|hh|cs|rb|php|swift|dart|lua|sh|bash|ps1|sql|vue|svelte|html?|css|scss|less|md|mdx|rst|txt|adoc|ipynb|json|jsonc|ya?ml|toml|ini|cfg|conf|xml|gradle|proto|sol|ex|exs|erl|hs|ml|zig|r|jl|pl|pm)$/i;

// A permalink on a code host. Between the host's keyword and the path is a branch or a commit, which is no part of
// the path.
const permalink =
  /\bhttps?:\/\/[^\s/]+\/[^\s#?()<>[\]"'`]{1,200}?\/(?:blob|blame|raw|src)\/([^\s#?()<>[\]"'`]{1,300})(?:\?[^\s#]{0,200})?(?:#(?:L|lines-)(\d+)(?:C\d+)?(?:[-:]L?(\d+))?)?/g;

/** The paths that a question names: as runs of path characters, in permalinks, in stack frames, or in words. */
export function findPaths(zones: Zone[], text: string): QueryPath[] {
  const paths = new Map<string, QueryPath>();
  const add = (path: string, line?: string) => {
    const clean = path.replace(/\\/g, "/").replace(/^\.\//, "");
    const key = `${clean}:${line ?? ""}`;
    if (!paths.has(key)) paths.set(key, { path: clean, ...(line ? { line: Number(line) } : {}) });
  };
  for (const [, path, first, last = first] of text.slice(0, longestQuery).matchAll(permalink)) {
    if (fileEnding.test(path!)) add(path!, first && String(Math.floor((Number(first) + Number(last)) / 2)));
  }
  for (const zone of zones) {
    if (zone.kind === "url" || zone.kind === "circumstance") continue;
    for (const frame of zone.text.matchAll(pythonFrame)) add(frame[1]!, frame[2]);
    for (const place of zone.text.matchAll(spokenPlace)) add(place[1]!, place[2]);
    for (const [run] of zone.text.matchAll(pathRun)) {
      if (run.length > longestPath) continue;
      const [, path, line] = /^(.*?)(?::(\d+))?(?::\d+)?[.:]?$/.exec(run)!;
      if (isPath(path!, zone.kind === "quoted")) add(path!, line);
    }
  }
  return [...paths.values()].slice(0, 30);
}

function isPath(text: string, isQuoted: boolean): boolean {
  const segments = text.split(/[\\/]/).filter((segment) => segment !== "");
  if (fileEnding.test(text) && !text.includes(":")) return true;
  if (!segments.every((segment) => /[a-z]/i.test(segment))) return false;
  return segments.length > 2 || (isQuoted && segments.length === 2 && /[\\/]/.test(text));
}
