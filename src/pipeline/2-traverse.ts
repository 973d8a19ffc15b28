import type { Candidate, Item, LinkKind } from "../item.ts";
import type { Request } from "../options.ts";
import type { Recipe } from "../recipes/recipe.ts";
import type { ResolvedLink } from "../stores/store.ts";
import type { Workspace } from "../workspace.ts";
import type { Found } from "./1-resolve.ts";
import { score } from "./3-score.ts";
import { addEvidence } from "./evidence.ts";
import { isWholeFile } from "./kinds.ts";

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
};

/** Follows links from the best of what was found, keeping the shortest way to each item. Cycles end by themselves: no item is reached twice. */
export async function traverse(found: Found, request: Request, recipe: Recipe, workspace: Workspace): Promise<Found> {
  if (!request.expand || request.depth === 0 || !request.strategies.includes("graph")) return found;
  const reached = new Map(found.candidates.map((candidate) => [candidate.item.id, candidate]));
  let frontier = score(found, request, recipe)
    .ranked.slice(0, seedCount)
    .map((each) => ({ candidate: reached.get(each.item.id)!, worth: each.score }));
  const added = new Map<string, Candidate>();

  for (let distance = 1; distance <= request.depth && frontier.length > 0; distance++) {
    const next = new Map<string, { candidate: Candidate; worth: number }>();
    for (const { seed, item, kind } of await neighbours(frontier, request, workspace)) {
      const worth = seed.worth * carried[kind];
      const known = reached.get(item.id) ?? added.get(item.id);
      if (known) {
        known.signals = { ...known.signals, graph: Math.max(known.signals.graph ?? 0, worth) };
        continue;
      }
      const step = { id: seed.candidate.item.id, name: seed.candidate.item.name, kind };
      const candidate: Candidate = {
        item,
        signals: { graph: worth },
        distance,
        via: [step, ...(seed.candidate.via ?? [])],
      };
      added.set(item.id, candidate);
      next.set(item.id, { candidate, worth });
    }
    frontier = [...next.values()].sort((a, b) => b.worth - a.worth).slice(0, seedCount);
  }
  const evidence = await addEvidence(found.evidence, [...added.values()], workspace);
  return { ...found, candidates: [...found.candidates, ...added.values()], evidence };
}

type Seed = { candidate: Candidate; worth: number };

async function neighbours(
  frontier: Seed[],
  request: Request,
  { store, owner }: Workspace,
): Promise<{ seed: Seed; item: Item; kind: LinkKind }[]> {
  const ids = frontier.map(({ candidate }) => candidate.item.id);
  const limit = perSeed * 4;
  const [outgoing, incoming] = await Promise.all([
    store.links(owner, ids, "from", ["calls", "references", "extends", "implements", "contains"], limit * ids.length),
    store.links(owner, ids, "to", ["calls", "extends", "implements", "contains"], limit * ids.length),
  ]);
  const other = (link: ResolvedLink) => (ids.includes(link.from) ? link.to : link.from);
  const items = new Map(
    (await store.items(owner, [...outgoing, ...incoming].map(other))).map((item) => [item.id, item]),
  );
  const found: { seed: Seed; item: Item; kind: LinkKind }[] = [];
  for (const seed of frontier) {
    const own = [
      ...outgoing.filter((link) => link.from === seed.candidate.item.id),
      ...incoming.filter((link) => link.to === seed.candidate.item.id),
    ];
    const wanted = own
      .map((link) => ({ item: items.get(link.from === seed.candidate.item.id ? link.to : link.from), kind: link.kind }))
      .filter((each): each is { item: Item; kind: LinkKind } => each.item !== undefined && allowed(each.item, request))
      .sort((a, b) => carried[b.kind] - carried[a.kind] || (a.item.id < b.item.id ? -1 : 1));
    for (const { item, kind } of wanted.slice(0, perSeed)) found.push({ seed, item, kind });
  }
  return found;
}

/** A whole file is no neighbour worth its tokens: its parts are. */
function allowed(item: Item, request: Request): boolean {
  if (isWholeFile(item.kind)) return false;
  if (request.types && !request.types.includes(item.kind)) return false;
  if (request.languages && !(item.language && request.languages.includes(item.language))) return false;
  return !(item.test && request.tests !== "include" && request.tests !== "only") && request.paths === undefined;
}
