import { describeRecord, placeOf } from "../../sources/records/record-items.ts";
import type { RecordStore, RecordType, StoredRecord } from "../../stores/records.ts";
import type { Store } from "../../stores/store.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { byOneProcess } from "../files/build-lock.ts";
import { patiently } from "../files/writer.ts";
import { clearShelf, type Following, indexedRevision, noteRevision } from "./followed-shelf.ts";
import { noteLoss } from "./lost-records.ts";

/** Incremented when descriptions change: then all records are described again. */
const format = 2;
const batchSize = 500;
const patience = 5000;

export type RecordsOptions = {
  signal?: AbortSignal;
  /** Milliseconds to wait for another process that indexes the records. */
  patience?: number;
  progress?: (progress: { stage: string; done: number; total?: number }) => void;
};

/**
 * Brings a shelf up to date with the records; the cost depends on what changed. If the work between a record and its
 * index is interrupted, the next question sees it by the revision and repairs it.
 */
export async function refreshRecords(
  workspace: Workspace,
  type: RecordType,
  options: RecordsOptions = {},
): Promise<void> {
  const isCurrent = () => areRecordsCurrent(workspace, type);
  await byOneProcess(workspace, type, { isCurrent, work: () => bringUpToDate(workspace, type, options) }, options);
}

async function bringUpToDate(workspace: Workspace, type: RecordType, options: RecordsOptions): Promise<void> {
  const { owner } = workspace;
  const shelf = workspace.store.shelf(type);
  const following: Following = { shelf, owner, key: "records", format };
  const records = workspace.hasRecords() ? await workspace.records() : undefined;
  const [now, indexed] = await Promise.all([records ? records.revision(owner) : 0, indexedRevision(following)]);
  if (indexed === now) return;
  // A revision below the indexed one: other records have replaced the indexed ones.
  const anew = indexed === undefined || indexed > now;
  const known = indexed !== undefined && indexed > now ? (await shelf.files(owner)).length : 0;
  if (anew) await clearShelf(following);
  const changed: string[] = [];
  let left = 0;
  if (records) {
    for await (const batch of changesOf(records, owner, type, anew ? 0 : indexed)) {
      options.signal?.throwIfAborted();
      const live = batch.filter(({ deleted }) => deleted === undefined);
      left += live.length;
      const files = live.map(describeRecord);
      const removed = batch.filter(({ deleted }) => deleted !== undefined).map(placeOf);
      await patiently(patience, () => shelf.write(owner, { files, removed }));
      for (const { items } of files) for (const { item } of items) changed.push(item.id);
      options.progress?.({ stage: "records", done: changed.length });
    }
  }
  await embed(shelf, owner, changed, options);
  // Unreadable records may come back, so they do not count as lost.
  if (left < known && !(await records?.unread?.(owner)))
    await noteLoss(workspace, type, { known, left }, { indexed: indexed!, now });
  await noteRevision(following, now);
}

/** Whether the shelf has the current records. */
export async function areRecordsCurrent(workspace: Workspace, type: RecordType): Promise<boolean> {
  const { owner, store } = workspace;
  const records = workspace.hasRecords() ? await workspace.records() : undefined;
  const indexed = await indexedRevision({ shelf: store.shelf(type), owner, key: "records", format });
  return indexed === (records ? await records.revision(owner) : 0);
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

async function embed(shelf: Store, owner: string, changedIds: string[], options: RecordsOptions): Promise<void> {
  if (changedIds.length === 0) return;
  const { updateVectors } = await import("../../embed/builtin.ts");
  const { count } = await shelf.termStatistics(owner, "unit", []);
  await updateVectors(shelf, owner, { changedIds, total: count }, { signal: options.signal });
}
