import { type Item, isInFile, isWholeFile, type LinkKind } from "../../item.ts";
import type { Anchor } from "../../learned/memory.ts";
import type { Value } from "../../learned/value.ts";
import { relations as noteRelations, type Relation } from "../../note.ts";
import { itemOfStored } from "../../sources/notes/note-items.ts";
import { recordIdOf } from "../../sources/records/record-items.ts";
import { type Shelf, shelfOfId } from "../../stores/store.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** A link in the direction in which the data has it. */
export type GraphEdge = { from: string; to: string; relation: LinkKind };

/** More links of one kind than were followed. */
export type Hub = { id: string; relation: LinkKind; total: number };

export type Links = { edges: GraphEdge[]; hubs: Hub[] };

const fileLinks: readonly LinkKind[] = [
  "contains",
  "imports",
  "calls",
  "references",
  "extends",
  "implements",
  "tests",
] as const;

/** Commits of one file, the newest. */
const commitsEach = 8;
/** Files of one commit: a commit that touches more is a mass change, and says little about each of them. */
const filesEach = 40;

/** Links from or to these items, by these relations: at most `most` links of a kind for each item. */
export async function linksOf(
  items: readonly Item[],
  relations: ReadonlySet<LinkKind>,
  most: number,
  workspace: Workspace,
): Promise<Links> {
  const parts = await Promise.all([
    linksOfFiles(items, relations, most, workspace),
    linksOfNotes(items, relations, most, workspace),
    relations.has("touches") ? linksOfCommits(items, workspace) : nothing,
    relations.has("references") ? linksOfRecords(items, workspace) : nothing,
    relations.has("references") ? recordsAbout(items, workspace) : nothing,
  ]);
  return { edges: parts.flatMap(({ edges }) => edges), hubs: parts.flatMap(({ hubs }) => hubs) };
}

const nothing: Links = { edges: [], hubs: [] };

async function linksOfFiles(
  items: readonly Item[],
  relations: ReadonlySet<LinkKind>,
  most: number,
  { store, owner }: Workspace,
): Promise<Links> {
  const ids = items.filter(({ source }) => isInFile(source)).map(({ id }) => id);
  const kinds = fileLinks.filter((kind) => relations.has(kind));
  if (ids.length === 0 || kinds.length === 0) return nothing;
  const limit = most * ids.length;
  const [outgoing, incoming] = await Promise.all([
    store.links(owner, ids, "from", kinds, limit),
    store.links(owner, ids, "to", kinds, limit),
  ]);
  const edges = [...outgoing, ...incoming].map(({ from, to, kind }) => ({ from, to, relation: kind }));
  return { edges, hubs: [] };
}

async function linksOfNotes(
  items: readonly Item[],
  relations: ReadonlySet<LinkKind>,
  most: number,
  { store, owner }: Workspace,
): Promise<Links> {
  const ids = items.filter(({ source }) => source === "note").map(({ id }) => id);
  // Children and parents are the two ends of one link.
  const wantedRelations = noteRelations.filter((each) => relations.has(each === "parent" ? "child" : each));
  if (ids.length === 0 || wantedRelations.length === 0) return nothing;
  const { edges, more } = await store.graph.neighbours(owner, ids, wantedRelations, most);
  return {
    edges: edges.map(({ from, to, relation, out }) => noteEdge(from, to, relation, out)),
    hubs: more.map(({ from, relation, total }) => ({ id: from, relation, total })),
  };
}

function noteEdge(from: string, to: string, relation: Relation, out: boolean): GraphEdge {
  if (relation === "parent") return { from: to, to: from, relation: "child" };
  return relation === "child" || out ? { from, to, relation } : { from: to, to: from, relation };
}

/** From whole files to the commits that touched them, and from commits to the files that are still there. */
async function linksOfCommits(items: readonly Item[], { store, owner }: Workspace): Promise<Links> {
  const edges: GraphEdge[] = [];
  const files = items.filter(({ source, kind }) => isInFile(source) && isWholeFile(kind));
  for (const { id, path } of files) {
    const shas = await store.commits.touching(owner, [path], { limit: commitsEach });
    edges.push(...shas.map((sha): GraphEdge => ({ from: `com-${sha}`, to: id, relation: "touches" })));
  }
  const shas = items.filter(({ source }) => source === "commit").map(({ id }) => id.slice("com-".length));
  for (const { sha, files: touched } of shas.length > 0 ? await store.commits.get(owner, shas) : []) {
    const paths = touched.slice(0, filesEach).map(({ path }) => path);
    for (const { item } of (await store.wholeFiles(owner, paths)).values())
      edges.push({ from: `com-${sha}`, to: item.id, relation: "touches" });
  }
  return { edges, hubs: [] };
}

/** From memories and experiences to the code that they name, and from values to the experiences that they come from. */
async function linksOfRecords(items: readonly Item[], workspace: Workspace): Promise<Links> {
  const { store, owner } = workspace;
  const records = items.filter(({ source }) => ["memory", "experience", "value"].includes(source));
  if (records.length === 0 || !workspace.hasRecords()) return nothing;
  const ids = new Map(records.map((item) => [recordIdOf(item), item.id]));
  const edges: GraphEdge[] = [];
  for (const { id, body } of await (await workspace.records()).get(owner, [...ids.keys()])) {
    const { anchors = [], members = [] } = body as { anchors?: Anchor[] } & Partial<Pick<Value, "members">>;
    const from = ids.get(id)!;
    edges.push(...members.map((to): GraphEdge => ({ from, to, relation: "references" })));
    for (const { name, path, item } of anchors) {
      const to = item ?? (await store.itemsOf(owner, path)).find((unit) => unit.name === name)?.id;
      if (to !== undefined) edges.push({ from, to, relation: "references" });
    }
  }
  return { edges, hubs: [] };
}

/** Memories and experiences that are looked at for names of code, the newest of each. */
const mostRecords = 1000;

/** From code to the memories and experiences that name it. */
async function recordsAbout(items: readonly Item[], workspace: Workspace): Promise<Links> {
  const code = items.filter(({ source }) => isInFile(source));
  if (code.length === 0 || !workspace.hasRecords()) return nothing;
  const idByName = new Map(code.flatMap((item) => [item.id, placeOf(item)].map((key) => [key, item.id])));
  const edges: GraphEdge[] = [];
  const store = await workspace.records();
  for (const type of ["memory", "experience"] as const) {
    const { records } = await store.list(workspace.owner, { type, limit: mostRecords });
    for (const { id, body } of records) {
      for (const anchor of (body as { anchors?: Anchor[] }).anchors ?? []) {
        const to = idByName.get(anchor.item ?? "") ?? idByName.get(placeOf(anchor));
        if (to !== undefined) edges.push({ from: id, to, relation: "references" });
      }
    }
  }
  return { edges, hubs: [] };
}

function placeOf({ path, name }: { path: string; name: string }): string {
  return `${path}\n${name}`;
}

/** Items by id, in any shelf; an item that is gone is absent. */
export async function itemsById(ids: readonly string[], { store, owner }: Workspace): Promise<Map<string, Item>> {
  const byShelf = new Map<Shelf, string[]>();
  for (const id of ids) {
    const shelf = shelfOfId(id);
    byShelf.set(shelf, [...(byShelf.get(shelf) ?? []), id]);
  }
  const read = await Promise.all(
    [...byShelf].map(async ([shelf, shelfIds]) =>
      shelf === "note"
        ? (await store.graph.get(owner, shelfIds)).map(itemOfStored)
        : store.shelf(shelf).items(owner, shelfIds),
    ),
  );
  return new Map(read.flat().map((item) => [item.id, item]));
}
