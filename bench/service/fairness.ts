import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openWorkspace } from "../../src/index.ts";
import { openKeys } from "../../src/operations/serve/key-store.ts";
import { machine, percentile, row } from "../shared/figures.ts";
import { random } from "../shared/random.ts";
import { areas, nouns, verbs } from "../shared/words.ts";
import { writeFigures } from "../shared/write-figures.ts";
import { post, serve } from "./load.ts";

/**
 * What owners of one server do to each other: `npm run bench -- --fairness`, `--seconds 20` for each load. All of it
 * without workers and with them, in one run: how long a search takes alone and beside the builds of seven others, how
 * many builds there are in a second, and how long /healthz takes while documents are indexed.
 */
const size = { owners: 8, documents: 200, threads: 20, messages: 20 };
const connections = 32;
/** Of a series of /healthz. */
const leastMilliseconds = 10_000;
const targets = { search: 5, healthz: 50 };

type Figures = Record<string, number>;
type Owner = { name: string; key: string };
type Chance = ReturnType<typeof random>;

export async function measureFairness(options: { out?: string; seconds?: string; workers?: string }): Promise<void> {
  const seconds = Number(options.seconds ?? 20);
  const folder = mkdtempSync(join(tmpdir(), "dossier-bench-fairness-"));
  const figures: Figures = { loadBefore: loadavg()[0]! };
  try {
    const owners = await generated(folder);
    console.log(`${size.owners} owners with ${size.documents} documents each on ${machine()}`);
    const counts = options.workers?.split(",").map(Number) ?? [0, 1, cpus().length];
    for (const workers of counts) {
      console.log(`\n${workers} workers`);
      const measured = await measure(folder, owners, workers, seconds);
      for (const [name, value] of Object.entries(measured)) figures[`${name}Workers${workers}`] = value;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  figures.loadAfter = loadavg()[0]!;
  writeFigures("fairness", { machine: machine(), size, connections, ...figures }, options.out);
}

async function measure(folder: string, owners: Owner[], workers: number, seconds: number): Promise<Figures> {
  const { child, url } = await serve(folder, "--workers", String(workers));
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const chance = random(5);
  const figures: Figures = {};
  let errors = 0;
  const timed = async (path: string, body: object, { key }: Owner) => {
    const began = performance.now();
    if (await post(`${url}${path}`, body, agent, key)) errors++;
    return performance.now() - began;
  };
  const search = (owner: Owner) => timed("/v1/search", { query: sentence(chance, 4), sources: ["document"] }, owner);
  const build = (owner: Owner) => timed("/context/build", { message: `${sentence(chance, 6)}?` }, owner);
  try {
    // Everything is indexed and every process warm.
    for (const owner of owners) await build(owner);
    for (const owner of owners) await untilIndexed(url, owner);
    for (let round = 0; round < 5; round++) await Promise.all(owners.flatMap((owner) => [build(owner), search(owner)]));
    const alone: number[] = [];
    for (let i = 0; i < 150; i++) alone.push(await search(owners[0]!));
    const beside: number[] = [];
    const builds: number[] = [];
    // Processes start, and each reads what it needs of each owner, in the first part of the load.
    const from = performance.now() + seconds * 500;
    const until = from + seconds * 1000;
    // The connections of one owner search, those of the seven others build.
    const lane = async (n: number) => {
      const owner = owners[n % owners.length]!;
      const [ask, times] = owner === owners[0] ? ([search, beside] as const) : ([build, builds] as const);
      while (performance.now() < until) {
        const began = performance.now();
        const time = await ask(owner);
        if (began >= from) times.push(time);
      }
    };
    await Promise.all(Array.from({ length: connections }, (_, n) => lane(n)));
    figures.searchAloneP95 = percentile(alone, 0.95);
    figures.searchBesideP95 = percentile(beside, 0.95);
    figures.searchBesideP50 = percentile(beside, 0.5);
    figures.buildP95 = percentile(builds, 0.95);
    figures.searchRatio = figures.searchBesideP95 / figures.searchAloneP95;
    figures.buildsPerSecond = builds.length / seconds;
    figures.searchesPerSecond = beside.length / seconds;
    figures.requestsPerSecond = figures.buildsPerSecond + figures.searchesPerSecond;
    row("search alone, p95", `${figures.searchAloneP95.toFixed(0)} ms`, "");
    const times = `p50 ${figures.searchBesideP50.toFixed(0)}; ${figures.searchRatio.toFixed(1)} times alone, target ${targets.search}`;
    row("search beside builds, p95", `${figures.searchBesideP95.toFixed(0)} ms`, times);
    row(
      "builds",
      `${figures.buildsPerSecond.toFixed(0)}/s`,
      `beside ${figures.searchesPerSecond.toFixed(0)} searches/s; p95 ${figures.buildP95.toFixed(0)} ms`,
    );
    Object.assign(figures, await whileIndexing("idle", url, async () => undefined));
    Object.assign(figures, await whileIndexing("large", url, () => putLarge(timed, build, owners[0]!)));
    Object.assign(figures, await whileIndexing("uploads", url, () => putMany(timed, build, owners[1]!, chance)));
    figures.errors = errors;
    row("errors", String(errors), "target 0");
    return figures;
  } finally {
    agent.destroy();
    child.kill("SIGTERM");
    await once(child, "close");
  }
}

type Timed = (path: string, body: object, owner: Owner) => Promise<number>;
type Build = (owner: Owner) => Promise<number>;

/** Builds until one is made of everything: without workers nothing is indexed before. */
async function putLarge(timed: Timed, build: Build, owner: Owner): Promise<void> {
  const chance = random(Date.now());
  const content = Array.from({ length: 55_000 }, (_, n) => `${n % 30 ? "" : "\n## "}${sentence(chance, 12)}.`).join(
    "\n",
  );
  await timed("/v1/put_document", { document: "large.md", content: content.slice(0, 4_900_000) }, owner);
  await build(owner);
}

async function putMany(timed: Timed, build: Build, owner: Owner, chance: Chance): Promise<void> {
  const put = (n: number) => timed("/v1/put_document", { document: `more/${n}.md`, content: text(chance, 600) }, owner);
  for (let n = 0; n < 200; n += 8) await Promise.all(Array.from({ length: 8 }, (_, i) => put(n + i)));
  await build(owner);
}

/** How long /healthz takes meanwhile, asked every few milliseconds until everything is indexed. */
async function whileIndexing(
  name: "idle" | "large" | "uploads",
  url: string,
  write: () => Promise<void>,
): Promise<Figures> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  let writing = true;
  const began = performance.now();
  const written = write().finally(() => {
    writing = false;
  });
  // The index is made on after the last answer.
  while (writing || performance.now() - began < leastMilliseconds) {
    times.push(await healthz(url, agent));
    await sleep(5);
  }
  await written;
  agent.destroy();
  const [p50, p99, longest] = [percentile(times, 0.5), percentile(times, 0.99), Math.max(...times)];
  const what = { idle: "nothing", large: "a document of 5 MB", uploads: "200 uploads" }[name];
  const remark = `p99, target ${targets.healthz}; p50 ${p50.toFixed(1)}, longest ${longest.toFixed(0)} ms`;
  row(`/healthz during ${what}`, `${p99.toFixed(1)} ms`, remark);
  return { [`${name}HealthzP50`]: p50, [`${name}HealthzP99`]: p99, [`${name}HealthzLongest`]: longest };
}

async function untilIndexed(url: string, { key }: Owner): Promise<void> {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${key}` };
  for (;;) {
    const status = await fetch(`${url}/v1/status`, { method: "POST", headers, body: "{}" });
    if (!("indexing" in ((await status.json()) as object))) return;
    await sleep(100);
  }
}

function healthz(url: string, agent: Agent): Promise<number> {
  const began = performance.now();
  return new Promise((done, failed) => {
    get(`${url}/healthz`, { agent }, (response) => {
      response.resume();
      response.on("end", () => done(performance.now() - began));
    }).on("error", failed);
  });
}

function sentence(chance: Chance, words: number): string {
  return Array.from({ length: words }, (_, i) => chance.common([verbs, areas, nouns][i % 3]!)).join(" ");
}

function text(chance: Chance, words: number): string {
  return Array.from({ length: Math.ceil(words / 12) }, () => `${sentence(chance, 12)}.`).join(" ");
}

async function generated(folder: string): Promise<Owner[]> {
  const chance = random(3);
  const workspace = await openWorkspace(folder);
  const library = await workspace.library();
  const keys = await openKeys(workspace);
  const owners: Owner[] = [];
  for (let o = 0; o < size.owners; o++) {
    const name = `owner-${o}`;
    for (let d = 0; d < size.documents; d++) {
      const content = `# ${sentence(chance, 3)}\n\n${text(chance, 400)}`;
      await library.putDocument(name, { path: `${chance.pick(areas)}/${d}.md`, content, at: Date.now() });
    }
    for (let t = 0; t < size.threads; t++) {
      const { id } = await library.createThread(name, { title: sentence(chance, 4), at: Date.now() });
      const messages = Array.from({ length: size.messages }, (_, i) => ({
        role: i % 2 === 0 ? ("user" as const) : ("assistant" as const),
        blocks: [{ type: "text" as const, text: sentence(chance, 20) }],
        at: Date.now(),
      }));
      await library.addMessages(name, id, messages);
    }
    const { secret } = await keys.create({ name, owner: name, scope: "write", at: Date.now() });
    owners.push({ name, key: secret });
  }
  await keys.close();
  await workspace.close();
  return owners;
}
