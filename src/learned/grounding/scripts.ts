import type { Workspace } from "../../workspace/workspace.ts";

/** The named scripts or targets of a workspace, and what they run. */
export type Scripts = {
  byName: Map<string, Script[]>;
  /** True when all of them could be read: a name that is not found does not exist. */
  complete: boolean;
};

type Script = { path: string; body: string };

/** Limit: a repository of more packages is not read completely for a note. */
const mostFiles = 100;

/** The scripts of every package.json. */
export function packageScripts(workspace: Workspace): Promise<Scripts> {
  return readAll(["package.json"], workspace, scriptsOfPackage);
}

/** The targets of every makefile. */
export function makeTargets(workspace: Workspace): Promise<Scripts> {
  return readAll(["Makefile", "makefile", "GNUmakefile"], workspace, targetsOfMakefile);
}

/** `parse` returns undefined for a file that it cannot understand completely. */
async function readAll(
  names: string[],
  workspace: Workspace,
  parse: (text: string) => Map<string, string> | undefined,
): Promise<Scripts> {
  const { store, owner, files } = workspace;
  const paths = new Set(names);
  for (const text of names) {
    const hits = await store.searchPaths(owner, { text, mode: "suffix", limit: mostFiles });
    for (const { item } of hits) paths.add(item.path);
  }
  const byName = new Map<string, Script[]>();
  let fileCount = 0;
  let complete = paths.size <= mostFiles;
  for (const path of paths) {
    const content = await files.read(path);
    if ("reason" in content && content.reason === "gone") continue;
    const inFile = "text" in content ? parse(content.text) : undefined;
    fileCount++;
    if (!inFile) complete = false;
    for (const [name, body] of inFile ?? []) byName.set(name, [...(byName.get(name) ?? []), { path, body }]);
  }
  return { byName, complete: complete && fileCount > 0 };
}

function scriptsOfPackage(text: string): Map<string, string> | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    // A file that is incomplete or has comments: its scripts are unknown.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const scripts = (parsed as { scripts?: unknown } | null)?.scripts ?? {};
  if (typeof scripts !== "object") return undefined;
  return new Map(Object.entries(scripts).map(([name, body]) => [name, String(body)]));
}

const rule = /^([^\s#:=][^#:=]*?)\s*::?(?!=)\s*(.*)$/;

/** Undefined where names come from variables, patterns or included files: then any target may exist. */
function targetsOfMakefile(text: string): Map<string, string> | undefined {
  const targets = new Map<string, string>();
  for (const line of text.replace(/\\\r?\n/g, " ").split("\n")) {
    if (/^-?s?include\s/.test(line) || /\$[({](eval|call)\b/.test(line)) return undefined;
    if (line.startsWith("\t") || line.length > 2000) continue;
    const [, names = "", rest = ""] = rule.exec(line) ?? [];
    if (/[%$]/.test(names)) return undefined;
    addTargets(wordsOf(names), rest, targets);
  }
  return targets;
}

function addTargets(names: readonly string[], rest: string, targets: Map<string, string>): void {
  for (const name of names) {
    if (!name.startsWith(".")) targets.set(name, rest);
    else if (name === ".PHONY") for (const phony of wordsOf(rest)) targets.set(phony, "");
  }
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
