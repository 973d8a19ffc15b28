import { codeKinds, documentKinds, type Group, type Item, type Scored, sourceTraits } from "../../item.ts";
import type { Look, Section } from "../../recipes/recipe.ts";

function groupOf({ source, kind }: Item): Group {
  const { group } = sourceTraits[source];
  if (group) return group;
  if ((codeKinds as readonly string[]).includes(kind)) return "code";
  return kind !== "config" && (documentKinds as readonly string[]).includes(kind) ? "documentation" : "other";
}

/**
 * The section an item is printed in: the one it was found for, otherwise the first that holds its group, otherwise the
 * last.
 */
export function sectionOf({ item, section }: Scored, { sections }: Look): Section {
  const group = groupOf(item);
  return (
    sections.find(({ title }) => title === section) ??
    sections.find(({ holds }) => holds.includes(group)) ??
    sections.at(-1)!
  );
}
