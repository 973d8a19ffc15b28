import type { Candidate, Scored, Signals } from "../../item.ts";
import type { Request } from "../../options.ts";
import { passageSignals } from "../../recipes/passages.ts";
import type { NotesView, Recipe } from "../../recipes/recipe.ts";
import { sourceOf } from "../../sources/all.ts";
import { hasTag } from "../../sources/notes/note-filter.ts";
import { itemOfStored } from "../../sources/notes/note-items.ts";
import { leastMeant } from "../../sources/notes/note-titles.ts";
import { isEntity } from "../../sources/notes/note-twins.ts";
import { analyseQuery, type Query } from "../../text/analysis/query.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { droppedFor } from "../dropped.ts";
import { type Evidence, gatherEvidence, type NotePage, pagesOf } from "../evidence.ts";
import type { Ranking } from "../ranking.ts";
import { byScore } from "../ranking.ts";
import { weighed, weightedSum } from "../signals/columns.ts";
import { fused, meaningColumn, meaningsOf, withCosines } from "../signals/meanings.ts";
import { measureNotes } from "../signals/measure-notes.ts";
import { forgottenAmong, forgottenLast } from "./forgotten.ts";
import { mentionsAmong } from "./note-mentions.ts";
import { type Reached, type WalkLimits, type WalkSource, walkNotes } from "./walk-notes.ts";

const day = 24 * 60 * 60 * 1000;
/** Of a note whose time is not known. */
const unknownRecency = 0.5;
/** Of all that was found, sources, and how many of them may be on one page: the walk leads from one to the others. */
const mostSources = 50;
const mostOfPage = 2;
/** Sources that are walked from; the others are in the document for themselves. */
const mostWalked = 4;

/** The score of what is meant: it comes before what only speaks of it. */
const meant = 0.95;
/** What stands beside it is pressed together from here on, so that it stays below. */
const besides = 0.94;

/**
 * The notes that the best matches lead to, ranked by how near they are, how much they say of the question and how lately they changed, and
 * raised by the lens. What was asked for by name comes first whatever else is near.
 */
export async function rankNotes(
  { ranked, below, confidence }: Ranking,
  request: Request,
  recipe: Recipe & { notes: NotesView },
  workspace: Workspace,
): Promise<Ranking> {
  const { notes: view } = recipe;
  const limits = { depth: request.expand ? request.depth : 0, notes: request.limit };
  const pages = await pagesOf(
    ranked.map(({ item }) => item.id),
    workspace,
  );
  const containers = await containersOf(ranked, workspace);
  const chosen = containersFirst(fewOfEach(ranked, pages), ranked, containers).slice(0, mostSources);
  const sources = await sourcesOf(meantFirst(chosen), workspace);
  const query = topicOf(request, sources);
  const begun = sources.filter(({ note }) => !containers.has(note.id)).slice(0, mostWalked);
  const walk = await walkNotes(begun, view, limits, query, workspace);
  const reached = withSources(walk.reached, sources);
  const scored = await scoreNotes(
    reached,
    new Map(ranked.map((each) => [each.item.id, each])),
    query,
    recipe,
    limits,
    workspace,
  );
  const loose = reached.filter(({ via }) => via.length === 0).map(({ note }) => note);
  const forgotten = await forgottenAmong(loose, workspace);
  const ordered = forgottenLast(aboveParts(scored, containers), forgotten).sort(byScore);
  const tags = new Map(reached.map(({ note }) => [note.id, note.tags]));
  // Whoever pages through what had no room wants all of it; else no more is read than may be printed.
  const most = request.overflowFrom === undefined ? request.limit : ordered.length;
  const beyond = ordered
    .slice(most)
    .map((each) => droppedFor({ ...each, facts: { tags: tags.get(each.item.id) ?? [] } }, "over-budget"));
  return {
    ordered: [...ordered, ...below],
    ranked: ordered.slice(0, most),
    below,
    confidence,
    warnings: walk.warnings,
    beyond,
  };
}

/** Lines that may stand below something that is asked for, and how far below. */
const mostLines = 30;
const mostLevels = 6;
/** The share of the question that the name of a container says at least. */
const leastCalled = 0.25;

/**
 * Of lines that were found, the thing that they stand below, where its name says something of the question too: then the thing is meant, and
 * its lines are what it says.
 */
async function containersOf(ranked: readonly Scored[], { store, owner }: Workspace): Promise<Map<string, string>> {
  const called = new Map(
    ranked.filter(({ signals }) => (signals.called ?? 0) >= leastCalled).map((each) => [each.item.id, each]),
  );
  if (called.size === 0) return new Map();
  const lines = ranked.slice(0, mostLines).filter(({ signals }) => !signals.asked);
  const ids = lines.map(({ item }) => item.id);
  const [notes, owners] = await Promise.all([
    store.graph.get(owner, ids),
    store.graph.ancestors(owner, ids, mostLevels),
  ]);
  return new Map(
    notes
      .filter((note) => !isEntity(note))
      .flatMap((note): [string, string][] => {
        const above = (owners.get(note.id) ?? []).find((each) => called.has(each.id) && isEntity(each));
        return above ? [[note.id, above.id]] : [];
      }),
  );
}

