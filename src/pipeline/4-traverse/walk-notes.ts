import { shortName } from "../../formats/characters.ts";
import type { Scored } from "../../item.ts";
import type { Relation } from "../../note.ts";
import type { NotesView } from "../../recipes/recipe.ts";
import { passes } from "../../sources/notes/note-filter.ts";
import { pointersTo, twinsOf } from "../../sources/notes/note-twins.ts";
import type { Edge, StoredNote } from "../../stores/graph.ts";
import type { Query } from "../../text/analysis/query.ts";
import type { Workspace } from "../../workspace/workspace.ts";

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

/** How far a walk goes. `notes`: how many may be printed at most; all limits grow with it. */
export type WalkLimits = { depth: number; notes: number };

/** What the walk came to, and in sentences which limit ended it, where one did. */
export type Walk = { reached: Reached[]; warnings: string[] };

/** Notes followed from a source by one relation, and from a note on the way: of more, those that say most of the query. */
const mostEach = { least: 100, share: 1 / 4 };
const mostOnTheWay = { least: 30, share: 1 / 10 };
/** Of a note with very many neighbours these are compared; the rest is too far down to be looked at. */
const mostCompared = { ofSource: 5000, onTheWay: 500 };
/** Notes that one source leads to, and that are walked on from at each step. */
const mostReached = { least: 150, share: 1 };
const mostFrontier = { least: 50, share: 1 / 3 };

function limitOf({ least, share }: { least: number; share: number }, { notes }: WalkLimits): number {
  return Math.max(least, Math.ceil(share * notes));
}

/** How one source came to a note. */
type Trail = { distance: number; from?: { id: string; relation: Relation } };

/** What is carried through a walk. */
type Walking = {
  view: NotesView;
  limits: WalkLimits;
  query: Query;
  workspace: Workspace;
  notes: Map<string, StoredNote>;
  remarks: Map<string, string[]>;
  warnings: Set<string>;
};

/**
 * Walks from every source along the lens's relations, breadth first, so that the shortest way to each note is kept; no note is reached twice
 * by one source, so cycles end by themselves. A note that the view leaves out is not walked through either.
 */
export async function walkNotes(
  sources: readonly WalkSource[],
  view: NotesView,
  limits: WalkLimits,
  query: Query,
  workspace: Workspace,
): Promise<Walk> {
  const notes = new Map(sources.map(({ note }) => [note.id, note]));
  const walking: Walking = { view, limits, query, workspace, notes, remarks: new Map(), warnings: new Set() };
  const trails = sources.map(({ note }) => new Map<string, Trail>([[note.id, { distance: 0 }]]));
  const depth = Math.min(limits.depth, view.lens.maxDepth);
  let frontiers = sources.map(({ note }) => [note.id]);
  for (let distance = 1; distance <= depth; distance++) {
    const ids = [...new Set(frontiers.flat())];
    if (ids.length === 0) break;
    const edges = await edgesFrom(ids, distance === 1, walking);
    await readNew(edges, walking);
    frontiers = frontiers.map((frontier, index) =>
      step(frontier, edges, sources[index]!, trails[index]!, distance, walking),
    );
  }
  if (limits.depth > depth && frontiers.some((frontier) => frontier.length > 0)) {
    walking.warnings.add(`The lens ${view.lens.name} follows links for ${steps(depth)}, not ${limits.depth}.`);
  }
  return { reached: unite(sources, trails, notes, walking.remarks), warnings: [...walking.warnings] };
}

function steps(count: number): string {
  return count === 1 ? "1 step" : `${count} steps`;
}

/** One step of one source's walk: the new frontier. */
function step(
  frontier: readonly string[],
  edges: ReadonlyMap<string, Edge[]>,
  { note }: WalkSource,
  trail: Map<string, Trail>,
  distance: number,
  { notes, limits, view, warnings }: Walking,
): string[] {
  const most = limitOf(mostReached, limits);
  const next: string[] = [];
  const passed = new Set<string>();
  for (const id of frontier) {
    for (const { to, relation } of edges.get(id) ?? []) {
      if (trail.has(to) || !notes.has(to)) continue;
      if (trail.size >= most) {
        passed.add(to);
        continue;
      }
      trail.set(to, { distance, from: { id, relation } });
      next.push(to);
    }
  }
  if (passed.size > 0) {
    const name = shortName(note.name === "" ? note.key : note.name);
    warnings.add(
      `The walk from ${name} ended after ${most} notes: ${passed.size} more at step ${distance} were not followed. A larger budget goes further.`,
    );
  }
  const furthest = limitOf(mostFrontier, limits);
  if (next.length > furthest && distance < Math.min(limits.depth, view.lens.maxDepth)) {
    warnings.add(
      `At step ${distance} the walk went on from ${furthest} of ${next.length} notes. A larger budget goes further.`,
    );
  }
  return next.slice(0, furthest);
}

/** Reads what these edges lead to. An edge to a note that only stands for another one leads to that one. */
async function readNew(edges: ReadonlyMap<string, Edge[]>, { notes, view, workspace }: Walking): Promise<void> {
  const { store, owner } = workspace;
  const unknown = new Set<string>();
  for (const list of edges.values()) for (const { to } of list) if (!notes.has(to)) unknown.add(to);
  const read = await store.graph.get(owner, [...unknown]);
  const twins = await twinsOf(read, workspace);
  for (const each of read) {
    const note = twins.get(each.id) ?? each;
    if (passes(note, view)) notes.set(note.id, note);
  }
  for (const list of edges.values()) {
    for (const edge of list) edge.to = twins.get(edge.to)?.id ?? edge.to;
  }
}

