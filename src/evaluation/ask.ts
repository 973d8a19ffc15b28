import { assemble, rank } from "../assemble.ts";
import { type Context, codeKinds, type Included, type Item, isInFile, isWholeFile, type Kind } from "../item.ts";
import { contextInput, type Request, requestOf, type SearchRequest, searchInput } from "../options.ts";
import type { Recipe } from "../recipes/recipe.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type Case, type Expected, placeOf, placesOf } from "./case.ts";
import type { CaseAnswer } from "./measures.ts";

/** As many as a search may answer with. */
const mostRanked = 500;
const unitKinds: Kind[] = codeKinds.filter((kind) => !isWholeFile(kind));

/** What a case is asked for: the files, their parts, or whatever there is. */
export type RankingNeeds = "files" | "units" | "anything";

/** What `dossier search` is asked for a case; nothing is left out for a low score, because the ranking itself is measured. */
export function searchOf({ query, limits }: Case, wanted: RankingNeeds): SearchRequest {
  const { before, expand: _, code, ...rest } = limits;
  const types = wanted === "anything" ? {} : { types: wanted === "files" ? ["file" as const] : unitKinds };
  const asked = { query, limit: mostRanked, minScore: 0, refresh: false, ...types, ...ofCode(code), ...rest };
  return { ...searchInput.parse(asked), ...(before === undefined ? {} : { before }) };
}

/** What `dossier context` is asked for a case, with the defaults that everyone has. */
function contextOf({ query, limits: { before, code, ...rest } }: Case, maxTokens: number): Request {
  const types = code ? { types: [...codeKinds] } : {};
  const asked = { query, maxTokens, refresh: false, format: "plain" as const, ...types, ...ofCode(code), ...rest };
  return { ...requestOf(contextInput.parse(asked)), ...(before === undefined ? {} : { before }) };
}

/** The commits themselves are no answer either: the one that the question is taken from would be the best. */
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

/** `first`: the best places that are counted, as people call them. */
export type RankedPlaces = Pick<CaseAnswer, "places" | "units"> & { first: string[] };

const mostNamed = 3;

export async function rankCase(each: Case, recipe: Recipe, workspace: Workspace): Promise<RankedPlaces> {
  const items = async (wanted: RankingNeeds) =>
    (await rank(workspace, searchOf(each, wanted), recipe)).ordered.map(({ item }) => item);
  const found = await items(each.limits.code ? "files" : "anything");
  const needsUnits = each.limits.code && each.expect.some(({ unit }) => unit !== undefined);
  const parts = needsUnits ? await items("units") : found;
  const first = new Map<string, string>();
  for (const item of found) {
    if (first.size >= mostNamed) break;
    const place = placeOf(item);
    if (!first.has(place) && !each.hidden.includes(place)) first.set(place, calledFor(item));
  }
  return { places: placesOf(found), units: unitIds(parts), first: [...first.values()] };
}

function calledFor(item: Item): string {
  return isInFile(item.source) ? item.path : `${item.source} ${item.name}`;
}

/** Parts of files; a file as a whole is no answer to which function it is. */
export function unitIds(items: readonly Item[]): string[] {
  return items.filter(({ kind }) => !isWholeFile(kind)).map(({ id }) => id);
}

export async function unitsOf(expect: readonly Expected[], { store, owner }: Workspace): Promise<Map<string, Item>> {
  const ids = expect.flatMap(({ unit }) => unit ?? []);
  return new Map((await store.items(owner, ids)).map((item) => [item.id, item]));
}

/** A pointer only says where to look: it is not counted. */
function holds({ items }: Context, { place, unit }: Expected, units: ReadonlyMap<string, Item>): boolean {
  const shown = items.filter((item) => item.level !== "pointer");
  if (unit === undefined) return shown.some((item) => placeOf(item) === place);
  const wanted = units.get(unit);
  return shown.some((item) => item.id === unit || item.merged.some(({ id }) => id === unit) || covers(item, wanted));
}

function covers(item: Included, wanted: Item | undefined): boolean {
  if (!wanted || item.level !== "full" || item.path !== wanted.path) return false;
  return item.startLine <= wanted.startLine && item.endLine >= wanted.endLine;
}
