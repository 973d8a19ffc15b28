import type { Workspace } from "../../workspace/workspace.ts";
import type { Evidence } from "../evidence.ts";

/** How many notes vote by their mentions: those most similar to the question. Less similar notes point elsewhere. */
const mostVoters = 20;
/** How many mentions of one note are read. */
const mostMentions = 100;
/** The vote of one mention by the most similar note, if it mentions nothing else. */
const voteWeight = 0.5;

/**
 * How strongly the notes most similar to the question mention each other note, 0..1 (noisy-or of their votes). A note
 * that is mentioned where the question is discussed is part of the answer more often than one that is only linked.
 * Mentions within one page do not count, and a note with many mentions has a smaller vote for each.
 */
export async function mentionsAmong(
  notes: readonly { id: string; similarity: number }[],
  pages: Evidence["pages"],
  { store, owner }: Workspace,
): Promise<Map<string, number>> {
  const voters = [...notes]
    .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1))
    .slice(0, mostVoters)
    .filter(({ similarity }) => similarity > 0);
  const ids = voters.map(({ id }) => id);
  const { edges } = await store.graph.neighbours(owner, ids, ["reference"], mostMentions);
  const pageOf = (id: string) => pages.get(id)?.page ?? id;
  const mentioned = new Map<string, string[]>();
  for (const { from, to, out } of edges) {
    if (out && pageOf(from) !== pageOf(to)) mentioned.set(from, [...(mentioned.get(from) ?? []), to]);
  }
  const unmentioned = new Map<string, number>();
  for (const { id, similarity } of voters) {
    const targets = mentioned.get(id) ?? [];
    const vote = (voteWeight * (similarity / voters[0]!.similarity) ** 2) / Math.sqrt(targets.length);
    for (const target of targets) unmentioned.set(target, (unmentioned.get(target) ?? 1) * (1 - vote));
  }
  return new Map([...unmentioned].map(([id, share]) => [id, 1 - share]));
}
