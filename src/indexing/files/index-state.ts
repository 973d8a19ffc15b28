import type { Store } from "../../stores/store.ts";
import type { SkipReason } from "../../tree/reasons.ts";

/** What the last run recorded about files that are not in the store; kept as metadata of the store. */
export type IndexState = {
  /** Milliseconds at which the last complete comparison of disk and index began; 0 before the first. */
  checkedAt: number;
  maxFileBytes?: number;
  /** Files that were read and found not worth indexing: they are not read again until they change. */
  skipped: Map<string, { size: number; modified: number; reason: SkipReason }>;
  /** True while files were written without their vectors. */
  vectorsPending: boolean;
  /**
   * True while the store may have files as an earlier version described them: all files are described again, until a
   * run is complete.
   */
  outdated?: boolean;
};

/** Incremented when descriptions change, so that every file is described again. */
const describeFormat = 12;

const noteKey = "indexing";

type Note = {
  format: number;
  checkedAt: number;
  maxFileBytes?: number;
  vectorsPending: boolean;
  outdated?: boolean;
  skipped: [path: string, size: number, modified: number, reason: SkipReason][];
};

/** Undefined if there is none, or one of another format: then every file is described again. */
export async function readIndexState(store: Store, owner: string): Promise<IndexState | undefined> {
  const bytes = await store.metadata(owner, noteKey);
  const note = bytes && parseNote(bytes);
  if (!note || note.format !== describeFormat) return undefined;
  return {
    checkedAt: note.checkedAt,
    maxFileBytes: note.maxFileBytes,
    vectorsPending: note.vectorsPending,
    outdated: note.outdated ?? false,
    skipped: new Map(note.skipped.map(([path, size, modified, reason]) => [path, { size, modified, reason }])),
  };
}

export async function writeIndexState(store: Store, owner: string, state: IndexState): Promise<void> {
  const note: Note = {
    format: describeFormat,
    checkedAt: state.checkedAt,
    maxFileBytes: state.maxFileBytes,
    vectorsPending: state.vectorsPending,
    ...(state.outdated && { outdated: true }),
    skipped: [...state.skipped].map(([path, { size, modified, reason }]) => [path, size, modified, reason]),
  };
  await store.writeMetadata(owner, noteKey, new TextEncoder().encode(JSON.stringify(note)));
}

function parseNote(bytes: Uint8Array): Note | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Note;
  } catch (error) {
    // Unreadable metadata is no failure: every file is checked again.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
