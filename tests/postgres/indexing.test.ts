import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CommandRun, cli, dossier } from "../cli/run-cli.ts";
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
  const indexedBy = (run: CommandRun) => {
    if (run.stdout === "") throw new Error(run.stderr);
    return (JSON.parse(run.stdout) as { files: { indexed: number } }).files.indexed;
  };
  const commitsBy = ({ stdout }: CommandRun) => (JSON.parse(stdout) as { history: { added: number } }).history.added;
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
    const counts = (of: (run: CommandRun) => number) => runs.map(of).sort((a, b) => a - b);
    expect(counts(indexedBy)).toEqual([0, 0, 200]);
    expect(counts(commitsBy)).toEqual([0, 0, 3]);
    expect(await locks()).toBe(0);
  });

  it("of notes, memories, documents and messages is done by one process at a time as well", async () => {
    /** How many times the shelves of each kind were written to, when so many processes index the same at once. */
    const writes = async (processes: number) => {
      const root = folder({ "dossier.json": '{"notes":[{"name":"vault","from":"vault"}]}', ...vault(400) });
      git(root, "init", "-q");
      await fill(root);
      const runs = await Promise.all(Array.from({ length: processes }, () => index(root)));
      const notes = runs.map(({ stdout }) => (JSON.parse(stdout) as { notes: { changed: number } }).notes.changed);
      const { openPostgresSession, postgresStore } = await import("../../src/stores/postgres/engine/open.ts");
      const store = postgresStore(await openPostgresSession(database.url, { workspace: root }));
      const kinds = ["note", "memory", "document", "message"] as const;
      const revisions = await Promise.all(kinds.map((kind) => store.shelf(kind).revision("local")));
      await store.close();
      return { notes: notes.filter((count) => count > 0), revisions };
    };
    const [alone, together] = [await writes(1), await writes(3)];
    expect(alone.revisions.every((revision) => revision > 0)).toBe(true);
    expect(together).toEqual(alone);
    expect(await locks()).toBe(0);
  });

  const vault = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`vault/note-${i}.md`, `# Note ${i}\n\nSee [[note-${i >> 1}]].\n`]),
    );

  /** Memories, documents and messages that no index has yet. */
  async function fill(root: string): Promise<void> {
    const { openPostgresSession, sharing } = await import("../../src/stores/postgres/engine/open.ts");
    const { postgresRecords } = await import("../../src/stores/postgres/records/records.ts");
    const { postgresLibrary } = await import("../../src/stores/postgres/library/library.ts");
    const session = await openPostgresSession(database.url, { workspace: root });
    const count = 1500;
    const numbers = [...Array(count).keys()];
    const memory = (i: number) => ({ content: `Decision ${i}`, category: "decision", importance: 0.5, tags: [] });
    await postgresRecords(sharing(session)).write(
      "local",
      numbers.map((i) => ({ id: `mem-${i}`, type: "memory", created: i, changed: i, body: memory(i) })),
    );
    const library = postgresLibrary(sharing(session));
    for (const i of numbers.slice(0, 60)) {
      await library.putDocument("local", { path: `page-${i}.md`, content: `# Page ${i}\n\nText ${i}.`, at: i });
    }
    const { id } = await library.createThread("local", { title: "Long", at: 1 });
    await library.addMessages(
      "local",
      id,
      numbers.map((i) => ({ role: "user", blocks: [{ type: "text", text: `Message ${i}` }], at: i })),
    );
    await session.close();
  }

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
