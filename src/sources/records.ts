import type { Candidate, Item } from "../item.ts";
import type { RecordType, StoredRecord } from "../stores/records.ts";
import type { Query } from "../text/query.ts";
import type { Workspace } from "../workspace.ts";
import { recordIdOf } from "./record-items.ts";
import { findOnShelf } from "./shelf.ts";
import type { SourceSearch } from "./source.ts";

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
  const byId = new Map(
    (await records.get(owner, [...new Set(found.map(({ item }) => recordIdOf(item)))])).map((record) => [
      record.id,
      record,
    ]),
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

/** The bodies behind items, by item id; what was deleted since is absent. */
export async function readRecords<Body>(
  items: Item[],
  workspace: Workspace,
): Promise<Map<string, { item: Item; record: StoredRecord; body: Body }>> {
  if (items.length === 0 || !workspace.hasRecords()) return new Map();
  const records = await workspace.records();
  const wanted = [...new Set(items.map(recordIdOf))];
  const byId = new Map((await records.get(workspace.owner, wanted)).map((record) => [record.id, record]));
  return new Map(
    items.flatMap((item) => {
      const record = byId.get(recordIdOf(item));
      return record ? [[item.id, { item, record, body: record.body as Body }] as const] : [];
    }),
  );
}
