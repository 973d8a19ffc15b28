import type { Item } from "../item.ts";
import { pathMatcher } from "../stores/globs.ts";
import type { Filter } from "../stores/store.ts";

/** Whether an item passes what a store would have filtered by. */
export function itemFilter({ ids, sources, kinds, languages, paths, files, tests }: Filter): (item: Item) => boolean {
  const inPaths = paths?.length ? pathMatcher(paths) : () => true;
  return (item) =>
    (!ids || ids.includes(item.id)) &&
    (!sources || sources.includes(item.source)) &&
    (!kinds || kinds.includes(item.kind)) &&
    (!languages || languages.includes(item.language ?? "")) &&
    (tests === undefined || (item.test ?? false) === tests) &&
    (!files || files.includes(item.path)) &&
    inPaths(item.path);
}
