import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { percentile, row } from "../shared/figures.ts";
import { timeCommand } from "../shared/time-command.ts";
import { greet, type Server, sampled, startServer } from "./mcp.ts";

/**
 * What an agent waits for, beside an earlier build, in one run and by turns: times on a shared machine are noise, their ratio is not.
 *
 *   node scripts/run.mjs bench/mcp/compare-builds.ts --before ../before/dist/cli.js --repo ../express --out against.json
 *
 * First answer: asked at once, from the start of the process. Hook: a prompt's context, the whole process. Warm: a question to a server
 * that has answered others. Beside each the processor time of the process (Linux only), which others on the machine do not lengthen.
 */
const { values } = parseArgs({
  options: {
    before: { type: "string" },
    repo: { type: "string", default: "." },
    out: { type: "string" },
    turns: { type: "string", default: "15" },
    warm: { type: "string", default: "120" },
  },
});
if (!values.before) throw new Error("Say with --before which build to compare with.");
const builds = { before: resolve(values.before), now: resolve("dist/cli.js") };
type Build = keyof typeof builds;
const names: Build[] = ["before", "now"];
const turns = Number(values.turns);
const warmCalls = Number(values.warm);
/** The first calls warm the server up and are not counted. */
const warmUp = 20;

const original = resolve(values.repo);
const folder = mkdtempSync(join(tmpdir(), "dossier-against-"));
const places = Object.fromEntries(names.map((name) => [name, join(folder, name, basename(original))])) as Record<
  Build,
  string
>;
const times: Record<string, Record<Build, number[]>> = {};

function note(what: string, build: Build, milliseconds: number): void {
  times[what] ??= { before: [], now: [] };
  times[what][build].push(milliseconds);
}

/** Ticks of a hundredth of a second that a process has used so far; nothing where the kernel does not tell. */
function ticksOf(pid: number | undefined): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    return Number(fields[11]) + Number(fields[12]);
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

function noteTicks(what: string, build: Build, ticks: number | undefined, calls = 1): void {
  if (ticks !== undefined) note(`${what}, processor`, build, (ticks * 10) / calls);
}

/**
 * Each build has its index: they may be of different forms. What was learned is copied: `--repo` may be the workspace
 * of `--learned`.
 */
async function prepare(): Promise<void> {
  for (const name of names) {
    cpSync(original, places[name], {
      recursive: true,
      filter: (path) => !/node_modules|\.dossier\/(?!memory\.db)/.test(path),
    });
    await timeCommand("node", [builds[name], "index", "--json", "--path", places[name]], { cwd: places[name] });
  }
}

async function firstAnswer(build: Build): Promise<void> {
  const began = performance.now();
  const server = startServer(builds[build], places[build]);
  await greet(server);
  await server.call("context_query", { query: "how is it configured?" });
  note("first answer", build, performance.now() - began);
  noteTicks("first answer", build, ticksOf(server.child.pid));
  server.child.stdin!.end();
}

function hook(build: Build, turn: number): Promise<void> {
  const prompt = "How is a request handled, from the socket to the response?";
  const payload = { hook_event_name: "UserPromptSubmit", session_id: `turn-${turn}`, cwd: places[build], prompt };
  const began = performance.now();
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [builds[build], "hook", "prompt"], {
      cwd: places[build],
      env: { ...process.env, DOSSIER_HOME: join(folder, `${build}-home`) },
      stdio: ["pipe", "ignore", "inherit"],
    });
    child.stdin!.end(JSON.stringify(payload));
    let ticks: number | undefined;
    const watch = setInterval(() => {
      ticks = ticksOf(child.pid) ?? ticks;
    }, 5);
    child.on("error", fail);
    child.on("close", () => {
      note("hook", build, performance.now() - began);
      clearInterval(watch);
      noteTicks("hook", build, ticks);
      done();
    });
  });
}

async function warm(queries: string[]): Promise<void> {
  const servers = {} as Record<Build, Server>;
  for (const name of names) {
    servers[name] = startServer(builds[name], places[name]);
    await greet(servers[name]);
  }
  for (const tool of ["context_query", "assemble_context"]) await warmCalled(tool, servers, queries);
  for (const name of names) servers[name].child.stdin!.end();
}

async function warmCalled(tool: string, servers: Record<Build, Server>, queries: string[]): Promise<void> {
  const used = {} as Record<Build, number | undefined>;
  for (let number = 0; number < warmCalls; number++) {
    if (number === warmUp) for (const name of names) used[name] = ticksOf(servers[name].child.pid);
    for (const name of number % 2 === 0 ? names : [...names].reverse()) {
      const began = performance.now();
      await servers[name].call(tool, { query: queries[number % queries.length]! });
      if (number >= warmUp) note(`warm ${tool}`, name, performance.now() - began);
    }
  }
  for (const name of names) {
    const ticks = ticksOf(servers[name].child.pid);
    if (ticks !== undefined) noteTicks(`warm ${tool}`, name, ticks - (used[name] ?? 0), warmCalls - warmUp);
  }
}

try {
  await prepare();
  const queries = await sampled(places.now);
  for (let turn = 0; turn < turns; turn++) {
    for (const name of turn % 2 === 0 ? names : [...names].reverse()) {
      await firstAnswer(name);
      await hook(name, turn);
    }
  }
  await warm(queries);
  const middle = (list: number[]) => percentile(list, 0.5);
  const figures = Object.entries(times).map(([what, { before, now }]) => {
    const [earlier, later] = [middle(before), middle(now)];
    row(what, `${Math.round(later)} ms`, `${(later / earlier).toFixed(2)} of ${Math.round(earlier)} ms before`);
    return [what, { before: Math.round(earlier), now: Math.round(later), ratio: Number((later / earlier).toFixed(3)) }];
  });
  if (values.out) writeFileSync(values.out, `${JSON.stringify(Object.fromEntries(figures), null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
