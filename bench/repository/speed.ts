import { readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { context, openWorkspace, search, type Workspace } from "../../src/index.ts";
import { machine, percentile, ratio, row, seconds } from "../shared/figures.ts";
import { sampleQueries } from "../shared/sample-queries.ts";
import { timeCommand } from "../shared/time-command.ts";
import { withCopy } from "../shared/with-copy.ts";
import { writeFigures } from "../shared/write-figures.ts";

type Figures = Record<string, unknown>;

const cli = resolve("dist/cli.js");

/**
 * Indexing, questions and edits on a real checkout. Times on a shared machine are noise: compare the ratios to the
 * baselines of the same run.
 */
export async function measureSpeed({ repo, out }: { repo: string; out?: string }): Promise<void> {
  const repository = basename(resolve(repo));
  const figures: Figures = { repository, machine: machine() };
  console.log(`${repository} on ${figures.machine}\n`);
  await withCopy(repo, async (copy) => {
    const paths = (await timeCommand("git", ["ls-files", "-z"], { cwd: copy })).output.split("\0").filter(Boolean);
    const grep = (await timeCommand("git", ["grep", "-c", "return"], { cwd: copy })).milliseconds;
    await measureIndexing(copy, paths, grep, figures);
    const workspace = await openWorkspace(copy);
    try {
      await measureSize(workspace, figures);
      const queries = await sampleQueries(workspace, 60);
      await measureQuestions(copy, workspace, queries, grep, figures);
      await measureEdits(copy, workspace, paths, figures);
      await measureProcesses(copy, queries.slice(0, 9), figures);
    } finally {
      await workspace.close();
    }
  });
  writeFigures(`speed-${repository}`, figures, out);
}

async function measureIndexing(copy: string, paths: string[], grep: number, figures: Figures): Promise<void> {
  const start = performance.now();
  for (const path of paths) readIfFile(join(copy, path));
  const reading = performance.now() - start;
  const index = [cli, "index", "--json", "--path", copy];
  const cold = await timeCommand("node", index, { cwd: copy });
  figures.index = JSON.parse(cold.output);
  figures.coldSeconds = cold.milliseconds / 1000;
  figures.coldMegabytes = cold.peakMegabytes;
  const comparison = `${ratio(cold.milliseconds, reading)} of reading every file once`;
  row("cold index", seconds(cold.milliseconds), `${cold.peakMegabytes} MB, ${comparison}`);
  const again = await timeCommand("node", index, { cwd: copy });
  row("index, nothing changed", seconds(again.milliseconds), `${ratio(again.milliseconds, grep)} of git grep`);
}

async function measureSize(workspace: Workspace, figures: Figures): Promise<void> {
  const { bytes, textBytes, files, items } = await workspace.store.statistics(workspace.owner);
  figures.sizeRatio = bytes / textBytes;
  const text = `${ratio(bytes, textBytes)} of ${(textBytes / 1e6).toFixed(1)} MB indexed text`;
  row("index size", `${(bytes / 1e6).toFixed(1)} MB`, `${text}; ${files} files, ${items} items`);
}

async function measureQuestions(
  copy: string,
  workspace: Workspace,
  queries: string[],
  grep: number,
  figures: Figures,
): Promise<void> {
  // Every query is asked once before, so that code is compiled and caches are filled.
  for (const query of queries) await context({ query, path: copy }, { workspace });
  const warm: number[] = [];
  for (const query of queries) warm.push(await timed(() => context({ query, path: copy }, { workspace })));
  const [p50, p95] = [percentile(warm, 0.5), percentile(warm, 0.95)];
  figures.warmP50 = p50;
  figures.warmP95 = p95;
  row("context, warm, p50", `${p50.toFixed(1)} ms`, `${ratio(p50, grep)} of git grep`);
  row("context, warm, p95", `${p95.toFixed(1)} ms`, "");
  const ten: number[] = [];
  for (const query of queries.slice(0, 20)) {
    ten.push(await timed(() => context({ query, path: copy, limit: 10, refresh: false }, { workspace })));
  }
  row("10 entities assembled, p50", `${percentile(ten, 0.5).toFixed(1)} ms`, "");
}

async function measureEdits(copy: string, workspace: Workspace, paths: string[], figures: Figures): Promise<void> {
  const path = paths.find((path) => /\.(?:py|ts|go|js)$/.test(path))!;
  const edited = join(copy, path);
  const edits: number[] = [];
  for (let i = 0; i < 5; i++) {
    await pause(400);
    const name = `benchmarkEdit${i}Zq`;
    const added = path.endsWith(".go") ? `func ${name}() int { return 1 }` : `function ${name}() { return 1 }`;
    writeFileSync(edited, `${readFileSync(edited, "utf8")}\n${added}\n`);
    const start = performance.now();
    while (!(await search({ query: name, path: copy }, { workspace })).results.some((each) => each.path === path)) {
      if (performance.now() - start > 10_000) throw new Error(`${name} was added to ${path} but is not found.`);
    }
    edits.push(performance.now() - start);
  }
  const visible = percentile(edits, 0.5);
  figures.editMilliseconds = visible;
  row("one-line edit visible", `${visible.toFixed(0)} ms`, "");
}

async function measureProcesses(copy: string, queries: string[], figures: Figures): Promise<void> {
  const processes: number[] = [];
  for (const query of queries) {
    processes.push((await timeCommand("node", [cli, query, "--path", copy], { cwd: copy })).milliseconds);
  }
  const bare = await timeCommand("node", ["-e", "0"], { cwd: copy });
  const p50 = percentile(processes, 0.5);
  figures.processMilliseconds = p50;
  row("context as a new process, p50", `${p50.toFixed(0)} ms`, `${ratio(p50, bare.milliseconds)} of bare node`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Git also lists broken links and folders; they are passed over. */
function readIfFile(path: string): void {
  try {
    readFileSync(path);
  } catch (error) {
    if (!["ENOENT", "EISDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
