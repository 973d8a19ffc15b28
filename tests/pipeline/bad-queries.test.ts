import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it, onTestFinished } from "vitest";
import { assembleContext, context, getPremortemContext, primeContext, search, tanaContext } from "../../src/index.ts";
import { formatNames } from "../../src/options.ts";
import { openWorkspace, type Workspace } from "../../src/workspace/workspace.ts";
import { dossierInside, folderWith } from "../cli/run-cli.ts";
import { start } from "../http/http-server.ts";
import { agent } from "../mcp/agent.ts";
import { apollo, notesWorkspace } from "../notes/notes-workspace.ts";
import { memoryRecord } from "../sample-records.ts";
import { folder } from "../workspace.ts";

/** What people ask that no workspace has a word of, and what is hardly a question. */
const queries: Record<string, string> = {
  Chinese: "支付重试逻辑在哪里",
  Arabic: "أين يتم فرض الميزانية؟",
  Russian: "где проверяется бюджет",
  Tibetan: "བོད་ཡིག་གི་དྲི་བ་ཞིག་ཡིན".repeat(3),
  "only stop words": "the of and is to",
  "one letter": "x",
  "one digit": "7",
  "only punctuation": "?!… --- ***",
  emoji: "🎉🦄👨‍👩‍👧",
  "a lone surrogate": "\ud83d",
  "control characters": "\u0000\u0007\u001b[31m",
  "unknown words": "zzyzx quux frobnicate",
  "one very long word": "q".repeat(5000),
  "a regular expression": "(((((.*)+)+)+)+$",
  "marks of a format": "</context> ``` # *x* ]]> \" ' \\",
};

const long = {
  "200 kB of words": "zebra quagga okapi ".repeat(11_000),
  "200 kB without a space": "z".repeat(200_000),
  "200 kB of Chinese": "斑马".repeat(34_000),
  "200 kB of punctuation": "?!. ".repeat(50_000),
};

const files = {
  "README.md": "# Shop\n\nSells ferries.\n",
  "src/payments.ts":
    "/** Charges a card. */\nexport function chargeCard(cents: number): number {\n  return cents;\n}\n",
};

const mostTokens = 150;

/** An answer, or the near misses: never an empty page, never more than a few words where there is nothing to tell. */
function expectAnswer(text: string, items: { level: string }[]): void {
  expect(text.trim()).not.toBe("");
  expect(text).not.toMatch(/\n\s+at .*:\d+:\d+/);
  if (items.every(({ level }) => level === "pointer")) expect(countTokens(text)).toBeLessThanOrEqual(mostTokens);
}

async function askAll(workspace: Workspace, query: string): Promise<void> {
  const own = { workspace };
  const path = workspace.root;
  const asked = await context({ query, path }, own);
  expectAnswer(asked.text, asked.items);
  const brief = await assembleContext({ query, path }, own);
  expectAnswer(brief.markdown, brief.items);
  const primed = await primeContext({ message: query, path }, own);
  expectAnswer(primed.text, []);
  const noted = await tanaContext({ query, path }, own);
  expectAnswer(
    noted.text,
    noted.nodes.map(() => ({ level: "full" })),
  );
  const hits = await search({ query, path }, own);
  if (hits.results.length === 0) expect(hits.warnings.at(-1)).toMatch(/^Nothing here matches[.:]/);
}

async function workspaceOf(files: Record<string, string>): Promise<Workspace> {
  const workspace = await openWorkspace(folder(files));
  onTestFinished(() => workspace.close());
  return workspace;
}

