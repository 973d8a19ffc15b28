import { type Item, isProse } from "../item.ts";
import { endsInName } from "../stores/scope/targets.ts";
import type { Hit, NameSearch } from "../stores/store.ts";

/** Limit of leading names that may be modules, since each takes a look-up. */
const mostModules = 6;

/** A dotted name without the package or module in front: `walk.attrs` of `os.walk.attrs`, then `attrs`. */
export function withoutModules(name: string): { rest: string; module: string }[] {
  const parts = name.split(".");
  return parts.slice(1, 1 + mostModules).map((_, i) => ({ rest: parts.slice(i + 1).join("."), module: parts[i]! }));
}

/**
 * Whether an item has the rest of a dotted name, and a folder or file of its path has the name of the module in front.
 */
export function isInModule(item: Item, { rest, module }: { rest: string; module: string }): boolean {
  if (isProse(item) || !endsInName(item.qualifiedName, rest)) return false;
  const wanted = module.toLowerCase();
  const parts = item.path.toLowerCase().split("/");
  return parts.some((part) => part === wanted || (part.startsWith(wanted) && part[wanted.length] === "."));
}

/**
 * Finds `os.walk.attrs` by the end of the name: code does not contain the package or module that its users and
 * documentation put before it.
 */
export async function foundWithoutModule(
  name: string,
  look: (text: string, mode: NameSearch["mode"], limit: number) => Promise<Hit[]>,
): Promise<Hit[]> {
  for (const shorter of withoutModules(name)) {
    const hits = await look(shorter.rest, shorter.rest.includes(".") ? "suffix" : "exact", 40);
    const inside = hits.filter(({ item }) => isInModule(item, shorter));
    if (inside.length > 0) return inside;
  }
  return [];
}
