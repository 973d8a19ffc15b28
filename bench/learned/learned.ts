import { loadavg } from "node:os";
import { resolve } from "node:path";
import { assembleContext, context, getPremortemContext, memories, openWorkspace, remember } from "../../src/index.ts";
import type { Enriched } from "../../src/item.ts";
import { domains, experienceStrategies } from "../../src/learned/experience.ts";
import { dedupe } from "../../src/pipeline/6-dedupe/dedupe.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { recorded } from "../../tests/pipeline/evidence.ts";
import { machine, percentile, row } from "../shared/figures.ts";
import { random } from "../shared/random.ts";
import { timeCommand } from "../shared/time-command.ts";
import { writeFigures } from "../shared/write-figures.ts";
import { allocated, memoryHeld } from "./heap.ts";
import { profiled } from "./profile.ts";
import { learnedQueries } from "./queries.ts";
import { message, sentences, topics } from "./texts.ts";
import { type LearnedSize, learnedWorkspace, seed } from "./workspace.ts";

/**
 * What an agent has learned, at the size that the targets are stated for: `npm run bench -- --learned`. The workspace
 * is made once and kept; its index is made anew in every run.
 */
const size: LearnedSize = { files: 3000, commits: 50_000, memories: 20_000, experiences: 5000, values: 20 };
const queryCount = 50;
const rounds = 5;

type Figures = Record<string, number>;

export async function measureLearned(options: { out?: string; profile?: string }): Promise<void> {
  const { folder, names } = await learnedWorkspace(size);
  const { files, commits, ...records } = size;
  const counts = Object.entries(records).map(([name, count]) => `${count.toLocaleString("en")} ${name}`);
  console.log(`${files} files, ${commits.toLocaleString("en")} commits, ${counts.join(", ")} on ${machine()}\n`);

  // Of the last minute: what ran before this. Above 1 somebody else is at work, and times say little.
  const figures: Figures = { loadBefore: loadavg()[0]! };
  if (figures.loadBefore! > 1)
    console.log(`The load is ${figures.loadBefore!.toFixed(1)}: run it again when it is below 1.\n`);
  await indexing(folder, figures);
  const queries = learnedQueries(queryCount, names);
  const workspace = await openWorkspace(folder);
  try {
    await assembling(workspace, queries, options.profile, figures);
    await premortems(workspace, figures);
    await contexts(workspace, queries, figures);
    await remembering(workspace, queries, figures);
  } finally {
    await workspace.close();
  }
  deduplicating(figures);
  await processes(folder, queries, figures);
  // Of this run alone it is about 1.
  figures.loadAfter = loadavg()[0]!;
  row("load before and after", "", `${figures.loadBefore!.toFixed(1)}, ${figures.loadAfter.toFixed(1)}`);

  writeFigures("learned", { repository: "learned", machine: machine(), size, ...figures }, options.out);
}

const kinds = { files: "code", history: "commits", records: "memories,experiences,values" };

/** Each kind in a process of its own, so that one's memory is not another's. */
async function indexing(folder: string, figures: Figures): Promise<void> {
  await (await openWorkspace(folder, { rebuild: true })).close();
  for (const [kind, types] of Object.entries(kinds)) {
    const args = [resolve("bench/learned/indexing.mjs"), folder, types];
    const { output } = await timeCommand("node", args, { cwd: folder });
    const { milliseconds, peakMegabytes, megabytesBefore } = JSON.parse(output);
    figures[`${kind}Seconds`] = milliseconds / 1000;
    figures[`${kind}Megabytes`] = peakMegabytes;
    const targets = kind === "history" ? { seconds: 15, megabytes: 200 } : {};
    report(`index ${kind}`, milliseconds / 1000, "s", targets.seconds);
    report("  peak of the process", peakMegabytes, "MB", targets.megabytes, `${megabytesBefore.toFixed(0)} MB before`);
  }
}

