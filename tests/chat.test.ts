import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it, onTestFinished } from "vitest";
import { contextStats, primeContext, why } from "../src/index.ts";
import type { NewMessage } from "../src/stores/library.ts";
import { openWorkspace, type Workspace } from "../src/workspace.ts";
import { folder } from "./workspace.ts";

const day = 24 * 60 * 60 * 1000;
const monday = Date.UTC(2026, 2, 2, 9);

const documents = {
  "docs/setup.md": "# Setup\n\nInstall the ledger with `make ledger`. The ledger needs PostgreSQL 17.\n",
  "docs/billing.md": "# Billing\n\nInvoices are sent on the first day of the month. Refunds take a week.\n",
  "docs/knowledge.md": "# Knowledge base\n\nArticles are written by support and reviewed by engineering.\n",
  "garden.md": "# Garden\n\nTomatoes want water every other day.\n",
};

function said(role: NewMessage["role"], text: string, at: number): NewMessage {
  return { role, blocks: [{ type: "text", text }], at };
}

const conversation: NewMessage[] = [
  said("user", "How often do we send invoices?", monday),
  said("assistant", "On the first day of every month.", monday + 1000),
  said("user", "And who approves refunds above 500 euros?", monday + 2000),
  said("assistant", "Grace approves them, since the audit.", monday + 3000),
  ...Array.from({ length: 30 }, (_, i) =>
    said(i % 2 ? "assistant" : "user", `Small talk number ${i} about lunch`, monday + day + i * 1000),
  ),
];

async function chatWorkspace(): Promise<{ workspace: Workspace; thread: string; ids: Record<string, string> }> {
  const workspace = await openWorkspace(folder({}));
  onTestFinished(() => workspace.close());
  const library = await workspace.library();
  const ids: Record<string, string> = {};
  for (const [path, content] of Object.entries(documents)) {
    ids[path] = (await library.putDocument(workspace.owner, { path, content, at: monday })).id;
  }
  const { id: thread } = await library.createThread(workspace.owner, { title: "Billing questions", at: monday });
  await library.addMessages(workspace.owner, thread, conversation);
  return { workspace, thread, ids };
}

function ask(workspace: Workspace, input: Parameters<typeof primeContext>[0]) {
  return primeContext({ path: workspace.root, ...input }, { workspace });
}

