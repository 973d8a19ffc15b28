import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { context, openWorkspace } from "../../src/index.ts";
import { percentile, ratio, row, seconds } from "../shared/figures.ts";
import { random } from "../shared/random.ts";
import { sampleQueries } from "../shared/sample-queries.ts";
import { timeCommand } from "../shared/time-command.ts";
import { withCopy } from "../shared/with-copy.ts";
import { writeFigures } from "../shared/write-figures.ts";
import { hostileFrames } from "./hostile-frames.ts";

/**
 * `npm run bench -- --mcp --repo ../flask`: a server on pipes, on a copy that is indexed before. Start-up is compared
 * with a bare Node of the same run.
 */

const starts = 15;
const warmCalls = 200;
const manyCalls = 1000;
const atOnce = 16;
const nonsense = 2000;
const seed = 20_261_116;

type Frame = { id?: unknown; method?: string; result?: { isError?: boolean }; error?: { code: number } };

export async function measureMcp({ repo, out }: { repo: string; out?: string }): Promise<void> {
  const cli = resolve("dist/cli.js");
  const figures: Record<string, number> = {};
  await withCopy(repo, async (copy) => {
    await timeCommand("node", [cli, "index", "--json", "--path", copy], { cwd: copy });
    const queries = await sampled(copy);
    await measureStart(cli, copy, figures);
    const server = startServer(cli, copy);
    await greet(server);
    await sleep(1000);
    figures.greetedMegabytes = megabytes(server.child);
    row("memory after the greeting", `${figures.greetedMegabytes} MB`, "");
    await measureCalls(server, queries, figures);
    await measureMany(server, queries, figures);
    server.child.stdin!.end();
    await measureNonsense(cli, copy, figures);
  });
  writeFigures("mcp", figures, out);
}

export async function sampled(copy: string): Promise<string[]> {
  const workspace = await openWorkspace(copy);
  try {
    await context({ query: "start", path: copy }, { workspace });
    return await sampleQueries(workspace, 100);
  } finally {
    await workspace.close();
  }
}

/** From spawn to the answered list of tools, and to the first answer from then on. */
async function measureStart(cli: string, copy: string, figures: Record<string, number>): Promise<void> {
  const bare: number[] = [];
  const listed: number[] = [];
  const first: number[] = [];
  for (let run = 0; run < starts; run++) {
    bare.push((await timeCommand("node", ["-e", "0"], { cwd: copy })).milliseconds);
    const started = performance.now();
    const server = startServer(cli, copy);
    await greet(server);
    await server.ask("tools/list", {});
    listed.push(performance.now() - started);
    const asked = performance.now();
    await server.call("context_query", { query: "how is it configured?" });
    first.push(performance.now() - asked);
    server.child.stdin!.end();
  }
  const middle = (values: number[]) => percentile(values, 0.5);
  Object.assign(figures, { bareNode: middle(bare), startUp: middle(listed), firstQuery: middle(first) });
  row("spawn to tools/list", seconds(figures.startUp!), `${ratio(figures.startUp!, figures.bareNode!)} of a bare Node`);
  row(
    "first query after that",
    seconds(figures.firstQuery!),
    `${ratio(figures.firstQuery!, figures.bareNode!)} of a bare Node`,
  );
}

async function measureCalls(server: Server, queries: string[], figures: Record<string, number>): Promise<void> {
  const times: number[] = [];
  for (let number = 0; number < warmCalls; number++) {
    const began = performance.now();
    await server.call("context_query", { query: queries[number % queries.length]! });
    times.push(performance.now() - began);
  }
  const warm = times.slice(20);
  Object.assign(figures, { warmP50: percentile(warm, 0.5), warmP95: percentile(warm, 0.95) });
  row("warm query", milliseconds(figures.warmP50!), `p95 ${milliseconds(figures.warmP95!)}`);
  await sleep(8000);
  figures.idleMegabytes = megabytes(server.child);
  row("memory when idle", `${figures.idleMegabytes} MB`, "");
}

