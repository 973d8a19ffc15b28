import type { Dropped } from "../../document.ts";
import { type Enriched, sourceTraits } from "../../item.ts";
import { droppedFor } from "../dropped.ts";

/**
 * One experience may be found on several axes (strategy, surprise, root cause). Where each axis has its own section,
 * the experience is printed in each of them, and no line twice: the surprise in the section for surprises, the root
 * cause in that for root causes. Within one section the better ranked axis stands for all.
 */
export function oneAxisPerSection(ranked: readonly Enriched[], duplicates: Dropped[]): Enriched[] {
  const byExperience = new Map<string, Enriched[]>();
  for (const each of ranked) {
    if (!sourceTraits[each.item.source].axes) continue;
    byExperience.set(each.item.path, [...(byExperience.get(each.item.path) ?? []), each]);
  }
  return ranked.flatMap((each) => {
    if (!sourceTraits[each.item.source].axes) return [each];
    const same = byExperience.get(each.item.path)!;
    const inSection = same.filter(({ section }) => section === each.section);
    const [survivor] = inSection;
    if (survivor !== each) {
      duplicates.push(droppedFor(each, "duplicate", survivor!.item.id));
      return [];
    }
    const otherAxes = same.filter(({ section }) => section !== each.section).map(({ item }) => item.kind as string);
    return [mergeAxes(withoutRepeatedLines(each, otherAxes), inSection)];
  });
}

/** For each axis: the label of its line, and the kinds of items that repeat that line. */
const linesOfAxis = [
  ["surprise", "Surprise: ", ["experience"]],
  ["root_cause", "Root cause: ", ["experience", "surprise"]],
] as const;

/** Removes lines that the same experience has in another section. */
function withoutRepeatedLines(each: Enriched, otherAxes: readonly string[]): Enriched {
  const repeatedLines = linesOfAxis.filter(
    ([axis, , kinds]) => otherAxes.includes(axis) && (kinds as readonly string[]).includes(each.item.kind),
  );
  if (repeatedLines.length === 0) return each;
  const lines = each.lines.filter((line) => !repeatedLines.some(([, label]) => line.startsWith(label)));
  return { ...each, lines };
}

function mergeAxes(survivor: Enriched, same: readonly Enriched[]): Enriched {
  const others = same.filter((each) => each !== survivor && each.item.path === survivor.item.path);
  const merged = others.map(({ item }) => ({ id: item.id, name: item.name, why: `same experience (${item.kind})` }));
  if (merged.length === 0) return survivor;
  return {
    ...survivor,
    merged: [...survivor.merged, ...merged],
    lines: [...survivor.lines, ...rootCauseOf(survivor, others)],
  };
}

/** The text of an experience does not contain its root cause: where it stands for that axis too, the line is added. */
function rootCauseOf(survivor: Enriched, others: Enriched[]): string[] {
  const cause = survivor.item.kind === "experience" ? others.find(({ item }) => item.kind === "root_cause") : undefined;
  if (!cause) return [];
  const parts = ["Category", "Description"].flatMap((label) => {
    const line = cause.lines.find((each) => each.startsWith(`${label}: `));
    return line ? [line.slice(label.length + 2)] : [];
  });
  return [`Root cause: ${parts.join(" - ")}`];
}
