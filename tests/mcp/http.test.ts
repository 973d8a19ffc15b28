import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createWork, type Work } from "../../src/surfaces/http/running-work.ts";
import { mountMcp } from "../../src/surfaces/mcp/transport/http.ts";
import { cli } from "../cli/run-cli.ts";
import { ask, bearer, post, type RunningServer, start } from "../http/http-server.ts";
import { folder } from "../workspace.ts";
import { ledger } from "./agent.ts";

let server: RunningServer;
const keys: Record<"ada" | "reader" | "bob", string> = { ada: "", reader: "", bob: "" };

beforeAll(async () => {
  server = await start({ files: ledger, mounts: [mountMcp], settings: { maxBody: 200_000 } });
  keys.ada = await server.key("ada", "write");
  keys.reader = await server.key("ada", "read");
  keys.bob = await server.key("bob", "write");
});
afterAll(() => server.close());

async function client(key: keyof typeof keys, path = "/mcp"): Promise<Client> {
  const made = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const requestInit = { headers: bearer(keys[key]) };
  await made.connect(new StreamableHTTPClientTransport(new URL(path, server.url), { requestInit }));
  onTestFinished(() => made.close());
  return made;
}

const call = (asking: Client, name: string, given: Record<string, unknown>) =>
  asking.callTool({ name, arguments: given });
const textOf = (answer: { content: unknown }) => (answer.content as { text: string }[])[0]!.text;

describe("an agent over HTTP", () => {
  it("of the newest revision is answered from the workspace that is served", async () => {
    const asking = await client("ada");
    expect(asking.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    const reports: unknown[] = [];
    const asked = { name: "context_query", arguments: { query: "how is an amount booked?" } };
    const answer = await asking.callTool(asked, { onprogress: (report) => reports.push(report) });
    expect(textOf(answer)).toContain("bookAmount");
    expect(reports.length).toBeGreaterThan(0);
    expect((await asking.readResource({ uri: "dossier://status" })).contents).toHaveLength(1);
    expect((await asking.getPrompt({ name: "onboard" })).messages).toHaveLength(1);
  });

  it("is listed the lenses of the workspace that is served", async () => {
    writeFileSync(join(server.root, "dossier.json"), JSON.stringify({ lenses: { review: { extends: "planning" } } }));
    const { tools } = await (await client("reader")).listTools();
    const { properties } = tools.find(({ name }) => name === "tana_context")!.inputSchema;
    expect((properties as { lens: { enum: string[] } }).lens.enum).toContain("review");
    rmSync(join(server.root, "dossier.json"));
  });

  it("of an older revision, too", async () => {
    const old = new OldClient({ name: "old", version: "1" });
    await old.connect(
      new OldTransport(new URL("/mcp", server.url), { requestInit: { headers: bearer(keys.ada) } }) as never,
    );
    onTestFinished(() => old.close());
    expect((await old.listTools()).tools).toHaveLength(9);
    const answer = await old.callTool({ name: "context_query", arguments: { query: "close on friday" } });
    expect(textOf(answer as { content: unknown })).toContain("closeLedger");
  });

  it("sees the tools that its key allows, and may use no others", async () => {
    const names = async (key: keyof typeof keys, path?: string) =>
      (await (await client(key, path)).listTools()).tools.map(({ name }) => name);
    expect(await names("ada")).toHaveLength(9);
    expect(await names("reader")).not.toContain("remember");
    expect(await names("reader", "/mcp?tools=all")).toContain("search");
    expect(await names("ada", "/mcp?tools=all")).not.toContain("index");
    const reader = await client("reader");
    const unknown = await call(reader, "remember", { content: "x" });
    expect(unknown.isError).toBe(true);
    expect(textOf(unknown)).toContain('no tool "remember"');
    const step = { step: "start", domain: "debugging", strategy: "read-the-error", goal: "g" };
    const experience = { ...step, hypothesis: "h", action: "a", prediction: "p" };
    const refused = await call(reader, "experience", experience);
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused._meta)).toMatch(/not-allowed|bad-input/);
  });

  it("sees nothing of another owner", async () => {
    const [ada, bob] = [await client("ada"), await client("bob")];
    const kept = await call(ada, "remember", { content: "The vault opens at noon", format: "json" });
    const { id } = (JSON.parse(textOf(kept)) as { memory: { id: string } }).memory;
    const brief = { query: "when does the vault open?", context_types: ["memories"] };
    expect(textOf(await call(ada, "assemble_context", brief))).toContain("noon");
    expect(textOf(await call(bob, "assemble_context", brief))).not.toContain("noon");
    expect((await ada.readResource({ uri: `dossier://item/${id}` })).contents).toHaveLength(1);
    await expect(bob.readResource({ uri: `dossier://item/${id}` })).rejects.toMatchObject({ code: -32602 });
    await expect(call(bob, "feedback", { item: id, useful: true })).resolves.toMatchObject({ isError: true });
  });

  it("does not get the rest of another owner's answer by its cursor", async () => {
    const [ada, bob] = [await client("ada", "/mcp?tools=all"), await client("bob", "/mcp?tools=all")];
    const content = Array.from({ length: 4000 }, (_, number) => `Entry ${number} of a long book.`).join("\n");
    await call(ada, "put_document", { document: "book.md", content });
    const book = await call(ada, "get_document", { document: "book.md" });
    const cursor = /with cursor (\S+)/.exec(textOf(book))?.[1];
    if (cursor === undefined) throw new Error("The answer was not cut.");
    expect(textOf(await call(bob, "get_document", { cursor }))).toContain("knows no such cursor");
    expect(textOf(await call(ada, "get_document", { cursor }))).toContain("Entry");
  });

  it("names no folder, and may not choose one", async () => {
    const asking = await client("ada");
    const answer = await call(asking, "context_query", { query: "amount", project: "/etc" });
    expect(answer).toMatchObject({ isError: true, _meta: { "dossier/error": { code: "bad-input" } } });
    const status = await asking.readResource({ uri: "dossier://status" });
    expect(JSON.stringify(status)).not.toContain(server.root);
  });
});

