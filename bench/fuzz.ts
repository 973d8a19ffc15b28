import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

/**
 * Asks a real server everything that its own description allows, and much that it does not: `npm run bench:fuzz --
 * --examples 20`, with schemathesis from PyPI, in a virtual environment outside the repository (SCHEMATHESIS names the
 * program where it is installed already). What counts: no answer of 500 or above, none that the description does not
 * have, none after the deadline, and memory that stays.
 */

const { values } = parseArgs({
  options: { examples: { type: "string", default: "20" }, seed: { type: "string", default: "1" } },
});

/** A request is broken off after so many seconds; schemathesis waits a little longer before it calls that a failure. */
const deadline = 30;

/** `model` could ask hosts that the fuzzer makes up; an agent's messages have a description of their own. */
const leftOut = ["/v1/model", "/mcp"];

/**
 * What a description cannot say is no failure: which inputs go together, that an id must exist, what a date looks like.
 * So it is not checked that everything that fits a schema is taken, nor that everything else is refused, which inputs
 * in a query and empty bodies are not.
 */
const leftUnchecked = ["positive_data_acceptance", "negative_data_rejection"];

function program(): string {
  if (process.env.SCHEMATHESIS) return process.env.SCHEMATHESIS;
  const folder = join(tmpdir(), "dossier-schemathesis");
  const installed = join(folder, "bin", "schemathesis");
  if (!existsSync(installed)) {
    execFileSync("python3", ["-m", "venv", folder], { stdio: "inherit" });
    execFileSync(join(folder, "bin", "pip"), ["install", "--quiet", "schemathesis>=4,<5"], { stdio: "inherit" });
  }
  return installed;
}

function makeWorkspace(): string {
  const root = mkdtempSync(join(tmpdir(), "dossier-fuzz-"));
  writeFileSync(
    join(root, "pay.ts"),
    "/** Charges a card. */\nexport function pay(card: string) {\n  return card;\n}\n",
  );
  writeFileSync(join(root, "README.md"), "# Ledger\n\nBooks amounts in cents, and closes on Fridays.\n");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root });
  git("init", "-q");
  git("add", ".");
  git("-c", "user.name=Fuzz", "-c", "user.email=fuzz@example.org", "commit", "-q", "-m", "Begin");
  return root;
}

const cli = resolve("dist/cli.js");

/** Where a key exists, nothing is answered without one: that is checked as well. */
function makeKey(root: string): string {
  const args = ["keys", "create", "fuzz", "--owner", "local", "--scope", "admin", "--json"];
  const text = execFileSync(process.execPath, [cli, ...args], { cwd: root, env: environment(root), encoding: "utf8" });
  return (JSON.parse(text) as { secret: string }).secret;
}

function environment(root: string): NodeJS.ProcessEnv {
  return { ...process.env, DOSSIER_HOME: join(root, ".home") };
}

function serve(root: string): Promise<{ child: ChildProcess; url: string }> {
  const args = ["serve", "--port", "0", "--rate", "0", "--timeout", String(deadline), "--log", "error"];
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: root,
    env: environment(root),
    stdio: ["ignore", "inherit", "pipe"],
  });
  return new Promise((resolve, reject) => {
    let printed = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      const url = / at (http:\S+);/.exec(printed)?.[1];
      if (url) resolve({ child, url });
    });
    child.on("close", () => reject(new Error(`The server ended: ${printed}`)));
  });
}

function megabytes({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

const root = makeWorkspace();
const key = makeKey(root);
const { child, url } = await serve(root);
try {
  const before = megabytes(child);
  const fuzzer = spawn(
    program(),
    [
      "run",
      `${url}/openapi.json`,
      "--checks=all",
      `--header=Authorization: Bearer ${key}`,
      `--exclude-checks=${leftUnchecked.join(",")}`,
      ...leftOut.map((path) => `--exclude-path=${path}`),
      `--max-examples=${values.examples}`,
      `--seed=${values.seed}`,
      `--max-response-time=${deadline + 1}`,
      `--request-timeout=${deadline + 1}`,
      "--generation-database=none",
      "--suppress-health-check=all",
      "--continue-on-failure",
      "--warnings=off",
      "--no-color",
      `--report-dir=${root}`,
    ],
    { stdio: "inherit", cwd: root },
  );
  const [status] = (await once(fuzzer, "close")) as [number];
  console.log(`Memory of the server: ${before} MB before, ${megabytes(child)} MB after.`);
  process.exitCode = status;
} finally {
  child.kill("SIGTERM");
  if (child.exitCode === null) await once(child, "close");
  rmSync(root, { recursive: true, force: true });
}
