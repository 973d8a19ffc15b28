import { assemble, rank } from "../assemble.ts";
import type { Context } from "../document.ts";
import { codeKinds, type Included, type Item, isInFile, isWholeFile, type Kind } from "../item.ts";
import { contextInput, type Request, requestOf, type SearchRequest, searchInput } from "../options.ts";
import type { Recipe } from "../recipes/recipe.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type Case, type Expected, placeOf, placesOf } from "./case.ts";
import type { CaseAnswer } from "./measures.ts";

/** The largest limit of a search. */
const mostRanked = 500;
const unitKinds: Kind[] = codeKinds.filter((kind) => !isWholeFile(kind));

/** What is ranked for a case: files, their parts, or items of any kind. */
export type RankingNeeds = "files" | "units" | "anything";

/** The search request of a case. There is no minimum score, because the ranking itself is measured. */
export function searchOf({ query, limits }: Case, needs: RankingNeeds): SearchRequest {
  const { before, expand: _, code, ...rest } = limits;
  const types = needs === "anything" ? {} : { types: needs === "files" ? ["file" as const] : unitKinds };
  const input = { query, limit: mostRanked, minScore: 0, refresh: false, ...types, ...ofCode(code), ...rest };
  return { ...searchInput.parse(input), ...(before === undefined ? {} : { before }) };
}

/** The context request of a case, with the default options. */
function contextOf({ query, limits: { before, code, ...rest } }: Case, maxTokens: number): Request {
  const types = code ? { types: [...codeKinds] } : {};
  const input = { query, maxTokens, refresh: false, format: "plain" as const, ...types, ...ofCode(code), ...rest };
  return { ...requestOf(contextInput.parse(input)), ...(before === undefined ? {} : { before }) };
}

/** Commits are excluded too: the one that the question was taken from would be the best answer. */
function ofCode(code: boolean | undefined): Partial<Pick<SearchRequest, "tests" | "sources">> {
  return code ? { tests: "exclude", sources: ["code", "file"] } : {};
}

/** The product's own answer to a case: its ranking, and what its document holds. */
export async function ask(
  each: Case,
  maxTokens: number,
  recipe: Recipe,
  workspace: Workspace,
): Promise<CaseAnswer & RankedPlaces> {
  const ranked = await rankCase(each, recipe, workspace);
  const context = await assemble(workspace, contextOf(each, maxTokens), recipe);
  const units = await unitsOf(each.expect, workspace);
  const held = each.expect.map((expected) => holds(context, expected, units));
  return { ...ranked, held, tokens: context.tokens.used };
}

/** `first`: the best places that count, named as people name them. */
export type RankedPlaces = Pick<CaseAnswer, "places" | "units"> & { first: string[] };

const mostNamed = 3;

export async function rankCase(each: Case, recipe: Recipe, workspace: Workspace): Promise<RankedPlaces> {
  const items = async (needs: RankingNeeds) =>
    (await rank(workspace, searchOf(each, needs), recipe)).ordered.map(({ item }) => item);
  const ranked = await items(each.limits.code ? "files" : "anything");
  const needsUnits = each.limits.code && each.expect.some(({ unit }) => unit !== undefined);
  const parts = needsUnits ? await items("units") : ranked;
  const first = new Map<string, string>();
  for (const item of ranked) {
    if (first.size >= mostNamed) break;
    const place = placeOf(item);
    if (!first.has(place) && !each.hidden.includes(place)) first.set(place, calledFor(item));
  }
  return { places: placesOf(ranked), units: unitIds(parts), first: [...first.values()] };
}

function calledFor(item: Item): string {
  return isInFile(item.source) ? item.path : `${item.source} ${item.name}`;
}

/** Parts of files only: a whole file does not answer which function it is. */
export function unitIds(items: readonly Item[]): string[] {
  return items.filter(({ kind }) => !isWholeFile(kind)).map(({ id }) => id);
}

export async function unitsOf(expect: readonly Expected[], { store, owner }: Workspace): Promise<Map<string, Item>> {
  const ids = expect.flatMap(({ unit }) => unit ?? []);
  return new Map((await store.items(owner, ids)).map((item) => [item.id, item]));
}

/** A pointer only names a place: it does not count as shown. */
function holds({ items }: Context, { place, unit }: Expected, units: ReadonlyMap<string, Item>): boolean {
  const printed = items.filter((item) => item.level !== "pointer");
  if (unit === undefined) return printed.some((item) => placeOf(item) === place);
  const expectedUnit = units.get(unit);
  return printed.some(
    (item) => item.id === unit || item.merged.some(({ id }) => id === unit) || covers(item, expectedUnit),
  );
}

function covers(item: Included, unit: Item | undefined): boolean {
  if (!unit || item.level !== "full" || item.path !== unit.path) return false;
  return item.startLine <= unit.startLine && item.endLine >= unit.endLine;
}
