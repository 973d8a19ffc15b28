import { type Item, isProse, isWholeFile } from "../item.ts";
import { definitionRank, endsInName } from "../stores/scope/targets.ts";
import type { Filter, Hit, NameSearch, Store, TextSearch, WeightedTerm } from "../stores/store.ts";
import { analyse } from "../text/analysis/analyse.ts";
import { wrappedTexts } from "../text/analysis/pasted-messages.ts";
import { type Query, type QueryName, searchedTerms } from "../text/analysis/query.ts";
import { fileEnding, type QueryPath } from "../text/analysis/query-paths.ts";
import { withoutCopies } from "../tree/roles/without-copies.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { filesAt, pathsNear } from "./asked-paths.ts";
import { CandidateSet } from "./candidate-set.ts";
import { filesByHistory } from "./file-history.ts";
import { itemFilter } from "./item-filter.ts";
import { foundWithoutModule } from "./module-names.ts";
import type { Source, SourceSearch } from "./source.ts";

/** The files of the workspace: code and documents, by text, name, path and meaning. */
export const files: Source = {
  name: "files",
  brings: ["code", "file"],
  shelf: "files",
  measuredAs: "files",
  async find(query, search, workspace) {
    const strategies = new Set(search.strategies);
    const candidates = new CandidateSet();
    const none = Promise.resolve();
    const { kinds, ...anyKind } = search.filter;
    // A file is ranked by its parts too, and a part by its file: items of other kinds are evidence for the requested
    // ones.
    const anyKindSearch = { ...search, filter: anyKind };
    const parts = kinds?.every(isWholeFile) ? anyKindSearch : search;
    const [vector] = await Promise.all([
      strategies.has("similar") ? bySimilarity(query, parts, workspace, candidates) : undefined,
      strategies.has("text") ? byText(query, parts, anyKind, workspace, candidates) : none,
      strategies.has("name") ? byName(namesOf(query), query, anyKindSearch, workspace, candidates) : none,
      strategies.has("path") ? byPath(query.paths, query, anyKindSearch, workspace, candidates) : none,
      search.meaning ? byMeaning(search.meaning, parts, workspace, candidates) : none,
      strategies.has("history") ? byHistory(query, anyKindSearch, workspace, candidates) : none,
    ]);
    if (vector) await measureSimilarity(vector, workspace, candidates);
    return withoutCopies(candidates.list(), query);
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

async function byText(
  query: Query,
  { filter, limit, fewTests }: SourceSearch,
  ofFiles: Filter,
  { store, owner }: Workspace,
  candidates: CandidateSet,
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
  const fewer = Math.ceil(limit / 3);
  const hits = await Promise.all([
    look({ scope: "unit", terms, limit, filter }),
    look({ scope: "file", terms, limit: fewer, filter: ofFiles }),
    query.title.length > 0 ? look({ scope: "unit", terms: query.title, limit: fewer, filter }) : [],
    ...messagesIn(query).map((terms) => look({ scope: "unit", terms, limit, filter })),
  ]);
  for (const hit of hits.flat()) candidates.add(hit.item, "matched", hit.score);
}

/** Limit of definitions of one name that all count as named. */
const mostDefinitions = 20;
/** Step between more and less likely definitions: they keep their order, before all other results. */
const definitionStep = 0.002;
/** Steps for items in examples, fixtures or vendored code: they come after every kind of definition in the product. */
const besideProduct = 4;

/**
 * The definitions of a name. Those in tests, generated code and build output are left out if the product has others. A
 * class comes before its constructor, and fields come last. Documentation comes after code of the same name, unless it
 * may answer the question. For a dotted name, an item whose whole name equals it comes before items whose name only
 * ends in it.
 */
function definitions(
  name: string,
  hits: readonly Hit[],
  { wantsDocs, wantsUsage }: Query,
  isDefined: boolean,
): [Item, number][] {
  const codeFirst = isDefined && !wantsDocs && !wantsUsage;
  const own = hits.filter(({ item: { test, role } }) => !test && role !== "build-output" && role !== "generated");
  const classes = new Set(hits.filter(({ item }) => item.kind === "class").map(({ item }) => item.id));
  const step = (item: Item) =>
    definitionRank(item) +
    (item.parent !== undefined && classes.has(item.parent) ? 1 : 0) +
    (item.role ? (item.role === "declaration" ? 1 : besideProduct) : 0) +
    (isProse(item) === codeFirst ? 1 : 0) +
    (name.includes(".") && item.qualifiedName !== `${item.path}::${name}` ? 1 : 0);
  return (own.length > 0 ? own : hits)
    .map(({ item }): [Item, number] => [item, 1 - definitionStep * step(item)])
    .sort((a, b) => b[1] - a[1])
    .slice(0, mostDefinitions);
}

/** If a name has more definitions, a question with further words does not mean all of them. */
const mostMeant = 6;

/**
 * "how does toString avoid endless recursion": if thirty classes have a `toString`, the other words of the question
 * select one.
 */
function isOneWordOfMany(hits: readonly Hit[], { onlyNames }: Query): boolean {
  return !onlyNames && hits.filter(({ item }) => !item.test && !item.role && !isProse(item)).length > mostMeant;
}

/** The words of each pasted message in a query that is a long report, and of the texts that a message wraps. */
function messagesIn({ shape, messages }: Query): WeightedTerm[][] {
  const texts = messages.flatMap((message) => [
    ...(shape === "question" ? [] : [message.text]),
    ...(message.alone ? wrappedTexts(message) : []),
  ]);
  return texts.map((text) => [...new Set(analyse(text))].map((term) => ({ term, weight: 1 })));
}

/** A name that many items share says little about which one is meant. */
function rarity(definitions: number): number {
  return 1 / (1 + Math.log(definitions));
}

/** The names of a query. Its subject counts as a name even if it is an ordinary word. */
function namesOf({ names, asked, meant }: Query): QueryName[] {
  const queryNames = new Map(names.map((each) => [each.name, each]));
  const subjects = new Set(asked);
  return [
    ...names.filter(({ name }) => !subjects.has(name)),
    ...asked.map((name) => ({ ...queryNames.get(name), name, weight: 1 })),
    // A phrase of the hints is not exactly a name, so it counts less.
    ...meant.filter((name) => !queryNames.has(name) && !subjects.has(name)).map((name) => ({ name, weight: ofPhrase })),
  ];
}

const ofPhrase = 0.5;
/** A module or namespace with this name declares or contains the item that is meant. */
const ofModule = 0.98;

/**
 * The probability that each item with a name is the one that is meant: a definition is more likely than its
 * declarations and than fields.
 */
function sharesOf(hits: Hit[]): [Item, number][] {
  const ranks = hits.map(({ item }) => definitionRank(item));
  const best = Math.min(...ranks);
  return hits.map(({ item }, i) => {
    const rivals = ranks.filter((rank) => rank <= ranks[i]!).length;
    return [item, rarity(rivals) * (ranks[i] === best ? 1 : secondary)];
  });
}

/** Share of a less likely item of the same name. */
const secondary = 0.6;

async function byName(
  names: QueryName[],
  query: Query,
  search: SourceSearch,
  { store, owner }: Workspace,
  candidates: CandidateSet,
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
      let matches = withMark.length > 0 ? withMark : await look(name, mode, 40);
      if (dotted && matches.every(({ item }) => isProse(item)))
        matches = [...(await foundWithoutModule(name, look)), ...matches];
      if (matches.length === 0 && dotted) matches = await look(last, "exact", 40);
      // A word that may not be a name does not mean one of the many fields with that name.
      const fieldsToo = weight === 1 || query.shape === "identifier";
      const hits = matches.filter(({ item }) => fieldsToo || item.kind !== "field");
      const asWritten = hits.filter(({ item }) => endsInName(name, item.name));
      // A setting may have this spelling only in its documentation, while the code that reads it uses another case.
      const isDefined = asWritten.some(({ item }) => !isProse(item));
      const otherCase = isDefined ? [] : hits.filter((hit) => !asWritten.includes(hit));
      const intended = [...asWritten, ...otherCase];
      const caseFactor = asWritten.length > 0 ? 1 : 0.7;
      for (const [item, share] of sharesOf(intended)) candidates.add(item, "symbol", weight * caseFactor * share);
      // Capitals in a query are intended: WEB_CONCURRENCY does not mean a function web_concurrency.
      const isCertain = asWritten.length > 0 || bare === bare.toLowerCase();
      if (query.asked.includes(bare) && isCertain && !isOneWordOfMany(intended, query))
        for (const [item, share] of definitions(name, intended, query, isDefined)) candidates.add(item, "named", share);
      if (query.meant.includes(bare) && !isOneWordOfMany(intended, query))
        for (const [item, share] of definitions(name, intended, query, isDefined))
          candidates.add(item, "meant", item.kind === "module" ? share * ofModule : share);
      const mayBeMisspelt = matches.length === 0 && (weight >= 0.6 || query.shape === "identifier");
      if (mayBeMisspelt && !(await isWritten(last, store, owner))) {
        for (const { item, score } of await look(last, "fuzzy", 10))
          candidates.add(item, "symbol", weight * 0.6 * score);
      }
    }),
  );
}

