import { axisTexts, linesOf } from "../../learned/axis-texts.ts";
import type { Experience } from "../../learned/experience.ts";
import type { Anchor } from "../../learned/memory.ts";
import type { Workspace } from "../../workspace/workspace.ts";

const mostAnchors = 20;

/** Where the names that an experience mentions are now, as far as the index knows: how they are found again after a rename. */
export async function anchorsFor(experience: Experience, workspace: Workspace): Promise<Anchor[]> {
  const lines = Object.values(axisTexts(experience)).flatMap(linesOf);
  const { anchorsOf } = await import("../../learned/grounding/anchors.ts");
  return anchorsOf([...new Set(lines)].join("\n"), workspace);
}

/** Adds anchors of names that had none: the first one is nearest to what was meant. */
export function withAnchors(experience: Experience, fresh: Anchor[]): Experience {
  const before = experience.anchors ?? [];
  const added = fresh.filter(({ name }) => !before.some((anchor) => anchor.name === name));
  if (added.length === 0) return experience;
  return { ...experience, anchors: [...before, ...added].slice(0, mostAnchors) };
}
