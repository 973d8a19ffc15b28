import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Summary } from "./measures/summary.ts";
import type { QualitySet, Run } from "./set.ts";
import { sets } from "./sets.ts";
import { show } from "./show.ts";

/**
 * What is found, measured through the product's own operations, with plain BM25 over the same texts beside it: `npm run
 * bench:quality -- --data <folder>`. A whole run of a set is kept in bench/runs/quality-<set>.json, a sample is not.
 */
const { values } = parseArgs({
  options: {
    data: { type: "string", default: process.env.DOSSIER_DATA },
    repos: { type: "string" },
    names: { type: "string" },
    only: { type: "string" },
    budgets: { type: "string" },
    "min-score": { type: "string" },
    cache: { type: "string" },
    sets: { type: "string" },
    sample: { type: "string" },
    out: { type: "string" },
    model: { type: "string" },
  },
});

const runs = "bench/runs";
if (values.data === undefined) throw new Error("Say where the data is: --data <folder>, or DOSSIER_DATA.");
const sample = values.sample === undefined ? undefined : Number(values.sample);
if (sample !== undefined && !(Number.isInteger(sample) && sample > 0)) throw new Error("--sample takes a count.");
const { data, repos, cache } = values;
const tell = (what: string) => process.stderr.write(`${what}\n`);
const run: Run = {
  data,
  tell,
  ...(repos !== undefined && { repos }),
  ...(cache !== undefined && { cache }),
  ...(sample !== undefined && { sample }),
  ...(values.names !== undefined && { names: values.names.split(",") }),
  ...(values.only !== undefined && { only: values.only.split(",") }),
  ...(values.budgets !== undefined && { budgets: values.budgets.split(",").map(Number) }),
  ...(values.model !== undefined && { model: values.model }),
  ...(values["min-score"] !== undefined && { minScore: Number(values["min-score"]) }),
};
// Every workspace of this run has the model; without one none has.
if (run.model === undefined) delete process.env.DOSSIER_MODEL;
else process.env.DOSSIER_MODEL = resolve(run.model);
const summaries: Summary[] = [];
const asked: Record<string, unknown> = {};
for (const set of chosen(values.sets)) {
  const { measured, summary } = await show(set, run);
  const as = run.model === undefined ? set.name : `${set.name}-${basename(run.model)}`;
  if (sample === undefined && !measured.partial) keep(join(runs, `quality-${as}.json`), summary);
  summaries.push(summary);
  asked[set.name] = measured.asked;
}
if (values.out !== undefined) keep(values.out, { summaries, asked });

/** The sets that were named, which must be there, or all that can be measured. */
function chosen(names: string | undefined): QualitySet[] {
  if (names === undefined) {
    for (const set of sets) if (set.lacks(run)) tell(`${set.name} is left out: ${set.lacks(run)}`);
    return sets.filter((set) => set.lacks(run) === undefined);
  }
  return names.split(",").map((name) => {
    const set = sets.find((each) => each.name === name.trim());
    if (!set) throw new Error(`There is no set ${name}; there are ${sets.map((each) => each.name).join(", ")}.`);
    const lack = set.lacks(run);
    if (lack !== undefined) throw new Error(`${set.name} cannot be measured: ${lack}.`);
    return set;
  });
}

function keep(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
  tell(`written to ${file}`);
}
