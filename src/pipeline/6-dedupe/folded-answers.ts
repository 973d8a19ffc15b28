import type { Dropped } from "../../document.ts";
import type { Enriched } from "../../item.ts";
import { droppedFor } from "../dropped.ts";
import { isExplicit } from "../explicit.ts";

/**
 * A short reply is printed together with the question it answers, so the question is not printed again: the two become
 * one item, at the better of the two ranks. A question that was explicitly named stays an item of its own, and its
 * reply is printed without it; so is a second reply to the same question.
 */
export function foldQuestions(ranked: readonly Enriched[], duplicates: Dropped[]): readonly Enriched[] {
  const ranks = new Map(ranked.map(({ item }, at) => [item.id, at]));
  const replies = ranked.filter(({ facts }) => facts?.answers !== undefined && ranks.has(String(facts.answers)));
  if (replies.length === 0) return ranked;
  const result: (Enriched | undefined)[] = [...ranked];
  const folded = new Set<string>();
  // Latest reply first: a question that is folded into its answer cannot also carry the question it answers itself.
  for (const reply of replies.sort((a, b) => numberOf(b) - numberOf(a))) {
    const [from, to] = [ranks.get(reply.item.id)!, ranks.get(String(reply.facts!.answers))!];
    const question = ranked[to]!;
    if (folded.has(reply.item.id)) continue;
    if (folded.has(question.item.id) || (isExplicit(question) && !isExplicit(reply))) {
      result[from] = withoutQuestion(reply, question);
      continue;
    }
    folded.add(question.item.id);
    const merged = { id: question.item.id, name: question.item.name, why: "question" };
    result[Math.max(from, to)] = undefined;
    result[Math.min(from, to)] = { ...reply, merged: [...reply.merged, merged] };
    duplicates.push(droppedFor(question, "duplicate", reply.item.id));
  }
  return result.filter((each) => each !== undefined);
}

function numberOf({ facts }: Enriched): number {
  return Number(facts?.number ?? 0);
}

/** Moves the citation behind the question's lines at the start of the reply. The lines themselves stay. */
function withoutQuestion(reply: Enriched, question: Enriched): Enriched {
  let shared = Math.min(reply.lines.length - 1, question.lines.length);
  while (shared > 0 && !question.lines.slice(-shared).every((line, i) => line === reply.lines[i])) shared--;
  return { ...reply, citation: { ...reply.citation, startLine: reply.startLine + shared } };
}
