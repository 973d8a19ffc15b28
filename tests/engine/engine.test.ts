import { spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cli, execute } from "../cli/run-cli.ts";
import { type EngineWorkspace, engineWorkspace, isRunning, until } from "./engine-process.ts";

/** Real processes: the built command line, with an engine and without. */

let workspace: EngineWorkspace;

beforeEach(async () => {
  workspace = await engineWorkspace();
});

afterEach(() => workspace.remove());

const question = "how are sessions ended?";

async function answered(): Promise<number> {
  return (await workspace.status()).engine?.answered ?? 0;
}

describe("a command that an engine does", () => {
  it.skipIf(process.platform === "win32")("is left to its process if it names that process's own files", async () => {
    await workspace.start();
    const log = '{"role":"user","content":"We decided to end sessions after an hour."}';
    // A pipe of the shell: Node would give a socket, which has no path.
    const script = `printf '%s' '${log}' | "$0" "$1" memory capture /dev/stdin`;
    const { folder: cwd, env } = workspace;
    const { stdout } = await execute("sh", ["-c", script, process.execPath, cli], { cwd, env });
    expect(stdout).toContain("We decided to end sessions after an hour.");
  });

  it.skipIf(!existsSync("/dev/full"))("fails as one done alone does if the answer cannot be written", async () => {
    await workspace.start();
    const { folder: cwd, env } = workspace;
    const script = '"$0" "$1" search login > /dev/full; echo "status $?"';
    const over = await execute("sh", ["-c", script, process.execPath, cli], { cwd, env });
    expect(await answered()).toBe(1);
    const alone = await execute("sh", ["-c", script, process.execPath, cli], {
      cwd,
      env: { ...env, DOSSIER_ENGINE: "off" },
    });
    expect(over).toEqual(alone);
    expect(over).toMatchObject({ stdout: "status 7\n", stderr: expect.stringMatching(/^error: The disk is full\./) });
  });

  // Some fifty processes.
  it("prints the same bytes and ends with the same status as one that is done alone", async () => {
    await workspace.run(["memory", "add", "Sessions end after an hour of silence."]);
    await workspace.start();
    const inside = join(workspace.folder, "src");
    const commands: { args: string[]; cwd?: string; env?: Record<string, string>; isAlone?: boolean }[] = [
      { args: [question] },
      { args: ["context", question, "--format", "xml", "--max-tokens", "500"] },
      { args: ["search", "login", "--limit", "3"] },
      { args: ["search", "login", "--color"] },
      { args: ["search", "login"], env: { FORCE_COLOR: "1" } },
      { args: ["search", "login"], cwd: inside },
      { args: ["open", "src/login.ts"], cwd: inside },
      { args: ["-C", "src", question] },
      { args: ["memory", "list"] },
      { args: ["memory"] },
      { args: ["brief", "end sessions earlier"] },
      { args: ["premortem", "testing"] },
      { args: ["search"] },
      { args: ["search", "login", "--limit", "none"] },
      { args: ["search", "login", "--limit", "none", "--json"] },
      { args: ["search", "login", "--unheard-of"] },
      { args: ["open", "no/such/file.ts"] },
      { args: ["memroy", "list"] },
      { args: ["-C", "no-such-folder", question] },
      { args: ["verify", "no-such-file.json"] },
      { args: ["search", "--help"], isAlone: true },
      { args: ["workspace", "list"], isAlone: true },
      { args: ["--store", "files", question], isAlone: true },
      { args: [question], env: { DOSSIER_DATABASE_URL: "files" }, isAlone: true },
    ];
    for (const { args, isAlone = false, ...how } of commands) {
      const before = await answered();
      const over = await workspace.run(args, how);
      const done = (await answered()) - before;
      expect(over, args.join(" ")).toEqual(await workspace.alone(args, how));
      if (args[1] !== "no-such-folder") expect(done, args.join(" ")).toBe(isAlone ? 0 : 1);
    }
  }, 180_000);

  it("answers a hook from what the client says on standard input", async () => {
    const payload = (session: string) => ({
      input: JSON.stringify({
        hook_event_name: "UserPromptSubmit",
        session_id: session,
        cwd: workspace.folder,
        prompt: question,
      }),
      cwd: workspace.runtime,
    });
    const alone = await workspace.alone(["hook", "prompt"], payload("one"));
    expect(alone.stdout).toContain("endSession");
    await workspace.start();
    expect(await workspace.run(["hook", "prompt"], payload("two"))).toEqual(alone);
    expect(await answered()).toBe(1);
    // What was given in a session is not given again, whoever gave it.
    const again = await workspace.run(["hook", "prompt"], payload("one"));
    expect(again.stdout).not.toContain("cookies.delete");
    const broken = { input: "no JSON", cwd: workspace.folder };
    expect(await workspace.run(["hook", "prompt"], broken)).toEqual(await workspace.alone(["hook", "prompt"], broken));
  });

  it("sees every edit that was made before it was asked", async () => {
    await workspace.start();
    for (let at = 0; at < 8; at++) {
      const name = `freshlyAdded${at}`;
      writeFileSync(join(workspace.folder, "src", "fresh.ts"), `export function ${name}(): void {}\n`);
      const { stdout } = await workspace.run(["search", name]);
      expect(stdout, name).toContain(`src/fresh.ts`);
      expect(stdout).toContain(name);
    }
    rmSync(join(workspace.folder, "src", "fresh.ts"));
    expect((await workspace.run(["search", "freshlyAdded7"])).stdout).not.toContain("fresh.ts");
    expect(await answered()).toBe(9);
  });

  it("is written once and found by all", async () => {
    await workspace.start();
    await workspace.run(["memory", "add", "Cookies are deleted at the end of a session."]);
    const list = await workspace.alone(["memory", "list", "--json"]);
    expect(JSON.parse(list.stdout).memories).toHaveLength(1);
    await workspace.alone(["memory", "add", "Passwords have more than eight letters."]);
    expect((await workspace.run(["memory", "list"])).stdout).toContain("more than eight letters");
  });

  it("is answered rightly for many who ask at once", async () => {
    await workspace.start();
    const names = ["endSession", "login", "cookies"];
    const expected = new Map<string, string>();
    for (const name of names) expected.set(name, (await workspace.alone(["search", name])).stdout);
    const runs = await Promise.all(
      Array.from({ length: 24 }, async (_, at) => {
        const name = names[at % names.length]!;
        return { name, ...(await workspace.run(["search", name])) };
      }),
    );
    for (const { name, stdout, status } of runs) expect([stdout, status]).toEqual([expected.get(name), 0]);
  });

  it("is done alone where variables differ that the answer depends on", async () => {
    await workspace.start();
    const env = { HOME: workspace.home };
    const { stdout } = await workspace.run([question], { env });
    expect(stdout).toBe((await workspace.alone([question], { env })).stdout);
    expect(await answered()).toBe(0);
  });
});

