import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** The built command line, run as a user runs it. */
export const cli = resolve("dist/cli.js");

if (!existsSync(cli)) throw new Error("dist/cli.js is missing: npm test builds it, vitest alone does not.");

export type Run = { status: number | null; stdout: string; stderr: string };

export type RunOptions = {
  cwd?: string;
  input?: string;
  env?: Record<string, string>;
  started?: (child: ChildProcess) => void;
};

export function dossier(args: string[], options: RunOptions = {}): Promise<Run> {
  return execute(process.execPath, [cli, ...args], options);
}

export function execute(command: string, args: string[], options: RunOptions = {}): Promise<Run> {
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
