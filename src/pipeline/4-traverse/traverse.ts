import { type Item, isChange, isInFile, isNode, isWholeFile, type LinkKind, type Scored } from "../../item.ts";
import { relations } from "../../note.ts";
import type { Request } from "../../options.ts";
import type { Recipe } from "../../recipes/recipe.ts";
import { passes } from "../../sources/notes/note-filter.ts";
import { itemOfStored } from "../../sources/notes/note-items.ts";
import { pathMatcher } from "../../stores/globs.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Ranking } from "../ranking.ts";
import { byScore, rankingOf } from "../ranking.ts";

import { rankNotes } from "./rank-notes.ts";
import { rankSelected } from "./rank-selected.ts";

/** Links are followed from this many of the best items, and this many links from each. */
const seedCount = 6;
const perSeed = 6;

/** Share of the score that one step along a link keeps. */
const scoreKept: Record<LinkKind, number> = {
  contains: 0.5,
  calls: 0.55,
  references: 0.45,
  extends: 0.6,
  implements: 0.6,
  imports: 0.3,
  tests: 0.4,
  touches: 0.5,
  child: 0.5,
  parent: 0.4,
  reference: 0.5,
  field: 0.5,
};

/**
 * Follows links from the best items, breadth first, keeping the shortest path to each item. A linked item inherits a
 * share of the score it was reached from, unless its own score is higher. No item is reached twice, so cycles end.
 */
export async function traverse(
  ranking: Ranking,
  request: Request,
  recipe: Recipe,
  workspace: Workspace,
): Promise<Ranking> {
  const { notes } = recipe;
  if (notes?.selection) return rankSelected(ranking, request, { ...notes, selection: notes.selection }, workspace);
  if (notes) return rankNotes(ranking, request, { ...recipe, notes }, workspace);
  if (!request.expand || request.depth === 0 || !request.strategies.includes("graph")) return ranking;
  const byId = new Map(ranking.ordered.map((scored) => [scored.item.id, scored]));
  // With budget shares, only files pass scores on: scores of commits and files are then not comparable.
  const hasShares = recipe.look.budget === "shares";
  let frontier = ranking.ranked.filter(({ item }) => !hasShares || isInFile(item.source)).slice(0, seedCount);
  for (let distance = 1; distance <= request.depth && frontier.length > 0; distance++) {
    const next: Scored[] = [];
    const [linked, touched, noted] = await Promise.all([
      linkedUnits(frontier, request, workspace),
      touchedBy(frontier, ranking.ordered, workspace),
      linkedNotes(frontier, recipe, workspace),
    ]);
    for (const { seed, item, kind } of [...linked, ...touched, ...noted]) {
      const inherited = seed.score * scoreKept[kind];
      const previous = byId.get(item.id);
      if (previous && previous.score >= inherited) continue;
      const via = [{ id: seed.item.id, name: seed.item.name, kind }, ...(seed.via ?? [])];
      const reached: Scored = {
        item,
        signals: { ...previous?.signals, graph: inherited },
        score: inherited,
        because: { graph: inherited },
        distance: previous ? previous.distance : distance,
        via,
      };
      byId.set(item.id, reached);
      if (!previous) next.push(reached);
    }
    frontier = next.sort(byScore).slice(0, seedCount);
  }
  return rankingOf([...byId.values()], request, ranking.confidence);
}

type Neighbour = { seed: Scored; item: Item; kind: LinkKind };

/**
 * Units that a commit touched and that the query found too. At most `perSeed`, because a commit of forty files is weak
 * evidence for each.
 */
async function touchedBy(frontier: Scored[], ordered: Scored[], { store, owner }: Workspace): Promise<Neighbour[]> {
  const seeds = frontier.filter(({ item }) => isChange(item.source));
  if (seeds.length === 0) return [];
  const shas = seeds.map(({ item }) => item.id.slice(item.id.indexOf("-") + 1));
  const commits = new Map((await store.commits.get(owner, shas)).map((commit) => [`com-${commit.sha}`, commit]));
  return seeds.flatMap((seed) => {
    const paths = new Set(commits.get(seed.item.id)?.files.map(({ path }) => path));
    return ordered
      .filter(({ item }) => isInFile(item.source) && paths.has(item.path))
      .slice(0, perSeed)
      .map(({ item }): Neighbour => ({ seed, item, kind: "touches" }));
  });
}

/** Notes linked to the notes in the frontier. */
async function linkedNotes(
  frontier: Scored[],
  { noteFilter }: Recipe,
  { store, owner }: Workspace,
): Promise<Neighbour[]> {
  const seeds = new Map(frontier.filter(({ item }) => isNode(item.source)).map((seed) => [seed.item.id, seed]));
  if (seeds.size === 0) return [];
  const { edges } = await store.graph.neighbours(owner, [...seeds.keys()], relations, perSeed);
  const notes = new Map(
    (
      await store.graph.get(
        owner,
        edges.map(({ to }) => to),
      )
    ).map((note) => [note.id, note]),
  );
  return edges.flatMap(({ from, to, relation }): Neighbour[] => {
    const note = notes.get(to);
    return note && passes(note, noteFilter)
      ? [{ seed: seeds.get(from)!, item: itemOfStored(note), kind: relation }]
      : [];
  });
}

async function linkedUnits(frontier: Scored[], request: Request, { store, owner }: Workspace): Promise<Neighbour[]> {
  const ids = frontier.map(({ item }) => item.id);
  const limit = perSeed * 4 * ids.length;
  const [outgoing, incoming] = await Promise.all([
    store.links(owner, ids, "from", ["calls", "references", "extends", "implements", "contains"], limit),
    store.links(owner, ids, "to", ["calls", "extends", "implements", "contains"], limit),
  ]);
  const ends = [
    ...outgoing.map(({ from, to, kind }) => ({ seed: from, other: to, kind })),
    ...incoming.map(({ from, to, kind }) => ({ seed: to, other: from, kind })),
  ];
  const isWanted = requestFilter(request);
  const linked = await store.items(owner, [...new Set(ends.map(({ other }) => other))]);
  const items = new Map(linked.filter(isWanted).map((item) => [item.id, item]));
  return frontier.flatMap((seed) =>
    ends
      .filter((end) => end.seed === seed.item.id && items.has(end.other))
      .map(({ other, kind }) => ({ seed, item: items.get(other)!, kind }))
      .sort((a, b) => scoreKept[b.kind] - scoreKept[a.kind] || (a.item.id < b.item.id ? -1 : 1))
      .slice(0, perSeed),
  );
}

/**
 * The request's filters, applied to neighbours too. Whole files are left out: they cost too many tokens, and their
 * parts are enough.
 */
function requestFilter({ types, languages, paths, tests }: Request): (item: Item) => boolean {
  const inPaths = paths ? pathMatcher(paths) : () => true;
  const withTests = tests === "include" || tests === "only";
  return (item) =>
    !isWholeFile(item.kind) &&
    (withTests || !item.test) &&
    (types?.includes(item.kind) ?? true) &&
    (languages?.includes(item.language ?? "") ?? true) &&
    inPaths(item.path);
}
