import type { Item, LinkKind } from "../../item.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type GraphEdge, type Hub, itemsById, linksOf } from "./links.ts";

export type WalkOptions = {
  depth: number;
  /** Most items, including the centres. */
  limit: number;
  relations: ReadonlySet<LinkKind>;
  signal?: AbortSignal;
};

export type Neighbourhood = {
  /** Items by distance, then in the order in which they were reached. */
  nodes: { item: Item; distance: number }[];
  edges: GraphEdge[];
  /** Number of known items that did not fit. */
  leftOut: number;
  hubs: Hub[];
};

/** The relations in order of how much they say: the first are followed first if there is no room for all. */
const order: readonly LinkKind[] = [
  "calls",
  "extends",
  "implements",
  "child",
  "reference",
  "field",
  "references",
  "contains",
  "touches",
  "tests",
  "imports",
];

/** Most links of one kind that are followed from one item, beyond the first step. */
const onTheWay = 40;

/**
 * Follows links from the centres, breadth first: the shortest way to each item counts. No item is reached twice, so
 * cycles end.
 */
export async function walk(
  centres: readonly Item[],
  { depth, limit, relations, signal }: WalkOptions,
  workspace: Workspace,
): Promise<Neighbourhood> {
  const nodes = new Map(centres.slice(0, limit).map((item) => [item.id, { item, distance: 0 }]));
  const edges = new Map<string, GraphEdge>();
  const hubs = new Map<string, Hub>();
  const leftOut = new Set<string>();
  let frontier: Item[] = [...nodes.values()].map(({ item }) => item);
  for (let distance = 1; frontier.length > 0; distance++) {
    signal?.throwIfAborted();
    const links = await linksOf(frontier, relations, distance === 1 ? limit : onTheWay, workspace);
    for (const edge of links.edges) edges.set(`${edge.from} ${edge.relation} ${edge.to}`, edge);
    for (const hub of links.hubs) hubs.set(`${hub.id} ${hub.relation}`, hub);
    // The last step adds no items: it only finds the links among those that were reached last.
    if (distance > depth) break;
    const reached = inTurn(frontier, links.edges).filter((id) => !nodes.has(id));
    const items = await itemsById(reached, workspace);
    const next: Item[] = [];
    for (const id of reached) {
      const item = items.get(id);
      if (!item) continue;
      if (nodes.size >= limit) leftOut.add(id);
      else {
        nodes.set(id, { item, distance });
        next.push(item);
      }
    }
    frontier = next;
  }
  return {
    nodes: [...nodes.values()],
    edges: [...edges.values()].filter(({ from, to }) => from !== to && nodes.has(from) && nodes.has(to)),
    leftOut: leftOut.size,
    hubs: [...hubs.values()],
  };
}

/** The other ends of links, round-robin over the items: one with very many leaves room for the others. */
function inTurn(frontier: readonly Item[], edges: readonly GraphEdge[]): string[] {
  const lists = new Map(frontier.map(({ id }) => [id, [] as string[]]));
  const sorted = [...edges].sort((a, b) => order.indexOf(a.relation) - order.indexOf(b.relation));
  for (const { from, to } of sorted) {
    lists.get(from)?.push(to);
    lists.get(to)?.push(from);
  }
  const chosen = new Set<string>();
  const longest = Math.max(0, ...[...lists.values()].map(({ length }) => length));
  for (let turn = 0; turn < longest; turn++) {
    for (const list of lists.values()) {
      const id = list[turn];
      if (id !== undefined) chosen.add(id);
    }
  }
  return [...chosen];
}
