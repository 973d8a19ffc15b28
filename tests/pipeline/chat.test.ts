import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { cited, context, contextStats, feedback, primeContext, why } from "../../src/index.ts";
import type { NewMessage } from "../../src/stores/library.ts";
import { openWorkspace, type Workspace } from "../../src/workspace/workspace.ts";
import { folder } from "../workspace.ts";

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

  it("can be asked as of an earlier message: nothing is in it that was said from there on", async () => {
    const { workspace, thread } = await chatWorkspace();
    const { text, stats } = await ask(workspace, { message: "Who approves refunds?", thread, before: "4" });
    expect(text).toContain("On the first day of every month.");
    expect(text).not.toContain("Grace approves them");
    expect(text).not.toContain("Small talk");
    expect(stats.historyCount).toBe(3);
    const first = await ask(workspace, { message: "How often do we send invoices?", thread, before: "1" });
    expect(first.stats.historyCount).toBe(0);
    await expect(ask(workspace, { message: "x", before: "1" })).rejects.toMatchObject({ code: "bad-input" });
    await expect(ask(workspace, { message: "x", thread, before: "99" })).rejects.toMatchObject({ code: "not-found" });
  });

  it.each(["ok", "Good morning!", "👍", "yes, do that", "merci beaucoup"])(
    "brings the thread to %j and no documents but what is named",
    async (message) => {
      const { workspace, thread } = await chatWorkspace();
      const { stats, text } = await ask(workspace, { message, thread });
      expect(stats).toMatchObject({ explicitCount: 0, searchCount: 0 });
      expect(stats.historyCount).toBeGreaterThan(0);
      expect(text).toContain("Small talk number 29");
      const named = await ask(workspace, { message: `${message} @garden.md`, thread });
      expect(named.text).toContain("Tomatoes");
      expect(named.stats).toMatchObject({ explicitCount: 1, searchCount: 0 });
    },
  );

  it("leaves out documents that match much less than the best, however much room there is", async () => {
    const { workspace, thread } = await chatWorkspace();
    const library = await workspace.library();
    const content = "# Summer party\n\nInvoices of the caterer are sent to Ada, games are in the yard.\n";
    await library.putDocument(workspace.owner, { path: "party.md", content, at: monday });
    const message = "On which day of the month are invoices sent, and how long do refunds take?";
    const { text } = await ask(workspace, { message, thread });
    expect(text).toContain("Refunds take a week");
    expect(text).not.toContain("caterer");
    expect((await ask(workspace, { message: "invoices of the caterer", thread })).text).toContain("caterer");
  });

  it("says once who said a thing, and which thread it is of only where several were asked", async () => {
    const { workspace, thread } = await chatWorkspace();
    const asked = { query: "who approves refunds?", path: workspace.root, sources: ["message" as const] };
    const inAll = await context(asked, { workspace });
    const inOne = await context({ ...asked, thread }, { workspace });
    expect(inAll.text).toMatch(/\*\*Message\*\* \d{4}-\d\d-\d\d in Billing questions \[msg-/);
    expect(inOne.text).toMatch(/\*\*Message\*\* \d{4}-\d\d-\d\d \[msg-/);
    expect(inOne.text).toContain("assistant: Grace approves them");
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

  it("prints of a long document that is referred to what the message is about, not what is short", async () => {
    const { workspace, thread } = await chatWorkspace();
    const library = await workspace.library();
    const filler = (i: number) =>
      Array.from(
        { length: 40 },
        (_, n) => `Boat ${n * 7 + i * 300} of berth ${n * i} pays ${n + i} coins at noon.`,
      ).join(" ");
    const sections = Array.from({ length: 20 }, (_, i) =>
      i === 13
        ? `## Crane\n\n${"The crane lifts forty tonnes, and its brake is tested on Fridays. ".repeat(26)}\n`
        : `## Pier ${i}\n\n${i === 4 ? "Closed." : filler(i)}\n`,
    );
    await library.putDocument(workspace.owner, { path: "harbour.md", content: sections.join("\n"), at: monday });
    const message = "How is the brake of the crane tested? See @harbour.md";
    const small = await ask(workspace, { message, thread, maxTokens: 900 });
    expect(small.items[0]).toMatchObject({ type: "reference", source: "harbour.md" });
    expect(small.items[0]!.content).toContain("its brake is tested on Fridays");
    expect(small.items[0]!.tokens).toBeGreaterThan(200);
    expect(small.totalTokens).toBeLessThanOrEqual(400);
    // Two references: each has its best part.
    const both = await ask(workspace, { message: `${message} and @billing.md`, thread, maxTokens: 900 });
    const named = both.items.filter(({ type }) => type === "reference");
    expect(new Set(named.map(({ source }) => source))).toEqual(new Set(["harbour.md", "docs/billing.md"]));
    expect(named.find(({ source }) => source === "harbour.md")!.content).toContain("brake is tested");
    // With more room all of it comes in, the most relevant first, before anything that was only found.
    const large = await ask(workspace, { message, thread, maxTokens: 4000 });
    const whole = large.items.filter(({ content }) => content !== "");
    expect(whole.filter(({ type }) => type === "reference").length).toBeGreaterThanOrEqual(4);
    expect(large.items[0]!.content).toContain("brake is tested");
    // What they leave is not wasted on their names: what was said is read.
    for (const { type, content } of large.items) if (type === "message") expect(content).not.toBe("");
    expect(large.tokens.fill).toBeGreaterThan(0.95);
  });

  it("finds the relevant part of a document too long to be looked at as a whole", async () => {
    const { workspace, thread } = await chatWorkspace();
    const library = await workspace.library();
    const page = (i: number) =>
      Array.from({ length: 30 }, (_, n) => `Watch ${n} of day ${i} saw ${n * i} gulls and wind ${i + n}.`).join(" ");
    const content = Array.from(
      { length: 150 },
      (_, i) => `## Log ${i}\n\n${page(i)} ${i === 120 ? "The anchor was lost." : ""}\n`,
    );
    await library.putDocument(workspace.owner, { path: "log.md", content: content.join("\n"), at: monday });
    const context = await ask(workspace, { message: "@log.md where was the anchor lost?", thread, maxTokens: 1500 });
    expect(context.items[0]!.content).toContain("The anchor was lost.");
  });

  it("prints an answered question once, with its answer", async () => {
    const { workspace, thread } = await chatWorkspace();
    const question = "who approves refunds above 500 euros?";
    const context = await ask(workspace, { message: "Who approves refunds?", thread });
    expect(context.text.split(question)).toHaveLength(2);
    const answer = context.items.find(({ content }) => content.includes("Grace approves"))!;
    expect(answer.content).toBe(`user: And ${question}\nassistant: Grace approves them, since the audit.`);
    const library = await workspace.library();
    const [, , asked] = await library.messages(workspace.owner, thread, { from: 1, limit: 3 });
    expect(context.excluded).toContainEqual(
      expect.objectContaining({ id: asked!.id, reason: "duplicate", by: answer.id }),
    );
    // Named by hand, it is printed for itself.
    const named = await ask(workspace, { message: "Who approves refunds?", thread, references: [asked!.id] });
    expect(named.items[0]).toMatchObject({ id: asked!.id, type: "reference" });
    expect(named.text.split(question)).toHaveLength(2);
    expect(named.items.find(({ id }) => id === answer.id)!.content).toBe(
      "assistant: Grace approves them, since the audit.",
    );
  });

  it("finds what was said at a time, by its date or by how long ago it was", async () => {
    const { workspace } = await chatWorkspace();
    const library = await workspace.library();
    const { id: thread } = await library.createThread(workspace.owner, { title: "Diary", at: monday });
    // At noon, so that the day does not end while the test runs.
    const now = Date.UTC(2026, 9, 21, 12);
    vi.useFakeTimers({ toFake: ["Date"], now });
    onTestFinished(() => void vi.useRealTimers());
    await library.addMessages(workspace.owner, thread, [
      said("user", "The kettle is broken", now - 40 * day),
      said("user", "Rosa comes on Tuesday", now - day),
      ...Array.from({ length: 12 }, (_, i) => said("user", `Nothing new, part ${i}`, now - 1000 + i)),
    ]);
    await library.addMessages(workspace.owner, thread, [
      said("user", "We painted the fence", Date.UTC(2026, 2, 12, 10)),
      ...Array.from({ length: 12 }, (_, i) => said("user", `Back to today, part ${i}`, now + i)),
    ]);
    const first = async (message: string, within?: string) =>
      (await ask(workspace, { message, ...(within ? { thread: within } : {}) })).items[0]?.content;
    for (const within of [thread, undefined]) {
      expect(await first("what did we say yesterday?", within)).toBe("user: Rosa comes on Tuesday");
      expect(await first("12 March 2026", within)).toBe("user: We painted the fence");
      const date = new Date(now - 40 * day).toISOString().slice(0, 10);
      expect(await first(`What happened on ${date}?`, within)).toBe("user: The kettle is broken");
    }
    // Words count as well.
    const both = await ask(workspace, { message: "was the kettle broken on 12 March 2026?", thread });
    expect(both.text).toContain("The kettle is broken");
    expect(both.text).toContain("We painted the fence");
    const again = await ask(workspace, { message: "what did we say yesterday?", thread });
    expect(again.cached).toBe(true);
    expect((await ask(workspace, { message: "what did we say in 1999?", thread })).items[0]?.content).not.toContain(
      "Rosa",
    );
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
    const library = await workspace.library();
    await library.putDocument(workspace.owner, { path: ".env", content: "PASSWORD=zanzibar", at: monday });
    const named = await ask(workspace, {
      message: "refunds @.env",
      references: ["doc-0000000000000", "thr-0000000000000", "msg-0000000000000", "garden.md"],
    });
    expect(named.warnings).toEqual([
      "@.env has nothing to show.",
      "doc-0000000000000 has nothing to show.",
      "thr-0000000000000 has nothing to show.",
      "msg-0000000000000 has nothing to show.",
    ]);
    expect(named.items[0]).toMatchObject({ source: "garden.md", type: "reference" });
    expect(named.text).not.toContain("zanzibar");
  });

  it("knows a thread by its title, and refuses one that is not there", async () => {
    const { workspace, thread } = await chatWorkspace();
    const message = "Who approves refunds?";
    const byTitle = await ask(workspace, { message, thread: "billing questions" });
    expect(byTitle.text).toBe((await ask(workspace, { message, thread })).text);
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
    const explanation = await why(
      { query: message, item: before.id, recipe: "chat", thread, path: workspace.root, minScore: 0 },
      { workspace },
    );
    expect(explanation.because?.usage).toBeGreaterThan(0);
    await library.undoUsage(workspace.owner, [event!.id]);
    expect((await relevanceOf()).relevance).toBe(before.relevance);
  });

  it("takes what is said of a document for its chunks", async () => {
    const { workspace, thread, ids } = await chatWorkspace();
    const message = "refunds";
    const billing = async () =>
      (await ask(workspace, { message, thread })).items.find(({ source }) => source === "docs/billing.md")!;
    const before = await billing();
    const path = workspace.root;
    const reply = await feedback({ item: ids["docs/billing.md"]!, useful: true, path }, { workspace });
    const useful = await billing();
    expect(useful.because.usage).toBeGreaterThan(0);
    await cited({ text: `A week [${ids["docs/billing.md"]}] [${before.id}].`, path }, { workspace });
    expect((await billing()).because.usage).toBeGreaterThan(useful.because.usage!);
    const explanation = await why(
      { query: message, item: before.id, recipe: "chat", thread, path, minScore: 0 },
      { workspace },
    );
    expect(explanation.because?.usage).toBeCloseTo((await billing()).because.usage!, 9);
    await feedback({ undo: [reply.event!], path }, { workspace });
    expect((await billing()).because.usage).toBeLessThan(useful.because.usage!);
  });
});
