import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { context, openWorkspace, search } from "../src/index.ts";
import { measureCold } from "./cold.ts";
import { measureEngine } from "./engine.ts";
import { measureFairness } from "./fairness.ts";
import { percentile, ratio, row, seconds } from "./figures.ts";
import { measureInspector } from "./inspector.ts";
import { measureLearned } from "./learned.ts";
import { measureLibrary } from "./library.ts";
import { measureMcp } from "./mcp.ts";
import { measureNotes } from "./notes.ts";
import { measurePostgres } from "./postgres.ts";
import { locomo } from "./quality/locomo.ts";
import { noteLinks } from "./quality/note-links.ts";
import { show } from "./quality/show.ts";
import { sampleQueries } from "./queries.ts";
import { measureTenfold } from "./tenfold.ts";
import { timeCommand } from "./time-command.ts";

/**
 * Speed, on a real checkout: `npm run bench -- --repo ../django`. Works on a copy, so the repository stays as it is.
 * Times on a shared machine are noise; the ratios to a plain baseline in the same run are what to compare.
 * `--library` measures documents and threads of one owner among a hundred, and the HTTP service under load; `--locomo` what is found
 * in long conversations.
 * `--mcp` measures what an agent's client sees of a server: start-up, questions, memory, many calls at once, nonsense.
 * `--engine` measures what a command costs as a new process, with an engine and without, on one or more `--repo`.
 * `--inspector` measures how soon the web page shows an answer to what is typed.
 * `--cold` measures indexing as a process, against another program's (`--against`), and switching branches (`--refs one,other`).
 * `--tenfold` measures questions on ten varied copies of a checkout against the checkout itself; `--folder` keeps the copies.
 * `--notes` measures a notes graph of 100,000 notes made for it.
 * `--postgres` measures the PostgreSQL store beside SQLite's: ingest, size, questions, service processes, vectors.
 * `--learned` measures what an agent has learned on a workspace made for it; `--profile <file>` writes what its assemblies spent.
 */
const { values } = parseArgs({
  options: {
    repo: { type: "string", multiple: true, default: ["."] },
    out: { type: "string" },
    learned: { type: "boolean", default: false },
    profile: { type: "string" },
    notes: { type: "boolean", default: false },
    size: { type: "string" },
    "note-links": { type: "boolean", default: false },
    library: { type: "boolean", default: false },
    workers: { type: "string" },
    fairness: { type: "boolean", default: false },
    seconds: { type: "string" },
    locomo: { type: "boolean", default: false },
    mcp: { type: "boolean", default: false },
    postgres: { type: "boolean", default: false },
    items: { type: "string" },
    inspector: { type: "boolean", default: false },
    engine: { type: "boolean", default: false },
    cold: { type: "boolean", default: false },
    against: { type: "string" },
    refs: { type: "string" },
    tenfold: { type: "boolean", default: false },
    folder: { type: "string" },
    data: { type: "string", default: process.env.DOSSIER_DATA ?? "." },
  },
});
const [repo = "."] = values.repo;
if (values.engine) {
  await measureEngine({ repos: values.repo, out: values.out });
  process.exit();
}
if (values.cold) {
  measureCold({ ...values, repos: values.repo });
  process.exit();
}
if (values.tenfold) {
  await measureTenfold({ ...values, repo });
  process.exit();
}
if (values.learned) {
  await measureLearned(values);
  process.exit();
}
if (values.notes) {
  await measureNotes(values);
  process.exit();
}
if (values.library) {
  await measureLibrary(values);
  process.exit();
}
if (values.fairness) {
  await measureFairness(values);
  process.exit();
}
if (values.postgres) {
  await measurePostgres(values);
  process.exit();
}
if (values.inspector) {
  await measureInspector({ ...values, repo });
  process.exit();
}
if (values.mcp) {
  await measureMcp({ ...values, repo });
  process.exit();
}
if (values.locomo) {
  await show(locomo, { data: values.data, tell: console.error });
  process.exit();
}
if (values["note-links"]) {
  await show(noteLinks, { data: values.data, tell: console.error });
  process.exit();
}
const cli = resolve("dist/cli.js");
const original = resolve(repo);
const copy = join(mkdtempSync(join(tmpdir(), "dossier-bench-")), basename(original));
cpSync(original, copy, { recursive: true, filter: (path) => !/node_modules|\.dossier/.test(path) });
const figures: Record<string, number | string> = {};

