import type { Dropped } from "../../document.ts";
import type { Enriched } from "../../item.ts";
import { droppedFor } from "../dropped.ts";

/**
 * One experience may be found on several axes. Where each axis has a section of its own, it is printed in each of them with what that axis is
 * for, and says nothing twice: a surprise stands among the surprises, a root cause among the root causes. Without sections the better ranked
 * stands for all.
 */
export function oneOfEach(ranked: readonly Enriched[], duplicates: Dropped[]): Enriched[] {
  const byExperience = new Map<string, Enriched[]>();
  for (const each of ranked) {
    if (each.item.source !== "experience") continue;
    byExperience.set(each.item.path, [...(byExperience.get(each.item.path) ?? []), each]);
  }
  return ranked.flatMap((each) => {
    if (each.item.source !== "experience") return [each];
    const same = byExperience.get(each.item.path)!;
    const inSection = same.filter(({ section }) => section === each.section);
    const [survivor] = inSection;
    if (survivor !== each) {
      duplicates.push(droppedFor(each, "duplicate", survivor!.item.id));
      return [];
    }
    const elsewhere = same.filter(({ section }) => section !== each.section).map(({ item }) => item.kind as string);
    return [withOthers(withoutSaid(each, elsewhere), inSection)];
  });
}

/** Lines that say what another axis is for, by that axis. */
const linesOfAxis = [
  ["surprise", "Surprise: ", ["experience"]],
  ["root_cause", "Root cause: ", ["experience", "surprise"]],
] as const;

/** Without what the same experience says in the section that is for it. */
function withoutSaid(each: Enriched, elsewhere: readonly string[]): Enriched {
  const elsewhereLines = linesOfAxis.filter(
    ([axis, , kinds]) => elsewhere.includes(axis) && (kinds as readonly string[]).includes(each.item.kind),
  );
  if (elsewhereLines.length === 0) return each;
  const lines = each.lines.filter((line) => !elsewhereLines.some(([, label]) => line.startsWith(label)));
  return { ...each, lines };
}

function withOthers(survivor: Enriched, same: readonly Enriched[]): Enriched {
  const others = same.filter((each) => each !== survivor && each.item.path === survivor.item.path);
  const merged = others.map(({ item }) => ({ id: item.id, name: item.name, why: `same experience (${item.kind})` }));
  if (merged.length === 0) return survivor;
  return {
    ...survivor,
    merged: [...survivor.merged, ...merged],
    lines: [...survivor.lines, ...rootCauseOf(survivor, others)],
  };
}

/** The whole story says everything but why it failed: where it stands for the root cause as well, it says that too. */
function rootCauseOf(survivor: Enriched, others: Enriched[]): string[] {
  const cause = survivor.item.kind === "experience" ? others.find(({ item }) => item.kind === "root_cause") : undefined;
  if (!cause) return [];
  const parts = ["Category", "Description"].flatMap((label) => {
    const line = cause.lines.find((each) => each.startsWith(`${label}: `));
    return line ? [line.slice(label.length + 2)] : [];
  });
  return [`Root cause: ${parts.join(" - ")}`];
}