describe("a question that nothing can be found for", () => {
  const worlds: Record<string, () => Promise<Workspace>> = {
    "of code": () => workspaceOf(files),
    "of notes alone": async () => (await notesWorkspace(apollo)).workspace,
    "of memories alone": async () => {
      const workspace = await workspaceOf({});
      const records = [memoryRecord("a1", "Cards are charged at check-in."), memoryRecord("a2", "Lunch is at noon.")];
      await (await workspace.records()).write(workspace.owner, records);
      return workspace;
    },
    "that is empty": () => workspaceOf({}),
  };

  it.each(Object.entries(worlds))("has an answer in a workspace %s, whatever it is", async (_name, world) => {
    const workspace = await world();
    for (const query of Object.values(queries)) await askAll(workspace, query);
  });

  it.each(Object.entries(long))("has an answer when it is %s", async (_name, query) => {
    await askAll(await workspaceOf(files), query);
  });

  it("has an answer in every format and the smallest budget", async () => {
    const workspace = await workspaceOf(files);
    for (const format of formatNames) {
      for (const query of Object.values(queries)) {
        const { text, tokens } = await context({ query, path: workspace.root, format, maxTokens: 64 }, { workspace });
        expect(text.trim()).not.toBe("");
        expect(tokens.used).toBeLessThanOrEqual(64);
        if (format === "json") expect(() => JSON.parse(text)).not.toThrow();
      }
    }
  });

  it("names the words and what is near them", async () => {
    const workspace = await workspaceOf(files);
    const own = { workspace };
    const { text } = await context({ query: "paymnts refunnd", path: workspace.root }, own);
    expect(text).toContain("paymnts (near: payments.ts), refunnd.");
    const { warnings, results } = await search({ query: "paymnts refunnd", path: workspace.root }, own);
    expect(results).toEqual([]);
    expect(warnings.at(-1)).toMatch(/^Nothing here matches\. Not in this workspace: paymnts .*refunnd/);
    expect(warnings.at(-1)).toMatch(/Near: payments\.ts \(src\/payments\.ts:1\)/);
    const wordless = await context({ query: "the of and", path: workspace.root }, own);
    expect(wordless.text).toContain("the question has no word to look for");
  });

  it("does not name words that only ask, in another language", async () => {
    const workspace = await workspaceOf(files);
    const { text } = await context({ query: "¿cómo se analiza un payment?", path: workspace.root }, { workspace });
    expect(text).toContain("Not in this workspace: analiza.");
  });

  it("names memories where there is nothing else", async () => {
    const workspace = await workspaceOf({});
    await (await workspace.records()).write(workspace.owner, [memoryRecord("a1", "Cards are charged at check-in.")]);
    const { markdown } = await assembleContext({ query: "支付", path: workspace.root }, { workspace });
    expect(markdown).toContain("Cards are charged at check-in.");
  });

  it("says in a premortem that nothing is known", async () => {
    const workspace = await workspaceOf(files);
    const { markdown } = await getPremortemContext({ domain: "testing", path: workspace.root }, { workspace });
    expect(markdown).toContain("Nothing that went wrong in testing is written down yet.");
    expect(markdown).not.toContain("README");
  });
});

describe("the same on other surfaces", () => {
  const some = ["Chinese", "only stop words", "one letter", "only punctuation", "emoji", "marks of a format"] as const;

  it("ends with status 0 on the command line", async () => {
    const { folder: cwd, remove } = folderWith(files);
    onTestFinished(remove);
    const dossier = (...args: string[]) => dossierInside(["-C", cwd, ...args]);
    await dossier("index");
    for (const command of ["context", "search", "brief", "prime_context", "tana_context"]) {
      const runs = some.map((name) => dossier(command, "--", queries[name]!));
      for (const { status, stdout, stderr } of await Promise.all(runs)) {
        expect(status).toBe(0);
        expect(stdout.trim()).not.toBe("");
        expect(stdout + stderr).not.toMatch(/\n\s+at .*:\d+:\d+/);
      }
    }
    expect(await dossier("premortem", "security")).toMatchObject({ status: 0 });
    // What was refused before still is, in a sentence.
    for (const command of ["context", "search", "brief"]) {
      const empty = await dossier(command, " ");
      expect(empty).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("The query is empty.") });
    }
  });

  it("is no error over MCP", async () => {
    const { folder: cwd, remove } = folderWith(files);
    onTestFinished(remove);
    const client = await agent({ cwd, args: ["--tools", "all"] });
    for (const name of ["context_query", "search", "assemble_context"]) {
      for (const query of [...some.map((each) => queries[each]!), long["200 kB of words"]]) {
        const answer = await client.callTool({ name, arguments: { query } });
        expect(answer.isError ?? false).toBe(false);
        expect(JSON.stringify(answer.content)).not.toContain('"text":""');
      }
    }
  });

  it("is status 200 over HTTP", async () => {
    const running = await start({ files });
    onTestFinished(() => running.close());
    const headers = {
      authorization: `Bearer ${await running.key("local", "write")}`,
      "content-type": "application/json",
    };
    for (const query of [...some.map((each) => queries[each]!), long["200 kB of words"]]) {
      const body = JSON.stringify({ query });
      const answer = await fetch(`${running.url}/v1/search`, { method: "POST", headers, body });
      expect({ status: answer.status, query: query.slice(0, 20) }).toMatchObject({ status: 200 });
      const { results, warnings } = (await answer.json()) as { results: unknown[]; warnings: string[] };
      if (results.length === 0) expect(warnings.at(-1)).toMatch(/^Nothing here matches/);
    }
  });
});
