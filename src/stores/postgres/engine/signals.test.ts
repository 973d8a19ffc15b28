import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { sampleFile } from "../../cases/store.samples.ts";
import { bundleProgram, printed, type Running, runProgram } from "../../sqlite/engine/child.samples.ts";
import { openPostgresSession, postgresStore } from "./open.ts";
import { openProxy } from "./proxy.samples.ts";
import { openTestDatabase, type TestDatabase, testDatabaseUrl, urlOf } from "./server.samples.ts";

/** Reads files when told to, says whose writes it hears of, and takes and gives back a lock. */
const program = `
import { createInterface } from "node:readline";
import { openPostgresSession, postgresStore } from "./open.ts";

const [, , url, workspace] = process.argv as string[];
const session = await openPostgresSession(url!, { workspace: workspace! });
const store = postgresStore(session);
session.onWritten((owner) => console.log("heard " + (owner ?? "any")));
let release: (() => Promise<void>) | undefined;
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "files") console.log("files " + (await store.files("me")).map(({ path }) => path).join(","));
  else if (line === "lock") console.log((release = await session.signals!.tryLock("index")) ? "locked" : "refused");
  else if (line === "free") await release?.().then(() => console.log("freed"));
}
await session.close();
`;

// PGlite is one process; what several do needs a server.
describe.skipIf(testDatabaseUrl === undefined)("processes on one database", () => {
  const folder = mkdtempSync(join(tmpdir(), "dossier-signals-"));
  let database: TestDatabase;
  let child: string;
  let url: string;
  let count = 0;
  beforeAll(async () => {
    database = await openTestDatabase();
    child = await bundleProgram(folder, "child", program, import.meta.url);
    url = urlOf(database);
  }, 60_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await database.close();
  }, 60_000);

  const change = (name: string) => ({
    files: [sampleFile(`${name}.ts`, [{ name, text: `let ${name} = 1` }])],
    removed: [],
  });
  const start = (at: string, workspace: string) => {
    const running = runProgram(child, at, workspace);
    onTestFinished(() => void running.process.kill("SIGKILL"));
    return running;
  };
  const tell = (running: Running, line: string) => running.process.stdin!.write(`${line}\n`);
  /** Asks until it says this: each time is a look at what it remembers. */
  const untilIt = async (running: Running, line: string, text: string) => {
    while (!running.output().includes(text)) {
      if (running.process.exitCode !== null) throw new Error(`It ended: ${running.errors()}`);
      tell(running, line);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const open = async () => {
    const workspace = `signals ${count++}`;
    const session = await openPostgresSession(url, { workspace });
    onTestFinished(() => session.close());
    const store = postgresStore(session);
    await store.write("me", change("first"));
    return { workspace, session, store };
  };

  it("hear of each other's writes, and read what they remembered anew", async () => {
    const { workspace, store } = await open();
    const other = start(url, workspace);
    await untilIt(other, "files", "files first.ts");
    await printed(other, "heard any");
    await store.write("me", change("second"));
    await printed(other, "heard me");
    tell(other, "files");
    await printed(other, "files first.ts,second.ts");
  }, 60_000);

  it("hear of a write by a process that ends at once", async () => {
    const { workspace } = await open();
    const other = start(url, workspace);
    await untilIt(other, "files", "files first.ts");
    await printed(other, "heard any");
    const brief = await openPostgresSession(url, { workspace });
    await postgresStore(brief).write("me", change("second"));
    await brief.close();
    await printed(other, "heard me");
  }, 60_000);

  it("see writes that they did not hear of, and hear again when the connection is back", async () => {
    const { workspace, store } = await open();
    const proxy = await openProxy(url);
    onTestFinished(() => proxy.close());
    const other = start(proxy.url, workspace);
    await untilIt(other, "files", "files first.ts");
    await printed(other, "heard any");
    proxy.cut();
    await store.write("me", change("second"));
    proxy.resume();
    await untilIt(other, "files", "files first.ts,second.ts");
    expect(other.output()).not.toContain("heard me");
    while (other.output().split("heard any").length < 3) await new Promise((resolve) => setTimeout(resolve, 50));
    await store.write("me", change("third"));
    await printed(other, "heard me");
  }, 60_000);

  it("hold a lock one at a time, and one that is killed holds none", async () => {
    const { workspace, session } = await open();
    const other = start(url, workspace);
    tell(other, "lock");
    await printed(other, "locked");
    expect(await session.signals!.tryLock("index")).toBeUndefined();
    const another = await session.signals!.tryLock("index of something else");
    expect(another).toBeDefined();
    tell(other, "free");
    await printed(other, "freed");
    const release = await session.signals!.tryLock("index");
    expect(release).toBeDefined();
    expect(await session.signals!.tryLock("index")).toBeUndefined();
    tell(other, "lock");
    await printed(other, "refused");
    await release!();
    await untilIt(other, "lock", "refused\nlocked");
    other.process.kill("SIGKILL");
    await other.ended;
    while (!(await session.signals!.tryLock("index"))) await new Promise((resolve) => setTimeout(resolve, 10));
  }, 60_000);
});
