import type { Candidate, Item, Signals } from "../item.ts";
import type { Hit, NameSearch, Store } from "../stores/store.ts";
import { analyse } from "../text/analyse.ts";
import type { Query, QueryName, QueryPath } from "../text/query.ts";
import type { Workspace } from "../workspace.ts";
import type { Source, SourceSearch } from "./source.ts";

/** The files of the workspace: code and documents, by text, name, path and meaning. */
export const files: Source = {
  name: "files",
  brings: ["code", "file"],
  shelf: "files",
  async find(query, search, workspace) {
    const wanted = new Set(search.strategies);
    const found = new Found();
    const none = Promise.resolve();
    await Promise.all([
      wanted.has("text") ? byText(query, search, workspace, found) : none,
      wanted.has("name") ? byName(query.names, query, search, workspace, found) : none,
      wanted.has("path") ? byPath(query.paths, query, search, workspace, found) : none,
      wanted.has("similar") ? bySimilarity(query, search, workspace, found) : none,
    ]);
    return found.candidates();
  },
};

/** Candidates by id: each signal keeps its best value. */
class Found {
  readonly #byId = new Map<string, { item: Item; signals: Signals }>();

  add(item: Item, signal: string, value: number): void {
    const known = this.#byId.get(item.id);
    if (known) known.signals[signal] = Math.max(known.signals[signal] ?? 0, value);
    else this.#byId.set(item.id, { item, signals: { [signal]: value } });
  }

  candidates(): Candidate[] {
    return [...this.#byId.values()].map((found) => ({ ...found, distance: 0 }));
  }
}

async function byText(query: Query, search: SourceSearch, { store, owner }: Workspace, found: Found): Promise<void> {
  const { filter, limit } = search;
  const [units, wholes, titled] = await Promise.all([
    store.searchText(owner, { scope: "unit", terms: query.terms, limit, filter }),
    store.searchText(owner, { scope: "file", terms: query.terms, limit: Math.ceil(limit / 3), filter }),
    query.title.length > 0
      ? store.searchText(owner, { scope: "unit", terms: query.title, limit: Math.ceil(limit / 3), filter })
      : [],
  ]);
  for (const hit of [...units, ...titled]) found.add(hit.item, "matched", hit.score);
  for (const hit of wholes) found.add(hit.item, "matched", hit.score);
}

/** A name that many items share says little about which one is meant. */
function rarity(definitions: number): number {
  return 1 / (1 + Math.log(definitions));
}

async function byName(
  names: QueryName[],
  query: Query,
  search: SourceSearch,
  { store, owner }: Workspace,
  found: Found,
): Promise<void> {
  const look = (text: string, mode: NameSearch["mode"], limit: number) =>
    store.searchNames(owner, { text, mode, limit, filter: search.filter });
  await Promise.all(
    names.map(async ({ name, weight }) => {
      const last = name.slice(name.lastIndexOf(".") + 1);
      const dotted = last !== name;
      let hits: Hit[] = await look(name, dotted ? "suffix" : "exact", 40);
      if (hits.length === 0 && dotted) hits = await look(last, "exact", 40);
      for (const { item } of hits) {
        const caseFactor = item.name === last || item.name === name ? 1 : 0.7;
        found.add(item, "symbol", weight * caseFactor * rarity(hits.length));
      }
      const mayBeMisspelt = hits.length === 0 && (weight >= 0.6 || query.shape === "identifier");
      if (mayBeMisspelt && !(await isWritten(last, store, owner))) {
        for (const { item, score } of await look(last, "fuzzy", 10)) found.add(item, "symbol", weight * 0.6 * score);
      }
    }),
  );
}

/** A name that stands somewhere in the workspace, if only as text, is spelt as it was meant. */
async function isWritten(name: string, store: Store, owner: string): Promise<boolean> {
  const whole = analyse(name).at(-1);
  if (whole === undefined) return false;
  return (await store.termStatistics(owner, "unit", [whole])).frequencies.has(whole);
}

async function byPath(
  paths: QueryPath[],
  query: Query,
  search: SourceSearch,
  { store, owner }: Workspace,
  found: Found,
): Promise<void> {
  const look = (text: string, mode: NameSearch["mode"]) =>
    store.searchPaths(owner, { text, mode, limit: 5, filter: search.filter });
  await Promise.all(
    paths.map(async ({ path, line }) => {
      let hits = await look(path, "exact");
      // A traceback names files where they are installed: the longest known ending of the path is the file.
      for (let rest = path; hits.length === 0 && rest !== ""; rest = rest.replace(/^[^/]*\/?/, "")) {
        if (rest.includes("/") || rest === path) hits = await look(rest, "suffix");
      }
      const certainty = hits.length === 0 ? 0.5 : rarity(hits.length);
      if (hits.length === 0 && query.shape === "path") hits = await look(path, "fuzzy");
      for (const { item } of hits) {
        const units = line !== undefined || query.shape === "path" ? await store.itemsOf(owner, item.path) : [];
        const place = line === undefined ? undefined : innermost(units, line);
        if (place) found.add(place, "path", certainty);
        else for (const unit of units.slice(0, 40)) found.add(unit, "path", certainty * 0.5);
        // A frame means the unit around its line; the file around that is only its address.
        found.add(item, "path", place && place.id !== item.id ? certainty * 0.5 : certainty);
      }
    }),
  );
}

function innermost(units: Item[], line: number): Item | undefined {
  const around = units.filter((unit) => unit.startLine <= line && line <= unit.endLine);
  // Where a function is all there is in its file, both have the same lines: the file is listed first.
  return around.sort(
    (a, b) => a.endLine - a.startLine - (b.endLine - b.startLine) || around.indexOf(b) - around.indexOf(a),
  )[0];
}

async function bySimilarity(query: Query, search: SourceSearch, workspace: Workspace, found: Found): Promise<void> {
  const { store, owner } = workspace;
  const { builtinEmbedder } = await import("../embed/builtin.ts");
  const embedder = await builtinEmbedder(store, owner);
  const vector = await embedder?.embedQuery({ text: query.text, terms: query.terms });
  if (!vector) return;
  const hits = await store.searchVectors(owner, { vector, limit: Math.ceil(search.limit / 3), filter: search.filter });
  for (const { item, score } of hits) found.add(item, "similar", score);
}
