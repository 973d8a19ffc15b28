import { completed, doubtOf, fitAll } from "./assemble.ts";
import type { DropReason } from "./document.ts";
import { DossierError } from "./errors.ts";
import type { Item, Level, Scored, Signals } from "./item.ts";
import { type Request, smallestBudget } from "./options.ts";
import { resolve } from "./pipeline/1-resolve/resolve.ts";
import { score } from "./pipeline/2-score/score.ts";
import { check } from "./pipeline/3-check.ts";
import { withPinned } from "./pipeline/4-traverse/pinned.ts";
import { traverse } from "./pipeline/4-traverse/traverse.ts";
import { enrich } from "./pipeline/5-enrich/enrich.ts";
import { dedupe } from "./pipeline/6-dedupe/dedupe.ts";
import { hasText } from "./pipeline/7-budget/absorbed.ts";
import type { Fit } from "./pipeline/7-budget/fit-budget.ts";
import { choicesOf, withChoices } from "./pipeline/item-choices.ts";
import { recipes } from "./recipes/all.ts";
import type { Recipe } from "./recipes/recipe.ts";
import { shelfOfId } from "./stores/store.ts";
import type { Workspace } from "./workspace/workspace.ts";

export type Explanation = {
  item: Item;
  outcome: "included" | DropReason | "beyond-limit" | "not-found";
  level?: Level;
  /** 1 for the best; absent when the search did not find the item at all. */
  rank?: number;
  of: number;
  score?: number;
  because?: Signals;
  /** Raw signals of the search strategies, before ranking. */
  signals?: Signals;
  distance?: number;
  via?: Scored["via"];
  /**
   * The item that it was merged into, or that says the same: where that is printed, the outcome is "duplicate",
   * otherwise why that is not.
   */
  standsFor?: string;
  /** Printed items that rank higher: they took the budget. */
  displacedBy: { id: string; name: string; score: number; tokens: number }[];
  /**
   * The smallest budget at which the item is printed. For an item that was left out, it is above the requested budget.
   * Absent where no budget is enough.
   */
  smallestBudget?: number;
};

const largestBudget = 1_000_000;

/** Why one item is, or is not, in the context of a query: the same stages as `assemble`, with the reasons kept. */
export async function explain(
  workspace: Workspace,
  request: Request,
  wanted: string,
  recipe: Recipe = recipes[request.recipe],
): Promise<Explanation> {
  const item = await findItem(workspace, wanted);
  const found = await resolve(request, recipe, workspace);
  const checked = await check(score(found, request, recipe), request, workspace);
  const reached = await traverse(checked, request, recipe, workspace);
  const ranking = await withPinned(reached, request, workspace);
  const { ordered, ranked } = ranking;
  const place = placeOf(item, ordered);
  const { isPinned, isExcluded } = choicesOf(request);
  if (isExcluded(item.id)) return { ...place, outcome: "excluded", displacedBy: [] };

  const enriched = await enrich(ranked, request, recipe, workspace);
  const once = dedupe(enriched.items, found.query);
  const { unique: complete, duplicates: grouped } = await completed(once.unique, found, request, recipe, workspace);
  const duplicates = [...once.duplicates, ...grouped];
  const brought = complete.find((each) => each.item.id === item.id);
  // What the leading functions bring with them is printed whatever its own rank is.
  const facts =
    brought && !ranked.some((each) => each.item.id === item.id) ? { ...factsOf(brought), of: place.of } : place;
  if (!brought && place.rank === undefined) return { ...place, outcome: "not-found", displacedBy: [] };
  if (!brought && !isPinned(item.id)) {
    if (place.score! < request.minScore) return { ...place, outcome: "below-score", displacedBy: [] };
    if (place.rank! > request.limit) return { ...place, outcome: "beyond-limit", displacedBy: [] };
  }
  const unprinted = enriched.unreadable.find(({ id }) => id === item.id);
  if (unprinted) return { ...facts, outcome: unprinted.reason, displacedBy: [] };
  const { chosen: unique } = withChoices(complete, duplicates, request);
  const twin = duplicates.find(({ id }) => id === item.id);
  const doubt = await doubtOf(found, ranking, complete.length, request, recipe, workspace);
  const fitAt = (maxTokens: number) =>
    fitAll(unique, [], { ...request, maxTokens }, recipe, found, { ...ranking, ...doubt });
  const keptOf = ({ kept }: Fit, id: string | undefined) => kept.find((each) => each.unique.item.id === id);
  const fit = fitAt(request.maxTokens);
  const kept = keptOf(fit, item.id);
  // What was merged into another item, or says the same, is only there if that one is.
  const survivor = keptOf(fit, twin?.by);
  if (!kept && survivor && hasText(survivor.printLevel.level))
    return { ...facts, outcome: "duplicate", standsFor: twin!.by, displacedBy: [] };
  const wantedId = kept ? item.id : (twin?.by ?? item.id);
  const printed = (maxTokens: number) => keptOf(fitAt(maxTokens), wantedId);
  const displacedBy = kept
    ? []
    : fit.kept
        .filter((each) => each.unique.score >= (facts.score ?? 0))
        .map((each) => ({
          id: each.unique.item.id,
          name: each.unique.item.name,
          score: each.unique.score,
          tokens: each.tokens,
        }));
  const reason = fit.dropped.find(({ id }) => id === wantedId)?.reason ?? "over-budget";
  return {
    ...facts,
    outcome: kept ? "included" : reason,
    ...(!kept && twin ? { standsFor: twin.by } : {}),
    ...(kept ? { level: kept.printLevel.level } : {}),
    displacedBy,
    smallestBudget: smallest((budget) => printed(budget) !== undefined, kept ? smallestBudget : request.maxTokens),
  };
}

