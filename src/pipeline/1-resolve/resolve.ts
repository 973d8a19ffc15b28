import type { Candidate, Signals } from "../../item.ts";
import type { SearchRequest } from "../../options.ts";
import { type Ask, isReport, type Recipe } from "../../recipes/recipe.ts";
import { sources } from "../../sources/all.ts";
import { bringsLines, type Source, type SourceSearch } from "../../sources/source.ts";
import { pathMatcher } from "../../stores/globs.ts";
import type { Filter } from "../../stores/store.ts";
import { aboutSubject, asksForIntroduction } from "../../text/analysis/history-words.ts";
import { withoutProjectName } from "../../text/analysis/project-name.ts";
import {
  analyseQuery,
  asksForNewest,
  isHistoryQuestion,
  type Query,
  withLightAsking,
} from "../../text/analysis/query.ts";
import { projectNames } from "../../workspace/project-names.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { gatherEvidence } from "../evidence.ts";
import type { Finding, Found } from "../finding.ts";
import { callersFound } from "../signals/callers-found.ts";
import { type Meanings, meaningFactor, meaningsOf, withCosines } from "../signals/meanings.ts";
import { bestFilesOf } from "../signals/measure-files.ts";
import { answerInTime } from "../source-deadline.ts";
import { askedPlace } from "../uncertainty/asked-place.ts";
import { withoutUnknown } from "../uncertainty/unknown-words.ts";
import { withDelegatesLast } from "./delegates.ts";
import { withFrameSites } from "./frame-sites.ts";
import { withLiteralSites } from "./literal-sites.ts";
import { withMessageSites } from "./message-sites.ts";
import { withImported } from "./near-signal.ts";
import { withNewestCommits } from "./newest-commits.ts";
import { withTableRows } from "./table-rows.ts";
import { withUsage } from "./usage-signal.ts";

type Strategies = SearchRequest["strategies"];

/**
 * Asks every source of the recipe at once, each under its own deadline. A source that fails or is late becomes a
 * warning.
 */
export async function resolve(request: SearchRequest, recipe: Recipe, workspace: Workspace): Promise<Found> {
  // Validate globs first: a bad pattern is the caller's error, but inside a source it would only become a warning.
  if (request.paths) pathMatcher(request.paths);
  const query = analyseQuery(request.query, request.hints);
  // Embed the query before the sources are asked, so that the model's time does not count against their deadlines.
  const meanings = await meaningsOf(query, recipe, request.strategies, workspace);
  const warnings: string[] = [...meanings.warnings];
  let isUnread = false;
  const unread = (sentence: string) => {
    isUnread = true;
    warnings.push(sentence);
  };
  const warn = (sentence: string) => warnings.push(sentence);
  const asking: Asking = { query, request, recipe, meanings, workspace, warn, unread };
  const findings = await Promise.all(
    asksOf(request, recipe).map(async ({ ask, source }): Promise<Finding[]> => {
      const find = () => findOne(ask, source, asking);
      const response = await answerInTime(source.name, ask.deadline, find);
      if ("answer" in response) return [response.answer];
      (response.isUnread ? unread : warn)(response.warning);
      return [];
    }),
  );
  const newest = await withNewestCommits(findings.flat(), query, recipe, workspace);
  const all = asksForIntroduction(query)
    ? await (await import("./introducing-commits.ts")).withIntroducingCommit(newest, query, workspace)
    : newest;
  const files = all.find(({ source }) => bringsLines(source));
  if (files && files.evidence.units.count === 0 && all.every(({ candidates }) => candidates.length === 0)) {
    warnings.push("The index is empty: no file of the folder is indexed.");
  }
  const { findings: withKnownWords, unknown } = withoutUnknown(query, all);
  const place = await askedPlace(query, recipe, workspace);
  const found = { query, findings: withKnownWords, unknown, warnings: [...new Set(warnings)], isUnread };
  return place ? { ...found, place } : found;
}

/** The recipe's asks, of the sources that the request allows. */
function asksOf(request: SearchRequest, recipe: Recipe): { ask: Ask; source: Source }[] {
  return recipe.asks.flatMap((ask) => {
    const source = sources.find(({ name }) => name === ask.source);
    const isAllowed = request.sources?.some((name) => source?.brings.includes(name)) ?? true;
    return source && isAllowed ? [{ ask: withRaisedLimit(ask, request), source }] : [];
  });
}

