import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { experience } from "../../src/index.ts";
import { folder } from "../workspace.ts";
import { type CommandOptions, dossier, execute } from "./run-cli.ts";

/** `dossier run` with real commands, as a user or an agent runs it. */

const attempt = {
  domain: "testing",
  strategy: "read-the-error",
  goal: "a green build",
  hypothesis: "the cache is stale",
  action: "clear it",
  prediction: "the tests pass",
} as const;
const reasons = [
  "--surprise",
  "it was fresh",
  "--root-cause",
  "oversight",
  "--root-cause-description",
  "not looked at",
];

/** A folder with an active experience, and the command line in it. */
async function withExperience(session?: string) {
  const path = folder({ "readme.md": "# Shop\n" });
  const does = (args: string[], options: CommandOptions = {}) => dossier(args, { cwd: path, ...options });
  const start = async (name = session) =>
    (await experience({ path, step: "start", ...attempt, session: name })).experience!;
  const { id } = await start();
  const show = async () => (await experience({ path, step: "show", id })).experience!;
  return { cwd: path, id, does, start, show };
}

const script = (text: string) => ["run", "--", "sh", "-c", text];

describe("a command that is run", () => {
  it("has its output, input and exit status passed through, and stdout to itself", async () => {
    const { cwd, does } = await withExperience();
    const run = await does(script("cat; echo out; echo err >&2; pwd; exit 7"), { input: "typed\n" });
    expect(run.stdout).toBe(`typed\nout\n${cwd}\n`);
    expect(run.stderr).toMatch(/^err\ndossier: exp-/);
    expect(run.status).toBe(7);
  });

  it("may print much, of any bytes", async () => {
    const { does } = await withExperience();
    const print = 'process.stdout.write(Buffer.alloc(8e6, "0123456789\\n")); process.exitCode = 4';
    const run = await does(["run", "--", process.execPath, "-e", print]);
    expect([run.stdout.length, run.stdout.slice(-11), run.status]).toEqual([8e6, "89\n01234567", 4]);
  });

  it("gets its words as they are", async () => {
    const { does } = await withExperience();
    const words = ["--", "a,b", "", "two words", "--json", "-h", "$HOME", "*", "'", "-"];
    const run = await does([
      "run",
      "-q",
      "--",
      process.execPath,
      "-p",
      "JSON.stringify(process.argv.slice(1))",
      ...words,
    ]);
    // Node itself takes the first -- for its own.
    expect(JSON.parse(run.stdout)).toEqual(words.slice(1));
    expect(run.stderr).toBe("");
  });

  it("runs in the current folder, whichever workspace is meant", async () => {
    const { cwd, id, show } = await withExperience();
    const elsewhere = folder({});
    const run = await dossier(["run", "-C", cwd, "--", "pwd"], { cwd: elsewhere });
    expect(run.stdout.trim()).toMatch(new RegExp(`${elsewhere}$`));
    expect(run.stderr).toContain(`dossier experience amend ${id} --lesson "…" -C ${cwd}\n`);
    expect((await show()).tier).toBe("gold");
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it("is refused as a shell would where it cannot be run, and decides nothing", async () => {
    const { does, show } = await withExperience();
    const refused: [command: string, status: number, sentence: string][] = [
      ["no-such-command-anywhere", 127, 'There is no command "no-such-command-anywhere".'],
      ["./readme.md", 126, '"./readme.md" is not executable.'],
      ["./readme.md/x", 127, 'There is no command "./readme.md/x".'],
      ["", 127, 'There is no command "".'],
    ];
    const runs = await Promise.all(refused.map(([command]) => does(["run", "--", command])));
    for (const [at, [, status, sentence]] of refused.entries()) {
      expect(runs[at]).toMatchObject({
        status,
        stdout: "",
        stderr: expect.stringMatching(`^error: ${sentence} Check`),
      });
    }
    expect(await show()).toMatchObject({ active: true, notes: [] });
    expect((await show()).outcome).toBeUndefined();
  });

  it("must be given", async () => {
    const run = await dossier(["run"], { cwd: folder({}) });
    expect(run).toMatchObject({ status: 2, stdout: "" });
    expect(run.stderr).toMatch(/^error: <command> is missing.* To ask about the name run: dossier context run\./);
  });
});

describe("its end", () => {
  it("confirms the active experience when it is 0", async () => {
    const { does, id, show } = await withExperience();
    const run = await does(["run", "--", "true"]);
    expect(run).toEqual({
      status: 0,
      stdout: "",
      stderr: `dossier: ${id} is confirmed (gold). To add what worked:\n  dossier experience amend ${id} --lesson "…"\n`,
    });
    expect(await show()).toMatchObject({
      active: false,
      tier: "gold",
      outcome: { status: "confirmed", result: "true passed", autoCaptured: true, command: "true" },
    });
    expect((await does(["run", "--", "true"])).stderr).toBe(
      'dossier: Session "default" has no active experience; nothing was captured.\n',
    );
  });

  it("leaves a failure to be explained, with the commands to do so", async () => {
    const { does, id, show } = await withExperience();
    const run = await does(script("exit 3"));
    expect(run.status).toBe(3);
    expect(run.stderr.split("\n")).toEqual([
      `dossier: ${id} is falsified (gold) once you say what surprised and why, or goes on with an update:`,
      `  dossier experience resolve ${id} --surprise "…" --root-cause … --root-cause-description "…"`,
      `  dossier experience update ${id} --hypothesis "…" --action "…" --prediction "…"`,
      "",
    ]);
    expect(await show()).toMatchObject({ active: true, outcome: { status: "falsified" } });
    const bare = await does(["experience", "resolve"]);
    expect(bare).toMatchObject({ status: 2, stdout: "" });
    expect(bare.stderr).toMatch(
      /--surprise, --root-cause \(one of wrong-assumption, .*\) and --root-cause-description are/,
    );
    expect((await does(["experience", "resolve", ...reasons])).status).toBe(0);
    expect(await show()).toMatchObject({
      active: false,
      tier: "gold",
      outcome: { status: "falsified", result: "sh -c 'exit 3' failed with exit status 3", autoCaptured: true },
      surprise: "it was fresh",
    });
  });

  it("confirms only the next attempt after a failure", async () => {
    const { cwd, does, show } = await withExperience();
    await does(["run", "--", "false"]);
    expect((await does(["run", "--", "true"])).stderr).toMatch(/what changed since must be stated first/);
    expect(await show()).toMatchObject({ active: true, notes: [{ text: "true passed" }] });
    await experience({ path: cwd, step: "update", action: "clear both" });
    await does(["run", "--", "true"]);
    expect(await show()).toMatchObject({
      tier: "gold",
      iterations: 2,
      history: [{ observed: "false failed with exit status 1" }],
      outcome: { status: "confirmed" },
    });
  });

  it("is judged by what was expected of it", async () => {
    const { cwd, does, start, show } = await withExperience();
    const run = await does(["run", "--expect", "fail", "--", "false"]);
    expect(run.status).toBe(1);
    expect(await show()).toMatchObject({
      tier: "gold",
      outcome: { status: "confirmed", result: "false failed with exit status 1, as it was predicted to fail" },
    });
    await start();
    await does(["run", "--expect", "fail", "--", "true"]);
    expect((await experience({ path: cwd })).experience).toMatchObject({
      active: true,
      outcome: { status: "falsified", result: "true passed, though it was predicted to fail" },
    });
  });

  it("decides an attempt that was begun before the clock was set back", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2040, 0, 1) });
    const { does, id, show } = await withExperience().finally(() => vi.useRealTimers());
    const run = await does(["run", "--", "true"]);
    expect(run.stderr).toContain(`${id} is confirmed (gold)`);
    expect(await show()).toMatchObject({ active: false, outcome: { status: "confirmed" } });
  });

  it("is only noted when asked to observe, and when the attempt began after the command", async () => {
    const { cwd, does, id, show } = await withExperience();
    const observed = await does(["run", "--observe", "--", "false"]);
    expect(observed).toMatchObject({ status: 1, stderr: `dossier: Noted in ${id}.\n` });
    const update = `"$0" "$1" experience update --action other >/dev/null`;
    const cli = join(process.cwd(), "dist/cli.js");
    const overtaken = await does(["run", "--", "sh", "-c", update, process.execPath, cli], { cwd });
    expect(overtaken.stderr).toMatch(`${id} changed while the command ran: its end is only noted.`);
    const { active, outcome, notes, iterations } = await show();
    expect({ active, outcome, iterations }).toEqual({ active: true, outcome: undefined, iterations: 2 });
    expect(notes.map(({ text }) => text)).toEqual([
      "false failed with exit status 1",
      expect.stringMatching(/^sh -c '"\$0".* passed$/),
    ]);
  });

  it("belongs to its session", async () => {
    const { does, start, show } = await withExperience("day");
    const night = (await start("night")).id;
    expect((await does(["run", "--", "true"])).stderr).toMatch('Session "default" has no active experience');
    expect((await does(["run", "--", "true"], { env: { DOSSIER_SESSION: "night" } })).stderr).toMatch(night);
    expect((await show()).active).toBe(true);
    await does(["run", "--session", "day", "--", "true"], { env: { DOSSIER_SESSION: "night" } });
    expect((await show()).tier).toBe("gold");
  });

  it("is written down without secrets, and not at any length", async () => {
    const { does, show } = await withExperience();
    const token = `ghp_${"a1B2".repeat(9)}`;
    await does(["run", "--", "true", token, "x".repeat(5000)]);
    const { outcome } = await show();
    expect(JSON.stringify(outcome)).not.toContain(token);
    expect(outcome!.result!.length).toBeLessThan(250);
    expect(outcome!.command!.length).toBeLessThanOrEqual(1000);
  });

  it("is reported as JSON beside the command's output", async () => {
    const { does, id } = await withExperience();
    const run = await does(["run", "--json", "--", "echo", "hello"]);
    expect(run.stdout).toBe("hello\n");
    expect(JSON.parse(run.stderr)).toMatchObject({
      command: "echo hello",
      status: 0,
      experience: { id, tier: "gold" },
    });
  });
});

