import type { Context, Dropped } from "./document.ts";
import type { Item, Kind, LinkKind, Scored, UsageSite, Uses } from "./item.ts";
import { type Request, type SearchRequest, searchInput } from "./options.ts";
import { resolve } from "./pipeline/1-resolve/resolve.ts";
import { score } from "./pipeline/2-score/score.ts";
import { type Checked, check } from "./pipeline/3-check.ts";
import { withPinned } from "./pipeline/4-traverse/pinned.ts";
import { traverse } from "./pipeline/4-traverse/traverse.ts";
import { withUses } from "./pipeline/5-enrich/asked-uses.ts";
import { usesOf } from "./pipeline/5-enrich/callers.ts";
import { withCompanions } from "./pipeline/5-enrich/companions.ts";
import { type Enrichment, enrich } from "./pipeline/5-enrich/enrich.ts";
import { withValueGroups } from "./pipeline/5-enrich/value-groups.ts";
import { dedupe } from "./pipeline/6-dedupe/dedupe.ts";
import { sentKeysOf } from "./pipeline/7-budget/already-sent.ts";
import { withEntryBudgets } from "./pipeline/7-budget/entry-budgets.ts";
import { type Fit, fitBudget } from "./pipeline/7-budget/fit-budget.ts";
import { fitNotes } from "./pipeline/7-budget/fit-notes.ts";
import { uniqueCitations } from "./pipeline/8-result/note-citations.ts";
import {
  type OpenedSection as PrintedSection,
  type PrintedSections,
  type PrintOptions,
  printSections,
} from "./pipeline/8-result/print-opened.ts";
import { type RunFacts, render } from "./pipeline/8-result/result.ts";
import { droppedFor } from "./pipeline/dropped.ts";
import type { Found } from "./pipeline/finding.ts";
import { withChoices } from "./pipeline/item-choices.ts";
import type { Ranking } from "./pipeline/ranking.ts";
import { stopwatch } from "./pipeline/stopwatch.ts";
import { type Uncertainty, uncertaintyOf } from "./pipeline/uncertainty/uncertainty.ts";
import type { Unique } from "./pipeline/unique.ts";
import { recipes } from "./recipes/all.ts";
import type { Recipe } from "./recipes/recipe.ts";
import type { Workspace } from "./workspace/workspace.ts";

/** One query, start to finish. Each line is a file in pipeline/. */
export async function assemble(
  workspace: Workspace,
  request: Request,
  recipe: Recipe = recipes[request.recipe],
): Promise<Context> {
  const timed = stopwatch();
  const found = await timed("resolve", () => resolve(request, recipe, workspace));
  const scored = timed("score", () => score(found, request, recipe));
  const checked = await timed("check", () => check(scored, request, workspace));
  const reached = await timed("traverse", () => traverse(checked, request, recipe, workspace));
  const ranking = await timed("pinned", () => withPinned(reached, request, workspace));
  const enriched = await timed("enrich", () => enrich(ranking.ranked, request, recipe, workspace));
  const { unique, duplicates } = timed("dedupe", () => dedupe(enriched.items, found.query));
  const complete = await timed("complete", () => completed(unique, found, request, recipe, workspace));
  const merged = [...duplicates, ...complete.duplicates];
  const { chosen, excluded } = withChoices(complete.unique, merged, request);
  const leftOut = [...excluded, ...merged, ...enriched.unreadable, ...outranked(ranking)];
  // An excluded item was still found, so it counts towards certainty.
  const doubt = await timed("doubt", () => doubtOf(found, ranking, complete.unique.length, request, recipe, workspace));
  const fit = timed("budget", () => fitAll(chosen, leftOut, request, recipe, found, { ...ranking, ...doubt }));
  const run = runOf(found, checked, enriched, ranking, timed.milliseconds);
  return timed("render", () => render(fit, request, recipe, { ...run, notice: doubt.notice }));
}

/**
 * The items with what belongs to them: the values and helpers that the best name, the group of a value, citations that
 * can be opened later, their users and tests.
 */
export async function completed(
  unique: readonly Unique[],
  { query }: Found,
  request: Request,
  recipe: Recipe,
  workspace: Workspace,
): Promise<{ unique: Unique[]; duplicates: Dropped[] }> {
  const isOfCode = recipe.look.budget === "worth" && !recipe.notes;
  const all = isOfCode ? await withCompanions(unique, request, query, workspace) : [...unique];
  const grouped = isOfCode ? await withValueGroups(all, request, workspace) : { unique: all, duplicates: [] };
  const cited = await uniqueCitations(grouped.unique, workspace);
  return { unique: await withUses(cited, request, query, workspace), duplicates: grouped.duplicates };
}

/** What the ranking left out. */
function outranked({ below, beyond = [] }: Ranking): Dropped[] {
  return [...below.map((each) => droppedFor(each, "below-score")), ...beyond];
}

type Doubt = Pick<Uncertainty, "notice"> & { nearMisses: Unique[] };

