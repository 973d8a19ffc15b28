import { type Item, isProse } from "../item.ts";
import { endsInName } from "../stores/scope/targets.ts";

/** A dotted name without the package or module in front: `walk.attrs` of `os.walk.attrs`, then `attrs`. */
export function withoutModules(name: string): { rest: string; module: string }[] {
  const parts = name.split(".");
  return parts.slice(1).map((_, i) => ({ rest: parts.slice(i + 1).join("."), module: parts[i]! }));
}

/** Whether code is called like the rest of a name, and a folder or file of its path like the module in front of it. */
export function isInModule(item: Item, { rest, module }: { rest: string; module: string }): boolean {
  if (isProse(item) || !endsInName(item.qualifiedName, rest)) return false;
  const wanted = module.toLowerCase();
  const parts = item.path.toLowerCase().split("/");
  return parts.some((part) => part === wanted || (part.startsWith(wanted) && part[wanted.length] === "."));
}
