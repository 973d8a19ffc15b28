import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { cli, dossier, execute } from "../cli/run-cli.ts";
import { folder, git } from "../workspace.ts";
import { agent, ledger, raw } from "./agent.ts";

let root: string;
beforeEach(() => {
  root = folder(ledger, { git: true });
});

/** Enough to be still at work when the test goes on. */
function many(files: number): string {
  const place = folder({});
  mkdirSync(join(place, "src"));
  for (let number = 0; number < files; number++) {
    const body = Array.from({ length: 40 }, (_, line) => `  total${line} = book${number}(${line});`).join("\n");
    writeFileSync(join(place, "src", `book${number}.ts`), `export function book${number}() {\n${body}\n}\n`);
  }
  return place;
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe("a server on standard input and output", () => {
  it("prints nothing but frames, whatever is asked", async () => {
    const client = raw({ cwd: root });
    await client.greet();
    await client.call(1, "context_query", { query: "amount" }, { progressToken: "p" });
    await client.call(2, "why", { query: "amount", item: "nothing" });
    client.write("nonsense\n");
    await client.answer(null);
    for (const line of client.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
    expect(client.heard().some(({ method }) => method === "notifications/progress")).toBe(true);
  });

  it("sends progress only to who asked for it, with its own token", async () => {
    const client = raw({ cwd: root });
    await client.greet();
    await client.call(1, "context_query", { query: "amount" });
    expect(client.heard().filter(({ method }) => method !== undefined)).toEqual([]);
    writeFileSync(join(root, "src/new.ts"), "export const fresh = 1;\n");
    const other = raw({ cwd: folder(ledger) });
    await other.greet();
    await other.call(2, "context_query", { query: "amount" }, { progressToken: 77 });
    const reports = other.heard().filter(({ method }) => method === "notifications/progress");
    expect(reports.length).toBeGreaterThan(0);
    for (const { params } of reports) expect(params).toMatchObject({ progressToken: 77 });
  });

  it("says what to do where it was updated in place while it ran, and mixes no parts of two builds", async () => {
    const place = folder({ "package.json": JSON.stringify({ type: "module" }) });
    cpSync(dirname(cli), join(place, "dist"), { recursive: true });
    symlinkSync(join(dirname(cli), "..", "node_modules"), join(place, "node_modules"));
    const copied = join(place, "dist", "cli.js");
    const ask = () => execute(process.execPath, [copied, "bookAmount", "-C", root], { env: { DOSSIER_ENGINE: "off" } });
    expect((await ask()).stdout).toContain("bookAmount");
    const server = await agent({ cwd: root, script: copied });
    expect((await server.listTools()).tools.length).toBeGreaterThan(0);
    for (const name of readdirSync(join(place, "dist")).filter((name) => name.endsWith(".cjs"))) {
      const part = join(place, "dist", name);
      writeFileSync(part, readFileSync(part, "utf8").replace(/\/\/\S+\n$/, "//9.9.9+another\n"));
    }
    // To be indexed, which takes a part that the server has not loaded.
    writeFileSync(join(root, "src", "more.ts"), "export const more = 1;\n");
    const { content } = await server.callTool({ name: "context_query", arguments: { query: "bookAmount" } });
    expect(JSON.stringify(content)).toContain("Could not index src/more.ts: Dossier was updated or removed while this");
    // It is not to blame for that, and the next process reads it.
    expect((await dossier(["more", "-C", root])).stdout).toContain("export const more");
    expect(await ask()).toEqual({
      status: 11,
      stdout: "",
      stderr: expect.stringMatching(/^error: Dossier is being updated/),
    });
  });

  it("answers again and again in a linked work tree, where .git is a file", async () => {
    const place = join(folder({}), "linked");
    git(root, "add", "-A");
    git(root, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "one");
    git(root, "worktree", "add", "-q", place);
    const server = await agent({ cwd: place });
    for (const name of ["apple", "banana", "cherry", "damson"]) {
      writeFileSync(join(place, `${name}.ts`), `export const ${name} = 1;\n`);
      const { content } = await server.callTool({ name: "context_query", arguments: { query: name } });
      expect(JSON.stringify(content)).toContain(`export const ${name} = 1;`);
    }
  });

  it("ends when its client closes the pipe", async () => {
    const client = raw({ cwd: root });
    await client.greet();
    client.child.stdin!.end();
    expect(await client.exit).toBe(0);
  });

  it("ends while it is indexing, threads and all, when its client closes the pipe; what was written is whole", async () => {
    const place = many(400);
    const client = raw({ cwd: place });
    await client.greet();
    void client.call(1, "context_query", { query: "book" }, { progressToken: 1 }).catch(() => undefined);
    await expect
      .poll(() => client.heard().some(({ method }) => method === "notifications/progress"), { timeout: 20_000 })
      .toBe(true);
    client.child.stdin!.end();
    await client.exit;
    expect(isAlive(client.child.pid!)).toBe(false);
    // It waits for all, so that no process goes on writing into a folder that is being removed.
    const { status } = await dossier(["context", "book7", "--quiet", "--wait"], { cwd: place });
    expect(status).toBe(0);
  });

  it("ends when its parent is killed, also while another process holds its pipe open", async () => {
    // The parent starts the server with a pipe that this test holds; then it is killed.
    const script = `const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, [${JSON.stringify(cli)}, "mcp"], { stdio: ["inherit", "ignore", "ignore"] });
      console.log(child.pid); setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ["-e", script], { cwd: root, stdio: ["pipe", "pipe", "ignore"] });
    onTestFinished(() => void parent.kill("SIGKILL"));
    const pid = await new Promise<number>((resolve) => parent.stdout.once("data", (chunk) => resolve(Number(chunk))));
    onTestFinished(() => void (isAlive(pid) && process.kill(pid, "SIGKILL")));
    await sleep(500);
    expect(isAlive(pid)).toBe(true);
    parent.kill("SIGKILL");
    await expect.poll(() => isAlive(pid), { timeout: 20_000, interval: 200 }).toBe(false);
  });

  it("stops work that is cancelled, answers nothing to it, and goes on with the rest", async () => {
    const place = many(400);
    const client = raw({ cwd: place });
    await client.greet();
    void client.call(1, "context_query", { query: "book" }, { progressToken: 1 }).catch(() => undefined);
    const progress = () => client.heard().filter(({ method }) => method === "notifications/progress").length;
    await expect.poll(progress, { timeout: 20_000 }).toBeGreaterThan(1);
    client.write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1, reason: "enough" } });
    client.write({ jsonrpc: "2.0", id: 2, method: "ping" });
    await client.answer(2);
    const reports = progress();
    await sleep(500);
    expect(progress()).toBe(reports);
    expect(client.heard().some(({ id }) => id === 1)).toBe(false);
    const { stdout } = await dossier(["status", "--json"], { cwd: place });
    expect((JSON.parse(stdout) as { files: number }).files).toBeLessThan(400);
  });

  it("opens nothing before it is asked", async () => {
    const client = raw({ cwd: root });
    await client.greet();
    client.write({ jsonrpc: "2.0", id: 1, method: "tools/list" }, { jsonrpc: "2.0", id: 2, method: "resources/list" });
    await client.answer(2);
    expect(existsSync(join(root, ".dossier"))).toBe(false);
  });

  it("is one of several on a workspace, all of which write and read at once", async () => {
    const clients = await Promise.all([1, 2, 3].map(() => agent({ cwd: root })));
    const written = clients.flatMap((client, one) =>
      [1, 2, 3, 4].map((number) =>
        client.callTool({
          name: "remember",
          arguments: { content: `Rule ${one}${number}: ${"abcdefgh"[one * 2]}${number}`, force: true },
        }),
      ),
    );
    const asked = clients.map((client) => client.callTool({ name: "context_query", arguments: { query: "amount" } }));
    for (const answer of await Promise.all([...written, ...asked]))
      expect(answer.isError, JSON.stringify(answer.content)).toBeUndefined();
    const { stdout } = await dossier(["memories", "--json", "--limit", "100"], { cwd: root });
    expect((JSON.parse(stdout) as { total: number }).total).toBe(12);
  });
});
