import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { beforeEach, describe, expect, it } from "vitest";
import { tokenCounter } from "../../src/text/tokens/tokens.ts";
import { dossierInside } from "../cli/run-cli.ts";
import { folder } from "../workspace.ts";
import { agent, agentInside, ledger, raw } from "./agent.ts";

const { count } = tokenCounter("o200k_base");

type Answer = Awaited<ReturnType<Client["callTool"]>>;
const textOf = ({ content }: Answer) => content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
/** What failed, for programs; or a tool's data, where it was asked for. */
const dataOf = <Data = unknown>(answer: Answer) =>
  (answer.isError ? { error: answer._meta?.["dossier/error"] } : JSON.parse(textOf(answer))) as Data;
const call = (client: Client, name: string, given: Record<string, unknown> = {}) =>
  client.callTool({ name, arguments: given });
const data = (client: Client, name: string, given: Record<string, unknown> = {}) =>
  call(client, name, { ...given, format: "json" });

type Document = { items: { path: string; spans: { id: string; start: number; end: number }[] }[]; bundle: string };

let root: string;
beforeEach(() => {
  root = folder(ledger, { git: true });
});

describe("an agent", () => {
  it("of the newest revision asks a question and gets the document, as text and nothing else", async () => {
    const client = await agent({ cwd: root });
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    expect(client.getInstructions()).toContain("assemble_context");
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(9);
    expect(tools.some((tool) => "outputSchema" in tool)).toBe(false);
    const answer = await call(client, "context_query", { query: "how is an amount booked?", max_tokens: 600 });
    expect(answer.isError).toBeUndefined();
    expect(answer).not.toHaveProperty("structuredContent");
    expect(answer.content).toHaveLength(1);
    expect(textOf(answer)).toContain("export function bookAmount");
    expect(textOf(answer)).toMatch(/\nbundle: bun-\w+\n$/);
    expect(count(textOf(answer))).toBeLessThanOrEqual(600);
    const json = dataOf<Document>(await data(client, "context_query", { query: "how is an amount booked?" }));
    expect(json.items[0]).toMatchObject({ path: "src/ledger.ts", spans: [{ start: 1 }] });
  });

  it("is listed the lenses of its workspace, its own ones included, and asks notes by tags and fields", async () => {
    const lenses = { review: { extends: "planning", maxDepth: 1 } };
    const notes = [
      ...["---", "status: open", "tags: [plan]", "---"],
      ...["- [ ] Order parts 📅 2026-11-30", "- [ ] Paint, and varnish, the hull 📅 2026-10-05", ""],
    ].join("\n");
    const vault = folder({ ".obsidian/app.json": "{}", "Plan.md": notes, "dossier.json": JSON.stringify({ lenses }) });
    const lensOf = (tools: { name: string; inputSchema: { properties?: object } }[]) =>
      (tools.find(({ name }) => name === "tana_context")!.inputSchema.properties as { lens: { enum: string[] } }).lens
        .enum;
    const builtIn = ["general", "writing", "coding", "planning", "meeting-prep"];
    const client = await agentInside({ cwd: vault });
    expect(lensOf((await client.listTools()).tools)).toEqual([...builtIn, "review"]);
    const older = raw({ cwd: vault });
    await older.greet("2025-06-18");
    older.write({ jsonrpc: "2.0", id: 7, method: "tools/list" });
    expect(lensOf((await older.answer(7)).result!.tools as never)).toEqual([...builtIn, "review"]);
    older.child.kill();
    expect(lensOf((await (await agentInside({ cwd: root })).listTools()).tools)).toEqual(builtIn);
    const filter = { tag: ["task"], field: ["Due<2026-12-01", "name~paint, and varnish"], sort: "due", lens: "review" };
    const text = textOf(await call(client, "tana_context", filter));
    expect(text).toContain("Matches: 1");
    expect(text).toContain("Paint, and varnish, the hull");
    const line = [
      "tana_context",
      "--tag",
      "task",
      "--field",
      filter.field[0]!,
      "--field",
      filter.field[1]!,
      "--sort",
      "due",
    ];
    const { stdout } = await dossierInside([...line, "--lens", "review"], { cwd: vault });
    expect(stdout).toContain("Matches: 1");
  });

  it("gets what the command line gives", async () => {
    const client = await agentInside({ cwd: root });
    const answer = await call(client, "context_query", { query: "close on friday", max_tokens: 524, min_score: 0.1 });
    // The bundle is named within the budget: the document has the rest of it.
    const line = ["context_query", "close on friday", "--max-tokens", "500", "--min-score", "0.1"];
    const { stdout } = await dossierInside(line, { cwd: root });
    expect(textOf(answer).replace(/bundle: bun-\w+\n$/, "")).toBe(stdout);
  });

  it("may write inputs as the first designs did, and leave out with null", async () => {
    const client = await agentInside({ cwd: root });
    const answer = await call(client, "context_query", { query: "amount", maxTokens: 300, includeTypes: null });
    expect(answer.isError).toBeUndefined();
    expect(count(textOf(answer))).toBeLessThanOrEqual(300);
  });

  it("remembers, is told that it is known, and finds it in the next briefing", async () => {
    const client = await agentInside({ cwd: root });
    const content = "Amounts are booked in cents because floats drift";
    expect(dataOf(await data(client, "remember", { content, category: "decision" }))).toMatchObject({ stored: true });
    const again = await data(client, "remember", { content });
    expect(again.isError).toBeUndefined();
    expect(dataOf(again)).toMatchObject({ stored: false });
    const brief = await call(client, "assemble_context", { query: "why cents?", context_types: ["memories"] });
    expect(textOf(brief)).toContain("floats drift");
    const id = /\[(mem-\w+)\]/.exec(textOf(brief))![1]!;
    expect(dataOf(await data(client, "feedback", { item: id, useful: true }))).toMatchObject({ kind: "useful" });
  });

  it("starts, updates and resolves an experience, which the shell and the next connection go on with", async () => {
    const [one, two] = await Promise.all([agentInside({ cwd: root }), agentInside({ cwd: root })]);
    const start = { step: "start", domain: "debugging", strategy: "read-the-error", goal: "sums add up" };
    const attempt = { hypothesis: "floats drift", action: "log them", prediction: "0.30000000000000004" };
    await call(one, "experience", { ...start, ...attempt });
    expect(textOf(await call(two, "experience", { step: "active" }))).toContain("sums add up");
    const observed = await dossierInside(["run", "--observe", "--", "true"], { cwd: root });
    expect(observed.stderr).toContain("Noted in exp-");
    await call(one, "experience", { step: "update", hypothesis: "rounding", observed: "0.3" });
    const why = { root_cause: "wrong-assumption", root_cause_description: "rounded twice" };
    const resolve = { step: "resolve", status: "falsified", result: "still off", surprise: "it was exact", ...why };
    const ended = await call(one, "experience", resolve);
    expect(ended.isError).toBeUndefined();
    const premortem = await call(two, "get_premortem_context", { domain: "debugging" });
    expect(textOf(premortem)).toContain("it was exact");
    const client = await agentInside({ cwd: root, session: "mine" });
    await call(client, "experience", { ...start, ...attempt });
    const { stdout } = await dossierInside(["experience", "active"], { cwd: root, env: { DOSSIER_SESSION: "mine" } });
    expect(stdout).toContain("sums add up");
  });

  it("gets only what is new since the last answer", async () => {
    const client = await agentInside({ cwd: root });
    const first = await data(client, "context_query", { query: "book an amount", min_score: 0, since: "start" });
    const { bundle, items } = dataOf<Document>(first);
    const next = await data(client, "context_query", { query: "book an amount", min_score: 0, since: bundle });
    expect(items.length).toBeGreaterThan(0);
    expect(dataOf<Document>(next).items).toEqual([]);
  });
});

