import { type FileSignal, fileSignals, type ItemSignal, itemSignals, type Recipe } from "../recipes/recipe.ts";
import { type Weights, withWeights } from "../recipes/weights.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { rankCase } from "./ask.ts";
import { type Estimate, estimate, mean, pairedDifference } from "./bootstrap.ts";
import type { Case } from "./case.ts";
import { measure } from "./measures.ts";
import { lot } from "./sample.ts";
import { columnsOf, rescored, type SignalMatrix, type SignalTable } from "./signal-matrix.ts";

/**
 * The result of fitting. `better`: the gain on cases that it was not fitted on is significant; only then are the
 * weights worth having.
 */
export type Tuning = {
  fitted: number;
  reported: number;
  weights: Weights;
  before: Estimate;
  after: Estimate;
  difference: Estimate;
  better: boolean;
  /** Why nothing was fitted, or why the defaults are kept. */
  why?: string;
};

export type TuningOptions = {
  seed: number;
  signal?: AbortSignal;
  progress?: (progress: { stage: string; done: number; total?: number }) => void;
};

/** Few values and few rounds: what is finer than this is noise in a hundred cases. */
const factors = [0, 0.5, 1, 2] as const;
const mostRounds = 3;
/** A change must bring this much on the cases it is fitted on, or it is not made. */
const leastGain = 0.002;
/** Fewer cases in a part prove nothing. */
const fewestCases = 20;

/**
 * Fits factors of the signals' weights on the older half of the cases and reports on the newer one, through the
 * product. What cannot be dated is divided by lot. Only cases whose answer is in files can be fitted: other sources
 * have no such signals.
 */
export async function tune(
  workspace: Workspace,
  cases: readonly Case[],
  recipe: Recipe,
  options: TuningOptions,
): Promise<Tuning> {
  const inFiles = await answeredByFiles(workspace, cases);
  const { fit, report } = split(inFiles, options.seed);
  const none = { mean: 0, low: 0, high: 0, count: 0 };
  const parts = { fitted: fit.length, reported: report.length };
  if (fit.length < fewestCases || report.length < fewestCases) {
    const why = `Fitting takes at least ${fewestCases} cases in each half, and there are ${fit.length} and ${report.length}.`;
    return { ...parts, weights: {}, before: none, after: none, difference: none, better: false, why };
  }
  const columns: SignalMatrix[] = [];
  for (const each of fit) {
    options.signal?.throwIfAborted();
    options.progress?.({ stage: "fitting", done: columns.length, total: fit.length });
    columns.push(await columnsOf(each, recipe, workspace));
  }
  const weights = climb(columns, options.signal);
  const before = await worths(report, recipe, workspace, options);
  const after = await worths(report, withWeights(recipe, weights), workspace, options);
  const difference = pairedDifference(after, before, options.seed);
  const better = difference.low > 0;
  return {
    ...parts,
    weights,
    before: estimate(before, options.seed),
    after: estimate(after, options.seed),
    difference,
    better,
    ...(better ? {} : { why: "The gain on the other half is not significant: the defaults are kept." }),
  };
}

async function answeredByFiles({ store, owner }: Workspace, cases: readonly Case[]): Promise<Case[]> {
  const places = [...new Set(cases.flatMap(({ expect }) => expect.map(({ place }) => place)))];
  const filePaths = new Set((await store.outlines(owner, places)).keys());
  return cases.filter(({ expect }) => expect.every(({ place }) => filePaths.has(place)));
}

/** Older and newer half of each kind; by lot where the time is not known. */
export function split(cases: readonly Case[], seed: number): { fit: Case[]; report: Case[] } {
  const dated = cases.filter(({ time }) => time !== undefined);
  const fit = cases.filter(({ id, time }) => time === undefined && lot(seed, id) % 2 === 0);
  for (const kind of new Set(dated.map((each) => each.kind))) {
    const inOrder = dated
      .filter((each) => each.kind === kind)
      .sort((a, b) => a.time! - b.time! || (a.id < b.id ? -1 : 1));
    fit.push(...inOrder.slice(0, Math.floor(inOrder.length / 2)));
  }
  const fitted = new Set(fit);
  return { fit, report: cases.filter((each) => !fitted.has(each)) };
}