async function assembling(workspace: Workspace, queries: string[], profile: string | undefined, figures: Figures) {
  const run = (query: string) => assembleContext({ query, path: workspace.root }, { workspace });
  const opened = memoryHeld();
  const printed: Figures = {};
  let warnings = 0;
  for (const query of queries) {
    const answer = await run(query);
    warnings += answer.warnings.length;
    for (const [source, count] of Object.entries(answer.sources_used)) {
      printed[source] = (printed[source] ?? 0) + count / queries.length;
    }
  }
  const warm = memoryHeld();
  const stages: Figures = {};
  const usedBefore = process.cpuUsage();
  const times = await profiled(profile, () =>
    timed(queries, async (query) => {
      const { stats } = await run(query);
      for (const [stage, time] of Object.entries(stats.milliseconds)) {
        stages[stage] = (stages[stage] ?? 0) + time / (queries.length * rounds);
      }
    }),
  );
  const used = process.cpuUsage(usedBefore);
  const after = memoryHeld();
  figures.assembleP50 = percentile(times, 0.5);
  figures.assembleP95 = percentile(times, 0.95);
  figures.assembleMean = mean(times);
  report("assemble_context, warm, p50", figures.assembleP50, "ms", 60, `${times.length} calls`);
  report("assemble_context, warm, p95", figures.assembleP95, "ms", 150);
  // Waiting for a processor that others use does not count here. More than the wall time where threads work at once.
  figures.assembleProcessor = (used.user + used.system) / 1000 / times.length;
  report("  processor time, mean", figures.assembleProcessor, "ms");
  // What the stopwatch of the pipeline does not see is done before it: looking for changes of files, records and
  // history.
  stages.before = figures.assembleMean - Object.values(stages).reduce((sum, time) => sum + time, 0);
  for (const [stage, time] of Object.entries(stages)) figures[`assemble_${stage}`] = time;
  row("  mean by stage, ms", figures.assembleMean.toFixed(1), listed(stages));

  // A source that is late is left out with a warning: then these times would be too good.
  figures.assembleWarnings = warnings;
  row("  warnings, and items by source", `${warnings}`, listed(printed));

  const needed: number[] = [];
  for (const query of queries) needed.push(await allocated(() => run(query)));
  figures.assembleMegabytes = Math.max(...needed);
  figures.warmMegabytes = warm.residentMegabytes - opened.residentMegabytes;
  figures.warmHeapMegabytes = warm.heapMegabytes - opened.heapMegabytes;
  figures.grownHeapMegabytes = after.heapMegabytes - warm.heapMegabytes;
  report("  allocated by one, most", figures.assembleMegabytes, "MB", 50, "all of it, garbage included");
  const caches = `resident; ${figures.warmHeapMegabytes.toFixed(1)} MB of heap and buffers, after gc`;
  report("  held once all queries ran", figures.warmMegabytes, "MB", undefined, caches);
  report("  heap grown in all rounds", figures.grownHeapMegabytes, "MB", undefined, "after gc");
}

async function premortems(workspace: Workspace, figures: Figures): Promise<void> {
  const asked = domains.flatMap((domain, i) => [{ domain }, { domain, strategy: experienceStrategies[i]! }]);
  const run = (input: (typeof asked)[number]) => getPremortemContext({ ...input, path: workspace.root }, { workspace });
  for (const input of asked) await run(input);
  const times = await timed(asked, run);
  figures.premortemP50 = percentile(times, 0.5);
  figures.premortemP95 = percentile(times, 0.95);
  report("get_premortem_context, p50", figures.premortemP50, "ms", undefined, `${times.length} calls`);
  report("get_premortem_context, p95", figures.premortemP95, "ms", 150);
}

async function contexts(workspace: Workspace, queries: string[], figures: Figures): Promise<void> {
  const run = (query: string) => context({ query, path: workspace.root }, { workspace });
  for (const query of queries) await run(query);
  const times = await timed(queries, run);
  figures.contextP50 = percentile(times, 0.5);
  figures.contextP95 = percentile(times, 0.95);
  report("context, warm, p50", figures.contextP50, "ms", undefined, `${times.length} calls`);
  report("context, warm, p95", figures.contextP95, "ms");
}