describe("an engine", () => {
  it("is started by the first command that had none, and ends on demand", async () => {
    expect((await workspace.status()).state).toBe("none");
    await workspace.run([question]);
    const { engine } = await workspace.running();
    expect(engine!.host).toBe("a process of its own");
    expect((await workspace.run(["engine", "stop"])).stdout).toContain("ends");
    await until(
      async () => isRunning(engine!.pid),
      (runs) => !runs,
    );
    expect((await workspace.status()).state).toBe("none");
    expect(readdirSync(workspace.place.folder)).toEqual(["token"]);
  });

  it("is not started where it is turned off", async () => {
    await workspace.run([question], { env: { DOSSIER_ENGINE: "off" } });
    await workspace.run([question], { env: { CI: "true" } });
    writeFileSync(join(workspace.folder, "dossier.json"), '{ "engine": "off" }\n');
    await workspace.run([question]);
    expect((await workspace.status()).state).toBe("off");
    expect(existsSync(workspace.place.folder)).toBe(false);
  });

  it("leaves when the workspace's settings turn it off, and when the folder is gone", async () => {
    const { engine } = await workspace.start();
    writeFileSync(join(workspace.folder, "dossier.json"), '{ "engine": "off" }\n');
    expect((await workspace.run([question])).stdout).toContain("endSession");
    await until(
      async () => isRunning(engine!.pid),
      (runs) => !runs,
    );
    rmSync(join(workspace.folder, "dossier.json"));
    const { engine: next } = await workspace.start();
    rmSync(workspace.folder, { recursive: true, force: true });
    await until(
      async () => isRunning(next!.pid),
      (runs) => !runs,
    );
    expect(readdirSync(workspace.place.folder)).toEqual(["token"]);
  });

  it("that was killed leaves a socket which is of no harm and is replaced", async () => {
    const { engine } = await workspace.start();
    process.kill(engine!.pid, "SIGKILL");
    await until(
      async () => isRunning(engine!.pid),
      (runs) => !runs,
    );
    expect(lstatSync(workspace.place.address).isSocket()).toBe(true);
    expect((await workspace.run([question])).stdout).toContain("endSession");
    const { engine: next } = await workspace.running();
    expect(next!.pid).not.toBe(engine!.pid);
    expect((await workspace.run([question])).stdout).toContain("endSession");
  });

  it("that hangs is not waited for", async () => {
    const { engine } = await workspace.start();
    process.kill(engine!.pid, "SIGSTOP");
    try {
      expect((await workspace.run([question])).stdout).toContain("endSession");
    } finally {
      process.kill(engine!.pid, "SIGCONT");
    }
    await workspace.running();
  });

  it("is one, though several start at once", async () => {
    await Promise.all(Array.from({ length: 4 }, () => workspace.run(["engine", "start"])));
    await workspace.running();
    // Those that came too late see that they have no place, and leave.
    await until(
      async () => readdirSync(workspace.place.folder).length,
      (entries) => entries === 2,
    );
    expect((await workspace.run([question])).stdout).toContain("endSession");
  });

  it("may be a server or a watcher, as long as that lives", async () => {
    for (const args of [["mcp"], ["index", "--watch"], ["serve", "--port", "0", "--workers", "0"]]) {
      const child = spawn(process.execPath, [cli, ...args], {
        cwd: workspace.folder,
        env: { ...process.env, ...workspace.env },
        stdio: ["pipe", "ignore", "ignore"],
      });
      const greeting = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: greeting })}\n`);
      const { engine } = await workspace.running();
      expect([engine!.pid, engine!.host]).toEqual([child.pid, "a server or a watcher"]);
      expect(await workspace.run(["search", "login"])).toEqual(await workspace.alone(["search", "login"]));
      expect((await workspace.status()).engine!.answered).toBe(1);
      // It goes on with its own work when it is told not to answer others any more.
      if (args[0] === "mcp") await workspace.run(["engine", "stop"]);
      expect(child.exitCode).toBeNull();
      const ended = new Promise((done) => child.on("close", done));
      child.kill("SIGTERM");
      await ended;
      expect((await workspace.status()).state).toBe("none");
    }
  });

  it("answers though strangers flood it", async () => {
    await workspace.start();
    const sockets = Array.from({ length: 300 }, () => connect(workspace.place.address).on("error", () => undefined));
    for (const socket of sockets) socket.write("x".repeat(1000));
    expect(await workspace.run(["search", "login"])).toEqual(await workspace.alone(["search", "login"]));
    for (const socket of sockets) socket.destroy();
    expect((await workspace.status()).state).toBe("running");
  });
});

describe("a place that is not ours alone", () => {
  it("is not trusted: a file for a socket, a folder or a token that others may read", async () => {
    const { engine } = await workspace.start();
    const expected = await workspace.alone([question]);
    chmodSync(workspace.place.tokenFile, 0o644);
    expect(await workspace.run([question])).toEqual(expected);
    chmodSync(workspace.place.tokenFile, 0o600);
    chmodSync(workspace.place.folder, 0o755);
    expect(await workspace.run([question])).toEqual(expected);
    chmodSync(workspace.place.folder, 0o700);
    expect((await workspace.status()).engine!.answered).toBe(0);
    rmSync(workspace.place.address);
    writeFileSync(workspace.place.address, "not a socket");
    expect(await workspace.run([question])).toEqual(expected);
    await until(
      async () => isRunning(engine!.pid),
      (runs) => !runs,
    );
    await workspace.running();
  });

  it("is none at all: nothing can be made there, and everything works", async () => {
    writeFileSync(join(workspace.runtime, "dossier"), "a file where the folder should be");
    const { stdout } = await workspace.run([question]);
    expect(stdout).toBe((await workspace.alone([question])).stdout);
    expect((await workspace.run(["engine", "start"])).stderr).toContain("everything works without an engine");
  });

  it.runIf(process.getuid?.() === 0)("belongs to another user", async () => {
    mkdirSync(workspace.place.folder, { mode: 0o700 });
    writeFileSync(workspace.place.tokenFile, "0".repeat(64), { mode: 0o600 });
    chownSync(workspace.place.folder, 65_534, 65_534);
    const { stdout } = await workspace.run([question]);
    expect(stdout).toBe((await workspace.alone([question])).stdout);
    expect((await workspace.status()).state).toBe("none");
  });
});