try {
  figures.machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  console.log(`${basename(original)} on ${figures.machine}\n`);

  const files = await timeCommand("git", ["ls-files", "-z"], { cwd: copy });
  const paths = files.output.split("\0").filter(Boolean);
  const readStart = performance.now();
  for (const path of paths) readQuietly(join(copy, path));
  const readAll = performance.now() - readStart;
  const grep = await timeCommand("git", ["grep", "-c", "return"], { cwd: copy });

  const cold = await timeCommand("node", [cli, "index", "--json", "--path", copy], { cwd: copy });
  const report = JSON.parse(cold.output);
  figures.coldSeconds = cold.milliseconds / 1000;
  figures.coldMegabytes = cold.peakMegabytes;
  row(
    "cold index",
    seconds(cold.milliseconds),
    `${cold.peakMegabytes} MB, ${ratio(cold.milliseconds, readAll)} of reading every file once`,
  );

  const again = await timeCommand("node", [cli, "index", "--json", "--path", copy], { cwd: copy });
  row(
    "index, nothing changed",
    seconds(again.milliseconds),
    ratio(again.milliseconds, grep.milliseconds) + " of git grep",
  );

  const workspace = await openWorkspace(copy);
  const statistics = await workspace.store.statistics(workspace.owner);
  figures.sizeRatio = statistics.bytes / statistics.textBytes;
  row(
    "index size",
    `${(statistics.bytes / 1e6).toFixed(1)} MB`,
    `${ratio(statistics.bytes, statistics.textBytes)} of ${(statistics.textBytes / 1e6).toFixed(1)} MB indexed text; ${statistics.files} files, ${statistics.items} items`,
  );

  const queries = await sampleQueries(workspace, 60);
  const warm: number[] = [];
  // Warm: every query once before, so that code is compiled and caches are filled.
  for (const query of queries) await context({ query, path: copy }, { workspace });
  for (const query of queries) {
    const start = performance.now();
    await context({ query, path: copy }, { workspace });
    warm.push(performance.now() - start);
  }
  figures.warmP50 = percentile(warm, 0.5);
  figures.warmP95 = percentile(warm, 0.95);
  row(
    "context, warm, p50",
    `${figures.warmP50.toFixed(1)} ms`,
    ratio(figures.warmP50, grep.milliseconds) + " of git grep",
  );
  row("context, warm, p95", `${figures.warmP95.toFixed(1)} ms`, "");

  const ten: number[] = [];
  for (const query of queries.slice(0, 20)) {
    const start = performance.now();
    await context({ query, path: copy, limit: 10, refresh: false }, { workspace });
    ten.push(performance.now() - start);
  }
  row("10 entities assembled, p50", `${percentile(ten, 0.5).toFixed(1)} ms`, "");

  const edited = join(
    copy,
    paths.find((path) => path.endsWith(".py") || path.endsWith(".ts") || path.endsWith(".go") || path.endsWith(".js"))!,
  );
  const edits: number[] = [];
  for (let i = 0; i < 5; i++) {
    await new Promise((done) => setTimeout(done, 400));
    const name = `benchmarkEdit${i}Zq`;
    const added = edited.endsWith(".go") ? `func ${name}() int { return 1 }` : `function ${name}() { return 1 }`;
    writeFileSync(edited, `${readFileSync(edited, "utf8")}\n${added}\n`);
    const start = performance.now();
    for (;;) {
      const { results } = await search({ query: name, path: copy }, { workspace });
      if (results.some((each) => each.path === edited.slice(copy.length + 1))) break;
      if (performance.now() - start > 10_000) throw new Error(`${name} was added to ${edited} but is not found.`);
    }
    edits.push(performance.now() - start);
  }
  figures.editMilliseconds = percentile(edits, 0.5);
  row("one-line edit visible", `${figures.editMilliseconds.toFixed(0)} ms`, "");
  await workspace.close();

  const fresh: number[] = [];
  for (const query of queries.slice(0, 9))
    fresh.push((await timeCommand("node", [cli, query, "--path", copy], { cwd: copy })).milliseconds);
  const bare = await timeCommand("node", ["-e", "0"], { cwd: copy });
  figures.processMilliseconds = percentile(fresh, 0.5);
  row(
    "context as a new process, p50",
    `${figures.processMilliseconds.toFixed(0)} ms`,
    ratio(figures.processMilliseconds, bare.milliseconds) + " of bare node",
  );

  mkdirSync("bench/runs", { recursive: true });
  const out = values.out ?? `bench/runs/speed-${basename(original)}.json`;
  writeFileSync(out, `${JSON.stringify({ repository: basename(original), ...figures, index: report }, null, 2)}\n`);
  console.log(`\nwritten to ${out}`);
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** A path that git lists may be a broken link or a folder: it costs what it costs. */
function readQuietly(path: string): void {
  try {
    readFileSync(path);
  } catch (error) {
    if (!["ENOENT", "EISDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
