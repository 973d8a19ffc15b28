import type { Scored } from "../../item.ts";
import type { Request } from "../../options.ts";
import type { NotesView, Recipe } from "../../recipes/recipe.ts";
import { isEntity } from "../../sources/notes/note-twins.ts";
import { analyseQuery, type Query } from "../../text/analysis/query.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { droppedFor } from "../dropped.ts";
import { type NotePage, pagesOf } from "../evidence.ts";
import type { Ranking } from "../ranking.ts";
import { byScore } from "../ranking.ts";
import { forgottenAmong, forgottenLast } from "./forgotten.ts";
import { isTitleMatch, scoreNotes } from "./score-notes.ts";
import { type Reached, type WalkSource, walkNotes } from "./walk-notes.ts";

/** How many of the found notes become sources, and how many of one page: the walk leads from one note to the others. */
const mostSources = 50;
const mostOfPage = 2;
/** How many sources the walk starts from; the others are printed without their neighbours. */
const mostWalked = 4;

/**
 * Walks from the best matches and ranks the notes that are reached by distance, similarity to the question and recency,
 * raised by the lens. A note that was requested by name comes first.
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
  const chosen = containersFirst(fewOfEachPage(ranked, pages), ranked, containers).slice(0, mostSources);
  const sources = await sourcesOf(titleMatchesFirst(chosen), workspace);
  const query = topicOf(request, sources);
  const starts = sources.filter(({ note }) => !containers.has(note.id)).slice(0, mostWalked);
  const walk = await walkNotes(starts, view, limits, query, workspace);
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
  const ordered = forgottenLast(raiseContainers(scored, containers), forgotten).sort(byScore);
  const tags = new Map(reached.map(({ note }) => [note.id, note.tags]));
  // A request that pages through the overflow needs all notes; any other reads no more than can be printed.
  const limit = request.overflowFrom === undefined ? request.limit : ordered.length;
  const beyond = ordered
    .slice(limit)
    .map((each) => droppedFor({ ...each, facts: { tags: tags.get(each.item.id) ?? [] } }, "over-budget"));
  return {
    ordered: [...ordered, ...below],
    ranked: ordered.slice(0, limit),
    below,
    confidence,
    warnings: walk.warnings,
    beyond,
  };
}

/** How many lines are checked for a container above them, and how many levels up. */
const mostLines = 30;
const mostLevels = 6;
/** The least share of the question that the name of a container must cover. */
const minNameShare = 0.25;

/**
 * Containers of found lines, by the line's id: an entity above the line whose name also matches the question. The
 * question then means the entity, and the line is part of it.
 */
async function containersOf(ranked: readonly Scored[], { store, owner }: Workspace): Promise<Map<string, string>> {
  const nameMatches = new Map(
    ranked.filter(({ signals }) => (signals.called ?? 0) >= minNameShare).map((each) => [each.item.id, each]),
  );
  if (nameMatches.size === 0) return new Map();
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
        const container = (owners.get(note.id) ?? []).find((each) => nameMatches.has(each.id) && isEntity(each));
        return container ? [[note.id, container.id]] : [];
      }),
  );
}

/** Puts every container before the first of its lines, whether or not it was chosen itself. */
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

/**
 * The walked notes and the sources that the walk did not reach. A source has the higher of its weight and its nearness.
 */
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

/** The score of a container exceeds the best score of its lines by this. */
const containerLead = 0.001;

/** Raises every container above its lines. */
function raiseContainers(scored: readonly Scored[], containers: ReadonlyMap<string, string>): Scored[] {
  const floors = new Map<string, number>();
  const parts = scored.map((each) => {
    const container = containers.get(each.item.id);
    if (container === undefined) return each;
    const part = withScore(each, Math.min(each.score, 1 - 2 * containerLead), "contained");
    floors.set(container, Math.max(floors.get(container) ?? 0, part.score + containerLead));
    return part;
  });
  return parts.map((each) => withScore(each, Math.max(each.score, floors.get(each.item.id) ?? 0), "contains"));
}

function withScore(scored: Scored, score: number, reason: string): Scored {
  if (score === scored.score) return scored;
  return { ...scored, score, because: { ...scored.because, [reason]: score - scored.score } };
}

/** At most `mostOfPage` notes of one page, except requested notes. */
function fewOfEachPage(ranked: readonly Scored[], pages: ReadonlyMap<string, NotePage>): Scored[] {
  const taken = new Map<string, number>();
  return ranked.filter(({ item, signals }) => {
    const page = pages.get(item.id)?.page ?? item.id;
    const count = taken.get(page) ?? 0;
    taken.set(page, count + 1);
    return count < mostOfPage || signals.asked;
  });
}

/** Requested notes, then notes whose title the question means, then the others: the walk starts in this order. */
function titleMatchesFirst(chosen: readonly Scored[]): Scored[] {
  const certainty = ({ signals }: Scored) => (signals.asked ? 2 : isTitleMatch(signals) ? signals.titled! : 0);
  return [...chosen].sort((a, b) => certainty(b) - certainty(a));
}

async function sourcesOf(ranked: readonly Scored[], { store, owner }: Workspace): Promise<WalkSource[]> {
  const notes = await store.graph.get(
    owner,
    ranked.map(({ item }) => item.id),
  );
  const byId = new Map(notes.map((note) => [note.id, note]));
  const best = ranked.reduce((highest, { score }) => Math.max(highest, score), 0) || 1;
  return ranked.flatMap(({ item, score, signals }) => {
    const note = byId.get(item.id);
    const isExplicit = Boolean(signals.asked);
    return note
      ? [{ note, isExplicit, weight: isExplicit || isTitleMatch(signals) ? 1 : Math.min(1, score / best) }]
      : [];
  });
}

/**
 * The query for similarity: the names of the requested notes, since an id has no meaning; otherwise the request's
 * query.
 */
function topicOf(request: Request, sources: readonly WalkSource[]): Query {
  const explicitSources = sources.filter((each) => each.isExplicit);
  return analyseQuery(
    explicitSources.length > 0 ? explicitSources.map(({ note }) => note.name || note.key).join("\n") : request.query,
  );
}