/** Mixed calls, so many at once; memory after each fifth of them. */
async function measureMany(server: Server, queries: string[], figures: Record<string, number>): Promise<void> {
  const { pick } = random(seed);
  const kinds: ((query: string, number: number) => [string, object])[] = [
    (query) => ["context_query", { query }],
    (query) => ["assemble_context", { query }],
    () => ["get_premortem_context", { domain: "debugging" }],
    (query, number) => ["remember", { content: `Number ${number}: ${query}`.slice(0, 400), force: true }],
    (query) => ["context_query", { query, max_tokens: 500, format: "xml" }],
  ];
  let errors = 0;
  const memory: number[] = [];
  const began = performance.now();
  let next = 0;
  const work = async () => {
    while (next < manyCalls) {
      const number = next++;
      const query = pick(queries);
      const [name, given] = pick(kinds)(query, number);
      const answer = await server.call(name, given);
      if (answer.error || answer.result?.isError) {
        errors++;
        console.error(name, JSON.stringify(given), JSON.stringify(answer).slice(0, 300));
      }
      if (number % (manyCalls / 5) === 0) memory.push(megabytes(server.child));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const took = performance.now() - began;
  Object.assign(figures, {
    manyCallsSeconds: took / 1000,
    manyCallsErrors: errors,
    manyCallsMegabytes: megabytes(server.child),
  });
  row(
    `${manyCalls} calls, ${atOnce} at a time`,
    seconds(took),
    `${errors} errors, memory ${[...memory, megabytes(server.child)].join(", ")} MB`,
  );
}

async function measureNonsense(cli: string, copy: string, figures: Record<string, number>): Promise<void> {
  const server = startServer(cli, copy, ["--tools", "all"]);
  await greet(server);
  const frames = hostileFrames(seed, nonsense);
  const began = performance.now();
  for (const { line } of frames) server.child.stdin!.write(line);
  const answers = await Promise.all(frames.flatMap(({ ids }) => ids).map((id) => server.answer(id)));
  await server.ask("ping", {});
  const took = performance.now() - began;
  const inner = answers.filter(({ error }) => error?.code === -32603).length;
  Object.assign(figures, { nonsenseSeconds: took / 1000, nonsenseAnswers: answers.length, nonsenseInternal: inner });
  row(
    `${nonsense} frames of nonsense`,
    seconds(took),
    `${answers.length} requests in them answered, ${inner} as our own failure; it lives`,
  );
  server.child.stdin!.end();
}

export type Server = {
  child: ChildProcess;
  answer(id: unknown): Promise<Frame>;
  ask(method: string, params: object): Promise<Frame>;
  call(name: string, given: object): Promise<Frame>;
};

export function startServer(cli: string, cwd: string, args: string[] = []): Server {
  const child = spawn(process.execPath, [cli, "mcp", "--quiet", ...args], { cwd, stdio: ["pipe", "pipe", "inherit"] });
  const answered = new Map<unknown, Frame>();
  const waiting = new Map<unknown, (frame: Frame) => void>();
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    for (const frame of lines.flatMap((line): Frame[] => [JSON.parse(line) as Frame | Frame[]].flat())) {
      const waiter = waiting.get(frame.id);
      waiting.delete(frame.id);
      if (waiter) waiter(frame);
      else answered.set(frame.id, frame);
    }
  });
  let id = 0;
  const answer = (wanted: unknown): Promise<Frame> => {
    const earlier = answered.get(wanted);
    answered.delete(wanted);
    return earlier ? Promise.resolve(earlier) : new Promise((done) => waiting.set(wanted, done));
  };
  const ask = (method: string, params: object): Promise<Frame> => {
    const own = `own-${id++}`;
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: own, method, params })}\n`);
    return answer(own);
  };
  return { child, answer, ask, call: (name, given) => ask("tools/call", { name, arguments: given }) };
}

export async function greet(server: Server): Promise<void> {
  const clientInfo = { name: "bench", version: "1" };
  await server.ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  server.child.stdin!.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
}

function milliseconds(time: number): string {
  return `${Math.round(time)} ms`;
}

/** What it holds now, as the kernel counts it. */
function megabytes({ pid }: ChildProcess): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024);
}
