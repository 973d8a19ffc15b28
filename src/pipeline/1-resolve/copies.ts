import type { Item, Role } from "../../item.ts";
import type { Query } from "../../text/analysis/query.ts";

/**
 * Roles of files that repeat what stands elsewhere: thirty translations say what one page says, five builds print what
 * one module prints.
 */
const copies: ReadonlySet<Role> = new Set<Role>(["translation", "old-version", "build-output", "generated"]);

/** Places without those in copies, where it stands in an original too. */
export function withoutCopies<Place extends { item: Item }>(
  places: Place[],
  { wantsRoles, paths }: Pick<Query, "wantsRoles" | "paths">,
): Place[] {
  const isAskedFor = (item: Item) => paths.some(({ path }) => `/${item.path}`.endsWith(`/${path}`));
  const originals = places.filter(({ item }) => {
    const { role } = item;
    return role === undefined || !copies.has(role) || wantsRoles.includes(role) || isAskedFor(item);
  });
  return originals.length > 0 ? originals : places;
}
