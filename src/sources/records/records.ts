import type { Candidate, Item } from "../../item.ts";
import type { RecordStore, RecordType, StoredRecord } from "../../stores/records.ts";
import type { Query } from "../../text/analysis/query.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { findOnShelf } from "../shelf.ts";
import type { SourceSearch } from "../source.ts";
import { recordIdOf } from "./record-items.ts";

/** A candidate with the record it stands for. */
export type Recorded<Body> = { candidate: Candidate; record: StoredRecord; body: Body };

/**
 * Candidates among the records of one type. A condition on their bodies is answered by the record store, which knows them; `itemIds`
 * tells which items stand for a record.
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
  const among = allowed ? both(allowed.flatMap(itemIds), search.filter.ids) : search.filter.ids;
  const filter = among ? { ...search.filter, ids: among } : search.filter;
  const found = await findOnShelf(type, query, { ...search, filter }, workspace);
  if (search.certain && allowed) {
    const known = new Set(found.map(({ item }) => item.id));
    const newest = allowed.slice(0, search.limit).flatMap(itemIds);
    const items = await workspace.store.shelf(type).items(
      owner,
      newest.filter((id) => !known.has(id)),
    );
    for (const item of items) if (passes(item, search)) found.push({ item, signals: {}, distance: 0 });
    for (const { signals } of found) signals.asked = 1;
  }
  const byId = await recordsById(
    found.map(({ item }) => recordIdOf(item)),
    workspace,
  );
  return found.flatMap((candidate) => {
    const record = byId.get(recordIdOf(candidate.item));
    return record ? [{ candidate, record, body: record.body as Body }] : [];
  });
}

function both(allowed: string[], asked: string[] | undefined): string[] {
  if (!asked) return allowed;
  const wanted = new Set(asked);
  return allowed.filter((id) => wanted.has(id));
}

function passes(item: Item, { filter }: SourceSearch): boolean {
  return (filter.kinds?.includes(item.kind) ?? true) && (filter.ids?.includes(item.id) ?? true);
}

/** Records as they were at one revision: a question reads the same ones to find, to check and to print them. */
type Remembered = { owner: string; revision: number; byId: Map<string, StoredRecord> };
const remembered = new WeakMap<RecordStore, Remembered>();
const mostRemembered = 2000;

async function recordsById(ids: string[], workspace: Workspace): Promise<ReadonlyMap<string, StoredRecord>> {
  const { owner } = workspace;
  const records = await workspace.records();
  const revision = await records.revision(owner);
  let known = remembered.get(records);
  if (known?.owner !== owner || known.revision !== revision || known.byId.size > mostRemembered) {
    remembered.set(records, (known = { owner, revision, byId: new Map() }));
  }
  const { byId } = known;
  const missing = [...new Set(ids)].filter((id) => !byId.has(id));
  if (missing.length > 0) for (const record of await records.get(owner, missing)) byId.set(record.id, record);
  return byId;
}

/** The bodies behind items, by item id; what was deleted since is absent. */
export async function readRecords<Body>(
  items: Item[],
  workspace: Workspace,
): Promise<Map<string, { item: Item; record: StoredRecord; body: Body }>> {
  if (items.length === 0 || !workspace.hasRecords()) return new Map();
  const byId = await recordsById(items.map(recordIdOf), workspace);
  return new Map(
    items.flatMap((item) => {
      const record = byId.get(recordIdOf(item));
      return record ? [[item.id, { item, record, body: record.body as Body }] as const] : [];
    }),
  );
}