describe("signals", () => {
  it("reach the command, and decide nothing", async () => {
    const { cwd, show } = await withExperience();
    const wait = [process.execPath, "-e", 'console.log("ready"); setInterval(() => 0, 1000)'];
    const names = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
    const runs = await Promise.all(names.map((signal) => interrupt(cwd, wait, signal)));
    expect(runs.map(({ status, stderr }) => [status, stderr])).toEqual([
      [143, ""],
      [130, ""],
      [129, ""],
    ]);
    expect((await show()).outcome).toBeUndefined();
  });

  it("leave it to the command how it ends", async () => {
    const { cwd, show } = await withExperience();
    const patient = "trap 'echo cleaned up; exit 9' TERM; echo ready; while :; do sleep 0.05; done";
    const run = await interrupt(cwd, ["sh", "-c", patient], "SIGTERM");
    expect(run).toMatchObject({ status: 9, stdout: "ready\ncleaned up\n" });
    expect((await show()).outcome).toBeUndefined();
  });

  it("from outside prove nothing, a crash does", async () => {
    const { does, show } = await withExperience();
    expect((await does(script("kill -KILL $$"))).status).toBe(137);
    expect((await show()).outcome).toBeUndefined();
    expect((await does(script("kill -SEGV $$"))).status).toBe(139);
    expect((await show()).outcome?.result).toBe("sh -c 'kill -SEGV $$' crashed (SIGSEGV)");
  });

  it("of a reader that has enough prove nothing either", async () => {
    const { cwd, show } = await withExperience();
    const pipe = `"$0" "$@" | head -1; echo "\${PIPESTATUS[0]}"`;
    const args = [join(process.cwd(), "dist/cli.js"), "run", "--", "yes"];
    const run = await execute("bash", ["-c", pipe, process.execPath, ...args], { cwd });
    expect(run.stdout).toBe("y\n141\n");
    expect((await show()).active).toBe(true);
    expect((await show()).outcome).toBeUndefined();
  });

  /** Runs a command and sends the signal to `dossier` alone once the command has said that it is ready. */
  async function interrupt(cwd: string, command: string[], signal: NodeJS.Signals) {
    return dossier(["run", "--", ...command], {
      cwd,
      started: (child) => child.stdout?.on("data", (chunk) => String(chunk).includes("ready") && child.kill(signal)),
    });
  }
});

