import type { Dropped } from "../document.ts";
import { type Level, levels, type Scored } from "../item.ts";
import type { Request } from "../options.ts";
import { droppedFor } from "./dropped.ts";
import type { Unique } from "./unique.ts";

/** What a caller decides for single items, whatever their rank: which must be printed, at which level, and which must not. */
export type ItemChoices = {
  isPinned(id: string): boolean;
  isExcluded(id: string): boolean;
  /** The level that was asked for. */
  levelOf(id: string): Level | undefined;
  /** The ids of all that must be printed, as they were given. */
  pinned: readonly string[];
};

/** Ids may be short, as citations are: whatever begins so is meant. An item with a level of its own is pinned; what is excluded is not. */
export function choicesOf({
  pin = [],
  exclude = [],
  level = [],
}: Pick<Request, "pin" | "exclude" | "level">): ItemChoices {
  const excluded = exclude.map(bare);
  const isExcluded = (id: string) => excluded.some((given) => id.startsWith(given));
  const leveled = level.map((each) => {
    const at = each.lastIndexOf("=");
    return { id: bare(each.slice(0, at)), level: levels.find((name) => name === each.slice(at + 1)) };
  });
  const pinned = [...new Set([...pin.map(bare), ...leveled.map(({ id }) => id)])].filter((id) => !isExcluded(id));
  return {
    pinned,
    isExcluded,
    isPinned: (id) => !isExcluded(id) && pinned.some((given) => id.startsWith(given)),
    // The last one holds: whoever calls again only adds to the list.
    levelOf: (id) => leveled.findLast((each) => id.startsWith(each.id))?.level,
  };
}

function bare(given: string): string {
  return given.trim().replace(/^\[|\]$/g, "");
}

/** What is left of the ranking, with what was decided for each item. An item is pinned, too, when it stands for one that is. */
export function withChoices(
  unique: readonly Unique[],
  duplicates: readonly Dropped[],
  request: Request,
): { chosen: Unique[]; excluded: Dropped[] } {
  const { isPinned, isExcluded, levelOf, pinned } = choicesOf(request);
  if (pinned.length === 0 && !request.exclude?.length) return { chosen: [...unique], excluded: [] };
  const standsFor = new Set(duplicates.flatMap(({ id, by }) => (by !== undefined && isPinned(id) ? [by] : [])));
  const chosen = unique
    .filter(({ item }) => !isExcluded(item.id))
    .map((each) => {
      const { id } = each.item;
      if (!isPinned(id) && !standsFor.has(id)) return each;
      const level = levelOf(id);
      return { ...each, pinned: true, ...(level ? { wantedLevel: level } : {}) };
    });
  const excluded = unique.filter(({ item }) => isExcluded(item.id)).map((each) => droppedFor(each, "excluded"));
  return { chosen, excluded };
}

/** Of two lists, what is not pinned stays where it is. */
export function withoutPinned<Kept extends Scored | Dropped>(all: readonly Kept[], request: Request): Kept[] {
  const { isPinned, pinned } = choicesOf(request);
  if (pinned.length === 0) return [...all];
  return all.filter((each) => !isPinned("item" in each ? each.item.id : each.id));
}
