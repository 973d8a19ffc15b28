import type { Item } from "../item.ts";
import { extract } from "../sources/extract.ts";
import type { Commit } from "../stores/commits.ts";
import { runGit } from "../tree/git.ts";
import type { Workspace } from "../workspace.ts";

/** Files that are looked into, and units that are named. */
const mostFiles = 20;
const mostUnits = 100;

/**
 * The code that a commit touched, as it is now: its lines are compared with the units its files had then, and those are looked up by
 * name in the files of today. What has been renamed or removed since is not among them.
 */
export async function unitsOf(commit: Commit, workspace: Workspace, signal?: AbortSignal): Promise<Item[]> {
  const paths = commit.files.filter(({ change }) => change !== "deleted").map(({ path }) => path);
  const found: Item[] = [];
  for (const path of paths.slice(0, mostFiles)) {
    if (found.length >= mostUnits) break;
    const now = await workspace.store.itemsOf(workspace.owner, path);
    if (now.length === 0) continue;
    const names = await touchedNames(commit.sha, path, workspace.root, signal);
    found.push(...now.filter(({ qualifiedName }) => names.has(qualifiedName)));
  }
  return found.slice(0, mostUnits);
}

type Span = { startLine: number; endLine: number };

async function touchedNames(sha: string, path: string, root: string, signal?: AbortSignal): Promise<Set<string>> {
  const plain = ["--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-color", "--format="];
  const [changes, file] = await Promise.all([
    runGit(root, ["show", "-U0", "-M100%", ...plain, "--relative", sha, "--", path], signal),
    runGit(root, ["show", `${sha}:./${path}`], signal),
  ]);
  // A partial clone may lack the text: then which units were touched cannot be told.
  if (!("output" in changes) || !("output" in file)) return new Set();
  const touched = linesAfter(changes.output.toString());
  const { units } = await extract(path, file.output.toString());
  const around = units.filter((unit) => touched.some((span) => overlaps(unit, span)));
  // A class is touched where its method is; naming the method says both.
  const innermost = around.filter((unit) => !around.some((other) => other !== unit && isInside(other, unit)));
  return new Set(innermost.map(({ qualified }) => `${path}::${qualified}`));
}

/** The lines of the new file that a patch without context says were changed; where lines were only removed, the one before. */
function linesAfter(patch: string): Span[] {
  return [...patch.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].map(([, start, count]) => {
    const startLine = Math.max(1, Number(start));
    return { startLine, endLine: startLine + Math.max(1, Number(count ?? 1)) - 1 };
  });
}

function overlaps(a: Span, b: Span): boolean {
  return a.startLine <= b.endLine && b.startLine <= a.endLine;
}

function isInside(inner: Span, outer: Span): boolean {
  return outer.startLine <= inner.startLine && inner.endLine <= outer.endLine;
}
