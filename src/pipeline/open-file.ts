import type { ImportStatement, Item } from "../item.ts";
import { splitLines } from "../text/lines.ts";
import type { Workspace } from "../workspace.ts";

/** A file of the workspace while its items are printed: from disk, or from the store where it is gone. */
export type OpenedFile = {
  text: string;
  lines: string[];
  onDisk: boolean;
  /** Why it could not be read from disk. */
  why?: string;
  imports(): Promise<ImportStatement[]>;
  /** The file's items with their lines; none where the file has changed since it was indexed. */
  items(): Promise<Item[]>;
};

export async function openFile(path: string, { store, owner, files }: Workspace): Promise<OpenedFile> {
  const stored = once(() => store.file(owner, path));
  const items = once(() => store.itemsOf(owner, path));
  const read = await files.read(path);
  if (!("reason" in read)) {
    const { text, lines, hash } = read;
    const asIndexed = async () => (await stored())?.hash === hash;
    return {
      text,
      lines,
      onDisk: true,
      imports: once(async () => ((await asIndexed()) ? (await stored())!.imports : readImports(path, text))),
      items: async () => ((await asIndexed()) ? items() : []),
    };
  }
  const kept = await stored();
  const text = kept?.text ?? "";
  return {
    text,
    lines: splitLines(text),
    onDisk: false,
    why: read.reason,
    imports: async () => kept?.imports ?? [],
    items,
  };
}

async function readImports(path: string, text: string): Promise<ImportStatement[]> {
  const { extract } = await import("../sources/extract.ts");
  return (await extract(path, text)).imports;
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= work());
}