/**
 * An ask's limit keeps one source from crowding out the others. It is raised to the request's limit when the caller
 * names the sources.
 */
function withRaisedLimit(ask: Ask, { sources, limit }: SearchRequest): Ask {
  return sources && ask.limit !== undefined ? { ...ask, limit: Math.max(ask.limit, limit) } : ask;
}

/** The parts of the question that all sources get. */
type Asking = {
  query: Query;
  request: SearchRequest;
  recipe: Recipe;
  meanings: Meanings;
  workspace: Workspace;
  warn(sentence: string): void;
  /** Like `warn`, for sources that could not be read. */
  unread(sentence: string): void;
};

async function findOne(ask: Ask, source: Source, asking: Asking): Promise<Finding> {
  const { recipe, meanings, workspace } = asking;
  const asked = ask.query === undefined ? asking.query : analyseQuery(ask.query);
  const query = bringsLines(source) ? withLightAsking(toTheProject(asked, workspace)) : asked;
  const meaning = usesModel(query, source, recipe) ? meanings.of(query) : undefined;
  const search = { ...searchFor(ask, source, query, asking), ...(meaning ? { meaning } : {}) };
  const matched = await source.find(query, search, workspace);
  const all = ask.certain && ask.ids ? await withUnmatched(matched, ask.ids, source, workspace) : matched;
  const candidates = recipe.chat ? await withUsage(all, workspace) : all;
  const correctedQuery = (await source.corrected?.(query, workspace)) ?? query;
  const evidence = await gatherEvidence(correctedQuery, candidates, source, workspace);
  const found: Finding = { ask, source, query: correctedQuery, candidates, evidence };
  const sited = await withSites(found, search, workspace);
  const whole = await withSecondLookup(sited, search, recipe, workspace);
  if (!meaning) return whole;
  return { ...whole, meaning, candidates: await withCosines(whole.candidates, meaning, source.shelf, workspace) };
}

function searchFor(ask: Ask, source: Source, query: Query, { request, recipe, warn, unread }: Asking): SourceSearch {
  const filter = recipe.notes ?? recipe.noteFilter;
  const { thread, upTo, before, strategies } = request;
  return {
    limit: bringsLines(source) ? recipe.candidates : (ask.limit ?? request.limit),
    filter: filterOf(request, ask),
    strategies: bringsLines(source) ? usefulStrategies(strategies, query, recipe) : strategies,
    fewTests: request.tests === "auto" && !query.wantsTests,
    ...(ask.where ? { where: ask.where } : {}),
    ...(filter ? { notes: filter } : {}),
    ...(recipe.notes ? { warn } : {}),
    unread,
    ...(thread === undefined ? {} : { thread }),
    ...(upTo === undefined ? {} : { upTo }),
    ...(before === undefined ? {} : { before }),
    ...(ask.times ? { times: ask.times } : {}),
    ...(ask.certain ? { certain: true } : {}),
  };
}

/**
 * The places that a pasted message, a literal, a table or a stack trace leads to; functions that only delegate come
 * last.
 */
async function withSites(found: Finding, search: SourceSearch, workspace: Workspace): Promise<Finding> {
  const printing = await withMessageSites(found, search, workspace);
  const quoting = await withLiteralSites(printing, search, workspace);
  const tabled = await withTableRows(quoting, search, workspace);
  const sited = await withFrameSites(tabled, search, workspace);
  if (!bringsLines(sited.source)) return sited;
  return { ...sited, candidates: await withDelegatesLast(sited.candidates, workspace) };
}

/** The query as it is put to the project itself, in which its name says nothing. */
function toTheProject(query: Query, { root }: Workspace): Query {
  // Text that a program printed is compared word by word, including the program's own name.
  const isPrinted = query.messages.some(({ alone, likely }) => alone && likely);
  if (query.shape !== "question" || isPrinted) return query;
  const text = withoutProjectName(query.text, projectNames(root));
  const named = text === query.text ? query : analyseQuery(text, query.hints);
  // Code is found by the thing that was changed, not by the word "changed".
  return isHistoryQuestion(named) && asksForNewest(named) ? aboutSubject(named) : named;
}

