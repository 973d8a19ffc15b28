import type { Scored } from "../item.ts";
import type { Relation } from "../note.ts";
import type { NotesView } from "../recipes/recipe.ts";
import { passes } from "../sources/note-filter.ts";
import type { Edge, StoredNote } from "../stores/graph.ts";
import type { Query } from "../text/query.ts";
import type { Workspace } from "../workspace.ts";

/** A note that the walk came to. `nearness` is 1 at a source and less with every step; near to several sources is nearer. */
export type Reached = {
  note: StoredNote;
  distance: number;
  nearness: number;
  via: NonNullable<Scored["via"]>;
  remarks: string[];
};

/** A note that the walk begins at; `weight` is 1 for one that was asked for by name or id. */
export type WalkSource = { note: StoredNote; asked: boolean; weight: number };

/** Notes followed from a source by one relation, and from a note on the way; of more, the best by relevance, or the first ones. */
const mostEach = 100;
const mostOnTheWay = 30;
/** Of a note with very many children these are compared; the rest is too far down to be looked at. */
const mostCompared = 5000;
/** Notes that one source leads to, and that are walked on from at each step. */
const mostReached = 150;
const mostFrontier = 50;

/** How one source came to a note. */
type Trail = { distance: number; from?: { id: string; relation: Relation } };

/**
 * Walks from every source along the lens's relations, breadth first, so that the shortest way to each note is kept; no note is reached twice
 * by one source, so cycles end by themselves. A note that the view leaves out is not walked through either.
 */
export async function walkNotes(
  sources: readonly WalkSource[],
  view: NotesView,
  depth: number,
  query: Query,
  workspace: Workspace,
): Promise<Reached[]> {
  const notes = new Map(sources.map(({ note }) => [note.id, note]));
  const trails = sources.map(({ note }) => new Map<string, Trail>([[note.id, { distance: 0 }]]));
  const remarks = new Map<string, string[]>();
  let frontiers = sources.map(({ note }) => [note.id]);
  for (let distance = 1; distance <= depth; distance++) {
    const ids = [...new Set(frontiers.flat())];
    if (ids.length === 0) break;
    const edges =
      distance === 1
        ? await edgesOfSources(ids, view.lens.priorityTypes, query, remarks, workspace)
        : await edgesOnTheWay(ids, view.lens.priorityTypes, remarks, workspace);
    await readNew(edges, notes, view, workspace);
    frontiers = frontiers.map((frontier, index) => step(frontier, edges, trails[index]!, notes, distance));
  }
  return unite(sources, trails, notes, remarks);
}

/** One step of one source's walk: the new frontier. */
function step(
  frontier: readonly string[],
  edges: ReadonlyMap<string, Edge[]>,
  trail: Map<string, Trail>,
  notes: ReadonlyMap<string, StoredNote>,
  distance: number,
): string[] {
  const next: string[] = [];
  for (const id of frontier) {
    for (const { to, relation } of edges.get(id) ?? []) {
      if (trail.has(to) || !notes.has(to) || trail.size >= mostReached) continue;
      trail.set(to, { distance, from: { id, relation } });
      next.push(to);
    }
  }
  return next.slice(0, mostFrontier);
}

async function readNew(
  edges: ReadonlyMap<string, Edge[]>,
  notes: Map<string, StoredNote>,
  view: NotesView,
  { store, owner }: Workspace,
): Promise<void> {
  const unknown = new Set<string>();
  for (const list of edges.values()) for (const { to } of list) if (!notes.has(to)) unknown.add(to);
  for (const note of await store.graph.get(owner, [...unknown])) if (passes(note, view)) notes.set(note.id, note);
}

/** The edges of sources; of a source with too many of one relation those that say most of the query. */
async function edgesOfSources(
  ids: string[],
  relations: readonly Relation[],
  query: Query,
  remarks: Map<string, string[]>,
  workspace: Workspace,
): Promise<Map<string, Edge[]>> {
  const { store, owner } = workspace;
  const { edges, more } = await store.graph.neighbours(owner, ids, relations, mostEach);
  const crowded = new Set(more.map((each) => `${each.from} ${each.relation}`));
  const followed = edges.filter((edge) => !crowded.has(`${edge.from} ${edge.relation}`));
  for (const { from, relation, total } of more) {
    followed.push(...(await bestOf(from, relation, query, workspace)));
    remark(remarks, from, `the ${mostEach} best of ${total} ${plurals[relation]} were followed`);
  }
  return inOrder(followed, relations);
}

