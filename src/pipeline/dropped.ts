import type { Dropped, DropReason, Scored } from "../item.ts";

/** The record of an item that was found but is not printed. */
export function droppedFor({ item, score }: Scored, reason: DropReason, by?: string): Dropped {
  return { id: item.id, title: item.qualifiedName, source: item.source, score, reason, ...(by ? { by } : {}) };
}
