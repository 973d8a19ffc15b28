import type { Candidate, Signals } from "../../item.ts";
import type { SearchRequest } from "../../options.ts";
import { type Ask, isReport, type Recipe } from "../../recipes/recipe.ts";
import { sources } from "../../sources/all.ts";
import { bringsLines, type Source, type SourceSearch } from "../../sources/source.ts";
import { pathMatcher } from "../../stores/globs.ts";
import type { Filter } from "../../stores/store.ts";
import { analyseQuery, type Query } from "../../text/analysis/query.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { gatherEvidence } from "../evidence.ts";
import type { Finding, Found } from "../finding.ts";
import { callersFound } from "../signals/callers-found.ts";
import { type Meanings, meaningFactor, meaningsOf, withCosines } from "../signals/meanings.ts";
import { bestFilesOf } from "../signals/measure-files.ts";
import { answerOf } from "../source-deadline.ts";
import { withoutUnknown } from "../uncertainty/unknown-words.ts";
import { withImported } from "./imported.ts";
import { withMessageSites } from "./message-sites.ts";
import { withUsage } from "./usage-signal.ts";

type Strategies = SearchRequest["strategies"];

/** Asks every source of the recipe at once, each under its own deadline. A source that fails or is late becomes a warning. */
export async function resolve(request: SearchRequest, recipe: Recipe, workspace: Workspace): Promise<Found> {
  // A pattern that cannot be read is the caller's mistake; found out inside a source it would be a warning.
  if (request.paths) pathMatcher(request.paths);
  const query = analyseQuery(request.query);
  // Before the sources are asked: their deadlines are not the model's.
  const meanings = await meaningsOf(query, recipe, request.strategies, workspace);
  const warnings: string[] = [...meanings.warnings];
  const findings = await Promise.all(
    asksOf(request, recipe).map(async ({ ask, source }): Promise<Finding[]> => {
      const warn = (sentence: string) => warnings.push(sentence);
      const find = () => findOne(ask, source, query, request, recipe, meanings, workspace, warn);
      const heard = await answerOf(source.name, ask.deadline, find);
      if ("answer" in heard) return [heard.answer];
      warnings.push(heard.warning);
      return [];
    }),
  );
  const all = findings.flat();
  const files = all.find(({ source }) => bringsLines(source));
  if (files && files.evidence.units.count === 0 && all.every(({ candidates }) => candidates.length === 0)) {
    warnings.push("The index is empty: no file of the folder is indexed.");
  }
  const { findings: meant, unknown } = withoutUnknown(query, all);
  return { query, findings: meant, unknown, warnings };
}

/** The recipe's asks, of the sources that the request allows. */
function asksOf(request: SearchRequest, recipe: Recipe): { ask: Ask; source: Source }[] {
  return recipe.asks.flatMap((ask) => {
    const source = sources.find(({ name }) => name === ask.source);
    const isAllowed = request.sources?.some((name) => source?.brings.includes(name)) ?? true;
    return source && isAllowed ? [{ ask: alone(ask, request), source }] : [];
  });
}

/** A limit keeps one source from crowding out the others; whoever names the sources decides that. */
function alone(ask: Ask, { sources, limit }: SearchRequest): Ask {
  return sources && ask.limit !== undefined ? { ...ask, limit: Math.max(ask.limit, limit) } : ask;
}