/** What is remembered here is purged again: the next run finds the workspace as it was. */
async function remembering(workspace: Workspace, queries: string[], figures: Figures): Promise<void> {
  const path = workspace.root;
  const times = await timed(queries.slice(0, 20), (query) => memories({ query, path }, { workspace }), 1);
  figures.memoriesQuery = percentile(times, 0.5);
  report("memories <query>, p50", figures.memoriesQuery, "ms");

  const chance = random(seed + 3);
  const all = topics(seed);
  const written: number[] = [];
  const asked: number[] = [];
  const ids: string[] = [];
  for (const query of queries.slice(0, 10)) {
    const content = sentences(2, chance.common(all), chance);
    let start = performance.now();
    const { memory } = await remember({ content, path, force: true }, { workspace });
    written.push(performance.now() - start);
    if (memory) ids.push(memory.id);
    start = performance.now();
    await assembleContext({ query, path }, { workspace });
    asked.push(performance.now() - start);
  }
  await (await workspace.records()).purge(workspace.owner, ids);
  figures.remember = percentile(written, 0.5);
  figures.assembleAfterRemember = percentile(asked, 0.5);
  report("remember, p50", figures.remember, "ms");
  report("assemble_context after it, p50", figures.assembleAfterRemember, "ms", undefined, "indexes the new memory");
}

function deduplicating(figures: Figures): void {
  const candidates = dedupeCandidates(500);
  const times: number[] = [];
  for (let round = 0; round < 21; round++) {
    const start = performance.now();
    dedupe(candidates);
    if (round > 0) times.push(performance.now() - start);
  }
  figures.dedupe = percentile(times, 0.5);
  const left = dedupe(candidates).unique.length;
  report("dedupe of 500, median", figures.dedupe, "ms", 50, `${left} left`);
}

/** Records of all four sources; every tenth says the same as another in other case, punctuation and spaces. */
function dedupeCandidates(count: number): Enriched[] {
  const chance = random(seed + 4);
  const all = topics(seed);
  const sources = ["memory", "experience", "commit", "value"] as const;
  const texts: string[] = [];
  return Array.from({ length: count }, (_, i) => {
    const topic = chance.common(all);
    const text =
      i % 10 === 9
        ? chance.pick(texts).toUpperCase().replaceAll(".", " !")
        : chance.chance(0.3)
          ? message(topic, `${topic.area}-client`, chance).trim()
          : sentences(chance.between(1, 7), topic, chance);
    texts.push(text);
    const source = sources[i % sources.length]!;
    return recorded({
      source,
      id: `${source.slice(0, 3)}-${i.toString(36).padStart(13, "0")}`,
      text,
      score: 1 - i / count,
    });
  });
}

async function processes(folder: string, queries: string[], figures: Figures): Promise<void> {
  const times: number[] = [];
  for (const query of queries.slice(0, 5)) {
    const args = [resolve("dist/cli.js"), "assemble_context", query, "-C", folder];
    times.push((await timeCommand("node", args, { cwd: folder })).milliseconds);
  }
  const bare = await timeCommand("node", ["-e", "0"], { cwd: folder });
  figures.processMilliseconds = percentile(times, 0.5);
  const remark = `${(figures.processMilliseconds / bare.milliseconds).toFixed(2)}x of bare node`;
  report("assemble_context, new process", figures.processMilliseconds, "ms", undefined, remark);
}

async function timed<T>(inputs: readonly T[], run: (input: T) => Promise<unknown>, times = rounds): Promise<number[]> {
  const all: number[] = [];
  for (let round = 0; round < times; round++) {
    for (const input of inputs) {
      const start = performance.now();
      await run(input);
      all.push(performance.now() - start);
    }
  }
  return all;
}

function report(name: string, value: number, unit: string, target?: number, remark = ""): void {
  const judged = target === undefined ? "" : `${value <= target ? "under" : "OVER"} the target of ${target} ${unit}`;
  row(name, `${value.toFixed(1)} ${unit}`, [judged, remark].filter(Boolean).join("; "));
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function listed(figures: Figures): string {
  return Object.entries(figures)
    .map(([name, value]) => `${name} ${value.toFixed(1)}`)
    .join(", ");
}