type Facts = Pick<Explanation, "item" | "score" | "because" | "signals" | "distance" | "via">;

function factsOf({ item, score, because, signals, distance, via }: Scored): Facts {
  return { item, score, because, signals, distance, via };
}

/** What the ranking says of an item; of one that it does not have, only how many others there are. */
function placeOf(item: Item, ordered: readonly Scored[]): Facts & Pick<Explanation, "rank" | "of"> {
  const position = ordered.findIndex((each) => each.item.id === item.id);
  const of = ordered.length;
  return position < 0 ? { item, of } : { ...factsOf(ordered[position]!), rank: position + 1, of };
}

/**
 * Doubles the budget until it fits, then binary search. Selection is not strictly monotone in the budget, so every step
 * runs the real fit.
 */
function smallest(fits: (budget: number) => boolean, from: number): number | undefined {
  let high = from;
  while (!fits(high)) {
    high *= 2;
    if (high > largestBudget) return undefined;
  }
  let low = Math.max(from, Math.floor(high / 2));
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) high = middle;
    else low = middle + 1;
  }
  return high;
}

/** An item by its id, a citation, its qualified name, its name or its path. */
async function findItem({ store, owner }: Workspace, wanted: string): Promise<Item> {
  const text = wanted.trim().replace(/^\[|\]$/g, "");
  if (/^[a-z]{3}-[0-9a-z_-]+$/.test(text)) {
    const byId = await store.shelf(shelfOfId(text)).itemsByPrefix(owner, text, 8);
    const exact = byId.find(({ id }) => id === text);
    // The axes of an experience (strategy, surprise, root cause) have its id as a prefix: a shared prefix means the
    // experience itself.
    const ofOneRecord = byId.filter(({ id }) => byId.every((other) => other.id.startsWith(id)));
    if (byId.length > 0) return exact ?? onlyOne(ofOneRecord.length === 1 ? ofOneRecord : byId, wanted);
  }
  const [note] = [...(await store.graph.called(owner, text)), ...(await store.graph.named(owner, text, 1))];
  const [onShelf] = note ? await store.shelf("note").items(owner, [note.id]) : [];
  if (onShelf) return onShelf;
  const [path, qualified] = text.split("::");
  if (qualified !== undefined) {
    const inFile = (await store.itemsOf(owner, path!)).filter((item) => item.qualifiedName === text);
    if (inFile.length > 0) return inFile.find(({ kind }) => kind !== "block") ?? inFile[0]!;
  }
  const location = /^(.+?):(\d+)(?:-\d+)?$/.exec(text);
  if (location) {
    const line = Number(location[2]);
    const enclosing = (await store.itemsOf(owner, location[1]!)).filter(
      (item) => item.startLine <= line && line <= item.endLine,
    );
    const innermost = enclosing.sort((a, b) => a.endLine - a.startLine - (b.endLine - b.startLine))[0];
    if (innermost) return innermost;
  }
  const byPath = await store.searchPaths(owner, { text, mode: "exact", limit: 1 });
  if (byPath[0]) return byPath[0].item;
  const mode = text.includes(".") ? "suffix" : "exact";
  const byName = await store.searchNames(owner, { text, mode, limit: 10 });
  if (byName.length === 0) throw new DossierError("not-found", `No item is called ${JSON.stringify(wanted)}.`);
  const items = byName.map((hit) => hit.item);
  // Prefer declarations over fields of the same name.
  const others = items.filter(({ kind }) => kind !== "field");
  // And the definition over its prototypes.
  const defined = others.filter(hasBody);
  if (defined.length === 1 && others.every(({ kind }) => kind === defined[0]!.kind)) return defined[0]!;
  return onlyOne(others.length > 0 ? others : items, wanted);
}

function hasBody({ startLine, endLine, signature = "" }: Item): boolean {
  return endLine - startLine + 1 > signature.split("\n").length;
}

function onlyOne(items: Item[], wanted: string): Item {
  if (items.length === 1) return items[0]!;
  const names = items.slice(0, 5).map((item) => item.qualifiedName);
  throw new DossierError("bad-input", `${JSON.stringify(wanted)} is not unique; say which one: ${names.join(", ")}.`);
}
