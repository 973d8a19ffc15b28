import { type Candidate, type Item, isWholeFile, type Signals } from "../item.ts";
import { definitionRank } from "../stores/scope/targets.ts";
import type { Filter, Hit, NameSearch, Store, TextSearch, WeightedTerm } from "../stores/store.ts";
import { analyse } from "../text/analysis/analyse.ts";
import { type Query, type QueryName, type QueryPath, searchedTerms } from "../text/analysis/query.ts";
import { withoutCopies } from "../tree/roles/copies.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { filesByHistory } from "./file-history.ts";
import { itemFilter } from "./item-filter.ts";
import type { Source, SourceSearch } from "./source.ts";

/** The files of the workspace: code and documents, by text, name, path and meaning. */
export const files: Source = {
  name: "files",
  brings: ["code", "file"],
  shelf: "files",
  measuredAs: "files",
  async find(query, search, workspace) {
    const wanted = new Set(search.strategies);
    const found = new Found();
    const none = Promise.resolve();
    const { kinds, ...anyKind } = search.filter;
    // A file is ranked by its parts too, and a part by its file: what is not of the wanted kind is evidence for what is.
    const whole = { ...search, filter: anyKind };
    const parts = kinds?.every(isWholeFile) ? whole : search;
    await Promise.all([
      wanted.has("text") ? byText(query, parts, anyKind, workspace, found) : none,
      wanted.has("name") ? byName(namesOf(query), query, whole, workspace, found) : none,
      wanted.has("path") ? byPath(query.paths, query, whole, workspace, found) : none,
      wanted.has("similar") ? bySimilarity(query, parts, workspace, found) : none,
      search.meaning ? byMeaning(search.meaning, parts, workspace, found) : none,
      wanted.has("history") ? byHistory(query, whole, workspace, found) : none,
    ]);
    return withoutCopies(found.candidates(), query);
  },
  async within(paths, query, { limit, filter }, { store, owner }) {
    const hits = await store.searchText(owner, {
      scope: "unit",
      terms: query.terms,
      limit,
      filter: { ...filter, files: paths },
    });
    return hits.map(({ item, score }) => ({ item, signals: { matched: score }, distance: 0 }));
  },
};

/** Candidates by id: each signal keeps its best value. */
class Found {
  readonly #byId = new Map<string, { item: Item; signals: Signals }>();
  /** What history says of files, and so of all that is found in them. */
  history: ReadonlyMap<string, number> = new Map();

  add(item: Item, signal: string, value: number): void {
    const known = this.#byId.get(item.id);
    if (known) known.signals[signal] = Math.max(known.signals[signal] ?? 0, value);
    else this.#byId.set(item.id, { item, signals: { [signal]: value } });
  }

  candidates(): Candidate[] {
    return [...this.#byId.values()].map(({ item, signals }) => {
      const history = this.history.get(item.path);
      return { item, signals: history === undefined ? signals : { ...signals, history }, distance: 0 };
    });
  }
}

async function byText(
  query: Query,
  { filter, limit, fewTests }: SourceSearch,
  ofFiles: Filter,
  { store, owner }: Workspace,
  found: Found,
): Promise<void> {
  const look = async (search: TextSearch): Promise<Hit[]> => {
    if (!fewTests || search.filter?.tests !== undefined) return store.searchText(owner, search);
    const hits = await Promise.all([
      store.searchText(owner, { ...search, filter: { ...search.filter, tests: false } }),
      store.searchText(owner, {
        ...search,
        filter: { ...search.filter, tests: true },
        limit: Math.ceil(search.limit / 8),
      }),
    ]);
    return hits.flat();
  };
  const terms = searchedTerms(query);
  const some = Math.ceil(limit / 3);
  const hits = await Promise.all([
    look({ scope: "unit", terms, limit, filter }),
    look({ scope: "file", terms, limit: some, filter: ofFiles }),
    query.title.length > 0 ? look({ scope: "unit", terms: query.title, limit: some, filter }) : [],
    ...messagesIn(query).map((terms) => look({ scope: "unit", terms, limit: some, filter })),
  ]);
  for (const hit of hits.flat()) found.add(hit.item, "matched", hit.score);
}

/** Most definitions of one name that are all what was asked for. */
const mostDefinitions = 20;
/** What a definition that is less likely meant than another counts less: it keeps its place behind it, and before all that was only found. */
const definitionStep = 0.002;

/**
 * The definitions that a name means: where the product has some, not those of its tests, nor what a compiler made of them; a class before its
 * constructor, all before fields.
 */
