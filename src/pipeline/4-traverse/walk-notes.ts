import { shortName } from "../../formats/characters.ts";
import type { Scored } from "../../item.ts";
import type { Relation } from "../../note.ts";
import type { NotesView } from "../../recipes/recipe.ts";
import { passes } from "../../sources/notes/note-filter.ts";
import { pointersTo, twinsOf } from "../../sources/notes/note-twins.ts";
import type { Edge, StoredNote } from "../../stores/graph.ts";
import type { Query } from "../../text/analysis/query.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/**
 * A note that the walk reached. `nearness` is 1 at a source and falls with every step; several near sources raise it.
 */
export type Reached = {
  note: StoredNote;
  distance: number;
  nearness: number;
  via: NonNullable<Scored["via"]>;
  remarks: string[];
};

/** A note that the walk starts at; `weight` is 1 if it was requested by name or id. */
export type WalkSource = { note: StoredNote; isExplicit: boolean; weight: number };

/** How far a walk goes. `notes`: most notes to print; all limits grow with it. */
export type WalkLimits = { depth: number; notes: number };

/** The notes that were reached, and warnings about limits that ended the walk. */
export type Walk = { reached: Reached[]; warnings: string[] };

/**
 * Most notes that are followed by one relation from a source, and from a note on the way. If there are more, the best
 * matches of the query are followed.
 */
const mostFromSource = { least: 100, share: 1 / 4 };
const mostOnTheWay = { least: 30, share: 1 / 10 };
/** Most neighbours of one note that are compared with the query; the rest is not read. */
const mostCompared = { ofSource: 5000, onTheWay: 500 };
/** Most notes that one source may reach, and most that are followed further at each step. */
const mostReached = { least: 150, share: 1 };
const mostFrontier = { least: 50, share: 1 / 3 };

function limitOf({ least, share }: { least: number; share: number }, { notes }: WalkLimits): number {
  return Math.max(least, Math.ceil(share * notes));
}

/** How one source reached a note. */
type Trail = { distance: number; from?: { id: string; relation: Relation } };

/** State of one walk. */
type WalkState = {
  view: NotesView;
  limits: WalkLimits;
  query: Query;
  workspace: Workspace;
  notes: Map<string, StoredNote>;
  remarks: Map<string, string[]>;
  warnings: Set<string>;
};

/**
 * Breadth-first search from every source along the lens's relations, so that the shortest path to each note is kept.
 * One source reaches each note once, so cycles end. The walk does not pass through a note that the view excludes.
 */
export async function walkNotes(
  sources: readonly WalkSource[],
  view: NotesView,
  limits: WalkLimits,
  query: Query,
  workspace: Workspace,
): Promise<Walk> {
  const notes = new Map(sources.map(({ note }) => [note.id, note]));
  const state: WalkState = { view, limits, query, workspace, notes, remarks: new Map(), warnings: new Set() };
  const trails = sources.map(({ note }) => new Map<string, Trail>([[note.id, { distance: 0 }]]));
  const depth = Math.min(limits.depth, view.lens.maxDepth);
  let frontiers = sources.map(({ note }) => [note.id]);
  for (let distance = 1; distance <= depth; distance++) {
    const ids = [...new Set(frontiers.flat())];
    if (ids.length === 0) break;
    const edges = await edgesFrom(ids, distance === 1, state);
    await readTargets(edges, state);
    frontiers = frontiers.map((frontier, index) =>
      step(frontier, edges, sources[index]!, trails[index]!, distance, state),
    );
  }
  if (limits.depth > depth && frontiers.some((frontier) => frontier.length > 0)) {
    state.warnings.add(`The lens ${view.lens.name} follows links for ${steps(depth)}, not ${limits.depth}.`);
  }
  return { reached: mergeTrails(sources, trails, notes, state.remarks), warnings: [...state.warnings] };
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
  { notes, limits, view, warnings }: WalkState,
): string[] {
  const limit = limitOf(mostReached, limits);
  const next: string[] = [];
  const skipped = new Set<string>();
  for (const id of frontier) {
    for (const { to, relation } of edges.get(id) ?? []) {
      if (trail.has(to) || !notes.has(to)) continue;
      if (trail.size >= limit) {
        skipped.add(to);
        continue;
      }
      trail.set(to, { distance, from: { id, relation } });
      next.push(to);
    }
  }
  if (skipped.size > 0) {
    const name = shortName(note.name === "" ? note.key : note.name);
    warnings.add(
      `The walk from ${name} ended after ${limit} notes: ${skipped.size} more at step ${distance} were not followed. A larger budget goes further.`,
    );
  }
  const frontierLimit = limitOf(mostFrontier, limits);
  if (next.length > frontierLimit && distance < Math.min(limits.depth, view.lens.maxDepth)) {
    warnings.add(
      `At step ${distance} the walk went on from ${frontierLimit} of ${next.length} notes. A larger budget goes further.`,
    );
  }
  return next.slice(0, frontierLimit);
}

/**
 * Reads the notes that these edges lead to. If an edge leads to a note that only points to another note, it is
 * redirected to that one.
 */
