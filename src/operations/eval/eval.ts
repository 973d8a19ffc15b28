import * as z from "zod";
import { type Case, caseKinds, nameOf } from "../../evaluation/case.ts";
import type { EvaluationOptions, Miss } from "../../evaluation/evaluate.ts";
import { assemblyOptions, path, searchOptions, workspace as workspaceOption } from "../../options.ts";
import type { Recipe } from "../../recipes/recipe.ts";
import { withWeights } from "../../recipes/weights.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Environment, operation } from "../core/operation.ts";
import { refreshSources } from "../core/refresh.ts";
import { sourcesOf } from "../core/sources-needed.ts";
import { plain } from "../terminal/phrases.ts";
import { type EvalOutput, evalOutput } from "./shape.ts";
import { evalText } from "./text.ts";

const mostCases = 1000;
const longestCases = 20_000_000;

const input = z.object({
  path,
  workspace: workspaceOption,
  kinds: z
    .array(z.enum(caseKinds))
    .min(1)
    .default([...caseKinds])
    .describe(
      "Kinds of cases: commit (message -> files changed), test (name -> code tested), note (sentence -> linked note), thread (question -> what is cited), own",
    ),
  limit: z.number().int().min(1).max(mostCases).default(100).describe("Most cases of each kind"),
  cases: z
    .string()
    .max(longestCases)
    .optional()
    .describe(
      'Your own cases, one a line: {"query": "…", "expect": ["path", "path::Name" or an id]}; on a command line a file, or -',
    )
    .meta({ fromFile: true }),
  maxTokens: assemblyOptions.maxTokens.describe("The budget within which the answer must be"),
  misses: z.number().int().min(0).max(mostCases).default(10).describe("How many of the worst misses to list"),
  seed: z.number().int().min(0).max(1_000_000).default(1).describe("Another number draws other cases"),
  list: z.boolean().default(false).describe("Only list the cases, as cases takes them; nothing is asked"),
  tune: z.boolean().default(false).describe("Fit what signals count for on the older half, report on the newer one"),
  write: z.boolean().default(false).describe("With tune: write what is significantly better into dossier.json"),
  reset: z.boolean().default(false).describe("Remove such weights from dossier.json; nothing is measured"),
  refresh: searchOptions.refresh,
});

type Input = z.output<typeof input>;

export const evaluate = operation({
  name: "eval",
  command: "eval",
  group: "Index",
  summary: "Measure how well answers are found in this workspace, with questions mined from it, beside plain BM25",
  // Writing changes what everyone gets, and measuring keeps a machine busy for minutes.
  access: "admin",
  input,
  output: evalOutput,
  examples: [
    { command: "dossier eval", what: "everything that can be mined here" },
    { command: "dossier eval --kinds commit --limit 300 --max-tokens 8000", what: "more commits, a larger budget" },
    { command: "dossier eval --list > cases.jsonl", what: "read and correct the cases, then pass them to --cases" },
    { command: "dossier eval --kinds own --cases cases.jsonl --json", what: "only your own" },
    { command: "dossier eval --tune --write", what: "fit the weights, and keep them where they are better" },
    { command: "dossier eval --reset", what: "back to the built-in weights" },
  ],
  text: (output, _input, colour) => evalText(output, colour),
  async run(input, environment) {
    const workspace = await environment.workspace();
    if (input.reset) return reset(input, workspace);
    const warnings = input.refresh ? await refreshSources(workspace, environment, sourcesOf({})) : [];
    const [{ mine }, { lineOf }, { readConfig }, { builtInRecipe }] = await Promise.all([
      import("../../evaluation/mining/mine.ts"),
      import("../../evaluation/case-lines.ts"),
      import("../../workspace/config/config.ts"),
      import("../../evaluation/recipe.ts"),
    ]);
    const { signal, progress } = environment;
    progress?.({ stage: "mining", done: 0 });
    const { limit, seed, kinds } = input;
    const mined = await mine(workspace, kinds, input.cases, { limit, seed, signal });
    const output = { ...emptyOutput(input), cases: mined.yields, warnings: [...warnings, ...mined.warnings] };
    if (input.list) return { ...output, lines: mined.cases.map(lineOf).join("") };

    const { weights } = await readConfig(workspace.root);
    const builtIn = await builtInRecipe(workspace);
    const { evaluate: measureAll } = await import("../../evaluation/evaluate.ts");
    const options = { maxTokens: input.maxTokens, misses: input.misses, seed, signal, progress };
    const { misses, ...measured } = await measureAll(workspace, mined.cases, withWeights(builtIn, weights), options);
    const model = await modelFigures(mined.cases, withWeights(builtIn, weights), options, workspace);
    const { files, items } = weights ?? {};
    const unkept = await keep(workspace, measured.figures, input.maxTokens, weights !== undefined);
    return {
      ...output,
      ...measured,
      warnings: [...output.warnings, ...unkept],
      misses: misses.map(missOf),
      ...(model ? { model } : {}),
      ...(weights ? { weights: { ...(files ? { files } : {}), ...(items ? { items } : {}) } } : {}),
      ...(input.tune || input.write
        ? { tuning: await tuned(mined.cases, builtIn, input, workspace, environment) }
        : {}),
    };
  },
});

