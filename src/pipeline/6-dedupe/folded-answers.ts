import type { Dropped } from "../../document.ts";
import type { Enriched } from "../../item.ts";
import { droppedFor } from "../dropped.ts";
import { isExplicit } from "../explicit.ts";

/**
 * A short reply is printed with the question it answers: then the question is not printed once more. The two are one item in the place of
 * the better ranked. What was named stays for itself, and then the reply goes without it; so does a second reply to the same question.
 */
export function withQuestions(ranked: readonly Enriched[], duplicates: Dropped[]): readonly Enriched[] {
  const places = new Map(ranked.map(({ item }, at) => [item.id, at]));
  const replies = ranked.filter(({ facts }) => facts?.answers !== undefined && places.has(String(facts.answers)));
  if (replies.length === 0) return ranked;
  const result: (Enriched | undefined)[] = [...ranked];
  const folded = new Set<string>();
  // The last first: a question that is printed with its answer has no room for the one that it answers itself.
  for (const reply of replies.sort((a, b) => numberOf(b) - numberOf(a))) {
    const [from, to] = [places.get(reply.item.id)!, places.get(String(reply.facts!.answers))!];
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

/** Without the lines that a question ends with and its answer begins with. They are still read: what is cited is the whole. */
function withoutQuestion(reply: Enriched, question: Enriched): Enriched {
  let shared = Math.min(reply.lines.length - 1, question.lines.length);
  while (shared > 0 && !question.lines.slice(-shared).every((line, i) => line === reply.lines[i])) shared--;
  return { ...reply, citation: { ...reply.citation, startLine: reply.startLine + shared } };
}