/** A name that occurs anywhere in the workspace, even only as text, is spelt correctly. */
async function isWritten(name: string, store: Store, owner: string): Promise<boolean> {
  const term = analyse(name).at(-1);
  if (term === undefined) return false;
  return (await store.termStatistics(owner, "unit", [term])).frequencies.has(term);
}

async function byPath(
  paths: QueryPath[],
  query: Query,
  search: SourceSearch,
  workspace: Workspace,
  candidates: CandidateSet,
): Promise<void> {
  const { store, owner } = workspace;
  const { filter } = search;
  await Promise.all(
    paths.map(async ({ path, line }) => {
      let hits = await filesAt(path, workspace, filter);
      const isKnown = hits.length > 0;
      const certainty = isKnown ? rarity(hits.length) : 0.5;
      const isAlone = query.shape === "path" || query.onlyPaths;
      if (!isKnown && isAlone && fileEnding.test(path)) hits = await nearest(path, filter, workspace);
      else if (!isKnown && query.shape === "path")
        hits = await store.searchPaths(owner, { text: path, mode: "fuzzy", limit: 5, filter });
      for (const { item } of hits) {
        const units = line !== undefined || query.shape === "path" ? await store.itemsOf(owner, item.path) : [];
        const unitAtLine = line === undefined ? undefined : innermost(units, line);
        if (unitAtLine) candidates.add(unitAtLine, "path", certainty);
        else for (const unit of units.slice(0, 40)) candidates.add(unit, "path", certainty * 0.5);
        // If several files have that ending, each one that has the line may be meant.
        const isNamed = certainty === 1 || (isKnown && query.shape === "path" && unitAtLine !== undefined);
        // "where do I put it in pyproject.toml" asks for the use of such a file, not for this one.
        const isMentioned = query.wantsUsage && item.kind === "config";
        if (isNamed && !isMentioned && (query.shape === "path" || query.shape === "question")) {
          if (unitAtLine && line !== undefined) candidates.addAtLine(unitAtLine, line);
          else if (query.onlyPaths && line === undefined) candidates.addWhole(item);
          else candidates.add(item, "named", 1);
        }
        // A stack frame means the unit around its line; the file is only its address.
        candidates.add(item, "path", unitAtLine && unitAtLine.id !== item.id ? certainty * 0.5 : certainty);
      }
    }),
  );
}

