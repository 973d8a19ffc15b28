import { DossierError } from "../errors.ts";
import type { RecordStore, StoredRecord } from "./records.ts";

export type ReadableRecords = {
  records: StoredRecord[];
  /** Of those that cannot be read, by their id. */
  damage: Map<string, DossierError>;
};

/**
 * Damage of one page must not hide the records of all others: where all at once cannot be read, each is read by itself.
 */
export async function readableRecords(store: RecordStore, owner: string, ids: string[]): Promise<ReadableRecords> {
  const damage = new Map<string, DossierError>();
  // No id of ours has the character that stands for bytes which are no text.
  for (const id of ids.filter((each) => each.includes("\ufffd"))) {
    damage.set(id, new DossierError("records-damaged", "The id of a record is damaged."));
  }
  try {
    return { records: await store.get(owner, ids), damage };
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  const records: StoredRecord[] = [];
  for (const id of ids) {
    try {
      records.push(...(await store.get(owner, [id])));
    } catch (error) {
      if (!isDamage(error)) throw error;
      damage.set(id, error);
    }
  }
  return { records, damage };
}

function isDamage(error: unknown): error is DossierError {
  return error instanceof DossierError && error.code === "records-damaged";
}