/** One over the rank of the right file; where the very unit is known, the mean with the same of it. */
async function worths(
  cases: readonly Case[],
  recipe: Recipe,
  workspace: Workspace,
  { signal, progress }: TuningOptions,
): Promise<number[]> {
  const values: number[] = [];
  for (const each of cases) {
    signal?.throwIfAborted();
    progress?.({ stage: "reporting", done: values.length, total: cases.length });
    const ranked = await rankCase(each, recipe, workspace);
    const { mrr = 0, "unit mrr": unit = mrr } = measure(each, { ...ranked, held: [], tokens: 0 });
    values.push((mrr + unit) / 2);
  }
  return values;
}

/**
 * Coordinate ascent: one signal after the other gets its best factor while the others stay, until a round changes
 * nothing.
 */
export function climb(columns: readonly SignalMatrix[], signal?: AbortSignal): Weights {
  const files: Partial<Record<FileSignal, number>> = {};
  const items: Partial<Record<ItemSignal, number>> = {};
  const meanWorth = () => mean(columns.map((each) => worthOf(each, { files, items })));
  let best = meanWorth();
  for (let round = 0; round < mostRounds; round++) {
    const before = best;
    for (const [table, name] of signalsOf(columns)) {
      signal?.throwIfAborted();
      const at = (table === "files" ? files : items) as Record<string, number>;
      const current = at[name] ?? 1;
      let chosen = current;
      for (const factor of factors) {
        if (factor === current) continue;
        at[name] = factor;
        const value = meanWorth();
        // Returning to the default needs no gain; any other change does.
        if (value > best + (factor === 1 ? -leastGain : leastGain)) {
          best = value;
          chosen = factor;
        }
      }
      at[name] = chosen;
    }
    if (best <= before) break;
  }
  return { files: changed(files), items: changed(items) };
}

/** Signals that count at all, and that any candidate has. */
function signalsOf(columns: readonly SignalMatrix[]): ["files" | "items", string][] {
  const tables = columns.flatMap(({ places, units }) => (units ? [places, units] : [places]));
  const counts = (column: number[] | undefined) => column?.some((value) => value > 0) ?? false;
  const ofFiles = fileSignals.filter((name) =>
    tables.some(({ fileWeights, files }) => fileWeights[name] > 0 && counts(files[name])),
  );
  const ofItems = itemSignals.filter((name) =>
    tables.some(
      ({ itemWeights, items }) =>
        items && itemWeights.some((table) => table[name] > 0) && (name === "file" || counts(items[name])),
    ),
  );
  return [...ofFiles.map((name) => ["files", name] as const), ...ofItems.map((name) => ["items", name] as const)].map(
    ([table, name]) => [table, name],
  );
}

function changed<Name extends string>(table: Partial<Record<Name, number>>): Partial<Record<Name, number>> {
  return Object.fromEntries(Object.entries(table).filter(([, factor]) => factor !== 1)) as Partial<
    Record<Name, number>
  >;
}

function worthOf({ case: { expect }, places, units }: SignalMatrix, weights: Weights): number {
  const ofPlaces = reciprocal(
    places,
    weights,
    expect.map(({ place }) => place),
  );
  if (!units) return ofPlaces;
  return (
    (ofPlaces +
      reciprocal(
        units,
        weights,
        expect.flatMap(({ unit }) => unit ?? []),
      )) /
    2
  );
}

/** A small reward for being close: a step that changes no rank yet may lead to one that does. */
const closeness = 0.05;

/**
 * One over the rank of the best of these, and a little for how near it is to the first; 0 where none of them was found.
 */
function reciprocal(table: SignalTable, weights: Weights, expected: readonly string[]): number {
  const best = new Map<string, number>();
  rescored(table, weights).forEach((score, i) => {
    const key = table.keys[i]!;
    if (key !== "" && score > (best.get(key) ?? -1)) best.set(key, score);
  });
  const bestScore = Math.max(-1, ...expected.map((each) => best.get(each) ?? -1));
  if (bestScore < 0) return 0;
  let before = 0;
  let first = bestScore;
  for (const [key, score] of best) {
    // A tie counts as a loss: otherwise weights of zero would be the best.
    if (score >= bestScore && !expected.includes(key)) before++;
    if (score > first) first = score;
  }
  return 1 / (before + 1) + (first > 0 ? (closeness * bestScore) / first : 0);
}
