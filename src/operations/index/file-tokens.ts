import type { FileState } from "../../stores/store.ts";
import { tokenCounter } from "../../text/tokens/tokens.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Environment } from "../core/operation.ts";

/** An indexed file with what it costs whole. */
export type CountedFile = { path: string; bytes: number; tokens: number; language?: string };

const noteKey = "file-tokens";
/** Another number counts all files again. */
const format = 1;
const encoding = "o200k_base";

/** By path: of which content, how many tokens, which language, empty where it is none. */
type Counts = Record<string, [hash: string, tokens: number, language: string]>;

/** Files between two looks at whether anybody still waits. */
const batch = 50;

/** Every indexed file with its exact tokens. Each content is counted once; what was counted is kept with the index. */
export async function countedFiles(
  { store, owner }: Workspace,
  { signal, progress }: Pick<Environment, "signal" | "progress">,
): Promise<CountedFile[]> {
  const states = await store.files(owner);
  const known = readCounts(await store.note(owner, noteKey));
  const missing = states.filter(({ path, hash }) => known[path]?.[0] !== hash);
  const { count } = tokenCounter(encoding);
  for (const [done, { path, hash }] of missing.entries()) {
    if (done % batch === 0) {
      progress?.({ stage: "counting", done, total: missing.length });
      // Others are answered meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
    }
    const file = await store.file(owner, path);
    if (file) known[path] = [hash, count(file.text), file.language ?? ""];
  }
  if (missing.length > 0 || Object.keys(known).length > states.length) {
    const kept = states.flatMap(({ path }) => (known[path] ? [[path, known[path]] as const] : []));
    const text = JSON.stringify({ format, encoding, counts: Object.fromEntries(kept) });
    await store.writeNote(owner, noteKey, new TextEncoder().encode(text));
  }
  return states.flatMap((state) => countedFile(state, known));
}

function countedFile({ path, size }: FileState, known: Counts): CountedFile[] {
  const counted = known[path];
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
    // It can be counted again.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
