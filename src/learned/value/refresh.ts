import { DossierError } from "../../errors.ts";
import type { RecordStore, StoredRecord } from "../../stores/records.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { landscapeOf } from "../cluster/landscapes.ts";
import { axes, type Experience, tiers } from "../experience.ts";
import type { Value } from "../value.ts";
import { type Revalidated, revalidate } from "./revalidate.ts";

/** The revision of the records up to which values were validated, stored with the index and lost with it. */
const noteKey = "values.compared";
/** A smaller share of changed experiences is left for later: among thousands, one changes nothing and costs seconds. */
const stirringShare = 0.01;
const batchSize = 500;

export type Refreshed = {
  /** Experiences that were resolved, changed or deleted since the values were last validated. */
  uncompared: number;
};

/** Validates the values again when enough experiences have changed. */
export async function refreshValues(workspace: Workspace, now: number, signal?: AbortSignal): Promise<Refreshed> {
  const { owner } = workspace;
  const records = await workspace.records();
  // Read before the experiences: what is written meanwhile counts as not validated.
  const revision = await records.revision(owner);
  const compared = await readNote(workspace);
  if (compared === revision) return { uncompared: 0 };
  const values = await allValues(records, owner);
  if (values.length > 0) {
    const changed = compared === undefined ? undefined : await changesSince(records, owner, compared);
    const { total } = await records.list(owner, { type: "experience", where: { tier: [...tiers] }, limit: 0 });
    if (changed !== undefined && changed > 0 && changed < total * stirringShare) return { uncompared: changed };
    if (changed !== 0) await revalidateAll(workspace, values, { now, signal });
  }
  await writeNote(workspace, revision);
  return { uncompared: 0 };
}

export type RevalidateOptions = {
  now: number;
  signal?: AbortSignal;
  /** Records the validation even if nothing has changed. */
  always?: boolean;
};

/** Revalidates these values and writes the changed ones; in their order. */
export async function revalidateAll(
  workspace: Workspace,
  values: readonly StoredRecord[],
  { now, signal, always = false }: RevalidateOptions,
): Promise<(Revalidated & { id: string })[]> {
  const { owner } = workspace;
  const records = await workspace.records();
  const done = new Map<string, Revalidated & { id: string }>();
  for (const axis of axes) {
    const own = values.filter(({ body }) => (body as Value).axis === axis);
    if (own.length === 0) continue;
    const landscape = await landscapeOf(records, owner, axis, signal);
    for (const record of own)
      done.set(record.id, { id: record.id, ...revalidate(record.body as Value, landscape, now) });
  }
  for (const record of values) {
    const { value } = done.get(record.id)!;
    if (always || !isSame(record.body as Value, value)) await write(records, owner, record, value, now);
  }
  return values.map(({ id }) => done.get(id)!);
}

/** The value may have been forgotten or added again since it was read; then nothing is written. */
async function write(
  records: RecordStore,
  owner: string,
  stored: StoredRecord,
  value: Value,
  now: number,
): Promise<void> {
  try {
    await records.change(owner, stored.id, (current) =>
      current.revision === stored.revision ? { ...current, changed: now, body: value } : current,
    );
  } catch (error) {
    if (!(error instanceof DossierError) || error.code !== "not-found") throw error;
  }
}

function isSame(before: Value, after: Value): boolean {
  const { validatedAt: _before, ...old } = before;
  const { validatedAt: _after, ...newer } = after;
  return JSON.stringify(old) === JSON.stringify({ ...old, ...newer });
}

/** Newest first. There are never many: each is a sentence about a cluster. */
export async function allValues(records: RecordStore, owner: string): Promise<StoredRecord[]> {
  return (await records.list(owner, { type: "value", limit: Number.MAX_SAFE_INTEGER })).records;
}

/** Number of resolved experiences that have changed; active ones do not count. */
async function changesSince(records: RecordStore, owner: string, revision: number): Promise<number> {
  let changes = 0;
  for (let from = revision; ; ) {
    const batch = await records.changedSince(owner, "experience", from, batchSize);
    changes += batch.filter(
      ({ body, deleted }) => deleted !== undefined || (body as Experience).tier !== undefined,
    ).length;
    if (batch.length < batchSize) return changes;
    from = batch.at(-1)!.revision;
  }
}

async function readNote({ store, owner }: Workspace): Promise<number | undefined> {
  const bytes = await store.shelf("value").metadata(owner, noteKey);
  return bytes && Number(new TextDecoder().decode(bytes));
}

async function writeNote({ store, owner }: Workspace, revision: number): Promise<void> {
  await store.shelf("value").writeMetadata(owner, noteKey, new TextEncoder().encode(String(revision)));
}