describe("what goes wrong", () => {
  it("in an operation is an answer that says what and how to go on, and its code", async () => {
    const client = await agentInside({ cwd: root });
    await client.listTools();
    const answer = await call(client, "why", { query: "amount", item: "no such thing anywhere" });
    expect(answer.isError).toBe(true);
    expect(dataOf(answer)).toMatchObject({ error: { code: "not-found", fix: expect.any(String) } });
    expect(textOf(answer)).not.toMatch(/\n\s+at /);
    const early = await call(client, "experience", { step: "resolve", status: "confirmed" });
    expect(dataOf(early)).toMatchObject({
      error: { code: "no-active-experience", fix: expect.stringContaining("start") },
    });
  });

  it("in the arguments, or in the name of the tool, is an answer too, and never an error of the protocol", async () => {
    const client = await agentInside({ cwd: root });
    const unknown = await call(client, "context_query", { query: "x", max_token: 5 });
    expect(unknown.isError).toBe(true);
    expect(textOf(unknown)).toContain("takes no max_token. Did you mean max_tokens?");
    expect(textOf(await call(client, "index"))).toMatch(
      /no tool "index"\..* The tools are context_query, assemble_context/,
    );
  });
});

describe("long answers", () => {
  it("are cut at 20,000 tokens, and a cursor gets the rest, as text and as data", async () => {
    const content = Array.from({ length: 4000 }, (_, number) => `Entry ${number} of a long book.`).join("\n");
    const client = await agentInside({ cwd: root, tools: "all" });
    await call(client, "put_document", { document: "book.md", content });
    let answer = await call(client, "get_document", { document: "book.md" });
    let text = "";
    let pages = 0;
    for (;;) {
      pages++;
      expect(count(textOf(answer))).toBeLessThanOrEqual(20_000);
      const cut = /\nCut here: call get_document with cursor (\S+) for the rest\.$/.exec(textOf(answer));
      text += cut ? textOf(answer).slice(0, cut.index + 1) : textOf(answer);
      if (!cut) break;
      answer = await call(client, "get_document", { cursor: cut[1] });
    }
    expect(pages).toBeGreaterThan(1);
    expect(text).toContain(content);
    let page = dataOf<{ content: string; cursor?: string }>(
      await data(client, "get_document", { document: "book.md" }),
    );
    let whole = "";
    for (;;) {
      whole += page.content ?? "";
      if (page.cursor === undefined) break;
      page = dataOf(await call(client, "get_document", { cursor: page.cursor }));
    }
    expect(whole).toBe(content);
  });

  it("of documents are none: a budget above what one answer holds is lowered, and that is said", async () => {
    const client = await agentInside({ cwd: root });
    const answer = await call(client, "context_query", { query: "book amount", max_tokens: 60_000 });
    expect(textOf(answer)).toContain("Warning: max_tokens was lowered to 19,500");
    const linked = await call(client, "context_query", { query: "book amount", expand_tokens: 999_999 });
    expect(textOf(linked)).toContain("Warning: expand_tokens was lowered to 19,500");
    const tooMany = await call(client, "context_query", { query: "book amount", limit: 999_999 });
    expect([tooMany.isError, textOf(tooMany)]).toEqual([true, expect.stringContaining("from 1 to 500, not 999999")]);
  });
});

