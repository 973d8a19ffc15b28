import type { RepositoryState } from "../../git/head.ts";
import { commitFormat } from "../../sources/commits/commit-items.ts";
import type { Store } from "../../stores/store.ts";

/** Which history the shelf `commit` has, kept as its metadata. */
export type HistoryMemory = {
  /** False while commits are being written: an interrupted run is finished by comparing everything. */
  complete: boolean;
  /** The shelf is being emptied: nothing in it counts. */
  anew?: boolean;
  /** The commit that was checked out; "" when there was none. */
  head: string;
  below: string;
  boundary: string[];
  years: number;
  /** Older commits are left out; milliseconds. */
  since: number;
  /** Warnings that are repeated with every question about the history. */
  warnings: string[];
};

const noteKey = "history";

type Note = HistoryMemory & { format: number };

/** Undefined when there is none, or when commits were described in another format. */
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

/** True when at most the checked-out commit differs. */
export function isOfPlace(memory: HistoryMemory, state: RepositoryState | undefined, years: number): boolean {
  const boundary = state?.boundary ?? [];
  return (
    memory.years === years &&
    memory.below === (state?.below ?? "") &&
    memory.boundary.length === boundary.length &&
    memory.boundary.every((sha, i) => sha === boundary[i])
  );
}
