import { describeRecord, placeOf } from "../sources/record-items.ts";
import type { RecordStore, RecordType, StoredRecord } from "../stores/records.ts";
import type { Store } from "../stores/store.ts";
import type { Workspace } from "../workspace.ts";
import { patiently } from "./writer.ts";

/** Changes whenever records would be described differently: then all of them are described again. */
const describeFormat = 1;
const noteKey = "records";
const batchSize = 500;
const patience = 5000;

export type RecordsOptions = {
  signal?: AbortSignal;
  progress?: (progress: { stage: string; done: number; total?: number }) => void;
};

/**
 * Brings a shelf up to date with the records, at the cost of what changed since it last was. Whatever happens between a
 * record and its index, the next question finds them apart by the revision and repairs it.
 */
export async function refreshRecords(
  workspace: Workspace,
  type: RecordType,
  options: RecordsOptions = {},
): Promise<void> {
  const { owner } = workspace;
  const shelf = workspace.store.shelf(type);
  const records = workspace.hasRecords() ? await workspace.records() : undefined;
  const [now, seen] = await Promise.all([records ? records.revision(owner) : 0, readSeen(shelf, owner)]);
  if (seen === now) return;
  // Fewer changes than were seen: these are other records, put in the place of those that were indexed.
  if (seen === undefined || seen > now) await clear(shelf, owner);
  const changed: string[] = [];
  if (records) {
    for await (const batch of changesOf(records, owner, type, seen === undefined || seen > now ? 0 : seen)) {
      options.signal?.throwIfAborted();
      const live = batch.filter(({ deleted }) => deleted === undefined);
      const files = live.map(describeRecord);
      const removed = batch.filter(({ deleted }) => deleted !== undefined).map(placeOf);
      await patiently(patience, () => shelf.write(owner, { files, removed }));
      for (const { items } of files) for (const { item } of items) changed.push(item.id);
      options.progress?.({ stage: "records", done: changed.length });
    }
  }
  await embed(shelf, owner, changed, options);
  await writeSeen(shelf, owner, now);
}

async function* changesOf(
  records: RecordStore,
  owner: string,
  type: RecordType,
  since: number,
): AsyncIterable<StoredRecord[]> {
  for (let from = since; ; ) {
    const batch = await records.changedSince(owner, type, from, batchSize);
    if (batch.length === 0) return;
    yield batch;
    from = batch.at(-1)!.revision;
  }
}

async function clear(shelf: Store, owner: string): Promise<void> {
  const states = await shelf.files(owner);
  for (let from = 0; from < states.length; from += batchSize) {
    const removed = states.slice(from, from + batchSize).map(({ path }) => path);
    await patiently(patience, () => shelf.write(owner, { files: [], removed }));
  }
}

async function embed(shelf: Store, owner: string, changedIds: string[], options: RecordsOptions): Promise<void> {
  if (changedIds.length === 0) return;
  const { updateVectors } = await import("../embed/builtin.ts");
  const { count } = await shelf.termStatistics(owner, "unit", []);
  await updateVectors(shelf, owner, { changedIds, total: count }, { signal: options.signal });
}

type Note = { format: number; revision: number };

/** The revision that the shelf shows; 0 for one that never held anything, undefined when it must be filled anew. */
async function readSeen(shelf: Store, owner: string): Promise<number | undefined> {
  const bytes = await shelf.note(owner, noteKey);
  if (!bytes) return 0;
  const note = JSON.parse(new TextDecoder().decode(bytes)) as Note;
  return note.format === describeFormat ? note.revision : undefined;
}

async function writeSeen(shelf: Store, owner: string, revision: number): Promise<void> {
  const note: Note = { format: describeFormat, revision };
  await patiently(patience, () => shelf.writeNote(owner, noteKey, new TextEncoder().encode(JSON.stringify(note))));
}
