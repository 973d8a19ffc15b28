import type { Workspace } from "../../workspace/workspace.ts";
import type { Evidence } from "../evidence.ts";

/** Notes whose mentions count: those that say most of the question. More of them say less of it and point elsewhere. */
const mostVoters = 20;
/** Mentions of one note that are looked at. */
const mostMentions = 100;
/** How sure one mention is, by the note that says most of the question and mentions nothing else. */
const sureness = 0.5;

/**
 * How strongly the notes that say most of a question point at others of them, 0..1: what is mentioned where the question is spoken of is
 * part of the answer more often than what is merely near. Mentions of one's own page say nothing, and whoever mentions much says little by
 * each. Several that mention the same add up (noisy or).
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
  const unmoved = new Map<string, number>();
  for (const { id, similarity } of voters) {
    const targets = mentioned.get(id) ?? [];
    const vote = (sureness * (similarity / voters[0]!.similarity) ** 2) / Math.sqrt(targets.length);
    for (const target of targets) unmoved.set(target, (unmoved.get(target) ?? 1) * (1 - vote));
  }
  return new Map([...unmoved].map(([id, share]) => [id, 1 - share]));
}
