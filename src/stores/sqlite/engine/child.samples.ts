import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect } from "vitest";

/** Runs TypeScript in real child processes, for tests of several processes on one database. */

/** Bundles a program and returns the path to run. Its imports are relative to its test, whose URL is `test`. */
export async function bundleProgram(folder: string, name: string, contents: string, test: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL(".", test)), loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    plugins: [
      {
        name: "libsql from where it is installed",
        setup(build) {
          const path = createRequire(import.meta.url).resolve("libsql");
          build.onResolve({ filter: /^libsql$/ }, () => ({ path, external: true }));
        },
      },
    ],
  });
  return outfile;
}

export type Running = {
  process: ChildProcess;
  output: () => string;
  errors: () => string;
  ended: Promise<number | null>;
};

export function runProgram(program: string, ...values: string[]): Running {
  const child = spawn(process.execPath, [program, ...values], { stdio: ["pipe", "pipe", "pipe"] });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { process: child, output: () => output, errors: () => errors, ended };
}

/** Waits until the program has printed this text. */
export async function printed(running: Running, text: string): Promise<void> {
  while (!running.output().includes(text)) {
    if (running.process.exitCode !== null) throw new Error(`Ended before printing "${text}": ${running.errors()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Waits until all have ended, and expects each to succeed. */
export async function allSucceed(all: Running[]): Promise<void> {
  const codes = await Promise.all(all.map((each) => each.ended));
  expect({ codes, errors: all.map((each) => each.errors()).join("") }).toEqual({ codes: all.map(() => 0), errors: "" });
}
