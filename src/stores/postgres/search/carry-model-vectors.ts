import type { TransactionQueries } from "../engine/session/session.ts";
import type { StateBefore } from "../items/state-before-write.ts";

/** A written item: its vectors of language models are carried over by id, hash and terms. */
export type WrittenItem = { number: number; id: string; hash: string; terms?: Uint8Array };

/** The analysed texts of removed items, by number; none where no model has vectors. */
export async function termsOfRemoved(
  queries: TransactionQueries,
  shelf: number,
  { hasModels, items }: StateBefore,
): Promise<Map<number, Uint8Array>> {
  if (!hasModels || items.length === 0) return new Map();
  const rows = await queries.all<{ item: number; terms: Uint8Array }>(
    "SELECT item, terms FROM terms WHERE owner = $1 AND shelf = $2 AND scope = 0 AND item = ANY($3::int[])",
    [shelf, items.map(({ id }) => id)],
  );
  return new Map(rows.map(({ item, terms }) => [item, terms]));
}

/** An item that comes again with the same text keeps its model vectors under its new number. Others are dropped. */
export async function carryModelVectors(
  queries: TransactionQueries,
  shelf: number,
  { hasModels, items }: StateBefore,
  oldTerms: ReadonlyMap<number, Uint8Array>,
  newItems: readonly WrittenItem[],
): Promise<void> {
  if (!hasModels || items.length === 0) return;
  const byId = new Map(newItems.map((item) => [item.id, item]));
  const moved: { from: number; to: number }[] = [];
  const dropped: number[] = [];
  for (const { id, key, hash } of items) {
    const [now, terms] = [byId.get(key), oldTerms.get(id)];
    if (now?.terms && terms && now.hash === hash && Buffer.compare(now.terms, terms) === 0) {
      moved.push({ from: id, to: now.number });
    } else dropped.push(id);
  }
  await Promise.all([
    queries.run(
      `UPDATE model_vectors AS v SET item = k.new FROM unnest($3::int[], $4::int[]) AS k(old, new)
       WHERE v.owner = $1 AND v.shelf = $2 AND v.model IN (SELECT id FROM models WHERE owner = $1 AND shelf = $2) AND v.item = k.old`,
      [shelf, moved.map(({ from }) => from), moved.map(({ to }) => to)],
    ),
    queries.run(
      `DELETE FROM model_vectors WHERE owner = $1 AND shelf = $2
       AND model IN (SELECT id FROM models WHERE owner = $1 AND shelf = $2) AND item = ANY($3::int[])`,
      [shelf, dropped],
    ),
  ]);
}
