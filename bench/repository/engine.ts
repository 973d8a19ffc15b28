import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { askEngine, type ClientProcess } from "../../src/engine/client.ts";
import { percentile, ratio, row } from "../shared/figures.ts";
import { withCopy } from "../shared/with-copy.ts";
import { writeFigures } from "../shared/write-figures.ts";

/**
 * What a command costs as a new process, with an engine and without: `npm run bench -- --engine --repo ../flask --repo
 * ../django`. Each round runs every kind once, so that what else the machine does is spread over all of them; what
 * counts are the ratios to a bare `node -e 0`.
 */
export async function measureEngine({ repos, out }: { repos: string[]; out?: string }): Promise<void> {
  const node = process.env.BENCH_NODE ?? process.execPath;
  const version = (await run(node, ["--version"], {})).stdout.trim();
  console.log(`${cpus().length} cores, Node ${version}, load ${loadavg()[0]!.toFixed(1)} at the start\n`);
  const figures: Record<string, unknown> = { cores: cpus().length, node: version, load: loadavg()[0] };
  for (const repo of repos) figures[basename(repo)] = await withCopy(repo, (copy) => measureRepository(copy, node));
  writeFigures("engine", figures, out);
}

const rounds = 20;
const question = "how are cookies and sessions signed?";
const cli = resolve("dist/cli.js");

async function measureRepository(copy: string, node: string): Promise<Record<string, number>> {
  const base = dirname(copy);
  const variables = { ...process.env, XDG_RUNTIME_DIR: base, DOSSIER_HOME: join(base, "home"), CI: "" };
  const on = { cwd: copy, env: { ...variables, DOSSIER_ENGINE: "on" } };
  const off = { cwd: copy, env: { ...variables, DOSSIER_ENGINE: "off" } };
  const hook = JSON.stringify({ hook_event_name: "UserPromptSubmit", session_id: "b", cwd: copy, prompt: question });
  console.log(basename(copy));
  await run(node, [cli, "index", "-q"], off);
  // The first command of each kind compiles; users meet the later ones.
  for (const args of [[question], ["hook", "prompt"]]) await run(node, [cli, ...args], { ...off, input: hook });
  const expected = (await run(node, [cli, question], off)).stdout;
  await run(node, [cli, "engine", "start"], on);
  const status = async () => JSON.parse((await run(node, [cli, "engine", "status", "--json"], on)).stdout);
  while ((await status()).state !== "running") await pause(100);
  await pause(4_000);

  const kinds: Record<string, () => Promise<{ milliseconds: number }>> = {
    bare: () => run(node, ["-e", "0"], on),
    "--version": () => run(node, [cli, "--version"], on),
    "question, engine": () => run(node, [cli, question], on),
    "question, alone": () => run(node, [cli, question], off),
    "prompt hook, engine": () => run(node, [cli, "hook", "prompt"], { ...on, input: hook }),
    "prompt hook, alone": () => run(node, [cli, "hook", "prompt"], { ...off, input: hook }),
  };
  const times = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    for (const [kind, measure] of Object.entries(kinds)) times.get(kind)!.push((await measure()).milliseconds);
  }
  const figures: Record<string, number> = {};
  const bare = percentile(times.get("bare")!, 0.5);
  for (const [kind, all] of times) {
    const median = percentile(all, 0.5);
    figures[kind] = median;
    figures[`${kind} / bare`] = median / bare;
    row(kind, `${median.toFixed(0)} ms`, `${ratio(median, bare)} of bare node`);
  }

  const { version } = (await status()).engine as { version: string };
  const asked: number[] = [];
  for (let at = 0; at < 40; at++) asked.push((await askWithin(copy, on.env, version, [question])).milliseconds);
  figures.socket50 = percentile(asked, 0.5);
  figures.socket95 = percentile(asked, 0.95);
  row("the engine's part, p50 / p95", `${figures.socket50.toFixed(0)} ms`, `${figures.socket95.toFixed(0)} ms`);

  const edited = join(copy, (await run("git", ["ls-files", "*.py", "*.ts", "*.js"], on)).stdout.split("\n")[0]!);
  const edits: number[] = [];
  for (let at = 0; at < 9; at++) {
    await pause(2_500);
    const name = `benchmarkEdit${at}Zq`;
    appendFileSync(edited, edited.endsWith(".py") ? `\n\ndef ${name}():\n    pass\n` : `\nfunction ${name}() {}\n`);
    const { text, milliseconds } = await askWithin(copy, on.env, version, ["search", name, "--limit", "3"]);
    if (!text.includes(name)) throw new Error(`${name} was added and is not found.`);
    edits.push(milliseconds);
  }
  figures.edit = percentile(edits, 0.5);
  row("one-line edit visible", `${figures.edit.toFixed(0)} ms`, "from the edit to the answer that has it");

  const many = await Promise.all(Array.from({ length: 100 }, () => run(node, [cli, question], on)));
  const before = (await run(node, [cli, question], off)).stdout;
  const wrong = many.filter(({ stdout }) => stdout !== before && stdout !== expected).length;
  figures.wrongOfHundred = wrong;
  row("100 at once, wrong answers", String(wrong), "");
  await pause(10_000);
  figures.idleMegabytes = (await status()).engine.megabytes;
  row("idle engine", `${figures.idleMegabytes} MB`, "");
  await run(node, [cli, "engine", "stop"], on);
  console.log("");
  return figures;
}

/** Asks over the socket from this process: what is measured is the engine, not the start of Node. */
async function askWithin(
  folder: string,
  variables: NodeJS.ProcessEnv,
  version: string,
  args: string[],
): Promise<{ text: string; milliseconds: number }> {
  let text = "";
  const stream = {
    isTTY: false,
    write(chunk: string, done?: () => void) {
      text += chunk;
      done?.();
      return true;
    },
  } as unknown as NodeJS.WriteStream;
  const own: ClientProcess = { folder, variables, version, stdin: process.stdin, stdout: stream, stderr: stream };
  const start = performance.now();
  const outcome = await askEngine(args, own, new AbortController().signal);
  if (!("status" in outcome)) throw new Error("The engine did not answer.");
  return { text, milliseconds: performance.now() - start };
}

type RunOptions = { cwd?: string; env?: NodeJS.ProcessEnv; input?: string };

function run(command: string, args: string[], options: RunOptions): Promise<{ stdout: string; milliseconds: number }> {
  return new Promise((done, fail) => {
    const start = performance.now();
    const child = spawn(command, args, { cwd: options.cwd, env: options.env, stdio: ["pipe", "pipe", "ignore"] });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.on("error", fail);
    child.on("close", () => done({ stdout, milliseconds: performance.now() - start }));
    // A command that reads nothing closes its input early.
    child.stdin.on("error", (error: NodeJS.ErrnoException) => error.code !== "EPIPE" && fail(error));
    child.stdin.end(options.input ?? "");
  });
}
