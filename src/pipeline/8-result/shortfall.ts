import type { Dropped } from "../../document.ts";
import { shortened } from "../../formats/characters.ts";
import { reasonWords } from "../../formats/words.ts";
import { countsOf } from "../layout/layout-parts.ts";
import type { Shown } from "../layout/printed-parts.ts";

/** How many names a sentence has, and characters of each. */
const mostNames = 3;
const longestName = 40;

/**
 * A sentence about what was shortened or left out: "3 of 14 items are shortened (parse, render, walk); 9 more were left
 * out: 7 less relevant, 2 over budget." `withText`: false where only signatures and places were requested.
 */
export function shortfall(
  shown: readonly Pick<Shown, "unique" | "printLevel">[],
  dropped: readonly Dropped[],
  withText: boolean,
): string {
  const shortenedItems = withText ? shown.filter(({ printLevel }) => printLevel.level !== "full") : [];
  const cut = shortenedItems.filter(({ printLevel }) => printLevel.level !== "pointer");
  const pointers = shortenedItems.filter(({ printLevel }) => printLevel.level === "pointer");
  const total = `${shown.length} item${shown.length === 1 ? "" : "s"}`;
  const parts = [
    ...(cut.length > 0 ? [`${cut.length} of ${total} ${isOrAre(cut.length)} shortened ${namesOf(cut)}`] : []),
    ...(pointers.length > 0
      ? [
          `${pointers.length}${cut.length > 0 ? "" : ` of ${total}`} ${isOrAre(pointers.length)} only named ${namesOf(pointers)}`,
        ]
      : []),
  ];
  if (dropped.length > 0) {
    const counts = reasonWords(countsOf(dropped, 0, { forDiversity: 0, alreadySent: 0, unworthy: 0 }));
    parts.push(
      `${dropped.length}${shown.length > 0 ? " more" : ""} ${dropped.length === 1 ? "was" : "were"} left out: ${counts}`,
    );
  }
  if (parts.length > 0) return `${parts.join("; ")}.`;
  return shown.length > 0 ? "Everything that was found is here." : "Nothing was found.";
}

function isOrAre(count: number): string {
  return count === 1 ? "is" : "are";
}

/** "(parse, render, walk and 2 more)", in the order of print. */
function namesOf(shown: readonly Pick<Shown, "unique">[]): string {
  const names = shown.slice(0, mostNames).map(({ unique }) => shortened(unique.item.name, longestName));
  const more = shown.length - names.length;
  return `(${names.join(", ")}${more > 0 ? ` and ${more} more` : ""})`;
}