/** Stored for `dossier evals`. If that fails, the answer is still given. */
async function keep(
  workspace: Workspace,
  figures: EvalOutput["figures"],
  maxTokens: number,
  weighted: boolean,
): Promise<string[]> {
  if (figures.length === 0) return [];
  const [{ keepMeasurement }, { version }] = await Promise.all([
    import("../../evaluation/history.ts"),
    import("../../package.ts"),
  ]);
  const { files } = await workspace.store.statistics(workspace.owner);
  try {
    keepMeasurement(workspace, { at: new Date().toISOString(), version, maxTokens, files, weighted, figures });
    return [];
  } catch (error) {
    return [`This measurement could not be kept for dossier evals: ${(error as Error).message}`];
  }
}

/** The same questions with the language model and without it, where one answers. */
async function modelFigures(
  cases: Case[],
  recipe: Recipe,
  options: EvaluationOptions,
  { store, owner, ...rest }: Workspace,
): Promise<EvalOutput["model"]> {
  const { answeringVectors, modelName, readModelState } = await import("../../embed/model-state.ts");
  const vectors = answeringVectors(await readModelState(store, owner));
  if (!vectors || cases.length === 0) return undefined;
  const { compareWithout } = await import("../../evaluation/model-comparison.ts");
  return {
    name: modelName(vectors.config),
    figures: await compareWithout({ store, owner, ...rest }, cases, recipe, options),
  };
}

function emptyOutput({ maxTokens }: Input): EvalOutput {
  return { cases: [], figures: [], tokens: [], misses: [], maxTokens, warnings: [] };
}

async function reset(input: Input, { root }: Workspace): Promise<EvalOutput> {
  const { removeWeights } = await import("../../workspace/config/section-write.ts");
  return { ...emptyOutput(input), reset: removeWeights(root) !== undefined };
}

async function tuned(
  cases: Case[],
  recipe: Parameters<typeof withWeights>[0],
  { seed, write }: Input,
  workspace: Workspace,
  { signal, progress }: Environment,
): Promise<EvalOutput["tuning"]> {
  const { tune } = await import("../../evaluation/tune.ts");
  const tuning = await tune(workspace, cases, recipe, { seed, signal, progress });
  if (!tuning.better || !write) return { ...tuning, written: false };
  const { writeWeights } = await import("../../workspace/config/section-write.ts");
  const { before, after, difference, reported } = tuning;
  const range = `${difference.low.toFixed(3)} to ${difference.high.toFixed(3)}`;
  const from = `dossier eval --tune: mean reciprocal rank ${before.mean.toFixed(3)} -> ${after.mean.toFixed(3)} on ${reported} cases (gain ${range})`;
  writeWeights(workspace.root, { from, ...tuning.weights });
  return { ...tuning, written: true };
}

function missOf({ case: each, rank, baselineRank, instead }: Miss): EvalOutput["misses"][number] {
  const { kind, query, expect, from } = each;
  return {
    kind,
    query,
    expected: expect.map(({ shown }) => shown),
    from,
    ...(rank === undefined ? {} : { rank }),
    ...(baselineRank === undefined ? {} : { bm25: baselineRank }),
    instead,
    look: lookOf(each),
  };
}

/** Quotes a text as one word of a shell. */
function quoted(text: string): string {
  return `'${plain(text).replaceAll("'", `'\\''`)}'`;
}

function lookOf({ query, expect: [first], limits }: Case): string {
  const tests = limits.code ? " --tests exclude" : "";
  return `dossier why ${quoted(query)} ${first ? quoted(nameOf(first)) : ""}${tests}`;
}
