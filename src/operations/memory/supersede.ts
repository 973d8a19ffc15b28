import type { StoredRecord } from "../../stores/records.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { bodyOf, type ShownMemory, shownMemory } from "./memory-shape.ts";

/** The body of a memory after another one replaced it: kept for questions about the time before. */
export function superseded(record: StoredRecord, by: string, at: number): StoredRecord {
  return { ...record, body: { ...bodyOf(record), superseded: { by, at } } };
}

/** The same body without that mark. */
export function current(record: StoredRecord): StoredRecord {
  const { superseded: _superseded, ...body } = bodyOf(record);
  return { ...record, body };
}

type Replaced = {
  stored: boolean;
  memory: ShownMemory;
  superseded: ShownMemory;
  duplicates: [];
  contradicts: [];
  advice: string[];
  warnings: string[];
};

/**
 * Lets an existing memory replace an older one. After a reported contradiction, the caller states the text again and
 * names the memory that is no longer valid.
 */
export async function putInPlace(
  workspace: Workspace,
  replaced: StoredRecord,
  by: string,
  at: number,
  advice: string[],
  warnings: string[],
): Promise<Replaced> {
  const records = await workspace.records();
  const { owner } = workspace;
  const memory = await records.change(owner, by, (record) => ({
    ...record,
    body: { ...bodyOf(record), supersedes: replaced.id },
  }));
  const former = await records.change(owner, replaced.id, (record) => superseded(record, by, at));
  const pair = { memory: shownMemory(memory), superseded: shownMemory(former) };
  return { stored: true, ...pair, duplicates: [], contradicts: [], advice, warnings };
}