async function findOne(
  ask: Ask,
  source: Source,
  asked: Query,
  request: SearchRequest,
  recipe: Recipe,
  meanings: Meanings,
  workspace: Workspace,
  warn: (sentence: string) => void,
): Promise<Finding> {
  const query = ask.query === undefined ? asked : analyseQuery(ask.query);
  const filter = recipe.notes ?? recipe.noteFilter;
  const meaning = counts(query, source, recipe) ? meanings.of(query) : undefined;
  const search = {
    limit: bringsLines(source) ? recipe.candidates : (ask.limit ?? request.limit),
    filter: filterOf(request, ask),
    strategies: bringsLines(source) ? worthwhile(request.strategies, query, recipe) : request.strategies,
    ...(meaning ? { meaning } : {}),
    fewTests: request.tests === "auto" && !query.wantsTests,
    ...(ask.where ? { where: ask.where } : {}),
    ...(filter ? { notes: filter } : {}),
    ...(recipe.notes ? { warn } : {}),
    ...(request.thread === undefined ? {} : { thread: request.thread }),
    ...(request.upTo === undefined ? {} : { upTo: request.upTo }),
    ...(request.before === undefined ? {} : { before: request.before }),
    ...(ask.times ? { times: ask.times } : {}),
    ...(ask.certain ? { certain: true } : {}),
  };
  const matched = await source.find(query, search, workspace);
  const all = ask.certain && ask.ids ? await withAll(matched, ask.ids, source, workspace) : matched;
  const candidates = recipe.chat ? await withUsage(all, workspace) : all;
  const meant = (await source.corrected?.(query, workspace)) ?? query;
  const evidence = await gatherEvidence(meant, candidates, source, workspace);
  const finding = await withMessageSites({ ask, source, query: meant, candidates, evidence }, search, workspace);
  const whole = await furtherOf(finding, search, recipe, workspace);
  if (!meaning) return whole;
  return { ...whole, meaning, candidates: await withCosines(whole.candidates, meaning, source.shelf, workspace) };
}

/** What is looked up once it is known what was found. */
async function furtherOf(
  finding: Finding,
  search: SourceSearch,
  recipe: Recipe,
  workspace: Workspace,
): Promise<Finding> {
  const { source, query, candidates } = finding;
  if (source.within && isReport(query.shape)) return withinBest(finding, search, recipe, workspace);
  const counts = bringsLines(source) && recipe.signals[query.shape].called > 0;
  return counts ? { ...finding, callers: await callersFound(candidates, workspace) } : finding;
}

/** Whether a language model has a say in what this source is asked. */
function counts(query: Query, source: Source, { meaning }: Recipe): boolean {
  return meaning[meaningFactor(source, query)] > 0;
}

/**
 * Where vectors count nothing, as for reports, they are not compared: Acc@k of files and functions is the same without them (135
 * issues), and they take a tenth of the time. Whoever asks for them without the text means them.
 */
function worthwhile(strategies: Strategies, { shape }: Query, { signals }: Recipe): Strategies {
  if (signals[shape].similar > 0 || !strategies.includes("text")) return strategies;
  return strategies.filter((strategy) => strategy !== "similar");
}

/** In how many of the best files a report is looked for once more: what it tells of is often said in one function and done in another. */
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
  const candidateIds = new Map(candidates.map(({ item, signals }) => [item.id, signals]));
  const ofFile = new Map(candidates.map(({ item, signals }) => [item.path, signalsOfFile(signals)]));
  const further = (await source.within!(files, query, search, workspace))
    .filter(({ item }) => !candidateIds.has(item.id))
    .map((candidate) => ({ ...candidate, signals: { ...candidate.signals, ...ofFile.get(candidate.item.path) } }));
  const terms = await workspace.store.shelf(source.shelf).terms(
    workspace.owner,
    "unit",
    further.map(({ item }) => item.id),
  );
  const unitTerms = new Map([...evidence.unitTerms, ...terms]);
  return { ...finding, candidates: [...candidates, ...further], evidence: { ...evidence, unitTerms } };
}

/** What is true of all parts of a file. */
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

/** Of an ask that is certain of its items, also those that the query does not find. */
async function withAll(
  found: Candidate[],
  ids: string[],
  { shelf }: Source,
  { store, owner }: Workspace,
): Promise<Candidate[]> {
  const foundIds = new Set(found.map(({ item }) => item.id));
  const missing = await store.shelf(shelf).items(
    owner,
    ids.filter((id) => !foundIds.has(id)),
  );
  const all = [...found, ...missing.map((item): Candidate => ({ item, signals: {}, distance: 0 }))];
  return all.map((candidate) => ({ ...candidate, signals: { ...candidate.signals, asked: 1 } }));
}