describe("the context of the next message", () => {
  it("brings documents, and what was said before, with citations that are in the text", async () => {
    const { workspace, thread } = await chatWorkspace();
    const context = await ask(workspace, { message: "Who approves refunds?", thread });
    expect(context.text).toContain("Grace approves them");
    expect(context.text).toContain("Refunds take a week");
    expect(context.items.map(({ type }) => type)).toEqual(expect.arrayContaining(["file", "message"]));
    for (const { id } of context.citations) expect(context.text).toContain(id);
    expect(context.stats.historyCount).toBeGreaterThanOrEqual(10);
    expect(context.text).not.toContain("Tomatoes");
  });

  it("counts exactly, and never exceeds what the prompt leaves", async () => {
    const { workspace, thread } = await chatWorkspace();
    for (const maxTokens of [700, 1000, 4000]) {
      const { text, totalTokens, tokens } = await ask(workspace, {
        message: "refunds and invoices",
        thread,
        maxTokens,
      });
      expect(countTokens(text)).toBe(totalTokens);
      expect(totalTokens).toBeLessThanOrEqual(maxTokens - 500);
      expect(tokens.budget).toBe(maxTokens - 500);
    }
  });

  it("puts what is referred to above all else, and never drops it", async () => {
    const { workspace, thread, ids } = await chatWorkspace();
    const library = await workspace.library();
    await library.addReference(workspace.owner, thread, {
      kind: "document",
      target: ids["garden.md"]!,
      source: "user-added",
      priority: 1,
      at: monday,
    });
    const context = await ask(workspace, { message: "Who approves refunds? See @setup.md", thread });
    const explicit = context.items.filter(({ type }) => type === "reference");
    expect(explicit.map(({ source }) => source).sort()).toEqual(["docs/setup.md", "garden.md"]);
    for (const { relevance } of explicit) expect(relevance).toBeGreaterThanOrEqual(0.8);
    for (const { type, relevance } of context.items) {
      if (type === "message") expect(relevance).toBeLessThanOrEqual(0.6);
      if (type === "file" || type === "chunk") expect(relevance).toBeLessThanOrEqual(0.8);
    }
    const small = await ask(workspace, { message: "Who approves refunds? See @setup.md", thread, maxTokens: 640 });
    expect(
      small.items
        .filter(({ type }) => type === "reference")
        .map(({ source }) => source)
        .sort(),
    ).toEqual(["docs/setup.md", "garden.md"]);
  });

  it("finds what is misspelt", async () => {
    const { workspace } = await chatWorkspace();
    const context = await ask(workspace, { message: "knowlege base" });
    expect(context.items[0]?.source).toBe("docs/knowledge.md");
  });

  it("says what a mention does not find", async () => {
    const { workspace } = await chatWorkspace();
    const { warnings } = await ask(workspace, { message: "what does @nowhere.md say of refunds?" });
    expect(warnings).toContain("@nowhere.md names nothing that is stored here.");
  });

  it("refuses a thread that is not there", async () => {
    const { workspace } = await chatWorkspace();
    await expect(ask(workspace, { message: "hello", thread: "thr-nothing" })).rejects.toMatchObject({
      code: "not-found",
    });
  });

  it("is remembered until something it was made from changes", async () => {
    const { workspace, thread, ids } = await chatWorkspace();
    const library = await workspace.library();
    const message = "Who approves refunds?";
    const first = await ask(workspace, { message, thread });
    const again = await ask(workspace, { message, thread });
    expect([first.cached, again.cached]).toEqual([false, true]);
    expect(again.text).toBe(first.text);
    expect((await ask(workspace, { message: "Who sends invoices?", thread })).cached).toBe(false);
    await library.addMessages(workspace.owner, thread, [said("user", "Linus approves refunds now", monday + 3 * day)]);
    const after = await ask(workspace, { message, thread });
    expect(after.cached).toBe(false);
    expect(after.text).toContain("Linus approves refunds now");
    await library.putDocument(workspace.owner, {
      path: "docs/billing.md",
      content: "# Billing\n\nRefunds take a day.\n",
      at: monday + 4 * day,
    });
    expect((await ask(workspace, { message, thread })).text).toContain("Refunds take a day.");
    await library.recordUsage(workspace.owner, [{ item: ids["docs/billing.md"]!, kind: "useful", at: monday }]);
    expect((await ask(workspace, { message, thread })).cached).toBe(false);
    const stats = await contextStats({ path: workspace.root }, { workspace });
    expect(stats.cache.hits).toBeGreaterThanOrEqual(1);
    expect(stats.library).toMatchObject({ documents: 4, threads: 1, messages: 35 });
  });

  it("learns from what proved useful, which why shows and undo takes back", async () => {
    const { workspace, thread } = await chatWorkspace();
    const library = await workspace.library();
    const message = "refunds";
    const relevanceOf = async () =>
      (await ask(workspace, { message, thread })).items.find(({ source }) => source === "docs/billing.md")!;
    const before = await relevanceOf();
    const [event] = await library.recordUsage(workspace.owner, [{ item: before.id, kind: "useful", at: monday + day }]);
    const after = await relevanceOf();
    expect(after.relevance).toBeGreaterThan(before.relevance);
    expect(after.because.usage).toBeGreaterThan(0);
    const told = await why(
      { query: message, item: before.id, recipe: "chat", thread, path: workspace.root, minScore: 0 },
      { workspace },
    );
    expect(told.because?.usage).toBeGreaterThan(0);
    await library.undoUsage(workspace.owner, [event!.id]);
    expect((await relevanceOf()).relevance).toBe(before.relevance);
  });
});
