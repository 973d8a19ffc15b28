import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { cli } from "../cli/run-cli.ts";
import { folder } from "../workspace.ts";
import { type Frame, ledger, raw } from "./agent.ts";

let root: string;
beforeEach(() => {
  root = folder(ledger, { git: true });
});

const textOf = ({ result }: Frame) => (result!.content as { text: string }[])[0]!.text;

describe("clients of older revisions", () => {
  for (const revision of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) {
    it(`of ${revision} are greeted in it, and answered`, async () => {
      const client = raw({ cwd: root });
      const { result } = await client.greet(revision);
      expect(result).toMatchObject({ protocolVersion: revision, serverInfo: { name: "dossier" } });
      expect(result!.instructions).toContain("context_query");
      client.write({ jsonrpc: "2.0", id: 2, method: "tools/list" });
      expect(((await client.answer(2)).result!.tools as unknown[]).length).toBe(9);
      const answer = await client.call(3, "context_query", { query: "how is an amount booked?" });
      expect(textOf(answer)).toContain("bookAmount");
      expect(answer.result).not.toHaveProperty("resultType");
      client.write({ jsonrpc: "2.0", id: 4, method: "ping" }, { jsonrpc: "2.0", id: 5, method: "no/such" });
      expect((await client.answer(4)).result).toEqual({});
      expect((await client.answer(5)).error!.code).toBe(-32601);
    });
  }

  it("of a revision that nobody knows are offered one that is known", async () => {
    const { result } = await raw({ cwd: root }).greet("1999-12-31");
    expect(result).toMatchObject({ protocolVersion: "2025-11-25" });
  });

  it("that send several messages as one list get their answers as one list", async () => {
    const client = raw({ cwd: root });
    await client.greet("2025-03-26");
    const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });
    client.write([ping(7), { jsonrpc: "2.0", id: 8, method: "prompts/list" }, ping(9)]);
    await client.answer(9);
    const list = client.lines.map((line) => JSON.parse(line) as Frame | Frame[]).find(Array.isArray) as Frame[];
    expect(list.map(({ id }) => id).sort()).toEqual([7, 8, 9]);
  });

  it("that ask before they greet are answered all the same", async () => {
    const client = raw({ cwd: root });
    client.write({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    expect(((await client.answer(1)).result!.tools as unknown[]).length).toBe(9);
  });

  it("list the same tools whether the protocol's package is loaded yet or not", async () => {
    const client = raw({ cwd: root, args: ["--tools", "all"] });
    await client.greet();
    client.write({ jsonrpc: "2.0", id: 2, method: "tools/list" });
    const first = await client.answer(2);
    client.write({ jsonrpc: "2.0", id: 3, method: "prompts/list" }, { jsonrpc: "2.0", id: 4, method: "tools/list" });
    expect((await client.answer(4)).result).toEqual(first.result);
  });
});

describe("the older line's own client", () => {
  it("lists, calls, follows progress, reads and prompts", async () => {
    const client = new OldClient({ name: "old", version: "1" });
    const transport = new OldTransport({
      command: process.execPath,
      args: [cli, "mcp"],
      cwd: root,
      env: process.env as Record<string, string>,
      stderr: "ignore",
    });
    await client.connect(transport);
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools).toHaveLength(9);
    const reports: number[] = [];
    const asked = { name: "context_query", arguments: { query: "close on friday" } };
    const answer = await client.callTool(asked, undefined, { onprogress: ({ progress }) => reports.push(progress) });
    const { text } = (answer.content as { text: string }[])[0]!;
    expect(text).toContain("closeLedger");
    expect(reports.length).toBeGreaterThan(0);
    expect(reports).toEqual([...new Set(reports)].sort((a, b) => a - b));
    const failed = await client.callTool({ name: "why", arguments: { query: "x", item: "nothing at all" } });
    expect(failed.isError).toBe(true);
    const { contents } = await client.readResource({ uri: `dossier://item/${/\[(cod-\w+)\]/.exec(text)![1]}` });
    expect((contents[0] as { text: string }).text.length).toBeGreaterThan(10);
    expect((await client.getPrompt({ name: "onboard" })).messages).toHaveLength(1);
  });
});
