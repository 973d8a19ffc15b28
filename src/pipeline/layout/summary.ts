import type { Look } from "../../recipes/recipe.ts";
import { sourceOf } from "../../sources/all.ts";
import type { Unique } from "../unique.ts";

/** What a document says of itself at its end. */
export function summaryOf(kind: NonNullable<Look["summary"]>, shown: readonly Unique[]): string {
  if (kind === "experiences") {
    // One may be printed on several axes.
    const count = new Set(shown.filter(({ item }) => item.source === "experience").map(({ item }) => item.path)).size;
    return `Based on ${count} past experience${count === 1 ? "" : "s"}`;
  }
  const sources = new Set(shown.map(({ item }) => sourceOf(item.source)?.name ?? item.source)).size;
  return `${shown.length} item${shown.length === 1 ? "" : "s"} from ${sources} source${sources === 1 ? "" : "s"}`;
}