/** The file that was probably meant if no file has this path. */
async function nearest(path: string, filter: Filter, workspace: Workspace): Promise<Hit[]> {
  const [near] = await pathsNear(path, workspace);
  return near === undefined ? [] : filesAt(near, workspace, filter);
}

function innermost(units: Item[], line: number): Item | undefined {
  const around = units.filter((unit) => unit.startLine <= line && line <= unit.endLine);
  // If a function is the only content of its file, both have the same lines, and the file is listed first.
  return around.sort(
    (a, b) => a.endLine - a.startLine - (b.endLine - b.startLine) || around.indexOf(b) - around.indexOf(a),
  )[0];
}

/** Limit of candidates found by history. */
const mostByHistory = 60;

async function byHistory(
  query: Query,
  search: SourceSearch,
  workspace: Workspace,
  candidates: CandidateSet,
): Promise<void> {
  const { store, owner } = workspace;
  const scores = await filesByHistory(query, workspace, search.before);
  candidates.history = scores;
  const best = [...scores].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, mostByHistory);
  const passes = itemFilter(search.filter);
  const wholeFiles = await store.wholeFiles(
    owner,
    best.map(([path]) => path),
  );
  for (const [path, { item }] of wholeFiles) if (passes(item)) candidates.add(item, "history", scores.get(path)!);
}

/** Adds the nearest items; returns the vector of the query. */
async function bySimilarity(
  query: Query,
  search: SourceSearch,
  { store, owner }: Workspace,
  candidates: CandidateSet,
): Promise<Int8Array | undefined> {
  const { builtinEmbedder } = await import("../embed/builtin.ts");
  const embedder = await builtinEmbedder(store, owner);
  const vector = await embedder?.embedQuery({ text: query.text, terms: query.terms });
  if (!vector) return undefined;
  const hits = await store.searchVectors(owner, { vector, limit: Math.ceil(search.limit / 3), filter: search.filter });
  for (const { item, score } of hits) candidates.add(item, "similar", score);
  return vector;
}

/**
 * The similarity of the candidates that are not among the nearest. Without this, the hundredth nearest would count and
 * the next one would not, so a few more indexed sections could change an answer.
 */
async function measureSimilarity(
  vector: Int8Array,
  { store, owner }: Workspace,
  candidates: CandidateSet,
): Promise<void> {
  const ids = candidates.without("similar");
  if (ids.length === 0) return;
  const hits = await store.searchVectors(owner, { vector, limit: ids.length, filter: { ids } });
  for (const { item, score } of hits) candidates.add(item, "similar", score);
}

/** Finds as many items as the built-in vectors do, since a result that no word finds must be among the nearest. */
async function byMeaning(
  { model, vector }: NonNullable<SourceSearch["meaning"]>,
  { filter, limit, fewTests }: SourceSearch,
  { store, owner }: Workspace,
  candidates: CandidateSet,
): Promise<void> {
  const look = async (among: Filter, most: number) => {
    const hits = await store.modelVectors.search(owner, model, { vector, limit: Math.ceil(most), filter: among });
    for (const { item, score } of hits) candidates.add(item, "meaning", score);
  };
  const most = limit / 3;
  if (!fewTests || filter.tests !== undefined) return look(filter, most);
  await Promise.all([look({ ...filter, tests: false }, most), look({ ...filter, tests: true }, most / 8)]);
}