describe("resources and prompts", () => {
  it("open a citation as the disk has it now", async () => {
    const client = await agentInside({ cwd: root });
    const answer = await call(client, "context_query", { query: "bookAmount", max_tokens: 300 });
    const uri = `dossier://item/${/\[(cod-\w+)\]/.exec(textOf(answer))![1]}`;
    const { contents } = await client.readResource({ uri });
    expect(contents).toEqual([
      { uri, mimeType: "text/plain", text: ledger["src/ledger.ts"].split("\n").slice(0, 4).join("\n") },
    ]);
    writeFileSync(join(root, "src/ledger.ts"), ledger["src/ledger.ts"].replace("* 100", "* 1000"));
    const [fresh] = (await client.readResource({ uri })).contents;
    expect(fresh).toMatchObject({ text: expect.stringContaining("* 1000") });
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(["dossier://item/{id}"]);
  });

  it("tell the status, and refuse what is not there", async () => {
    const client = await agentInside({ cwd: root });
    await call(client, "context_query", { query: "amount" });
    const { uri } = (await client.listResources()).resources[0]!;
    const [status] = (await client.readResource({ uri })).contents;
    expect(status).toMatchObject({ text: expect.stringMatching(/files\s+2 /) });
    for (const wrong of [
      "dossier://item/cod-nothing",
      "dossier://item/..%2F..%2Fetc",
      "dossier://else",
      "file:///etc/passwd",
    ]) {
      await expect(client.readResource({ uri: wrong }), wrong).rejects.toMatchObject({ code: -32602 });
    }
  });

  it("continue an item that is too long for one answer from a line on", async () => {
    const lines = Array.from(
      { length: 3000 },
      (_, number) => `  book.enter(${number}, "entry of the book of entries");`,
    );
    const long = ["export function enterAll(book: Book): void {", ...lines, "}"];
    writeFileSync(join(root, "src/book.ts"), `${long.join("\n")}\n`);
    const client = await agentInside({ cwd: root });
    const answer = await call(client, "context_query", {
      query: "enterAll",
      include_types: ["function"],
      max_tokens: 300,
    });
    let uri: string | undefined = `dossier://item/${/\[(cod-\w+)\]/.exec(textOf(answer))![1]}`;
    const read: string[] = [];
    while (uri) {
      const [{ text }] = (await client.readResource({ uri })).contents as unknown as [{ text: string }];
      expect(count(text)).toBeLessThanOrEqual(20_000);
      uri = /\[cut here; the rest: (\S+)\]$/.exec(text)?.[1];
      read.push(...text.split("\n").filter((line) => !line.startsWith("[cut here")));
    }
    expect(read.filter((line) => line !== "").join("\n") === long.join("\n")).toBe(true);
  });

  it("assemble real contexts", async () => {
    const client = await agentInside({ cwd: root });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["premortem", "onboard", "handover"]);
    const say = async (name: string, given: Record<string, string>) => {
      const { messages } = await client.getPrompt({ name, arguments: given });
      return (messages[0]!.content as { text: string }).text;
    };
    expect(await say("onboard", {})).toContain("Books amounts in cents");
    expect(await say("premortem", { domain: "debugging" })).toContain("debugging");
    await dossierInside(["thread", "create", "Rates"], { cwd: root });
    await dossierInside(["say", "Rates", "We decided to keep three percent."], { cwd: root });
    expect(await say("handover", { thread: "Rates" })).toContain("three percent");
    for (const [name, given] of [
      ["handover", { thread: "None" }],
      ["premortem", {}],
      ["premortem", { domain: "cooking" }],
      ["nothing", {}],
    ] as const) {
      await expect(client.getPrompt({ name, arguments: given }), name).rejects.toMatchObject({ code: -32602 });
    }
  });
});

