import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cli, dossier, type Run } from "../cli/run-cli.ts";
import { post } from "../http/http-server.ts";
import { folder, git } from "../workspace.ts";
import { missingServer, type OwnDatabase, ownDatabase } from "./own-database.ts";
import { serveProcess } from "./serve-process.ts";

const missing = await missingServer();

describe.skipIf(missing)(`indexing into a database${missing ? ` (${missing})` : ""}`, () => {
  let database: OwnDatabase;
  beforeAll(async () => {
    database = await ownDatabase();
  });
  afterAll(async () => {
    await database.close();
  });

  const index = (root: string) => dossier(["index", "--json", "--quiet"], { cwd: root, env: database.machine() });
  const indexedBy = (run: Run) => {
    if (run.stdout === "") throw new Error(run.stderr);
    return (JSON.parse(run.stdout) as { files: { indexed: number } }).files.indexed;
  };
  const commitsBy = ({ stdout }: Run) => (JSON.parse(stdout) as { history: { added: number } }).history.added;
  const sources = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`m${i}.py`, `def function${i}():\n    return "value ${i}"\n`]),
    );
  const locks = async () =>
    (
      await database.sql(
        "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
      )
    ).length;

  it("is done by one process at a time, and the others find it done", async () => {
    const root = folder(sources(200), { git: true });
    git(root, "add", ".");
    for (let i = 0; i < 3; i++) git(root, "commit", "-qm", `Change ${i}`, "--allow-empty");
    const runs = await Promise.all([index(root), index(root), index(root)]);
    const counts = (of: (run: Run) => number) => runs.map(of).sort((a, b) => a - b);
    expect(counts(indexedBy)).toEqual([0, 0, 200]);
    expect(counts(commitsBy)).toEqual([0, 0, 3]);
    expect(await locks()).toBe(0);
  });

  it("goes on in another process at once when the one that did it is killed", async () => {
    const root = folder(sources(600));
    const env = { ...process.env, ...database.machine() };
    const dying = spawn(process.execPath, [cli, "index", "--quiet"], { cwd: root, env, stdio: "ignore" });
    while ((await locks()) === 0) await sleep(10);
    const waiting = index(root);
    await sleep(300);
    dying.kill("SIGKILL");
    expect(indexedBy(await waiting)).toBeGreaterThan(0);
    expect(indexedBy(await index(root))).toBe(0);
    expect(await locks()).toBe(0);
  });

  it("lets a server answer with what is there meanwhile, and say so", async () => {
    const root = folder({ "ledger.md": "# Ledger\n\nIt is closed by Mirabelle on Fridays.\n" });
    git(root, "init", "-q");
    const { openPostgresSession } = await import("../../src/stores/postgres/engine/open.ts");
    const session = await openPostgresSession(database.url, { workspace: root });
    const release = await session.signals!.tryLock(`index of ${JSON.stringify([root, "local"])}`);
    const server = await serveProcess(root, database.machine());
    const ask = async () =>
      (await post(`${server.url}/v1/context`, { query: "who is Mirabelle?", format: "json" })).text;
    const meanwhile = await ask();
    expect(meanwhile).toContain("still being indexed");
    expect(meanwhile).toContain("Nothing that is indexed so far matches");
    expect(meanwhile).not.toContain("Not in this workspace");
    await release!();
    await session.close();
    let later = await ask();
    // Where indexing ends while an answer is made, the answer still says that it is of a part.
    while (/still being indexed|indexed so far/.test(later)) later = await ask();
    expect(later).toContain("closed by Mirabelle");
  });
});