describe("failing to write it down", () => {
  it("changes nothing about the command, and makes no workspace", async () => {
    const cwd = folder({});
    const run = await dossier(script("echo out; exit 5"), { cwd });
    expect(run).toMatchObject({ status: 5, stdout: "out\n" });
    expect(run.stderr).toMatch("has no active experience; nothing was captured.");
    expect(readdirSync(cwd)).toEqual([]);
    const lost = await dossier(["run", "-C", join(cwd, "no/such/folder"), "--", "sh", "-c", "exit 5"], { cwd });
    expect(lost.status).toBe(5);
    expect(lost.stderr).toMatch(/^warning: The outcome was not written down: /);
  });

  it("is a warning when the records are damaged", async () => {
    const { cwd, does } = await withExperience();
    for (const name of readdirSync(join(cwd, ".dossier")).filter((each) => each.startsWith("memory.db")))
      writeFileSync(join(cwd, ".dossier", name), "this is no database, it only has its name ".repeat(100));
    const run = await does(script("echo out; exit 5"));
    expect(run).toMatchObject({ status: 5, stdout: "out\n" });
    expect(run.stderr).toMatch(/^warning: The outcome was not written down: /);
  });

  it("does not come from a lost index", async () => {
    const { cwd, does, show } = await withExperience();
    execFileSync("sh", ["-c", "rm .dossier/index.db*"], { cwd });
    await does(["run", "--", "true"]);
    expect(existsSync(join(cwd, ".dossier/index.db"))).toBe(true);
    expect((await show()).tier).toBe("gold");
  });
});

