import { type Item, isInFile } from "../item.ts";
import { pathMatcher } from "../stores/globs.ts";
import type { Shelf } from "../stores/store.ts";
import { analyse } from "../text/analysis/analyse.ts";
import { hashTerm } from "../text/hash.ts";
import { tokenCounter } from "../text/tokens/tokens.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { unitIds, unitsOf } from "./ask.ts";
import { type Case, type Expected, placeOf, placesOf } from "./case.ts";
import { type FlatIndex, flatIndex } from "./flat-index.ts";
import type { CaseAnswer } from "./measures.ts";

/**
 * Plain BM25 over the same terms: every field counts alike, and every word of the question once. There are no names,
 * paths, vectors, files, links or history. It gets every measure too, in the same run.
 */
export type Baseline = { ask(each: Case, maxTokens: number): Promise<CaseAnswer> };

const shelves: Shelf[] = ["files", "note", "document"];
/** Number of candidates of each shelf, before excluded ones are removed. */
const mostLooked = 2000;
const mostTaken = 300;

/** `withoutOrigins`: leaves out notes that are also found as files, as the recipe does. */
export async function baseline(
  workspace: Workspace,
  cases: readonly Case[],
  { withoutOrigins = [], signal }: { withoutOrigins?: readonly string[]; signal?: AbortSignal | undefined } = {},
): Promise<Baseline> {
  const hashes = new Set(cases.flatMap(({ query }) => termsOf(query)));
  const files = await flatIndex(workspace, "files", "file", hashes, signal);
  const units = new Map<Shelf, FlatIndex>();
  for (const shelf of shelves) units.set(shelf, await flatIndex(workspace, shelf, "unit", hashes, signal));
  const cost = costOf(workspace);

  const best = async (index: FlatIndex, shelf: Shelf, each: Case): Promise<Scored[]> => {
    const { store, owner } = workspace;
    const hits = index.search(termsOf(each.query), mostLooked);
    const items = await store.shelf(shelf).items(
      owner,
      hits.map(({ id }) => id),
    );
    const byId = new Map(items.map((item) => [item.id, item]));
    const allowed = allowedBy(each, withoutOrigins);
    return hits
      .flatMap(({ id, score }) => {
        const item = byId.get(id);
        return item && allowed(item) ? [{ item, score }] : [];
      })
      .slice(0, mostTaken);
  };

  return {
    async ask(each, maxTokens) {
      const allowed = shelves.filter((shelf) => mayUse(each, shelf));
      const byShelf = await Promise.all(allowed.map((shelf) => best(units.get(shelf)!, shelf, each)));
      const parts = byShelf
        .flat()
        .sort(byScore)
        .map(({ item }) => item);
      const wholeFiles = allowed.includes("files") ? await best(files, "files", each) : [];
      const records = byShelf.flat().filter(({ item }) => !isInFile(item.source));
      const places = placesOf([...wholeFiles, ...records].sort(byScore).map(({ item }) => item));
      const selection = await filled(parts, maxTokens, each.hidden, cost);
      const expectedUnits = await unitsOf(each.expect, workspace);
      const held = each.expect.map((expected) => holds(selection.items, expected, expectedUnits));
      return { places, units: unitIds(parts), held, tokens: selection.tokens };
    },
  };
}

type Scored = { item: Item; score: number };

function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || (a.item.id < b.item.id ? -1 : 1);
}

function termsOf(query: string): number[] {
  return [...new Set(analyse(query).map(hashTerm))];
}

function mayUse({ limits: { code, sources } }: Case, shelf: Shelf): boolean {
  if (code) return shelf === "files";
  if (!sources) return true;
  return shelf === "files" ? sources.includes("code") || sources.includes("file") : sources.includes(shelf as never);
}

function allowedBy({ limits: { code, paths } }: Case, withoutOrigins: readonly string[]): (item: Item) => boolean {
  const inPaths = paths ? pathMatcher(paths) : () => true;
  const isTwice = ({ source, qualifiedName }: Item) =>
    source === "note" && withoutOrigins.some((origin) => qualifiedName.startsWith(`${origin}::`));
  return (item) =>
    (!code || (item.source === "code" && !item.test)) &&
    (!isInFile(item.source) || inPaths(item.path)) &&
    !isTwice(item);
}

/** Fills the budget with the best parts in order, each with its whole text; parts that do not fit are skipped. */
async function filled(
  parts: readonly Item[],
  maxTokens: number,
  hidden: readonly string[],
  cost: (item: Item) => Promise<number>,
): Promise<{ items: Item[]; tokens: number }> {
  let left = maxTokens;
  const items: Item[] = [];
  for (const item of parts) {
    if (left < smallestPart) break;
    if (hidden.includes(placeOf(item))) continue;
    const tokens = await cost(item);
    if (tokens > left) continue;
    left -= tokens;
    items.push(item);
  }
  return { items, tokens: maxTokens - left };
}

/** No item is printed in fewer tokens. */
const smallestPart = 8;

/** Tokens of an item's text, cached up to a limit. */
function costOf({ store, owner }: Workspace): (item: Item) => Promise<number> {
  const counter = tokenCounter("o200k_base");
  const counted = new Map<string, number>();
  const texts = new Map<string, string[]>();
  return async (item) => {
    const before = counted.get(item.id);
    if (before !== undefined) return before;
    const lines = isInFile(item.source) ? await linesOf(item.path) : undefined;
    // Notes and chunks are short and similar in length; chunks are cut to 400 to 500 tokens.
    const text = lines?.slice(item.startLine - 1, item.endLine).join("\n") ?? item.name;
    const tokens = item.source === "document" ? 450 : counter.count(text) + smallestPart;
    if (counted.size >= mostKnown) counted.clear();
    counted.set(item.id, tokens);
    return tokens;
  };
  async function linesOf(path: string): Promise<string[]> {
    let lines = texts.get(path);
    if (!lines) {
      lines = ((await store.file(owner, path))?.text ?? "").split("\n");
      if (texts.size >= mostTexts) texts.clear();
      texts.set(path, lines);
    }
    return lines;
  }
}

const mostKnown = 100_000;
const mostTexts = 100;

function holds(items: readonly Item[], { place, unit }: Expected, units: ReadonlyMap<string, Item>): boolean {
  if (unit === undefined) return items.some((item) => placeOf(item) === place);
  const expectedUnit = units.get(unit);
  return items.some(
    (item) =>
      item.id === unit ||
      (expectedUnit !== undefined &&
        item.path === expectedUnit.path &&
        item.startLine <= expectedUnit.startLine &&
        item.endLine >= expectedUnit.endLine),
  );
}
