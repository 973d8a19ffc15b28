import type { Store } from "../stores/store.ts";

/** What was read of an origin, and when: stored in the index beside the notes, and lost with it. */
export type OriginState = {
  name: string;
  kind: string;
  /** As in the config file. */
  from: string;
  /** Version of the note format; another number means that everything must be read again. */
  format: number;
  /** Stamp of every sheet that was read. */
  sheets: Record<string, string>;
  /** Milliseconds since 1970; 0 when it never could be read. */
  read: number;
  /** The date of the data itself, if known: when an export was written. */
  dated?: number;
  /** When the live API last answered. */
  asked?: number;
  warnings: string[];
};

const noteKey = "origins";

/** In the order of the config file. Unreadable state counts as none: then every origin is read again. */
export async function readOriginState(store: Store, owner: string): Promise<OriginState[]> {
  const bytes = await store.shelf("note").metadata(owner, noteKey);
  return bytes ? parse(bytes).filter(isState) : [];
}

export async function writeOriginState(store: Store, owner: string, states: readonly OriginState[]): Promise<void> {
  await store.shelf("note").writeMetadata(owner, noteKey, new TextEncoder().encode(JSON.stringify(states)));
}

function parse(bytes: Uint8Array): unknown[] {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return Array.isArray(value) ? value : [];
  } catch (error) {
    // Not a failure: the origins are read again.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function isState(value: unknown): value is OriginState {
  if (typeof value !== "object" || value === null) return false;
  const { name, kind, from, format, sheets, read, warnings } = value as Record<string, unknown>;
  return (
    [name, kind, from].every((text) => typeof text === "string") &&
    [format, read].every((number) => typeof number === "number") &&
    typeof sheets === "object" &&
    sheets !== null &&
    Array.isArray(warnings)
  );
}
