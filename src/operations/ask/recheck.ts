import { DossierError } from "../../errors.ts";
import { hashText } from "../../text/hash.ts";
import type { FileReader } from "../../tree/read-file.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Cited } from "./bundle.ts";

export const verdicts = ["same", "moved", "changed", "gone"] as const;
export type CitationVerdict = (typeof verdicts)[number];

export type CitedLines = { path: string; startLine: number; endLine: number };

/** Checks one citation, and finds where it is now. `indexed` helps to find it in other files. */
export async function recheck(
  cited: Cited,
  files: FileReader,
  indexed?: Workspace,
): Promise<{ verdict: CitationVerdict; now?: CitedLines }> {
  const lines = await linesOf(files, cited.path);
  if (lines) {
    if (hashOf(lines, cited.startLine, cited.endLine) === cited.hash) return { verdict: "same" };
    const startLine = find(lines, cited);
    if (startLine !== undefined) {
      const endLine = startLine + cited.endLine - cited.startLine;
      return { verdict: "moved", now: { path: cited.path, startLine, endLine } };
    }
  }
  if (!indexed) return { verdict: lines ? "changed" : "gone" };
  const elsewhere = await findElsewhere(cited, files, indexed);
  if (elsewhere) return { verdict: "moved", now: elsewhere };
  // Ids survive edits: an item that still has this id was changed; without one, it is gone.
  const [indexedItem] = await indexed.store.items(indexed.owner, [cited.itemId]);
  if (!lines || !indexedItem) return { verdict: "gone" };
  return {
    verdict: "changed",
    now: { path: indexedItem.path, startLine: indexedItem.startLine, endLine: indexedItem.endLine },
  };
}

async function linesOf(files: FileReader, path: string): Promise<string[] | undefined> {
  const content = await files.read(path);
  if (!("reason" in content)) return content.lines;
  switch (content.reason) {
    case "gone":
    case "not-a-file":
      return undefined;
    case "outside-root":
      throw new DossierError("outside-root", `The cited path ${JSON.stringify(path)} leads out of the workspace.`);
    default:
      throw new DossierError(
        "not-readable",
        `The cited file ${JSON.stringify(path)} cannot be read (${content.reason}).`,
      );
  }
}

function hashOf(lines: string[], startLine: number, endLine: number): string | undefined {
  return endLine <= lines.length ? hashText(lines.slice(startLine - 1, endLine).join("\n")) : undefined;
}

/** Characters hashed for one citation: enough for any source file, and a limit for a hostile bundle. */
const mostCharacters = 64_000_000;

/** The line where the cited lines begin now, nearest to where they were. */
function find(lines: string[], { startLine, endLine, hash }: Cited): number | undefined {
  const length = endLine - startLine + 1;
  const last = lines.length - length + 1;
  const before = Math.min(startLine, last);
  let characters = 0;
  for (let away = 0; away <= lines.length; away++) {
    for (const at of away === 0 ? [before] : [before - away, before + away]) {
      if (at < 1 || at > last) continue;
      const text = lines.slice(at - 1, at - 1 + length).join("\n");
      if (hashText(text) === hash) return at;
      characters += text.length;
      if (characters > mostCharacters) return undefined;
    }
  }
  return undefined;
}

/** The same lines under the same name in another file, as after a rename. The index proposes, the disk decides. */
async function findElsewhere(
  cited: Cited,
  files: FileReader,
  { store, owner }: Workspace,
): Promise<CitedLines | undefined> {
  if (cited.name === "") return undefined;
  const hits = await store.searchNames(owner, { text: cited.name, mode: "exact", limit: 100 });
  for (const { item } of hits) {
    if (item.hash !== cited.hash || item.path === cited.path) continue;
    const lines = await linesOf(files, item.path);
    if (lines && hashOf(lines, item.startLine, item.endLine) === cited.hash) {
      return { path: item.path, startLine: item.startLine, endLine: item.endLine };
    }
  }
  return undefined;
}