describe("the folders of a client", () => {
  const modes = [
    ["newest", { versionNegotiation: { mode: "auto" as const } }],
    ["older", { versionNegotiation: { mode: "legacy" as const } }],
  ] as const;
  for (const [revision, client] of modes) {
    it(`are where a client of the ${revision} revision is answered from, the first by default`, async () => {
      const other = folder({ "other.md": "# Other\n\nBook amounts in dollars here.\n" });
      const outside = folder({ "secret.md": "# Amount\n" });
      let opened = [root, other];
      const asking = await agent({ cwd: outside, client, roots: () => opened });
      const files = async (given: object) => {
        const answer = await data(asking, "context_query", { query: "book amounts", min_score: 0, ...given });
        if (answer.isError) return dataOf<{ error: { code: string } }>(answer).error.code;
        return dataOf<Document>(answer)
          .items.map(({ path }) => path)
          .sort();
      };
      expect(await files({})).toContain("src/ledger.ts");
      expect(await files({})).not.toContain("other.md");
      expect(await files({ project: other })).toEqual(["other.md"]);
      expect(await files({ project: "src" })).toContain("src/ledger.ts");
      expect(await files({ project: outside })).toBe("outside-root");
      expect(await files({ project: "../.." })).toBe("outside-root");
      expect(await files({ project: "nothing" })).toBe("unknown-workspace");
      opened = [other];
      await asking.sendRootsListChanged?.().catch(() => undefined);
      await expect.poll(() => files({})).toEqual(["other.md"]);
      rmSync(other, { recursive: true, force: true });
    });
  }

  it("may be none: then the folder that was named, or the one at hand", async () => {
    const outside = folder({ "secret.md": "# Amount\n" });
    const named = await agent({ cwd: outside, args: ["-C", root] });
    const answer = await call(named, "context_query", { query: "book amounts", min_score: 0 });
    expect(textOf(answer)).toContain("bookAmount");
    expect(dataOf(await call(named, "context_query", { query: "amount", project: outside }))).toMatchObject({
      error: { code: "outside-root" },
    });
  });
});