describe("several processes", () => {
  it("cannot start two experiences in one session", async () => {
    const cwd = folder({});
    const flags = Object.entries(attempt).flatMap(([key, value]) => [`--${key}`, value]);
    const runs = await Promise.all([1, 2, 3].map(() => dossier(["experience", "start", ...flags], { cwd })));
    expect(runs.map(({ status }) => status).sort()).toEqual([0, 9, 9]);
    const id = /exp-\w+/.exec(runs.find(({ status }) => status === 0)!.stdout)![0];
    for (const { stderr } of runs.filter(({ status }) => status === 9))
      expect(stderr).toMatch(
        `error: ${id} is active in session "default" (a green build); resolve, abandon or update it, or name another session. Finish, move or rename what is in the way, or name one thing by its id.\n`,
      );
  });
});

describe("the premortem", () => {
  it("comes on the first failure of a session, whatever failed, and on every one where that is asked for", async () => {
    const { cwd, does } = await withExperience();
    await experience({
      path: cwd,
      step: "record",
      domain: "testing",
      strategy: "ask-user",
      goal: "fewer flaky suites",
      hypothesis: "ports collide",
      action: "use port 0",
      prediction: "no more EADDRINUSE",
      status: "falsified",
      surprise: "the port was free all along",
      rootCause: "timing-issue",
      rootCauseDescription: "the server was asked before it listened",
    });
    const check = ["run", "--premortem", "--", "test", "-e", "fixed"];
    const first = await does(check);
    expect(first).toMatchObject({ status: 1, stdout: "" });
    expect(first.stderr).toMatch(/\n# Premortem: testing with read-the-error\n/);
    expect(first.stderr).toMatch(/the port was free all along/);
    // What has just failed is no past experience.
    expect(first.stderr).not.toMatch(/a green build/);
    expect((await does(check)).stderr).not.toMatch(/Premortem/);
    const elsewhere = { env: { DOSSIER_SESSION: "x" } };
    const idle = 'dossier: Session "x" has no active experience; nothing was captured.\n';
    expect((await does(["run", "--domain", "security", ...check.slice(1)], elsewhere)).stderr).toBe(idle);
    expect((await does(["run", "--premortem", "--", "test", "-e", "other"])).stderr).not.toMatch(/Premortem/);
    expect((await does(["run", "--every-failure", "--", "test", "-e", "fixed"])).stderr).toMatch(
      /# Premortem: testing/,
    );
    // A failure that was predicted is not the first one.
    const predicted = { env: { DOSSIER_SESSION: "predicted" } };
    await does(["run", "--expect", "fail", "--", "test", "-e", "fixed"], predicted);
    expect((await does(["run", "--domain", "testing", ...check.slice(1)], predicted)).stderr).toMatch(/# Premortem/);
    const night = { env: { DOSSIER_SESSION: "night" } };
    expect((await does(["run", "--domain", "testing", ...check.slice(1)], night)).stderr).toMatch(
      /# Premortem: testing/,
    );
  });
});