async function readTargets(edges: ReadonlyMap<string, Edge[]>, { notes, view, workspace }: WalkState): Promise<void> {
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

/** The edges of these notes, by note. If a note has too many of one relation, only the best matches of the query. */
async function edgesFrom(ids: string[], isFirst: boolean, state: WalkState): Promise<Map<string, Edge[]>> {
  const { view, limits, workspace, notes, remarks } = state;
  const { store, owner } = workspace;
  const relations = view.lens.priorityTypes;
  const limit = limitOf(isFirst ? mostFromSource : mostOnTheWay, limits);
  const comparedLimit = isFirst ? mostCompared.ofSource : mostCompared.onTheWay;
  const pointers = isFirst
    ? await pointersOf(
        ids.map((id) => notes.get(id)!),
        workspace,
      )
    : new Map<string, string>();
  const from = [...ids, ...pointers.keys()];
  const { edges, more } = await store.graph.neighbours(owner, from, relations, limit);
  // On the way, only children are compared: notes that are reached through a note that everything mentions are far from
  // the question anyway.
  const compared = isFirst ? more : more.filter(({ relation }) => relation === "child");
  const all =
    compared.length === 0 ? edges : await withCrowded(compared, edges, Math.max(limit, comparedLimit), workspace);
  const followed: Edge[] = [];
  for (const list of byRelation(all.map((edge) => ({ ...edge, from: pointers.get(edge.from) ?? edge.from })))) {
    followed.push(...list);
  }
  if (more.length === 0) return byNoteAndRelation(followed, relations);
  const totals = new Map<string, number>();
  for (const { from, relation, total } of more) totals.set(`${pointers.get(from) ?? from} ${relation}`, total);
  return byNoteAndRelation(await bestEdges(followed, totals, limit, state, remarks), relations);
}

/** The edges, with up to `limit` edges of the relations that were cut off. */
async function withCrowded(
  more: readonly { from: string; relation: Relation }[],
  edges: readonly Edge[],
  limit: number,
  { store, owner }: Workspace,
): Promise<Edge[]> {
  const crowded = new Set(more.map(({ from, relation }) => `${from} ${relation}`));
  const rest = edges.filter((edge) => !crowded.has(`${edge.from} ${edge.relation}`));
  for (const relation of new Set(more.map((each) => each.relation))) {
    const from = more.filter((each) => each.relation === relation).map((each) => each.from);
    rest.push(...(await store.graph.neighbours(owner, from, [relation], limit)).edges);
  }
  return rest;
}

/** For each note and relation with too many edges: the best matches of the query, then the first ones. */
async function bestEdges(
  edges: readonly Edge[],
  totals: ReadonlyMap<string, number>,
  limit: number,
  { query, workspace: { store, owner } }: WalkState,
  remarks: Map<string, string[]>,
): Promise<Edge[]> {
  const lists = byRelation(edges);
  const crowded = lists.filter((list) => list.length > limit && totals.has(`${list[0]!.from} ${list[0]!.relation}`));
  const ids = [...new Set(crowded.flat().map(({ to }) => to))];
  const search = { scope: "unit" as const, terms: query.terms, limit: ids.length, filter: { ids } };
  const hits = ids.length === 0 ? [] : await store.shelf("note").searchText(owner, search);
  const scores = new Map(hits.map(({ item, score }) => [item.id, score]));
  return lists.flatMap((list) => {
    const { from, relation } = list[0]!;
    const total = totals.get(`${from} ${relation}`);
    if (total === undefined) return list;
    const best = list.length > limit ? "best" : "first";
    remark(remarks, from, `the ${limit} ${best} of ${total} ${plurals[relation]} were followed`);
    const scored = list.filter(({ to }) => scores.has(to)).sort((a, b) => scores.get(b.to)! - scores.get(a.to)!);
    return [...scored, ...list.filter(({ to }) => !scores.has(to))].slice(0, limit);
  });
}

/** Groups edges by note and relation, in their order. */
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

/** Ids of notes that only point to one of these, with the id of their target. */
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

/** Groups edges by the note they start from, sorted by the order of the lens's relations. */
function byNoteAndRelation(edges: readonly Edge[], relations: readonly Relation[]): Map<string, Edge[]> {
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

/** Each reached note once: by its shortest path, with the nearness of all sources combined (noisy-or). */
function mergeTrails(
  sources: readonly WalkSource[],
  trails: readonly Map<string, Trail>[],
  notes: ReadonlyMap<string, StoredNote>,
  remarks: ReadonlyMap<string, string[]>,
): Reached[] {
  const remoteness = new Map<string, number>();
  const shortest = new Map<string, number>();
  trails.forEach((trail, index) => {
    for (const [id, { distance }] of trail) {
      remoteness.set(id, (remoteness.get(id) ?? 1) * (1 - sources[index]!.weight / (1 + distance)));
      const best = shortest.get(id);
      if (best === undefined || distance < trails[best]!.get(id)!.distance) shortest.set(id, index);
    }
  });
  return [...shortest].map(([id, index]) => ({
    note: notes.get(id)!,
    distance: trails[index]!.get(id)!.distance,
    nearness: 1 - remoteness.get(id)!,
    via: viaOf(id, trails[index]!, notes),
    remarks: remarks.get(id) ?? [],
  }));
}

/** The path back to the source, nearest first. */
function viaOf(id: string, trail: ReadonlyMap<string, Trail>, notes: ReadonlyMap<string, StoredNote>): Reached["via"] {
  const via: Reached["via"] = [];
  for (let at = trail.get(id)?.from; at; at = trail.get(at.id)?.from) {
    const { name, key } = notes.get(at.id)!;
    via.push({ id: at.id, name: name === "" ? key : name, kind: at.relation, key });
  }
  return via;
}