/** Second lookup, from the candidates: units within the best files for a report, callers for a question. */
async function withSecondLookup(
  finding: Finding,
  search: SourceSearch,
  recipe: Recipe,
  workspace: Workspace,
): Promise<Finding> {
  const { source, query, candidates } = finding;
  if (source.within && isReport(query.shape)) return withinBest(finding, search, recipe, workspace);
  const needsCallers = bringsLines(source) && recipe.signals[query.shape].called > 0;
  return needsCallers ? { ...finding, callers: await callersFound(candidates, workspace) } : finding;
}

/** Whether an embedding model counts for this query and source. */
function usesModel(query: Query, source: Source, { meaning }: Recipe): boolean {
  return meaning[meaningFactor(source, query)] > 0;
}

/**
 * Leaves out the vector search where `similar` has weight 0, as for reports: Acc@k of files and functions is the same
 * (135 issues), and it takes a tenth of the time. It stays when the caller asks for it without the text search.
 */
function usefulStrategies(strategies: Strategies, { shape }: Query, { signals }: Recipe): Strategies {
  if (signals[shape].similar > 0 || !strategies.includes("text")) return strategies;
  return strategies.filter((strategy) => strategy !== "similar");
}

/**
 * How many of the best files are searched again for a report: one function often contains its words and another one its
 * cause.
 */
const bestFiles = 20;

async function withinBest(
  finding: Finding,
  search: SourceSearch,
  recipe: Recipe,
  workspace: Workspace,
): Promise<Finding> {
  const { source, query, evidence } = finding;
  const ranked = bestFilesOf(finding, recipe);
  const files = ranked.slice(0, bestFiles);
  const candidates = await withImported(finding, ranked, workspace);
  const signalsById = new Map(candidates.map(({ item, signals }) => [item.id, signals]));
  const ofFile = new Map(candidates.map(({ item, signals }) => [item.path, signalsOfFile(signals)]));
  const newUnits = (await source.within!(files, query, search, workspace))
    .filter(({ item }) => !signalsById.has(item.id))
    .map((candidate) => ({ ...candidate, signals: { ...candidate.signals, ...ofFile.get(candidate.item.path) } }));
  const terms = await workspace.store.shelf(source.shelf).terms(
    workspace.owner,
    "unit",
    newUnits.map(({ item }) => item.id),
  );
  const unitTerms = new Map([...evidence.unitTerms, ...terms]);
  return { ...finding, candidates: [...candidates, ...newUnits], evidence: { ...evidence, unitTerms } };
}

/** Signals that all units of a file share. */
function signalsOfFile({ history, near }: Signals): Signals {
  return { ...(history !== undefined && { history }), ...(near !== undefined && { near }) };
}

function filterOf(request: SearchRequest, ask: Ask): Filter {
  const { types, paths, languages, tests } = request;
  const kinds = ask.kinds && types ? ask.kinds.filter((kind) => types.includes(kind)) : (ask.kinds ?? types);
  return {
    ...(ask.ids ? { ids: ask.ids } : {}),
    ...(kinds ? { kinds } : {}),
    ...(paths ? { paths } : {}),
    ...(languages ? { languages } : {}),
    ...(tests === "only" ? { tests: true } : tests === "exclude" ? { tests: false } : {}),
  };
}

/** For a `certain` ask: adds the items that the query does not match, and marks all of them as `asked`. */
async function withUnmatched(
  matched: Candidate[],
  ids: string[],
  { shelf }: Source,
  { store, owner }: Workspace,
): Promise<Candidate[]> {
  const matchedIds = new Set(matched.map(({ item }) => item.id));
  const missing = await store.shelf(shelf).items(
    owner,
    ids.filter((id) => !matchedIds.has(id)),
  );
  const all = [...matched, ...missing.map((item): Candidate => ({ item, signals: {}, distance: 0 }))];
  return all.map((candidate) => ({ ...candidate, signals: { ...candidate.signals, asked: 1 } }));
}
