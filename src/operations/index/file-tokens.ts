import type { FileState } from "../../stores/store.ts";
import { tokenCounter } from "../../text/tokens/tokens.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Environment } from "../core/operation.ts";

/** An indexed file with the tokens of its whole text. */
export type CountedFile = { path: string; bytes: number; tokens: number; language?: string };

const noteKey = "file-tokens";
/** Raising this number counts all files again. */
const format = 1;
const encoding = "o200k_base";

/** By path: the hash of the counted content, its tokens, and its language ("" for none). */
type Counts = Record<string, [hash: string, tokens: number, language: string]>;

/** Files counted before the abort signal is checked again. */
const batch = 50;

/** Every indexed file with its exact tokens. Each content is counted once; what was counted is kept with the index. */
export async function countedFiles(
  { store, owner }: Workspace,
  { signal, progress }: Pick<Environment, "signal" | "progress">,
): Promise<CountedFile[]> {
  const states = await store.files(owner);
  const counts = readCounts(await store.metadata(owner, noteKey));
  const missing = states.filter(({ path, hash }) => counts[path]?.[0] !== hash);
  const { count } = tokenCounter(encoding);
  for (const [done, { path, hash }] of missing.entries()) {
    if (done % batch === 0) {
      progress?.({ stage: "counting", done, total: missing.length });
      // Lets other requests run meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
    }
    const file = await store.file(owner, path);
    if (file) counts[path] = [hash, count(file.text), file.language ?? ""];
  }
  if (missing.length > 0 || Object.keys(counts).length > states.length) {
    const current = states.flatMap(({ path }) => (counts[path] ? [[path, counts[path]] as const] : []));
    const text = JSON.stringify({ format, encoding, counts: Object.fromEntries(current) });
    await store.writeMetadata(owner, noteKey, new TextEncoder().encode(text));
  }
  return states.flatMap((state) => countedFile(state, counts));
}

function countedFile({ path, size }: FileState, counts: Counts): CountedFile[] {
  const counted = counts[path];
  if (!counted) return [];
  const [, tokens, language] = counted;
  return [{ path, bytes: size, tokens, ...(language !== "" && { language }) }];
}

function readCounts(bytes: Uint8Array | undefined): Counts {
  if (!bytes) return {};
  try {
    const note = JSON.parse(new TextDecoder().decode(bytes)) as { format: number; encoding: string; counts: Counts };
    return note.format === format && note.encoding === encoding ? note.counts : {};
  } catch (error) {
    // A cache that cannot be parsed: everything is counted again.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
