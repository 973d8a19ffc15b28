import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CommandRun, dossier, dossierInside } from "../cli/run-cli.ts";
import { post } from "../http/http-server.ts";
import { agent, ledger } from "../mcp/agent.ts";
import { folder, git } from "../workspace.ts";
import { missingServer, type OwnDatabase, ownDatabase } from "./own-database.ts";
import { serveProcess } from "./serve-process.ts";

const missing = await missingServer();

/** The program, told nothing but where the database is. */
describe.skipIf(missing)(`a program with a DATABASE_URL${missing ? ` (${missing})` : ""}`, () => {
  let database: OwnDatabase;
  let home: string;
  beforeAll(async () => {
    database = await ownDatabase();
    home = mkdtempSync(join(tmpdir(), "dossier-home-"));
  });
  afterAll(async () => {
    await database.close();
    rmSync(home, { recursive: true, force: true });
  });

  const variables = () => ({ DATABASE_URL: database.url, DOSSIER_HOME: home, DOSSIER_BACKGROUND: "off" });
  const files = () => ({ ...variables(), DATABASE_URL: "", DOSSIER_HOME: join(home, "files") });
  const run = (cwd: string, env: Record<string, string>, ...args: string[]) => dossierInside(args, { cwd, env });
  const worked = (ran: CommandRun) => {
    expect({ status: ran.status, stderr: ran.status === 0 ? "" : ran.stderr }).toEqual({ status: 0, stderr: "" });
    return ran.stdout;
  };
  /** What is in the cache besides compiled code. */
  const cached = () =>
    readdirSync(home, { recursive: true, encoding: "utf8" }).filter((path) => /\.db|memory|records/.test(path));

  it("answers from the command line with the bytes that files give, and leaves nothing in the folder", async () => {
    const root = folder(ledger, { git: true });
    git(root, "add", ".");
    git(root, "commit", "-qm", "Book amounts");
    const commands = [
      ["index", "--quiet"],
      ["memory", "add", "Amounts are kept in cents, because floats drift."],
      ["how are amounts booked?"],
      ["how are amounts booked?", "--format", "json"],
      ["search", "friday"],
      ["memory", "list"],
      ["brief", "book amounts"],
      ["history", "README.md"],
    ];
    const answers = async (env: Record<string, string>) => {
      const printed: string[] = [];
      for (const command of commands) printed.push(worked(await run(root, env, ...command)));
      // Ids are made at random, and the two memories are written one after the other.
      return printed.map((text) => text.replace(/mem-[0-9a-z]+/g, "mem").replace(/T[\d:.]+Z|\d+ (ms|s)\b/g, "then"));
    };
    const there = await answers(variables());
    expect(existsSync(join(root, ".dossier"))).toBe(false);
    expect(cached()).toEqual([]);
    expect(await answers(files())).toEqual(there);
    expect(there[2]).toContain("bookAmount");
  }, 120_000);

  it("says truthfully where the index is, without the password", async () => {
    const root = folder(ledger, { git: true });
    worked(await run(root, variables(), "index", "--quiet"));
    worked(await run(root, variables(), "memory", "add", "Closed on Fridays, always and without fail."));
    const status = worked(await run(root, variables(), "status"));
    const { username, password, host, pathname } = new URL(database.url);
    expect(status).toContain(`postgres://${username}@${host}${pathname}`);
    expect(status).not.toContain(`:${password}@`);
    expect(status).not.toContain(home);
    expect(status).toMatch(/engine +PostgreSQL \d+/);
    expect(JSON.parse(worked(await run(root, variables(), "status", "--json")))).toMatchObject({
      learned: { memories: 1 },
      recordsBytes: expect.toSatisfy((bytes: number) => bytes > 100),
    });
    expect(worked(await run(root, variables(), "doctor"))).toContain(`at postgres://${username}@${host}${pathname}`);
    const verified = JSON.parse(
      worked(await run(root, variables(), "store", "verify", "DATABASE_URL", "--as", root, "--json")),
    );
    expect(verified).toMatchObject({ owners: [{ owner: "local", parts: { records: 1 } }], same: true });
  });

  it("reads no more than is needed for a first question, and the rest after it, into the database", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [
        `src/part${i}.ts`,
        `export function part${i}() { return "thing ${i}"; }\n`,
      ]),
    );
    const root = folder({ ...ledger, ...many }, { git: true });
    const env = { ...variables(), DOSSIER_BACKGROUND: "" };
    // A process of its own, and one that it starts.
    expect(worked(await dossier(["how are amounts booked?"], { cwd: root, env }))).toContain("bookAmount");
    const wholeFiles = async () => JSON.parse(worked(await run(root, env, "status", "--json"))) as { updated?: string };
    while ((await wholeFiles()).updated === undefined) await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await wholeFiles()).toMatchObject({ files: 302 });
    expect(existsSync(join(root, ".dossier"))).toBe(false);
  });

  it("serves contexts, documents, threads, builds and memories, which the next server finds", async () => {
    const root = folder(ledger, { git: true });
    const first = await serveProcess(root, variables());
    const document = {
      document: "notes/closing.md",
      content: "# Closing\n\nThe auditor Mirabelle signs every closing.\n",
    };
    const call = async (url: string, operation: string, input: object) => {
      const answer = await post(`${url}/v1/${operation}`, input);
      const text = answer.status === 200 ? "" : answer.text;
      expect({ operation, status: answer.status, text }).toEqual({ operation, status: 200, text: "" });
      return answer;
    };
    expect((await call(first.url, "context", { query: "how are amounts booked?" })).text).toContain("bookAmount");
    await call(first.url, "put_document", document);
    await call(first.url, "remember", { content: "The bank of Mirabelle says the rates, on Mondays." });
    const { thread } = (await call(first.url, "thread", { step: "create", title: "Closing" })).json as unknown as {
      thread: { id: string };
    };
    await call(first.url, "say", { thread: thread.id, text: "Who signs the closing?" });

    const second = await serveProcess(root, variables());
    const built = await call(second.url, "prime_context", { thread: thread.id, message: "Who signs the closing?" });
    expect(built.text).toContain("Mirabelle");
    expect((await call(second.url, "context", { query: "who signs every closing?" })).text).toContain("closing.md");
    expect((await call(second.url, "memories", {})).text).toContain("says the rates");
    expect(existsSync(join(root, ".dossier"))).toBe(false);
  });

  it("answers an agent over pipes", async () => {
    const root = folder(ledger, { git: true });
    const client = await agent({ cwd: root, env: variables() });
    const said = async (name: string, given: object) =>
      JSON.stringify(await client.callTool({ name, arguments: { ...given } }));
    expect(await said("context_query", { query: "how are amounts booked?" })).toContain("bookAmount");
    expect(await said("remember", { content: "The ledger is closed by Mirabelle alone." })).toContain("mem-");
    expect(await said("assemble_context", { query: "who closes the ledger?" })).toContain("Mirabelle");
    expect(existsSync(join(root, ".dossier"))).toBe(false);
  });
});
