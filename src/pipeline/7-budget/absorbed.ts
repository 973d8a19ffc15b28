import type { Dropped } from "../../document.ts";
import type { Level } from "../../item.ts";
import { droppedFor } from "../dropped.ts";
import type { Shown } from "../layout/printed-parts.ts";
import type { Unique } from "../unique.ts";

/** Whether a level shows the lines of an item, and not only its name. */
export function hasText(level: Level): boolean {
  return level === "full" || level === "elided";
}

type Restored = { unique: Unique[]; leftOut: Dropped[]; isRestored(unique: Unique): boolean };

/**
 * All items, but a survivor that is not printed is replaced by the items that were merged into it: a method must not be
 * lost because its class takes too much room. Undefined if nothing was lost in this way.
 */
export function withoutLostSurvivors(
  all: readonly Unique[],
  { kept, dropped }: { kept: readonly Shown[]; dropped: readonly Dropped[] },
  leftOutBefore: readonly Dropped[],
): Restored | undefined {
  const printed = new Set(
    kept.filter(({ printLevel }) => hasText(printLevel.level)).map(({ unique }) => unique.item.id),
  );
  // An item that was merged again, or that the caller excluded, stays out.
  const away = new Set(leftOutBefore.filter(({ reason }) => reason !== "duplicate").map(({ id }) => id));
  const lost = all.filter(
    ({ item, absorbed, pinned, lead }) => absorbed && !pinned && !lead && !printed.has(item.id) && !away.has(item.id),
  );
  if (lost.length === 0) return undefined;
  const restored = lost.flatMap(({ absorbed }) => absorbed!.filter(({ item }) => !away.has(item.id)));
  const ids = new Set(restored.map(({ item }) => item.id));
  const gone = new Set(lost);
  const reasons = new Map(dropped.map(({ id, reason }) => [id, reason]));
  const survivors = lost.filter(({ item }) => !ids.has(item.id));
  return {
    unique: byScore(
      all.filter((unique) => !gone.has(unique)),
      restored,
    ),
    leftOut: [
      ...leftOutBefore.filter(({ id }) => !ids.has(id)),
      ...survivors.map((unique) => droppedFor(unique, reasons.get(unique.item.id) ?? "over-budget")),
    ],
    isRestored: ({ item }) => ids.has(item.id),
  };
}

/** Inserts each of the others before the first ranked item with a lower score. */
function byScore(ranked: readonly Unique[], others: readonly Unique[]): Unique[] {
  const result = [...ranked];
  for (const other of others) {
    const at = result.findIndex(({ score }) => score < other.score);
    result.splice(at < 0 ? result.length : at, 0, other);
  }
  return result;
}
