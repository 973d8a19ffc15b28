import type { RepositoryState } from "../../git/head.ts";
import { commitFormat } from "../../sources/commits/commit-items.ts";
import type { Store } from "../../stores/store.ts";

/** Which history the shelf `commit` shows, kept as a note on it. */
export type HistoryMemory = {
  /** False while commits are written: a run that was cut short is finished by comparing everything. */
  complete: boolean;
  /** Everything is being thrown away: nothing that is known counts. */
  anew?: boolean;
  /** The commit that was checked out; "" when there was none. */
  head: string;
  below: string;
  boundary: string[];
  years: number;
  /** Older commits are left out; milliseconds. */
  since: number;
  /** What the user should know of this history every time it is asked. */
  warnings: string[];
};

const noteKey = "history";

type Note = HistoryMemory & { format: number };

/** Undefined when there is none, or when commits were described in another way. */
export async function readHistoryMemory(shelf: Store, owner: string): Promise<HistoryMemory | undefined> {
  const bytes = await shelf.note(owner, noteKey);
  const note = bytes && (JSON.parse(new TextDecoder().decode(bytes)) as Note);
  return note?.format === commitFormat ? note : undefined;
}

export async function writeHistoryMemory(shelf: Store, owner: string, memory: HistoryMemory): Promise<void> {
  const note: Note = { ...memory, format: commitFormat };
  await shelf.writeNote(owner, noteKey, new TextEncoder().encode(JSON.stringify(note)));
}

export function isOfState(memory: HistoryMemory, state: RepositoryState | undefined, years: number): boolean {
  return memory.complete && memory.head === (state?.head ?? "") && isOfPlace(memory, state, years);
}

/** True when only the commit that is checked out may differ. */
export function isOfPlace(memory: HistoryMemory, state: RepositoryState | undefined, years: number): boolean {
  const boundary = state?.boundary ?? [];
  return (
    memory.years === years &&
    memory.below === (state?.below ?? "") &&
    memory.boundary.length === boundary.length &&
    memory.boundary.every((sha, i) => sha === boundary[i])
  );
}
