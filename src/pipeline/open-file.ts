import type { ImportStatement } from "../item.ts";
import { wholeFileId } from "../sources/links.ts";
import type { FileOutline } from "../stores/store.ts";
import { hashText } from "../text/hash.ts";
import { splitLines } from "../text/lines.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** A file of the workspace whose items are printed: from disk, or from the store if it is gone. */
export type OpenedFile = {
  text: string;
  lines: string[];
  onDisk: boolean;
  /** Why it could not be read from disk. */
  why?: string;
  /** Line ranges of its units, with their names, and of its import statements (name ""), as indexed. */
  spans: FileOutline["spans"];
  /** Whether the lines are still those that were indexed. */
  unchanged: boolean;
  /** The import statements that bring something of the workspace: those of libraries do not say where its code is. */
  imports(): Promise<ImportStatement[]>;
};

/**
 * Reads a file from disk, or from the store if that fails. `outline`: its indexed units and imports, if known;
 * `modules`: see `workspaceModules`.
 */
export async function openFile(
  path: string,
  outline: FileOutline | undefined,
  workspace: Workspace,
  modules?: ReadonlySet<string>,
): Promise<OpenedFile> {
  const read = await workspace.files.read(path);
  const spans = outline ? [...outline.spans, ...outline.imports.map(linesOf)] : [];
  const ofWorkspace = async (statements: ImportStatement[]) => {
    if (statements.length === 0) return statements;
    const own = modules ?? (await workspaceModules([path], workspace)).get(path);
    return statements.filter(({ module }) => own?.has(module));
  };
  if (!("reason" in read)) {
    const { text, lines, hash } = read;
    let imports: Promise<ImportStatement[]> | undefined;
    const all = () => (outline?.hash === hash ? Promise.resolve(outline.imports) : readImports(path, text));
    return {
      text,
      lines,
      onDisk: true,
      spans,
      unchanged: outline?.hash === hash,
      imports: () => (imports ??= all().then(ofWorkspace)),
    };
  }
  const stored = await workspace.store.file(workspace.owner, path);
  const text = stored?.text ?? "";
  const imports = stored?.imports ?? [];
  const lines = splitLines(text);
  return { text, lines, onDisk: false, why: read.reason, spans, unchanged: true, imports: () => ofWorkspace(imports) };
}

const mostModules = 100;

/** For each file the modules that it imports and the workspace has, as written. */
export async function workspaceModules(
  paths: readonly string[],
  { store, owner }: Workspace,
): Promise<Map<string, ReadonlySet<string>>> {
  const pathOf = new Map(paths.map((path) => [wholeFileId(path), path]));
  const links = await store.links(owner, [...pathOf.keys()], "from", ["imports"], mostModules * paths.length);
  const modules = new Map(paths.map((path) => [path, new Set<string>()]));
  for (const { from, texts = [] } of links) for (const text of texts) modules.get(pathOf.get(from)!)?.add(text);
  return modules;
}

function linesOf({ startLine, endLine }: ImportStatement): [number, number, string] {
  return [startLine, endLine, ""];
}

async function readImports(path: string, text: string): Promise<ImportStatement[]> {
  const { extract } = await import("../sources/extract.ts");
  return (await extract(path, text)).imports;
}

const hashes = new WeakMap<readonly string[], Map<string, string>>();

/** Hash of a range of lines (1-based, inclusive), memoised per array of lines. */
export function spanHash(lines: readonly string[], startLine: number, endLine: number): string {
  let cached = hashes.get(lines);
  if (!cached) hashes.set(lines, (cached = new Map()));
  const key = `${startLine}-${endLine}`;
  let hash = cached.get(key);
  if (hash === undefined) cached.set(key, (hash = hashText(lines.slice(startLine - 1, endLine).join("\n"))));
  return hash;
}
