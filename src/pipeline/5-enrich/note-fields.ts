import type { Facts } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { Lens } from "../../recipes/lenses.ts";

/** A note's facts with the fields that are wanted: all of them, or only those that the lens always shows. */
export function withFields(facts: Facts, { includeFields }: Request, lens: Lens | undefined): Facts {
  const { fields, ...others } = facts;
  if (includeFields || fields === undefined) return facts;
  const always = new Set(lens?.includeFields.map(folded));
  const shownFields = Object.entries(fields).filter(([name]) => always.has(folded(name)));
  return shownFields.length > 0 ? { ...others, fields: Object.fromEntries(shownFields) } : others;
}

/** "Blocked by" and "blocked-by" are one field. */
function folded(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, "-");
}