function definitions(hits: readonly Hit[]): [Item, number][] {
  const own = hits.filter(({ item }) => !item.test && item.role !== "build-output");
  const classes = new Set(hits.filter(({ item }) => item.kind === "class").map(({ item }) => item.id));
  const step = (item: Item) =>
    definitionRank(item) + (item.parent !== undefined && classes.has(item.parent) ? 1 : 0) + (item.role ? 1 : 0);
  return (own.length > 0 ? own : hits)
    .map(({ item }): [Item, number] => [item, 1 - definitionStep * step(item)])
    .sort((a, b) => b[1] - a[1])
    .slice(0, mostDefinitions);
}

/** The words of each pasted message, where it is one line of a long report. */
function messagesIn({ shape, messages }: Query): WeightedTerm[][] {
  if (shape === "question") return [];
  return messages.map(({ text }) => [...new Set(analyse(text))].map((term) => ({ term, weight: 1 })));
}

/** A name that many items share says little about which one is meant. */
function rarity(definitions: number): number {
  return 1 / (1 + Math.log(definitions));
}

/** What a query is about is a name, however plain a word it is. */
function namesOf({ names, asked }: Query): QueryName[] {
  const known = new Map(names.map((each) => [each.name, each]));
  const about = new Set(asked);
  return [
    ...names.filter(({ name }) => !about.has(name)),
    ...asked.map((name) => ({ ...known.get(name), name, weight: 1 })),
  ];
}

/** How likely each of the items that share a name is the one that is meant: a definition before its declarations and before fields. */
function sharesOf(hits: Hit[]): [Item, number][] {
  const ranks = hits.map(({ item }) => definitionRank(item));
  const best = Math.min(...ranks);
  return hits.map(({ item }, i) => {
    const rivals = ranks.filter((rank) => rank <= ranks[i]!).length;
    return [item, rarity(rivals) * (ranks[i] === best ? 1 : secondary)];
  });
}

/** Of what is called as something more likely is. */
const secondary = 0.6;

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
    names.map(async ({ name: bare, weight, marked }) => {
      const mode = bare.includes(".") ? "suffix" : "exact";
      const withMark = marked === undefined ? [] : await look(marked, mode, 40);
      const name = withMark.length > 0 ? marked! : bare;
      const last = name.slice(name.lastIndexOf(".") + 1);
      const dotted = last !== name;
      let named = withMark.length > 0 ? withMark : await look(name, mode, 40);
      if (named.length === 0 && dotted) named = await look(last, "exact", 40);
      // A word that may be no name at all is not meant as one of the many fields that are called so.
      const fieldsToo = weight === 1 || query.shape === "identifier";
      const hits = named.filter(({ item }) => fieldsToo || item.kind !== "field");
      const asWritten = hits.filter(({ item }) => item.name === last || item.name === name);
      const meant = asWritten.length > 0 ? asWritten : hits;
      const caseFactor = asWritten.length > 0 ? 1 : 0.7;
      for (const [item, share] of sharesOf(meant)) found.add(item, "symbol", weight * caseFactor * share);
      if (query.asked.includes(bare)) for (const [item, share] of definitions(meant)) found.add(item, "named", share);
      const mayBeMisspelt = named.length === 0 && (weight >= 0.6 || query.shape === "identifier");
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
        if (certainty === 1 && (query.shape === "path" || query.shape === "question"))
          found.add(place ?? item, "named", 1);
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

/** How many of the files that commits speak for are candidates. */
const mostByHistory = 60;

async function byHistory(query: Query, search: SourceSearch, workspace: Workspace, found: Found): Promise<void> {
  const { store, owner } = workspace;
  const scores = await filesByHistory(query, workspace, search.before);
  found.history = scores;
  const best = [...scores].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, mostByHistory);
  const passes = itemFilter(search.filter);
  const wholes = await store.wholeFiles(
    owner,
    best.map(([path]) => path),
  );
  for (const [path, { item }] of wholes) if (passes(item)) found.add(item, "history", scores.get(path)!);
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

/** As many as are found by the files' own vectors: what no word finds is among the nearest or nowhere. */
async function byMeaning(
  { model, vector }: NonNullable<SourceSearch["meaning"]>,
  { filter, limit, fewTests }: SourceSearch,
  { store, owner }: Workspace,
  found: Found,
): Promise<void> {
  const look = async (among: Filter, most: number) => {
    const hits = await store.modelVectors.search(owner, model, { vector, limit: Math.ceil(most), filter: among });
    for (const { item, score } of hits) found.add(item, "meaning", score);
  };
  const most = limit / 3;
  if (!fewTests || filter.tests !== undefined) return look(filter, most);
  await Promise.all([look({ ...filter, tests: false }, most), look({ ...filter, tests: true }, most / 8)]);
}
