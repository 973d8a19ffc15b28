import type { Candidate, Scored, Signals } from "../../item.ts";
import { passageSignals } from "../../recipes/passages.ts";
import type { NotesView, Recipe } from "../../recipes/recipe.ts";
import { sourceOf } from "../../sources/all.ts";
import { hasTag } from "../../sources/notes/note-filter.ts";
import { itemOfStored } from "../../sources/notes/note-items.ts";
import { leastMeant } from "../../sources/notes/note-titles.ts";
import type { Query } from "../../text/analysis/query.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Evidence, gatherEvidence } from "../evidence.ts";
import { weighed, weightedSum } from "../signals/columns.ts";
import { fused, meaningColumn, meaningsOf, withCosines } from "../signals/meanings.ts";
import { measureNotes } from "../signals/measure-notes.ts";
import { mentionsAmong } from "./note-mentions.ts";
import type { Reached, WalkLimits } from "./walk-notes.ts";

const day = 24 * 60 * 60 * 1000;
/** Recency of a note without a time. */
const unknownRecency = 0.5;

/** The lowest score of a note whose title matches the question: it comes before notes that only mention it. */
const titledFloor = 0.95;
/** Scores of other notes above this are compressed, so that they stay below `titledFloor`. */
const othersCeiling = 0.94;

/** Whether the title matches the question so well that the question means this note. */
export function isTitleMatch({ titled = 0 }: Signals): boolean {
  return titled >= leastMeant;
}

/**
 * Scores reached notes by distance, similarity and recency. Mentions, the lens, a title match and being requested then
 * raise the score.
 */
export async function scoreNotes(
  reached: readonly Reached[],
  found: ReadonlyMap<string, Scored>,
  query: Query,
  recipe: Recipe & { notes: NotesView },
  { depth }: WalkLimits,
  workspace: Workspace,
): Promise<Scored[]> {
  const { notes: view } = recipe;
  const candidates = reached.map((each): Candidate => {
    const signals = { ...found.get(each.note.id)?.signals };
    const { distance, via, remarks } = each;
    return {
      item: itemOfStored(each.note),
      signals,
      distance,
      ...(via.length > 0 ? { via } : {}),
      ...(remarks.length > 0 ? { notes: remarks } : {}),
    };
  });
  const reachedIds = new Set(reached.map(({ note }) => note.id));
  const others = [...found.values()].filter(({ item }) => !reachedIds.has(item.id));
  const { similar, pages } = await similarities(candidates, others, query, recipe, workspace);
  const mentions =
    similar && depth > 0 && view.lens.priorityTypes.includes("reference")
      ? await mentionsAmong(
          candidates.map(({ item: { id } }, i) => ({ id, similarity: similar[i]!.similarity! })),
          pages,
          workspace,
        )
      : undefined;
  const weights = similar ? view.weights : { ...view.withoutSimilar, similar: 0 };
  const newest = reached.reduce((time, { note }) => Math.max(time, timeOf(note) ?? 0), 0);
  const isTitled = candidates.map(({ signals, distance }) => distance === 0 && isTitleMatch(signals));
  const isCapped = isTitled.includes(true) || candidates.some(({ signals }) => signals.asked);
  return candidates.map((candidate, i): Scored => {
    const { note, nearness } = reached[i]!;
    const because: Signals = { distance: weights.distance * nearness };
    if (similar) because.similar = weights.similar * similar[i]!.similarity!;
    because.recency = weights.recency * recency(timeOf(note), newest, view);
    let score = because.distance! + (because.similar ?? 0) + because.recency;
    const raise = (name: string, to: number) => {
      if (to > score) because[name] = to - score;
      score = Math.max(score, to);
    };
    const mentioned = mentions?.get(note.id) ?? 0;
    raise("mentioned", score + mentionedShare * mentioned * Math.max(0, 1 - score));
    if (hasTag(note, view.lens.boostTags)) raise("lens", Math.min(1, score * (1 + view.boost)));
    if (candidate.signals.asked) raise("asked", 1);
    else if (isTitled[i]) raise("titled", titledFloor + (1 - titledFloor) * candidate.signals.titled! * 0.99);
    else if (isCapped && score > othersCeiling) {
      because.besides = (score - othersCeiling) * (titledFloor - othersCeiling) - (score - othersCeiling);
      score += because.besides;
    }
    const signals = { ...candidate.signals, nearness, ...similar?.[i], ...(mentioned > 0 ? { mentioned } : {}) };
    return { ...candidate, signals, score, because };
  });
}

/** How far a note with the highest `mentioned` rises towards 1. */
const mentionedShare = 0.6;

function timeOf({ changed, created }: Reached["note"]): number | undefined {
  return changed ?? created;
}

/** Age is counted from the newest note, not from a clock, so that the same question has the same answer tomorrow. */
function recency(time: number | undefined, newest: number, { recencyDays }: NotesView): number {
  if (time === undefined) return unknownRecency;
  return Math.exp(-Math.max(0, newest - time) / (recencyDays * day));
}

/**
 * Similarity of each note to the question, 0..1, with its signals; undefined if no note matches. `others` only add to
 * the scores of their pages.
 */
async function similarities(
  candidates: Candidate[],
  others: Candidate[],
  query: Query,
  recipe: Recipe,
  workspace: Workspace,
): Promise<{ similar: Signals[] | undefined; pages: Evidence["pages"] }> {
  const source = sourceOf("note")!;
  const [evidence, near] = await Promise.all([
    gatherEvidence(query, [...candidates, ...others], source, workspace),
    cosinesOf(candidates, query, workspace),
  ]);
  const compared = candidates.map((each) => ({
    ...each,
    signals: { similar: Math.max(0, near.get(each.item.id) ?? 0) },
  }));
  const meaning = (await meaningsOf(query, recipe, ["similar"], workspace)).of(query);
  const cosines = meaning && (await withCosines(compared, meaning, "note", workspace));
  const finding = {
    ask: recipe.asks[0]!,
    source,
    query,
    candidates: [...compared, ...others],
    evidence,
  };
  const { columns } = measureNotes(finding, recipe);
  const share = meaning ? meaning.weight * recipe.meaning.record : 0;
  const counted = fused(weighed(columns, passageSignals), cosines && meaningColumn(cosines, []), share);
  const { pages } = evidence;
  if (counted.length === 0) return { similar: undefined, pages };
  const similar = compared.map((_, i) => {
    const parts: Signals = { similarity: weightedSum(counted, i) };
    for (const { name, column } of counted) parts[name] = column[i]!;
    return parts;
  });
  return { similar, pages };
}

async function cosinesOf(
  candidates: readonly Candidate[],
  query: Query,
  { store, owner }: Workspace,
): Promise<Map<string, number>> {
  const shelf = store.shelf("note");
  const { builtinEmbedder } = await import("../../embed/builtin.ts");
  const embedder = await builtinEmbedder(shelf, owner);
  const vector = await embedder?.embedQuery({ text: query.text, terms: query.terms });
  if (!vector || candidates.length === 0) return new Map();
  const filter = { ids: candidates.map(({ item }) => item.id) };
  const hits = await shelf.searchVectors(owner, { vector, limit: candidates.length, filter });
  return new Map(hits.map(({ item, score }) => [item.id, score]));
}
