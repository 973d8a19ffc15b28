import type { ImportStatement } from "../item.ts";
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
  imports(): Promise<ImportStatement[]>;
};

/** Reads a file from disk, or from the store if that fails. `outline`: its indexed units and imports, if known. */
export async function openFile(
  path: string,
  outline: FileOutline | undefined,
  workspace: Workspace,
): Promise<OpenedFile> {
  const read = await workspace.files.read(path);
  const spans = outline ? [...outline.spans, ...outline.imports.map(linesOf)] : [];
  if (!("reason" in read)) {
    const { text, lines, hash } = read;
    let imports = outline?.hash === hash ? Promise.resolve(outline.imports) : undefined;
    return {
      text,
      lines,
      onDisk: true,
      spans,
      unchanged: outline?.hash === hash,
      imports: () => (imports ??= readImports(path, text)),
    };
  }
  const stored = await workspace.store.file(workspace.owner, path);
  const text = stored?.text ?? "";
  const imports = stored?.imports ?? [];
  const lines = splitLines(text);
  return { text, lines, onDisk: false, why: read.reason, spans, unchanged: true, imports: async () => imports };
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
