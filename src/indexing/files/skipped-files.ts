import type { Store } from "../../stores/store.ts";
import type { SkipReason } from "../../tree/reasons.ts";

/** What the last run knew about files that are not in the store, kept as a note in the store. */
export type SkippedFiles = {
  /** When the last complete comparison of disk and index began, milliseconds; 0 before the first. */
  checkedAt: number;
  maxFileBytes?: number;
  /** Files that were read and found not worth indexing: they are not read again until they change. */
  skipped: Map<string, { size: number; modified: number; reason: SkipReason }>;
  /** True while files have been written whose vectors have not. */
  vectorsPending: boolean;
};

/** Changes whenever files would be described differently: then every file is described again. */
const describeFormat = 5;

const noteKey = "indexing";

type Note = {
  format: number;
  checkedAt: number;
  maxFileBytes?: number;
  vectorsPending: boolean;
  skipped: [path: string, size: number, modified: number, reason: SkipReason][];
};

/** Undefined when there is none, or one of another format: then nothing that is in the store counts as known. */
export async function readMemory(store: Store, owner: string): Promise<SkippedFiles | undefined> {
  const bytes = await store.note(owner, noteKey);
  const note = bytes && parseNote(bytes);
  if (!note || note.format !== describeFormat) return undefined;
  return {
    checkedAt: note.checkedAt,
    maxFileBytes: note.maxFileBytes,
    vectorsPending: note.vectorsPending,
    skipped: new Map(note.skipped.map(([path, size, modified, reason]) => [path, { size, modified, reason }])),
  };
}

export async function writeMemory(store: Store, owner: string, memory: SkippedFiles): Promise<void> {
  const note: Note = {
    format: describeFormat,
    checkedAt: memory.checkedAt,
    maxFileBytes: memory.maxFileBytes,
    vectorsPending: memory.vectorsPending,
    skipped: [...memory.skipped].map(([path, { size, modified, reason }]) => [path, size, modified, reason]),
  };
  await store.writeNote(owner, noteKey, new TextEncoder().encode(JSON.stringify(note)));
}

function parseNote(bytes: Uint8Array): Note | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Note;
  } catch (error) {
    // A note that cannot be read is worth a new look at every file, not a failure.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
