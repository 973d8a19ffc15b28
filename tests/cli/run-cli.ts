import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { runCommandLine } from "../../src/surfaces/cli/run.ts";

/** The built command line, run as a user runs it. */
export const cli = resolve("dist/cli.js");

if (!existsSync(cli)) throw new Error("dist/cli.js is missing: npm test builds it, vitest alone does not.");

export type CommandRun = { status: number | null; stdout: string; stderr: string };

export type CommandOptions = {
  cwd?: string;
  input?: string;
  env?: Record<string, string>;
  started?: (child: ChildProcess) => void;
};

/**
 * With DOSSIER_TEST_ENGINE=on over an engine, which is started for every folder that has an index: the same bytes are
 * expected.
 */
export async function dossier(args: string[], options: CommandOptions = {}): Promise<CommandRun> {
  const env = process.env.DOSSIER_TEST_ENGINE === "on" ? await engineFor(options) : {};
  return execute(process.execPath, [cli, ...args], { ...options, env: { ...env, ...options.env } });
}

/**
 * The command line run inside this process, for tests about what it answers: a process of its own takes ten times as
 * long. Not for what only a process has, as signals and pipes. One after the other, since folder and variables belong
 * to the process.
 */
export function dossierInside(args: string[], options: Omit<CommandOptions, "started"> = {}): Promise<CommandRun> {
  if (process.env.DOSSIER_TEST_ENGINE === "on") return dossier(args, options);
  const run = before.then(() => runInside(args, options));
  before = run.catch(() => undefined);
  return run;
}

let before: Promise<unknown> = Promise.resolve();

async function runInside(
  args: string[],
  { input = "", env = {}, cwd }: Omit<CommandOptions, "started">,
): Promise<CommandRun> {
  const written = { stdout: "", stderr: "" };
  const screen = (name: keyof typeof written) => ({
    write(text: string, done?: () => void) {
      written[name] += text;
      done?.();
    },
  });
  const [variables, folder, script] = [{ ...process.env }, process.cwd(), process.argv[1]!];
  const { log, info, debug } = console;
  const write = process.stdout.write;
  Object.assign(process.env, env);
  if (cwd !== undefined) process.chdir(cwd);
  process.argv[1] = cli;
  // As in a process, whatever else prints to standard output is part of it.
  const print = (...words: unknown[]) => void (written.stdout += `${words.join(" ")}\n`);
  Object.assign(console, { log: print, info: print, debug: print });
  process.stdout.write = (text: unknown) => {
    written.stdout += String(text);
    return true;
  };
  try {
    const terminal = {
      stdout: screen("stdout"),
      stderr: screen("stderr"),
      stdin: Readable.from([Buffer.from(input)]),
      environment: process.env,
    };
    return { status: await runCommandLine(args, terminal, new AbortController().signal), ...written };
  } finally {
    process.stdout.write = write;
    Object.assign(console, { log, info, debug });
    process.argv[1] = script;
    if (cwd !== undefined) process.chdir(folder);
    // Also what the command itself set, as --store does.
    for (const name of Object.keys(process.env)) if (variables[name] === undefined) delete process.env[name];
    Object.assign(process.env, variables);
  }
}

let runtime: string | undefined;
const started = new Set<string>();

/** Engines leave when the folders of the test are removed. */
async function engineFor({ cwd = process.cwd(), env = {} }: CommandOptions): Promise<Record<string, string>> {
  if (env.DOSSIER_ENGINE !== undefined || !existsSync(join(cwd, ".dossier"))) return {};
  runtime ??= mkdtempSync(join(tmpdir(), "dossier-run-"));
  const own = { DOSSIER_ENGINE: "on", XDG_RUNTIME_DIR: runtime };
  const ask = (step: string) => execute(process.execPath, [cli, "engine", step], { cwd, env: { ...env, ...own } });
  const key = `${cwd} ${env.DOSSIER_HOME}`;
  if (!started.has(key)) {
    started.add(key);
    const { stdout } = await ask("start");
    while (stdout.includes("starts") && !(await ask("status")).stdout.includes("answers")) await pause(50);
  }
  return own;
}

export function execute(command: string, args: string[], options: CommandOptions = {}): Promise<CommandRun> {
  return new Promise((done, fail) => {
    const environment = { ...process.env, NO_COLOR: "", FORCE_COLOR: undefined, ...options.env };
    const child = spawn(command, args, { cwd: options.cwd, env: environment, stdio: "pipe" });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.on("error", fail);
    child.on("close", (status) => done({ status, stdout, stderr }));
    // A child that refuses its input closes the pipe early; its answer is what the test looks at.
    child.stdin.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") fail(error);
    });
    child.stdin.end(options.input ?? "");
    options.started?.(child);
  });
}

/** A temporary folder with these files; remove it with `remove`. */
export function folderWith(files: Record<string, string | Uint8Array>): { folder: string; remove(): void } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dossier-cli-")));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
