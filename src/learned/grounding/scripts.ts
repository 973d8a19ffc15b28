import type { Workspace } from "../../workspace/workspace.ts";

/** What the workspace can be asked to do by name, and what that runs. */
export type Scripts = {
  found: Map<string, Script[]>;
  /** True when all of them are known: what is not found is not there. */
  complete: boolean;
};

type Script = { path: string; body: string };

/** A repository of more packages is not read whole for a remark. */
const mostFiles = 100;

/** The scripts of every package.json. */
export function packageScripts(workspace: Workspace): Promise<Scripts> {
  return readAll(["package.json"], workspace, scriptsOfPackage);
}

/** The targets of every makefile. */
export function makeTargets(workspace: Workspace): Promise<Scripts> {
  return readAll(["Makefile", "makefile", "GNUmakefile"], workspace, targetsOfMakefile);
}

/** `read` gives undefined for a file that cannot be understood whole. */
async function readAll(
  names: string[],
  workspace: Workspace,
  read: (text: string) => Map<string, string> | undefined,
): Promise<Scripts> {
  const { store, owner, files } = workspace;
  const paths = new Set(names);
  for (const text of names) {
    const hits = await store.searchPaths(owner, { text, mode: "suffix", limit: mostFiles });
    for (const { item } of hits) paths.add(item.path);
  }
  const found = new Map<string, Script[]>();
  let known = 0;
  let complete = paths.size <= mostFiles;
  for (const path of paths) {
    const content = await files.read(path);
    if ("reason" in content && content.reason === "gone") continue;
    const scripts = "text" in content ? read(content.text) : undefined;
    known++;
    if (!scripts) complete = false;
    for (const [name, body] of scripts ?? []) found.set(name, [...(found.get(name) ?? []), { path, body }]);
  }
  return { found, complete: complete && known > 0 };
}

function scriptsOfPackage(text: string): Map<string, string> | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    // Half written, or with comments: no one can say what it has.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const scripts = (parsed as { scripts?: unknown } | null)?.scripts ?? {};
  if (typeof scripts !== "object") return undefined;
  return new Map(Object.entries(scripts).map(([name, body]) => [name, String(body)]));
}

const rule = /^([^\s#:=][^#:=]*?)\s*::?(?!=)\s*(.*)$/;

/** Undefined where names are made by variables, patterns or other files: then any target may exist. */
function targetsOfMakefile(text: string): Map<string, string> | undefined {
  const targets = new Map<string, string>();
  for (const line of text.replace(/\\\r?\n/g, " ").split("\n")) {
    if (/^-?s?include\s/.test(line) || /\$[({](eval|call)\b/.test(line)) return undefined;
    if (line.startsWith("\t") || line.length > 2000) continue;
    const [, names, rest] = rule.exec(line) ?? [];
    if (names === undefined) continue;
    if (/[%$]/.test(names)) return undefined;
    for (const name of names.split(/\s+/)) {
      if (!name.startsWith(".")) targets.set(name, rest ?? "");
      else if (name === ".PHONY") for (const phony of (rest ?? "").split(/\s+/)) if (phony) targets.set(phony, "");
    }
  }
  return targets;
}
