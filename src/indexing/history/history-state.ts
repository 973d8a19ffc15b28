import type { RepositoryState } from "../../git/head.ts";
import { commitFormat } from "../../sources/commits/commit-items.ts";
import type { Store } from "../../stores/store.ts";

/** How far back commits are indexed: this many years before the checked-out one, and `atLeast` commits. */
export type HistoryWindow = { years: number; atLeast: number };

/** The part of the history that the shelf `commit` has, stored as its metadata. */
export type HistoryState = {
  /** False while commits are being written: an interrupted run is finished by comparing everything. */
  complete: boolean;
  /** True while the shelf is being emptied: its content does not count. */
  anew?: boolean;
  /** The commit that was checked out; "" when there was none. */
  head: string;
  below: string;
  boundary: string[];
  years: number;
  /** Absent in states of versions that had no least number. */
  atLeast?: number;
  /** Older commits are left out; milliseconds. */
  since: number;
  /** True if such older commits exist. */
  older?: boolean;
  /** Warnings that are repeated with every question about the history. */
  warnings: string[];
};

const noteKey = "history";

type Note = HistoryState & { format: number };

/** Undefined if there is none, or if commits were described in another format. */
export async function readHistoryState(shelf: Store, owner: string): Promise<HistoryState | undefined> {
  const bytes = await shelf.metadata(owner, noteKey);
  const note = bytes && (JSON.parse(new TextDecoder().decode(bytes)) as Note);
  return note?.format === commitFormat ? note : undefined;
}

export async function writeHistoryState(shelf: Store, owner: string, stored: HistoryState): Promise<void> {
  const note: Note = { ...stored, format: commitFormat };
  await shelf.writeMetadata(owner, noteKey, new TextEncoder().encode(JSON.stringify(note)));
}

export function isOfState(stored: HistoryState, state: RepositoryState | undefined, window: HistoryWindow): boolean {
  return stored.complete && stored.head === (state?.head ?? "") && isOfPlace(stored, state, window);
}

/** True if at most the checked-out commit differs. */
export function isOfPlace(stored: HistoryState, state: RepositoryState | undefined, window: HistoryWindow): boolean {
  const boundary = state?.boundary ?? [];
  return (
    isOfWindow(stored, window) &&
    stored.below === (state?.below ?? "") &&
    stored.boundary.length === boundary.length &&
    stored.boundary.every((sha, i) => sha === boundary[i])
  );
}

export function isOfWindow({ years, atLeast = 0 }: HistoryState, window: HistoryWindow): boolean {
  return years === window.years && atLeast === window.atLeast;
}