/** Every container before the first of its lines, whether or not it was chosen itself. */
function containersFirst(
  chosen: readonly Scored[],
  ranked: readonly Scored[],
  containers: ReadonlyMap<string, string>,
): Scored[] {
  const byId = new Map(ranked.map((each) => [each.item.id, each]));
  const order = new Map<string, Scored>();
  for (const each of chosen) {
    const container = byId.get(containers.get(each.item.id) ?? "");
    if (container && !order.has(container.item.id)) {
      order.set(container.item.id, { ...container, score: Math.max(container.score, each.score) });
    }
    if (!order.has(each.item.id)) order.set(each.item.id, each);
  }
  return [...order.values()];
}

/** What was walked to, and the sources that it did not come to; a source counts as what it counts most as. */
function withSources(walked: readonly Reached[], sources: readonly WalkSource[]): Reached[] {
  const weights = new Map(sources.map(({ note, weight }) => [note.id, weight]));
  const reached = walked.map((each) => ({
    ...each,
    nearness: Math.max(each.nearness, weights.get(each.note.id) ?? 0),
  }));
  const walkedIds = new Set(reached.map(({ note }) => note.id));
  for (const { note, weight } of sources) {
    if (!walkedIds.has(note.id)) reached.push({ note, distance: 0, nearness: weight, via: [], remarks: [] });
  }
  return reached;
}

/** How much a container counts above the best of its lines. */
const above = 0.001;

function aboveParts(scored: readonly Scored[], containers: ReadonlyMap<string, string>): Scored[] {
  const least = new Map<string, number>();
  const parts = scored.map((each) => {
    const container = containers.get(each.item.id);
    if (container === undefined) return each;
    const part = withScore(each, Math.min(each.score, 1 - 2 * above), "contained");
    least.set(container, Math.max(least.get(container) ?? 0, part.score + above));
    return part;
  });
  return parts.map((each) => withScore(each, Math.max(each.score, least.get(each.item.id) ?? 0), "contains"));
}

function withScore(scored: Scored, score: number, reason: string): Scored {
  if (score === scored.score) return scored;
  return { ...scored, score, because: { ...scored.because, [reason]: score - scored.score } };
}

/** The best, and no more than so many of one page but for what was asked for. */
function fewOfEach(ranked: readonly Scored[], pages: ReadonlyMap<string, NotePage>): Scored[] {
  const taken = new Map<string, number>();
  return ranked.filter(({ item, signals }) => {
    const page = pages.get(item.id)?.page ?? item.id;
    const count = taken.get(page) ?? 0;
    taken.set(page, count + 1);
    return count < mostOfPage || signals.asked;
  });
}

function isMeantBy({ titled = 0 }: Signals): boolean {
  return titled >= leastMeant;
}

/** What is meant is begun from before what only speaks of it. */
function meantFirst(chosen: readonly Scored[]): Scored[] {
  const certainty = ({ signals }: Scored) => (signals.asked ? 2 : isMeantBy(signals) ? signals.titled! : 0);
  return [...chosen].sort((a, b) => certainty(b) - certainty(a));
}

async function sourcesOf(ranked: readonly Scored[], { store, owner }: Workspace): Promise<WalkSource[]> {
  const notes = await store.graph.get(
    owner,
    ranked.map(({ item }) => item.id),
  );
  const byId = new Map(notes.map((note) => [note.id, note]));
  const best = ranked.reduce((most, { score }) => Math.max(most, score), 0) || 1;
  return ranked.flatMap(({ item, score, signals }) => {
    const note = byId.get(item.id);
    const asked = Boolean(signals.asked);
    return note ? [{ note, asked, weight: asked || isMeantBy(signals) ? 1 : Math.min(1, score / best) }] : [];
  });
}

/** An id says nothing of what it stands for: then the question is what the note is called. */
function topicOf(request: Request, sources: readonly WalkSource[]): Query {
  const asked = sources.filter((each) => each.asked);
  return analyseQuery(asked.length > 0 ? asked.map(({ note }) => note.name || note.key).join("\n") : request.query);
}

async function scoreNotes(
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
  const isMeant = candidates.map(({ signals, distance }) => distance === 0 && isMeantBy(signals));
  const capped = isMeant.includes(true) || candidates.some(({ signals }) => signals.asked);
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
    else if (isMeant[i]) raise("titled", meant + (1 - meant) * candidate.signals.titled! * 0.99);
    else if (capped && score > besides) {
      because.besides = (score - besides) * (meant - besides) - (score - besides);
      score += because.besides;
    }
    const signals = { ...candidate.signals, nearness, ...similar?.[i], ...(mentioned > 0 ? { mentioned } : {}) };
    return { ...candidate, signals, score, because };
  });
}

/** How far a note rises towards 1 that all who say most of the question mention. */
const mentionedShare = 0.6;

function timeOf({ changed, created }: Reached["note"]): number | undefined {
  return changed ?? created;
}

/** Counted from the newest of them, not from a clock: the same question has the same answer tomorrow. */
function recency(time: number | undefined, newest: number, { recencyDays }: NotesView): number {
  if (time === undefined) return unknownRecency;
  return Math.exp(-Math.max(0, newest - time) / (recencyDays * day));
}

/**
 * How much each says of the question, 0..1, and what that is made of; undefined where none says anything. `others` tell of their pages.
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
    nearest(candidates, query, workspace),
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

async function nearest(
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
