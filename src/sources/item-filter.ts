import type { Item } from "../item.ts";
import { pathMatcher } from "../stores/globs.ts";
import type { Filter } from "../stores/store.ts";

/** Applies the filter of a store to a single item. */
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
