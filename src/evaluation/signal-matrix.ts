import type { Scored } from "../item.ts";
import { resolve } from "../pipeline/1-resolve/resolve.ts";
import { score } from "../pipeline/2-score/score.ts";
import type { Ranking } from "../pipeline/ranking.ts";
import { weighed, weightedSum } from "../pipeline/signals/columns.ts";
import { itemWeights } from "../pipeline/signals/measure-files.ts";
import {
  type FileSignal,
  fileSignals,
  fileWeights,
  type ItemSignal,
  itemSignals,
  type Recipe,
  withoutMeaning,
} from "../recipes/recipe.ts";
import type { Weights } from "../recipes/weights.ts";
import type { Query } from "../text/analysis/query.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type RankingNeeds, searchOf, unitIds } from "./ask.ts";
import { type Case, placeOf } from "./case.ts";

/**
 * The signals of every candidate of a case, so that other weights can be tried without asking again. The numbers are
 * those that the stage `score` puts into `because`, and they are added up as it adds them.
 */
export type SignalMatrix = { case: Case; places: SignalTable; units?: SignalTable };

/** One ranking. `keys`: what each candidate counts for, its place or itself; empty where it counts for nothing. */
export type SignalTable = {
  keys: string[];
  files: Record<string, number[]>;
  fileWeights: Record<FileSignal, number>;
  /** Absent where files are ranked as such. */
  items?: Record<string, number[]>;
  /** Of each candidate: texts are weighed by other weights than code. */
  itemWeights: Record<ItemSignal, number>[];
};

export async function columnsOf(each: Case, recipe: Recipe, workspace: Workspace): Promise<SignalMatrix> {
  const needsUnits = each.expect.some(({ unit }) => unit !== undefined);
  if (each.limits.code) {
    const { table: places } = await filesTable(each, recipe, workspace);
    if (!needsUnits) return { case: each, places };
    const { table: units } = await itemsTable(each, "units", recipe, workspace);
    return { case: each, places, units };
  }
  const { table, candidates } = await itemsTable(each, "anything", recipe, workspace);
  const places = { ...table, keys: candidates.map(({ item }) => placeOf(item)) };
  if (!needsUnits) return { case: each, places };
  const unitKeys = new Set(unitIds(candidates.map(({ item }) => item)));
  return { case: each, places, units: { ...table, keys: table.keys.map((id) => (unitKeys.has(id) ? id : "")) } };
}

type BuiltTable = { table: SignalTable; candidates: Ranking["ordered"] };

/** Files as such are ranked by the signals of files alone. */
async function filesTable(each: Case, recipe: Recipe, workspace: Workspace): Promise<BuiltTable> {
  const { query, scored } = await resolveOnce(each, "files", recipe, workspace);
  const ranking = scored({}, all(fileSignals));
  const candidates = inOrder(ranking);
  const partOf = partsIn(ranking);
  const files = Object.fromEntries(
    fileSignals.map((signal) => [signal, candidates.map((candidate) => partOf(candidate, signal))]),
  );
  const keys = candidates.map(({ item }) => placeOf(item));
  const table = {
    keys,
    files,
    fileWeights: fileWeights(recipe, query.shape),
    itemWeights: weightsOf(candidates, query, recipe),
  };
  return { table, candidates };
}

async function itemsTable(each: Case, needs: RankingNeeds, recipe: Recipe, workspace: Workspace): Promise<BuiltTable> {
  const { query, scored } = await resolveOnce(each, needs, recipe, workspace);
  const ofFiles = fileWeights(recipe, query.shape);
  const ranking = scored(all(itemSignals), ofFiles);
  const candidates = inOrder(ranking);
  const partOf = partsIn(ranking);
  const items: Record<string, number[]> = {};
  for (const signal of itemSignals) {
    if (signal !== "file") items[signal] = candidates.map((candidate) => partOf(candidate, signal));
  }
  const files: Record<string, number[]> = {};
  for (const signal of fileSignals) {
    const alone = scored({ file: 1 }, { [signal]: 1 });
    const partAlone = partsIn(alone);
    const byId = new Map(alone.ordered.map((candidate) => [candidate.item.id, partAlone(candidate, "file")]));
    files[signal] = candidates.map(({ item }) => byId.get(item.id) ?? 0);
  }
  const keys = candidates.map(({ item }) => item.id);
  const table = { keys, files, fileWeights: ofFiles, items, itemWeights: weightsOf(candidates, query, recipe) };
  return { table, candidates };
}

/** Resolves once; the candidates can then be scored under any weights. */
async function resolveOnce(each: Case, needs: RankingNeeds, recipe: Recipe, workspace: Workspace) {
  const request = searchOf(each, needs);
  const asks = recipe.asks.filter(({ source }) => source === "files");
  // Signal weights are fitted among themselves; the share of a language model is a separate setting.
  const plain = withoutMeaning({ ...recipe, asks });
  const resolved = await resolve(request, plain, workspace);
  return {
    query: resolved.query,
    scored(items: Partial<Record<ItemSignal, number>>, files: Partial<Record<FileSignal, number>>): Ranking {
      const table = only(itemSignals, items);
      const ofFiles = only(fileSignals, files);
      const signals = Object.fromEntries(Object.keys(recipe.signals).map((shape) => [shape, table]));
      return score(resolved, request, {
        ...plain,
        signals: signals as Recipe["signals"],
        fileSignals: { question: ofFiles, report: ofFiles },
      });
    },
  };
}

function inOrder({ ordered }: Ranking): Ranking["ordered"] {
  return [...ordered].sort((a, b) => (a.item.id < b.item.id ? -1 : 1));
}

function weightsOf(candidates: Ranking["ordered"], query: Query, recipe: Recipe): Record<ItemSignal, number>[] {
  const weightsOf = itemWeights(query, recipe);
  return candidates.map(({ item }) => weightsOf(item));
}

/**
 * Recovers the signals' raw values. With equal weights, a part is the signal's value divided by their number, in a
 * sum whose square root is the score.
 */
function partsIn({ ordered }: Ranking): (candidate: Scored, signal: string) => number {
  const signals = new Set(ordered.flatMap(({ because }) => Object.keys(because)));
  return ({ because, score }, signal) => (because[signal] ?? 0) * score * signals.size;
}

function all<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 1])) as Record<Name, number>;
}

function only<Name extends string>(
  names: readonly Name[],
  weights: Partial<Record<Name, number>>,
): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, weights[name] ?? 0])) as Record<Name, number>;
}

/** Scores of the candidates under other weights, in the order of `keys`, up to a common factor. */
export function rescored(
  { keys, files, fileWeights, items, itemWeights: tables }: SignalTable,
  weights: Weights,
): number[] {
  const ofFiles = weighed(files, factored(fileWeights, weights.files));
  const file = keys.map((_, i) => weightedSum(ofFiles, i));
  if (!items) return file;
  const columns = { ...items, file };
  const weighedTables = new Map(
    [...new Set(tables)].map((table) => [table, weighed(columns, factored(table, weights.items))]),
  );
  return keys.map((_, i) => weightedSum(weighedTables.get(tables[i]!)!, i));
}

function factored(table: Record<string, number>, factors: Record<string, number> = {}): Record<string, number> {
  return Object.fromEntries(Object.entries(table).map(([signal, weight]) => [signal, weight * (factors[signal] ?? 1)]));
}
