import { type DossierError, unreadWarning } from "../../errors.ts";
import type { Candidate, Item } from "../../item.ts";
import { readableRecords } from "../../stores/readable-records.ts";
import type { RecordStore, RecordType, StoredRecord } from "../../stores/records.ts";
import type { Query } from "../../text/analysis/query.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { findOnShelf } from "../find-on-shelf.ts";
import type { SourceSearch } from "../source.ts";
import { recordIdOf } from "./record-items.ts";

/** A candidate with its record. */
export type Recorded<Body> = { candidate: Candidate; record: StoredRecord; body: Body };

/**
 * Candidates among the records of one type. The record store evaluates a condition on bodies. `itemIds`: the items of a
 * record.
 */
export async function findRecords<Body>(
  type: RecordType,
  query: Query,
  search: SourceSearch,
  workspace: Workspace,
  itemIds: (id: string) => string[] = (id) => [id],
): Promise<Recorded<Body>[]> {
  if (!workspace.hasRecords()) return [];
  const records = await workspace.records();
  const { owner } = workspace;
  const allowed = search.where ? await records.ids(owner, { type, where: search.where }) : undefined;
  if (allowed?.length === 0) return [];
  const among = allowed ? intersection(allowed.flatMap(itemIds), search.filter.ids) : search.filter.ids;
  const filter = among ? { ...search.filter, ids: among } : search.filter;
  const candidates = await findOnShelf(type, query, { ...search, filter }, workspace);
  if (search.certain && allowed) {
    const foundIds = new Set(candidates.map(({ item }) => item.id));
    const newest = allowed.slice(0, search.limit).flatMap(itemIds);
    const items = await workspace.store.shelf(type).items(
      owner,
      newest.filter((id) => !foundIds.has(id)),
    );
    for (const item of items) if (passes(item, search)) candidates.push({ item, signals: {}, distance: 0 });
    for (const { signals } of candidates) signals.asked = 1;
  }
  const { byId, damage } = await recordsById(
    candidates.map(({ item }) => recordIdOf(item)),
    workspace,
  );
  const unread = unreadWarning(damage);
  if (unread !== undefined) search.unread?.(unread);
  return candidates.flatMap((candidate) => {
    const record = byId.get(recordIdOf(candidate.item));
    return record ? [{ candidate, record, body: record.body as Body }] : [];
  });
}

function intersection(allowed: string[], requested: string[] | undefined): string[] {
  if (!requested) return allowed;
  const ids = new Set(requested);
  return allowed.filter((id) => ids.has(id));
}

function passes(item: Item, { filter }: SourceSearch): boolean {
  return (filter.kinds?.includes(item.kind) ?? true) && (filter.ids?.includes(item.id) ?? true);
}

/** Cache of records at one revision, since a question reads the same records to find, to check and to print them. */
type RecordCache = {
  owner: string;
  revision: number;
  byId: Map<string, StoredRecord>;
  /** Errors of records that cannot be read, by the record's id. */
  damage: Map<string, DossierError>;
};
const remembered = new WeakMap<RecordStore, RecordCache>();
const mostRemembered = 2000;

type ReadRecords = {
  byId: ReadonlyMap<string, StoredRecord>;
  /** The error of the first record that cannot be read. */
  damage?: DossierError;
};

async function recordsById(ids: string[], workspace: Workspace): Promise<ReadRecords> {
  const { owner } = workspace;
  const records = await workspace.records();
  const revision = await records.revision(owner);
  let cached = remembered.get(records);
  if (cached?.owner !== owner || cached.revision !== revision || cached.byId.size > mostRemembered) {
    remembered.set(records, (cached = { owner, revision, byId: new Map(), damage: new Map() }));
  }
  const { byId, damage } = cached;
  const missing = [...new Set(ids)].filter((id) => !byId.has(id) && !damage.has(id));
  if (missing.length > 0) {
    const readable = await readableRecords(records, owner, missing);
    for (const record of readable.records) byId.set(record.id, record);
    for (const [id, error] of readable.damage) damage.set(id, error);
  }
  if (damage.size === 0) return { byId };
  return { byId, damage: damage.get(ids.find((id) => damage.has(id)) ?? "") };
}

/** The bodies of items, by item id; deleted ones are absent. */
export async function readRecords<Body>(
  items: Item[],
  workspace: Workspace,
): Promise<Map<string, { item: Item; record: StoredRecord; body: Body }>> {
  if (items.length === 0 || !workspace.hasRecords()) return new Map();
  const { byId } = await recordsById(items.map(recordIdOf), workspace);
  return new Map(
    items.flatMap((item) => {
      const record = byId.get(recordIdOf(item));
      return record ? [[item.id, { item, record, body: record.body as Body }] as const] : [];
    }),
  );
}