/** The edges of these notes by the note; of one with too many of a relation those that say most of the query. */
async function edgesFrom(ids: string[], isFirst: boolean, walking: Walking): Promise<Map<string, Edge[]>> {
  const { view, limits, workspace, notes, remarks } = walking;
  const { store, owner } = workspace;
  const relations = view.lens.priorityTypes;
  const most = limitOf(isFirst ? mostEach : mostOnTheWay, limits);
  const compared = isFirst ? mostCompared.ofSource : mostCompared.onTheWay;
  const pointers = isFirst
    ? await pointersOf(
        ids.map((id) => notes.get(id)!),
        workspace,
      )
    : new Map<string, string>();
  const from = [...ids, ...pointers.keys()];
  const { edges, more } = await store.graph.neighbours(owner, from, relations, most);
  // On the way only children are compared: what is found through somebody whom everything mentions is far from the question anyway.
  const many = isFirst ? more : more.filter(({ relation }) => relation === "child");
  const all = many.length === 0 ? edges : await withAllOf(many, edges, Math.max(most, compared), workspace);
  const followed: Edge[] = [];
  for (const list of byRelation(all.map((edge) => ({ ...edge, from: pointers.get(edge.from) ?? edge.from })))) {
    followed.push(...list);
  }
  if (more.length === 0) return inOrder(followed, relations);
  const totals = new Map<string, number>();
  for (const { from, relation, total } of more) totals.set(`${pointers.get(from) ?? from} ${relation}`, total);
  return inOrder(await bestOfEach(followed, totals, most, walking, remarks), relations);
}

/** The edges, with more of those that there were too many of. */
async function withAllOf(
  more: readonly { from: string; relation: Relation }[],
  edges: readonly Edge[],
  most: number,
  { store, owner }: Workspace,
): Promise<Edge[]> {
  const crowded = new Set(more.map(({ from, relation }) => `${from} ${relation}`));
  const rest = edges.filter((edge) => !crowded.has(`${edge.from} ${edge.relation}`));
  for (const relation of new Set(more.map((each) => each.relation))) {
    const from = more.filter((each) => each.relation === relation).map((each) => each.from);
    rest.push(...(await store.graph.neighbours(owner, from, [relation], most)).edges);
  }
  return rest;
}

/** Of each note and relation with too many, those that say most of the query, then the first ones. */
async function bestOfEach(
  edges: readonly Edge[],
  totals: ReadonlyMap<string, number>,
  most: number,
  { query, workspace: { store, owner } }: Walking,
  remarks: Map<string, string[]>,
): Promise<Edge[]> {
  const lists = byRelation(edges);
  const crowded = lists.filter((list) => list.length > most && totals.has(`${list[0]!.from} ${list[0]!.relation}`));
  const ids = [...new Set(crowded.flat().map(({ to }) => to))];
  const search = { scope: "unit" as const, terms: query.terms, limit: ids.length, filter: { ids } };
  const hits = ids.length === 0 ? [] : await store.shelf("note").searchText(owner, search);
  const scores = new Map(hits.map(({ item, score }) => [item.id, score]));
  return lists.flatMap((list) => {
    const { from, relation } = list[0]!;
    const total = totals.get(`${from} ${relation}`);
    if (total === undefined) return list;
    const best = list.length > most ? "best" : "first";
    remark(remarks, from, `the ${most} ${best} of ${total} ${plurals[relation]} were followed`);
    const scored = list.filter(({ to }) => scores.has(to)).sort((a, b) => scores.get(b.to)! - scores.get(a.to)!);
    return [...scored, ...list.filter(({ to }) => !scores.has(to))].slice(0, most);
  });
}

/** Edges of one note and one relation together, in the order they came. */
function byRelation(edges: readonly Edge[]): Edge[][] {
  const lists = new Map<string, Edge[]>();
  for (const edge of edges) {
    const key = `${edge.from} ${edge.relation}`;
    const list = lists.get(key);
    if (list) list.push(edge);
    else lists.set(key, [edge]);
  }
  return [...lists.values()];
}

/** Notes that only stand for one of these, with its id. */
async function pointersOf(sources: readonly StoredNote[], workspace: Workspace): Promise<Map<string, string>> {
  const all = await Promise.all(
    sources.map(async (note) => (await pointersTo(note, workspace)).map(({ id }): [string, string] => [id, note.id])),
  );
  return new Map(all.flat());
}

function remark(remarks: Map<string, string[]>, id: string, words: string): void {
  const previous = remarks.get(id) ?? [];
  if (!previous.includes(words)) remarks.set(id, [...previous, words]);
}

/** By the note they start from, in the order of the lens's relations. */
function inOrder(edges: readonly Edge[], relations: readonly Relation[]): Map<string, Edge[]> {
  const byNote = new Map<string, Edge[]>();
  for (const edge of edges) {
    const list = byNote.get(edge.from);
    if (list) list.push(edge);
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
