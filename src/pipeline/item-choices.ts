import type { Dropped } from "../document.ts";
import { type Level, levels, type Scored } from "../item.ts";
import type { Request } from "../options.ts";
import { droppedFor } from "./dropped.ts";
import type { Unique } from "./unique.ts";

/**
 * The caller's decisions for single items, whatever their rank: which are printed, at which level, and which are not.
 */
export type ItemChoices = {
  isPinned(id: string): boolean;
  isExcluded(id: string): boolean;
  /** The level that was asked for. */
  levelOf(id: string): Level | undefined;
  /** Ids of all items that must be printed, as the caller gave them. */
  pinned: readonly string[];
};

/** Ids may be prefixes, as in citations. An item with its own level counts as pinned; an excluded item does not. */
export function choicesOf({
  pin = [],
  exclude = [],
  level = [],
}: Pick<Request, "pin" | "exclude" | "level">): ItemChoices {
  const excluded = exclude.map(withoutBrackets);
  const isExcluded = (id: string) => excluded.some((prefix) => id.startsWith(prefix));
  const levelChoices = level.map((each) => {
    const at = each.lastIndexOf("=");
    return { id: withoutBrackets(each.slice(0, at)), level: levels.find((name) => name === each.slice(at + 1)) };
  });
  const pinned = [...new Set([...pin.map(withoutBrackets), ...levelChoices.map(({ id }) => id)])].filter(
    (id) => !isExcluded(id),
  );
  return {
    pinned,
    isExcluded,
    isPinned: (id) => !isExcluded(id) && pinned.some((prefix) => id.startsWith(prefix)),
    // The last entry wins, so that a repeated call can append to the list.
    levelOf: (id) => levelChoices.findLast((each) => id.startsWith(each.id))?.level,
  };
}

function withoutBrackets(id: string): string {
  return id.trim().replace(/^\[|\]$/g, "");
}

/** Applies pins, levels and exclusions. An item is also pinned when it stands for a pinned duplicate. */
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

/** The list without pinned items, which have moved to the ranked ones. */
export function withoutPinned<Kept extends Scored | Dropped>(all: readonly Kept[], request: Request): Kept[] {
  const { isPinned, pinned } = choicesOf(request);
  if (pinned.length === 0) return [...all];
  return all.filter((each) => !isPinned("item" in each ? each.item.id : each.id));
}