/** What is said about an answer of `count` items that is not sure, and what is named where nothing matches. */
export async function doubtOf(
  found: Found,
  { confidence }: Ranking,
  count: number,
  request: Request,
  recipe: Recipe,
  workspace: Workspace,
): Promise<Doubt> {
  const { nearMisses, ...notice } = await uncertaintyOf(found, confidence, count, recipe, workspace, request.before);
  const { items } = await enrich(nearMisses, request, recipe, workspace);
  return { ...withCaveats(notice, request), nearMisses: dedupe(items).unique };
}

/** Chooses what is printed, at which level, within the budget; where it was asked for, within larger ones too. */
export function fitAll(
  chosen: readonly Unique[],
  leftOut: readonly Dropped[],
  request: Request,
  { notes, look }: Recipe,
  { query, warnings }: Found,
  assurance: Ranking & Doubt,
): Fit {
  const header = { ...assurance, warnings: [...warnings, ...(assurance.warnings ?? [])] };
  const fitIn = (budgeted: Request) => (notes ? fitNotes : fitBudget)(chosen, leftOut, budgeted, query, look, header);
  return withEntryBudgets(fitIn(request), request, fitIn);
}

/** The first line of a document: what it could not be made from, and how sure it is. */
function withCaveats({ notice }: Pick<Uncertainty, "notice">, { caveats = [] }: Request): Pick<Uncertainty, "notice"> {
  if (caveats.length === 0) return notice === undefined ? {} : { notice };
  return { notice: [...(notice === undefined ? [] : [notice]), ...caveats].join(" ") };
}

/** A key for every line that a context prints, so that a later answer with `since` can leave it out. */
export function sentKeys({ items }: Context): string[] {
  return sentKeysOf(items);
}

export type AskedSection = PrintedSection;

/** The callers of an item by links of these kinds, and the tests among its users: at most `limit` of each. */
export function usersOf(item: Item, workspace: Workspace, kinds: LinkKind[], limit: number): Promise<Uses> {
  return usesOf(item, workspace, limit, kinds);
}

/** Where code writes a name as a call, for a function that no link leads to. */
export async function callsSaying(item: Item, workspace: Workspace): Promise<UsageSite[]> {
  const { writtenCalls } = await import("./pipeline/5-enrich/written-calls.ts");
  return writtenCalls(item, workspace);
}

/** Prints items that were opened by name, place or id (no search) in the given order, within a budget. */
export function print(sections: AskedSection[], options: PrintOptions): PrintedSections {
  return printSections(sections, options);
}

/** Limit on reported unknown words: in a pasted log nearly every word may be unknown. */
const mostUnknown = 20;

function runOf(
  found: Found,
  checked: Checked,
  enriched: Enrichment,
  { warnings = [] }: Ranking,
  milliseconds: Record<string, number>,
): RunFacts {
  const bySource: Record<string, number> = {};
  for (const { candidates } of found.findings) {
    for (const { item } of candidates) bySource[item.source] = (bySource[item.source] ?? 0) + 1;
  }
  return {
    confidence: checked.confidence,
    filesRead: enriched.filesRead,
    warnings: [...found.warnings, ...checked.warnings, ...enriched.warnings, ...warnings],
    stats: { found: bySource, milliseconds },
    unknown: found.unknown.slice(0, mostUnknown),
  };
}

/** Ranking only: stages 1 to 3 of the pipeline. `nearMisses`: items with a similar name, where nothing matches. */
export async function rank(
  workspace: Workspace,
  request: SearchRequest,
  recipe: Recipe = recipes.auto,
): Promise<Ranking & Uncertainty & { warnings: string[] }> {
  const found = await resolve(request, recipe, workspace);
  const ranking = await check(score(found, request, recipe), request, workspace);
  const doubt = await uncertaintyOf(
    found,
    ranking.confidence,
    ranking.ranked.length,
    recipe,
    workspace,
    request.before,
  );
  return { ...ranking, ...doubt, warnings: [...found.warnings, ...ranking.warnings] };
}

export type SourceQuery = {
  source: "memory" | "experience" | "value" | "commit";
  query: string;
  limit: number;
  /** Only these items. */
  ids?: string[];
  kinds?: Kind[];
  /** Only what existed at this time, in milliseconds since 1970. */
  before?: number;
};

/** Ranks the items of one source, after bringing its index up to date. No minimum score. */
export async function rankSource(
  workspace: Workspace,
  { source, query, limit, ids, kinds, before }: SourceQuery,
): Promise<Scored[]> {
  const ask = { source, deadline: 10_000, limit, ...(ids ? { ids } : {}), ...(kinds ? { kinds } : {}) };
  const request = { ...searchInput.parse({ query, limit, minScore: 0 }), ...(before === undefined ? {} : { before }) };
  if (source === "commit") await (await import("./indexing/history/history.ts")).refreshHistory(workspace);
  else await (await import("./indexing/library/records.ts")).refreshRecords(workspace, source);
  const recipe = { ...recipes.auto, asks: [ask] };
  return score(await resolve(request, recipe, workspace), request, recipe).ranked;
}
