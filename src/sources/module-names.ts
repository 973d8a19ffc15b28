import { type Item, isProse } from "../item.ts";
import { endsInName } from "../stores/scope/targets.ts";
import type { Hit, NameSearch } from "../stores/store.ts";

/** Names in front that may be modules: each is a look-up. */
const mostModules = 6;

/** A dotted name without the package or module in front: `walk.attrs` of `os.walk.attrs`, then `attrs`. */
export function withoutModules(name: string): { rest: string; module: string }[] {
  const parts = name.split(".");
  return parts.slice(1, 1 + mostModules).map((_, i) => ({ rest: parts.slice(i + 1).join("."), module: parts[i]! }));
}

/** Whether code is called like the rest of a name, and a folder or file of its path like the module in front of it. */
export function isInModule(item: Item, { rest, module }: { rest: string; module: string }): boolean {
  if (isProse(item) || !endsInName(item.qualifiedName, rest)) return false;
  const wanted = module.toLowerCase();
  const parts = item.path.toLowerCase().split("/");
  return parts.some((part) => part === wanted || (part.startsWith(wanted) && part[wanted.length] === "."));
}

/** `os.walk.attrs`: code is written without the package or module that its users, and documentation, put before it. */
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