describe("the route /mcp", () => {
  const greeting = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
  };
  const accept = { Accept: "application/json, text/event-stream" };

  it("needs a key, like every other", async () => {
    expect((await post(`${server.url}/mcp`, greeting, accept)).status).toBe(401);
    expect((await post(`${server.url}/mcp`, greeting, { ...accept, ...bearer("dsr_wrong") })).status).toBe(401);
    expect((await post(`${server.url}/mcp`, greeting, { ...accept, ...bearer(keys.ada) })).status).toBe(200);
  });

  it("refuses other hosts, origins and methods, what is too large, and what is no JSON", async () => {
    const headers = { ...accept, ...bearer(keys.ada) };
    expect((await post(`${server.url}/mcp`, greeting, { ...headers, Host: "evil.example" })).status).toBe(421);
    expect((await post(`${server.url}/mcp`, greeting, { ...headers, Origin: "https://evil.example" })).status).toBe(
      403,
    );
    expect((await ask(`${server.url}/mcp`, { headers })).status).toBe(405);
    expect((await post(`${server.url}/mcp`, { ...greeting, more: "x".repeat(210_000) }, headers)).status).toBe(413);
    const broken = await post(`${server.url}/mcp`, "{nonsense", headers);
    expect(broken.status).toBe(400);
    expect(broken.json).toMatchObject({ error: { code: -32700 } });
  });
});

describe("a request over HTTP that is cancelled", () => {
  const many = Object.fromEntries(
    Array.from({ length: 500 }, (_, number) => {
      const body = Array.from({ length: 40 }, (_, line) => `  total${line} = book${number}(${line});`).join("\n");
      return [`src/book${number}.ts`, `export function book${number}() {\n${body}\n}\n`];
    }),
  );
  const params = { name: "context_query", arguments: { query: "book" }, _meta: { progressToken: 1 } };
  const call = { jsonrpc: "2.0", id: 7, method: "tools/call", params };
  const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } };

  /** Asks, and resolves when the work is under way. */
  async function underWay(url: string, headers: Record<string, string>) {
    const leaving = new AbortController();
    const type = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: { ...type, ...headers },
      body: JSON.stringify(call),
      signal: leaving.signal,
    });
    const reader = response.body!.getReader();
    let printed = "";
    while (!/"progress":[2-9]/.test(printed)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`It ended: ${printed}`);
      printed += new TextDecoder().decode(value);
    }
    return { leave: () => leaving.abort() };
  }

  const indexed = async ({ workspace }: RunningServer) => (await workspace.store.files("local")).length;

  async function begun(workers = 0): Promise<{ running: RunningServer; work: Work }> {
    const work = createWork(8, () => undefined);
    const running = await start({ files: many, mounts: [mountMcp], work, settings: { workers } });
    onTestFinished(() => running.close());
    return { running, work };
  }

  it("by its client's message stops working", async () => {
    const { running, work } = await begun();
    const session = { "Mcp-Session-Id": "one" };
    await underWay(running.url, session);
    const accept = { Accept: "application/json, text/event-stream" };
    // Of another client that shares the key and counts alike.
    expect((await post(`${running.url}/mcp`, cancelled, { ...accept, "Mcp-Session-Id": "two" })).status).toBe(202);
    const count = await indexed(running);
    await expect.poll(() => indexed(running), { timeout: 20_000 }).toBeGreaterThan(count);
    expect((await post(`${running.url}/mcp`, cancelled, { ...accept, ...session })).status).toBe(202);
    await work.idle();
    expect(await indexed(running)).toBeLessThan(500);
  });

  it("by going away stops working", async () => {
    const { running, work } = await begun();
    const { leave } = await underWay(running.url, {});
    leave();
    await work.idle();
    expect(await indexed(running)).toBeLessThan(500);
  });

  it("stops the processes that index for it, unless somebody else waits for them", async () => {
    const { running, work } = await begun(1);
    const isIndexing = async () => (await post(`${running.url}/v1/status`, {})).json.indexing !== undefined;
    const first = await underWay(running.url, { "Mcp-Session-Id": "one" });
    first.leave();
    await work.idle();
    await expect.poll(isIndexing, { timeout: 20_000 }).toBe(false);
    expect(await indexed(running)).toBeLessThan(500);
    // Who comes next goes on from there, and does not wait in vain when another one leaves.
    const second = await underWay(running.url, { "Mcp-Session-Id": "two" });
    const third = post(`${running.url}/v1/index`, {});
    second.leave();
    expect((await third).status).toBe(200);
    expect(await indexed(running)).toBe(500);
  });
});

describe("dossier serve", () => {
  it("answers agents at /mcp", async () => {
    const place = folder(ledger);
    const child = spawn(process.execPath, [cli, "serve", "-C", place, "--port", "0", "--log", "silent"], {
      stdio: "pipe",
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const printed = await new Promise<string>((resolve) =>
      child.stderr.once("data", (chunk) => resolve(String(chunk))),
    );
    const asking = new Client({ name: "test", version: "1" });
    await asking.connect(new StreamableHTTPClientTransport(new URL(`${/http:\/\/[^;\s]+/.exec(printed)![0]}/mcp`)));
    onTestFinished(() => asking.close());
    expect(textOf(await call(asking, "context_query", { query: "how is an amount booked?" }))).toContain("bookAmount");
  });
});
