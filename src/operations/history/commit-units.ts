import { runGit } from "../../git/run-git.ts";
import type { Item } from "../../item.ts";
import { extract } from "../../sources/extract.ts";
import type { Commit } from "../../stores/commits.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** A commit with more files is a move or an import and says nothing about single functions. */
const mostFiles = 200;
/** Files that are looked into, and units that are named. */
const mostRead = 20;
const mostUnits = 100;

/**
 * The code that a commit touched, as it is now: its lines are matched with the units its files had then, and those
 * are looked up by name in today's files. Units that were renamed or removed since are missing, and so is what a
 * partial clone has no text of.
 */
export async function unitsOf({ sha, files }: Commit, workspace: Workspace, signal?: AbortSignal): Promise<Item[]> {
  if (files.length > mostFiles) return [];
  const { root, store, owner } = workspace;
  const plain = ["--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-color", "--format="];
  const compared = [
    "-c",
    "core.quotePath=false",
    "show",
    "-U0",
    "-M",
    "--relative",
    "--src-prefix=a/",
    "--dst-prefix=b/",
  ];
  const patch = await runGit(root, [...compared, ...plain, sha], signal);
  if (!("output" in patch)) return [];
  const units: Item[] = [];
  for (const [path, touched] of [...linesByFile(patch.output.toString())].slice(0, mostRead)) {
    const now = await store.itemsOf(owner, path);
    const file = now.length === 0 ? undefined : await runGit(root, ["show", `${sha}:./${path}`], signal);
    if (!file || !("output" in file)) continue;
    const names = await touchedNames(path, file.output.toString(), touched);
    units.push(...now.filter(({ qualifiedName }) => names.has(qualifiedName)));
  }
  return units.slice(0, mostUnits);
}

type Span = { startLine: number; endLine: number };

async function touchedNames(path: string, text: string, touched: Span[]): Promise<Set<string>> {
  const { units } = await extract(path, text);
  const around = units.filter((unit) => touched.some((span) => overlaps(unit, span)));
  // A class is touched where its method is; naming the method says both.
  const innermost = around.filter((unit) => !around.some((other) => other !== unit && isInside(other, unit)));
  return new Set(innermost.map(({ qualified }) => `${path}::${qualified}`));
}

/**
 * The lines of each new file that a patch without context says were changed; where lines were only removed, the one
 * before.
 */
function linesByFile(patch: string): Map<string, Span[]> {
  const files = new Map<string, Span[]>();
  let spans: Span[] | undefined;
  for (const line of patch.split("\n")) {
    if (line.startsWith("diff --git ")) spans = undefined;
    // Only before the first hunk of a file: a changed line may look like anything.
    if (spans === undefined && line.startsWith("+++ b/")) files.set(line.slice(6).replace(/\t$/, ""), (spans = []));
    const [, start, count] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (start === undefined || !spans) continue;
    const startLine = Math.max(1, Number(start));
    spans.push({ startLine, endLine: startLine + Math.max(1, Number(count ?? 1)) - 1 });
  }
  return files;
}

function overlaps(a: Span, b: Span): boolean {
  return a.startLine <= b.endLine && b.startLine <= a.endLine;
}

function isInside(inner: Span, outer: Span): boolean {
  return outer.startLine <= inner.startLine && inner.endLine <= outer.endLine;
}
