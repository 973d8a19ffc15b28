import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cli } from "../cli/run-cli.ts";

const run = promisify(execFile);

/** The stories of examples/, as a reader would run them: against the built package, on a folder of their own. */
const stories = [
  "ask-a-folder.js",
  "assemble-your-own-results.js",
  "chat-with-context.js",
  "learn-and-brief.js",
  "smallest-budget.js",
  "verify-later.js",
  "walk-notes.js",
];

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dossier-example-"));
  const body = Array.from({ length: 60 }, (_, i) => `  attempts.push("attempt ${i}");`).join("\n");
  writeFileSync(
    join(folder, "retry.js"),
    `/** Retries a request with exponential backoff. */\nexport function retryWithBackoff(request, attempts) {\n${body}\n  return request(attempts);\n}\n`,
  );
  writeFileSync(
    join(folder, "login.js"),
    "export function logIn(user, password) {\n  return user.check(password);\n}\n",
  );
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const example = (name: string, ...args: string[]) => run(process.execPath, [join("examples", name), folder, ...args]);

describe("the examples", () => {
  it("are all run here", () => {
    expect(readdirSync("examples").filter((name) => name.endsWith(".js"))).toEqual(stories);
  });

  it("learn-and-brief writes down and is briefed", async () => {
    const first = await example("learn-and-brief.js", "retry with backoff");
    expect(first.stdout).toMatch(/^Remembered\.\n# Context\n/);
    expect(first.stdout).toContain("**Memory**: The payment provider asks for exponential backoff between retries.");
    expect(first.stdout).toContain("# Premortem: debugging\n");
    expect((await example("learn-and-brief.js", "retry with backoff")).stdout).toMatch(/^Known already as mem-/);
  });

  it("chat-with-context keeps a chat beside a running service, by key", async () => {
    const place = mkdtempSync(join(tmpdir(), "dossier-example-chat-"));
    const server = spawn(process.execPath, [cli, "serve", "-C", place, "--port", "0"], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    try {
      const url = await new Promise<string>((found, fail) => {
        let printed = "";
        server.stderr.on("data", (chunk) => {
          printed += chunk;
          const at = / at (http:\S+);/.exec(printed)?.[1];
          if (at) found(at);
        });
        server.on("close", () => fail(new Error(printed)));
      });
      const { stdout: secret } = await run(process.execPath, [
        cli,
        "keys",
        "create",
        "chat",
        "--owner",
        "ada",
        "-C",
        place,
      ]);
      const chat = (key: string, ...args: string[]) =>
        run(process.execPath, ["examples/chat-with-context.js", url, ...args], {
          env: { ...process.env, DOSSIER_KEY: key },
        });
      const key = secret.split("\n")[0]!;
      const { stdout } = await chat(key, "when is the ledger closed?", "and when is it opened again?");
      const [first, second] = stdout.split(/(?=^Context: )/m) as [string, string];
      expect(first).toMatch(/^Context: file \(\d+ tokens\)\.\nReply: .*closed every Friday at noon.* \[chk-\w+\]\n/);
      expect(first).toMatch(/^Cited: The ledger, usage 0 -> 0\.\d+\.$/m);
      // What was said before is part of the next context, and what was cited counts.
      expect(second).toMatch(/^Context: .*\bmessage\b/);
      expect(second).toMatch(/^Cited: The ledger, usage 0\.\d+ -> /m);
      const refused = (await chat("dsr_wrong").catch((error: unknown) => error)) as { code: number; stderr: string };
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringMatching(/^no-key: This key is not known here\./),
      ]);
    } finally {
      server.removeAllListeners("close");
      server.kill("SIGKILL");
      rmSync(place, { recursive: true, force: true });
    }
  });

  it("walk-notes follows the links of a vault", async () => {
    const vault = mkdtempSync(join(tmpdir(), "dossier-example-vault-"));
    try {
      mkdirSync(join(vault, ".obsidian"));
      writeFileSync(join(vault, "Launch plan.md"), "---\nstatus: active\n---\nAsk [[Ada]] first. #project\n");
      writeFileSync(join(vault, "Ada.md"), "Knows the ledger. #person\n");
      writeFileSync(join(vault, "Garden.md"), "Tomatoes.\n");
      const { stdout, stderr } = await run(process.execPath, [
        "examples/walk-notes.js",
        vault,
        "launch plan",
        "planning",
      ]);
      expect(stdout).toMatch(/^# Context: launch plan\n/);
      expect(stdout).toContain("active");
      expect(stderr).toContain("Launch plan");
      const writing = await run(process.execPath, ["examples/walk-notes.js", vault, "launch plan", "writing"]);
      expect(writing.stderr).toContain("Ada, by Launch plan (reference)");
      expect(writing.stderr).not.toContain("Garden");
    } finally {
      rmSync(vault, { recursive: true, force: true });
    }
  });

  it("ask-a-folder prints the document and its citations", async () => {
    const { stdout, stderr } = await example("ask-a-folder.js", "retry with backoff");
    expect(stdout).toContain("export function retryWithBackoff(request, attempts) {");
    expect(stderr).toMatch(/\d+ of 2000 tokens, \d+ items:/);
    expect(stderr).toMatch(/retryWithBackoff retry\.js:\d+-\d+/);
  });

  it("assemble-your-own-results prints the code of what another search found, without an index", async () => {
    const { stdout, stderr } = await example("assemble-your-own-results.js", "attempt 59 password");
    expect(stdout).toContain("export function retryWithBackoff(request, attempts) {\n");
    // The best result is too long and leaves the other its place; the sentence says what was shortened.
    const [first] = stderr.split("\n");
    expect(first).toMatch(/^3\d\d of 400 tokens\. 1 of 2 items is shortened \(retryWithBackoff\)\.$/);
    expect(stdout).toContain("  return user.check(password);\n");
    const whole = await example("assemble-your-own-results.js", "password check");
    expect(whole.stdout).toMatch(/### login\.js:1-3 \[cod-\w+\]\n/);
    expect(whole.stdout).toContain("  return user.check(password);\n");
    expect(whole.stderr).toMatch(/^ {2}\[cod-\w+\] logIn login\.js:1$/m);
  });

  it("verify-later writes a bundle, then finds what moved and what changed", async () => {
    const bundle = join(folder, "..", `${folder.split("/").at(-1)}-bundle.json`);
    try {
      expect((await example("verify-later.js", "logIn", bundle)).stdout).toMatch(
        /^Wrote .* with [1-9]\d* citations\.$/m,
      );
      expect((await example("verify-later.js", "logIn", bundle)).stdout).toMatch(
        /same: login\.js:1\n.*The bundle still holds\./s,
      );
      writeFileSync(
        join(folder, "login.js"),
        "\n\nexport function logIn(user, password) {\n  return user.check(password);\n}\n",
      );
      expect((await example("verify-later.js", "logIn", bundle)).stdout).toContain(
        "moved: login.js:1 is now login.js:3",
      );
      writeFileSync(join(folder, "login.js"), "export function logIn(user, password) {\n  return true;\n}\n");
      expect((await example("verify-later.js", "logIn", bundle)).stdout).toContain("The bundle is out of date.");
    } finally {
      rmSync(bundle, { force: true });
    }
  });

  it("smallest-budget grows the budget until everything fits", async () => {
    const { stdout } = await example("smallest-budget.js", "retry with backoff");
    const lines = stdout.trim().split("\n");
    expect(lines[0]).toMatch(/^250 tokens: /);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.at(-1)).toMatch(/ 0 shortened, 0 left out /);
  });
});