/** The edges of notes on the way: what is found through somebody whom everything mentions is far from the question anyway. */
async function edgesOnTheWay(
  ids: string[],
  relations: readonly Relation[],
  remarks: Map<string, string[]>,
  { store, owner }: Workspace,
): Promise<Map<string, Edge[]>> {
  const { edges, more } = await store.graph.neighbours(owner, ids, relations, mostOnTheWay);
  for (const { from, relation, total } of more) {
    remark(remarks, from, `the first ${mostOnTheWay} of ${total} ${plurals[relation]} were followed`);
  }
  return inOrder(edges, relations);
}

function remark(remarks: Map<string, string[]>, id: string, words: string): void {
  remarks.set(id, [...(remarks.get(id) ?? []), words]);
}

/** By the note they start from, in the order of the lens's relations. */
function inOrder(edges: readonly Edge[], relations: readonly Relation[]): Map<string, Edge[]> {
  const byNote = new Map<string, Edge[]>();
  for (const edge of edges) {
    const known = byNote.get(edge.from);
    if (known) known.push(edge);
    else byNote.set(edge.from, [edge]);
  }
  const order = new Map(relations.map((relation, index) => [relation, index]));
  for (const list of byNote.values()) list.sort((a, b) => order.get(a.relation)! - order.get(b.relation)!);
  return byNote;
}

const plurals: Record<Relation, string> = {
  child: "children",
  parent: "parents",
  reference: "references",
  field: "field values",
};

/** Of a note with too many neighbours those that say most of the query, then the first ones. */
async function bestOf(from: string, relation: Relation, query: Query, { store, owner }: Workspace): Promise<Edge[]> {
  const { edges } = await store.graph.neighbours(owner, [from], [relation], mostCompared);
  const byId = new Map(edges.map((edge) => [edge.to, edge]));
  const filter = { ids: [...byId.keys()] };
  const hits = await store
    .shelf("note")
    .searchText(owner, { scope: "unit", terms: query.terms, limit: mostEach, filter });
  const best = new Map(hits.map(({ item }) => [item.id, byId.get(item.id)!]));
  for (const [id, edge] of byId) {
    if (best.size >= mostEach) break;
    if (!best.has(id)) best.set(id, edge);
  }
  return [...best.values()];
}

/** Everything reached, once: by the shortest way, and as near as all sources together make it (a weighted union). */
function unite(
  sources: readonly WalkSource[],
  trails: readonly Map<string, Trail>[],
  notes: ReadonlyMap<string, StoredNote>,
  remarks: ReadonlyMap<string, string[]>,
): Reached[] {
  const far = new Map<string, number>();
  const shortest = new Map<string, number>();
  trails.forEach((trail, index) => {
    for (const [id, { distance }] of trail) {
      far.set(id, (far.get(id) ?? 1) * (1 - sources[index]!.weight / (1 + distance)));
      const best = shortest.get(id);
      if (best === undefined || distance < trails[best]!.get(id)!.distance) shortest.set(id, index);
    }
  });
  return [...shortest].map(([id, index]) => ({
    note: notes.get(id)!,
    distance: trails[index]!.get(id)!.distance,
    nearness: 1 - far.get(id)!,
    via: viaOf(id, trails[index]!, notes),
    remarks: remarks.get(id) ?? [],
  }));
}

/** The way back to the source, nearest first. */
function viaOf(id: string, trail: ReadonlyMap<string, Trail>, notes: ReadonlyMap<string, StoredNote>): Reached["via"] {
  const via: Reached["via"] = [];
  for (let at = trail.get(id)?.from; at; at = trail.get(at.id)?.from) {
    const { name, key } = notes.get(at.id)!;
    via.push({ id: at.id, name: name === "" ? key : name, kind: at.relation, key });
  }
  return via;
}
