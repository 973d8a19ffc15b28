import type { Dropped, DropReason } from "../document.ts";
import { type Facts, isNode, type Scored } from "../item.ts";

/** The record of an item that was found but is not printed. */
export function droppedFor(
  { item, score, facts = {} }: Scored & { facts?: Facts },
  reason: DropReason,
  by?: string,
): Dropped {
  const { id, qualifiedName, source, name } = item;
  const key = typeof facts.id === "string" ? facts.id : qualifiedName.slice(qualifiedName.indexOf("::") + 2);
  const tags = Array.isArray(facts.tags) ? facts.tags : [];
  return {
    id,
    title: qualifiedName,
    source,
    score,
    reason,
    ...(by ? { by } : {}),
    ...(isNode(source) ? { note: { key, name, tags } } : {}),
  };
}
