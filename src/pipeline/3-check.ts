import type { Scored, SourceName } from "../item.ts";
import type { SearchRequest } from "../options.ts";
import { sourceOf } from "../sources/all.ts";
import type { CheckFinding } from "../sources/source.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Ranking } from "./ranking.ts";
import { rankingOf } from "./ranking.ts";

import { answerInTime } from "./source-deadline.ts";

/**
 * Staleness check of records: what a memory names may be gone, and a newer memory may contradict it. Outdated items are
 * marked and rank lower. Runs after ranking because it costs more.
 */
export async function check(ranking: Ranking, request: SearchRequest, workspace: Workspace): Promise<Checked> {
  const bySource = new Map<SourceName, Scored[]>();
  for (const scored of ranking.ordered) {
    const { source } = scored.item;
    if (sourceOf(source)?.check) bySource.set(source, [...(bySource.get(source) ?? []), scored]);
  }
  const findings = new Map<string, CheckFinding>();
  const warnings: string[] = [];
  await Promise.all(
    [...bySource].map(async ([source, scored]) => {
      const items = scored.map(({ item }) => item);
      const response = await answerInTime(source, deadline, () => sourceOf(source)!.check!(items, workspace));
      if ("warning" in response) warnings.push(response.warning);
      else for (const [id, finding] of response.answer) findings.set(id, finding);
    }),
  );
  if (findings.size === 0) return { ...ranking, warnings };
  const marked = ranking.ordered.map((scored) => withCheck(scored, findings.get(scored.item.id)));
  return { ...rankingOf(newerFirst(marked), request, ranking.confidence), warnings };
}

export type Checked = Ranking & { warnings: string[] };

/** Milliseconds. After that, items are printed unchecked. */
const deadline = 2000;

function withCheck(scored: Scored, finding: CheckFinding | undefined): Scored {
  if (!finding) return scored;
  const { factor, notes, follows } = finding;
  return {
    ...scored,
    score: scored.score * factor,
    signals: { ...scored.signals, grounding: factor },
    because: factor === 1 ? scored.because : { ...scored.because, grounding: scored.score * (factor - 1) },
    notes: [...(scored.notes ?? []), ...notes],
    ...(follows === undefined ? {} : { follows }),
  };
}

const justAbove = 1.001;

/** Of two items that contradict each other, the newer is lifted just above the older, so that it is read first. */
function newerFirst(scored: Scored[]): Scored[] {
  const raisedTo = new Map<string, number>();
  const byId = new Map(scored.map((each) => [each.item.id, each]));
  for (const { follows, score } of scored) {
    const newer = follows === undefined ? undefined : byId.get(follows);
    if (newer && newer.score <= score) raisedTo.set(newer.item.id, Math.max(raisedTo.get(newer.item.id) ?? 0, score));
  }
  return scored.map((each) => {
    const score = raisedTo.get(each.item.id);
    if (score === undefined) return each;
    const above = Math.min(1, score * justAbove);
    return { ...each, score: above, because: { ...each.because, newer: above - each.score } };
  });
}
