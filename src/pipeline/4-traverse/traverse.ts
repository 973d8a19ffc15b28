import { type Item, isInFile, isWholeFile, type LinkKind, type Scored } from "../../item.ts";
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

/** What one step along a link keeps of the score that led there. */
const carried: Record<LinkKind, number> = {
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
 * Follows links from the best, keeping the shortest way to each item. A linked item is worth what led to it, lessened
 * by the way, unless its own match is worth more. Cycles end by themselves: no item is reached twice.
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
  // What is ranked apart passes nothing on: the best commit says nothing of how good a file is beside the best of the files.
  const apart = recipe.look.budget === "shares";
  let frontier = ranking.ranked.filter(({ item }) => !apart || isInFile(item.source)).slice(0, seedCount);
  for (let distance = 1; distance <= request.depth && frontier.length > 0; distance++) {
    const next: Scored[] = [];
    const [linked, touched, noted] = await Promise.all([
      neighbours(frontier, request, workspace),
      touchedBy(frontier, ranking.ordered, workspace),
      notesBeside(frontier, recipe, workspace),
    ]);
    for (const { seed, item, kind } of [...linked, ...touched, ...noted]) {
      const inherited = seed.score * carried[kind];
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
 * What a commit touched: the units of its files that the query found as well. A commit of forty files says little of each, so what it
 * leads to is limited as everything else is.
 */
async function touchedBy(frontier: Scored[], ordered: Scored[], { store, owner }: Workspace): Promise<Neighbour[]> {
  const seeds = frontier.filter(({ item }) => item.source === "commit");
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

/** Notes beside the notes that were found. */
async function notesBeside(
  frontier: Scored[],
  { noteFilter }: Recipe,
  { store, owner }: Workspace,
): Promise<Neighbour[]> {
  const seeds = new Map(frontier.filter(({ item }) => item.source === "note").map((seed) => [seed.item.id, seed]));
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

async function neighbours(frontier: Scored[], request: Request, { store, owner }: Workspace): Promise<Neighbour[]> {
  const ids = frontier.map(({ item }) => item.id);
  const most = perSeed * 4 * ids.length;
  const [outgoing, incoming] = await Promise.all([
    store.links(owner, ids, "from", ["calls", "references", "extends", "implements", "contains"], most),
    store.links(owner, ids, "to", ["calls", "extends", "implements", "contains"], most),
  ]);
  const ends = [
    ...outgoing.map(({ from, to, kind }) => ({ seed: from, other: to, kind })),
    ...incoming.map(({ from, to, kind }) => ({ seed: to, other: from, kind })),
  ];
  const isWanted = filter(request);
  const linked = await store.items(owner, [...new Set(ends.map(({ other }) => other))]);
  const items = new Map(linked.filter(isWanted).map((item) => [item.id, item]));
  return frontier.flatMap((seed) =>
    ends
      .filter((end) => end.seed === seed.item.id && items.has(end.other))
      .map(({ other, kind }) => ({ seed, item: items.get(other)!, kind }))
      .sort((a, b) => carried[b.kind] - carried[a.kind] || (a.item.id < b.item.id ? -1 : 1))
      .slice(0, perSeed),
  );
}

/** What the search was limited to limits its neighbours too. A whole file is no neighbour worth its tokens: its parts are. */
function filter({ types, languages, paths, tests }: Request): (item: Item) => boolean {
  const inPaths = paths ? pathMatcher(paths) : () => true;
  const withTests = tests === "include" || tests === "only";
  return (item) =>
    !isWholeFile(item.kind) &&
    (withTests || !item.test) &&
    (types?.includes(item.kind) ?? true) &&
    (languages?.includes(item.language ?? "") ?? true) &&
    inPaths(item.path);
}
