import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { bearer, post, type RunningServer, start } from "./http-server.ts";

/** The service as an application uses it, with a conversation among many documents. */
type Item = { id: string; type: string; content: string; level: string; source: string; relevance: number };
type Context = {
  contextId: string;
  items: (Item & { metadata: { matchedKeywords: string[] } })[];
  citations: { id: string; itemId: string; source: string; usedInResponse: boolean }[];
  excluded: { id: string; reason: string }[];
  stats: { explicitCount: number; searchCount: number; historyCount: number; excludedCount: number };
  confidence: number;
  text: string;
  tokens: { used: number; budget: number };
};

type Chat = { running: RunningServer; thread: string; secret: string; headers: Record<string, string>; call: Call };
type Call = (operation: string, input: object) => Promise<Record<string, never>>;

const topics = [
  "refund",
  "invoice",
  "deploy",
  "budget",
  "release",
  "contract",
  "garden",
  "meeting",
  "printer",
  "travel",
];

/** Long enough that documents alone fill the budget twice, about what the conversation is about. */
function documentAbout(topic: string, n: number): string {
  const lines = Array.from(
    { length: 8 },
    (_, i) =>
      `The ${topic} of case ${n * 10 + i} was decided by the committee, and the ${topic} plan asked for colour ${i}.`,
  );
  return `# The ${topic} ${n}\n\n${lines.join("\n")}\n`;
}

const turns = [
  ["user", "Which colour did we decide on for the refund button?"],
  ["assistant", "Heliotrope, because the committee found teal too calm."],
  ...Array.from({ length: 30 }, (_, i) => [i % 2 ? "assistant" : "user", `Turn ${i} about the meeting and its lunch`]),
  ["user", "Who brings the projector to the meeting on Thursday?"],
  ["assistant", "Ottoline does, from the cellar."],
] as const;

async function chat(documents = 200, files: Record<string, string> = {}): Promise<Chat> {
  const running = await start({ files });
  const secret = await running.key("mia", "write");
  const headers = bearer(secret);
  const call: Call = async (operation, input) => {
    const { status, text, json } = await post(`${running.url}/v1/${operation}`, input, headers);
    if (status !== 200) throw new Error(`${operation}: ${status} ${text}`);
    return json;
  };
  const library = await running.workspace.library();
  for (let n = 0; n < documents; n++) {
    const topic = topics[n % topics.length]!;
    await library.putDocument("mia", { path: `${topic}/${n}.md`, content: documentAbout(topic, n), at: 1000 + n });
  }
  const made = (await call("thread", { step: "create", title: "Decisions" })) as unknown as { thread: { id: string } };
  const messages = turns.map(([role, content]) => ({ role, content }));
  await call("say", { thread: made.thread.id, messages: JSON.stringify(messages) });
  return { running, thread: made.thread.id, secret, headers, call };
}

async function build({ running, thread, headers }: Chat, message: string, more: object = {}): Promise<Context> {
  const answer = await post(`${running.url}/context/build`, { threadId: thread, message, ...more }, headers);
  expect(answer.status, answer.text).toBe(200);
  return (answer.json as unknown as { data: Context }).data;
}

const messagesIn = ({ items }: Context) => items.filter(({ type }) => type === "message").map(({ content }) => content);

describe("a conversation among 200 documents", () => {
  let open: Chat;
  beforeAll(async () => {
    open = await chat();
  });
  afterAll(() => open.running.close());

  it("prints the message that answers with its text, and the last turns", async () => {
    const context = await build(open, "Which colour did the committee decide on for the refund button?");
    expect(messagesIn(context).join("\n")).toContain("Heliotrope");
    expect(messagesIn(context).join("\n")).toContain("Ottoline does, from the cellar.");
    expect(context.stats.searchCount).toBeGreaterThan(0);
  });

  it.each([600, 800, 1500, 4000])("prints no item without its text within %i tokens", async (maxTokens) => {
    const { items, excluded, tokens } = await build(open, "Which refund and invoice plans did we decide?", {
      maxTokens,
    });
    expect(items.length).toBeGreaterThan(0);
    for (const { content, level } of items) {
      expect(content).not.toBe("");
      expect(["full", "elided", "signature"]).toContain(level);
    }
    for (const { reason } of excluded) expect(reason).not.toBe("");
    expect(tokens.used).toBeLessThanOrEqual(maxTokens - 500);
  });

  it("brings the last turns to a question about them", async () => {
    const context = await build(open, "what was the last thing I asked?");
    expect(messagesIn(context).join("\n")).toContain("Who brings the projector");
    expect(context.stats).toMatchObject({ searchCount: 0 });
  });

  it.each(["ok", "good morning", "How do I feed a sourdough starter in a cold kitchen?"])(
    "brings the recent turns to %j and nothing else",
    async (message) => {
      const context = await build(open, message);
      expect(context.stats).toMatchObject({ explicitCount: 0, searchCount: 0 });
      const texts = messagesIn(context);
      expect(texts.length).toBeGreaterThan(3);
      expect(texts.length).toBeLessThanOrEqual(10);
      expect(texts.join("\n")).toContain("Ottoline does, from the cellar.");
      expect(texts.join("\n")).not.toContain("Heliotrope");
      expect(context.confidence).toBeLessThan(1 / 3);
    },
  );

  it("counts what was retrieved, printed or not", async () => {
    const { stats, items, excluded } = await build(open, "Which refund plan did we decide on?", { maxTokens: 800 });
    const { explicitCount, searchCount, historyCount, excludedCount } = stats;
    expect(excludedCount).toBe(excluded.length);
    expect(explicitCount + searchCount + historyCount).toBe(items.length + excluded.length);
    expect(searchCount).toBeGreaterThan(items.filter(({ type }) => type !== "message").length);
  });

  it("says in XML what it says whether or not a document was opened", async () => {
    const asked = { format: "xml", maxTokens: 1500 };
    const before = await build(open, "Which refund plan did we decide on?", asked);
    const source = before.items.find(({ type }) => type !== "message")!.source;
    await open.call("get_document", { document: source });
    const { text } = await build(open, "Which refund plan did we decide on?", asked);
    expect(text).toContain(source);
    expect(text).not.toContain("accessed");
  });

  it("completes a misspelt mention", async () => {
    const { mentions } = (await open.call("mentions", { prefix: "@refnud/100" })) as unknown as {
      mentions: { label: string }[];
    };
    expect(mentions[0]!.label).toBe("refund/100.md");
  });

  it("finds no keyword in a word that every text has", async () => {
    const { items } = await build(open, "What was the refund of the case that we decided on?");
    const keywords = new Set(items.flatMap(({ metadata }) => metadata.matchedKeywords));
    for (const word of ["the", "was", "what", "that", "of", "we"]) expect(keywords).not.toContain(word);
    expect(keywords).toContain("refund");
  });

  it("leaves out what scores less than asked for, and says how sure it is", async () => {
    const message = "Which colour did the committee decide on for the refund button?";
    const all = await build(open, message);
    const strict = await build(open, message, { minScore: 0.5 });
    expect(all.confidence).toBeGreaterThan(1 / 3);
    expect(strict.items.length).toBeLessThan(all.items.length);
    for (const { type, relevance } of strict.items)
      if (type !== "reference") expect(relevance).toBeGreaterThanOrEqual(0.5);
  });
});

describe("citations of a reply", () => {
  let open: Chat;
  beforeAll(async () => {
    open = await chat(20);
  });
  afterAll(() => open.running.close());

  it("are listed and marked by one call, and used in that context from then on", async () => {
    const message = "Which colour did the committee decide on for the refund button?";
    const before = await build(open, message);
    expect(before.citations.every(({ usedInResponse }) => !usedInResponse)).toBe(true);
    const answer = before.items.find(({ content }) => content.includes("Heliotrope"))!;
    const { id } = before.citations.find(({ itemId }) => itemId === answer.id)!;
    const client = createClient({ url: open.running.url, key: open.secret });
    const counted = await client.cited({ text: `Heliotrope ${id}.`, context: before.contextId });
    expect(counted.sources).toContain("\n\n---\nSources:\n");
    expect(counted.sources).toContain(`${id}: Decisions - `);
    expect(counted.citations).toMatchObject([{ id, itemId: answer.id, source: "Decisions", usedInResponse: true }]);
    const after = await build(open, message);
    expect(after.contextId).toBe(before.contextId);
    expect(after.citations.filter(({ usedInResponse }) => usedInResponse).map((each) => each.id)).toEqual([id]);
    const other = await build(open, "Who brings the projector?");
    expect(other.citations.every(({ usedInResponse }) => !usedInResponse)).toBe(true);
    // Taken back, it is not used any more.
    await client.feedback({ undo: [counted.cited[0]!.event] });
    expect((await build(open, message)).citations.every(({ usedInResponse }) => !usedInResponse)).toBe(true);
  });

  it("can be called useful, and that be taken back by the event that is answered", async () => {
    const { items } = await build(open, "Who brings the projector?");
    const url = `${open.running.url}/context/feedback`;
    const rating = await post(url, { contextItemId: items[0]!.id, useful: true }, open.headers);
    const { success, event } = rating.json as unknown as { success: boolean; event: string };
    expect(success).toBe(true);
    const undone = await post(`${open.running.url}/v1/feedback`, { undo: [event] }, open.headers);
    expect(undone.json).toMatchObject({ undone: 1 });
  });

  it("list nothing where the reply cites nothing", async () => {
    const client = createClient({ url: open.running.url, key: open.secret });
    expect(await client.cited({ text: "I do not know." })).toMatchObject({ citations: [], sources: "", cited: [] });
    expect(JSON.stringify({ client })).toBe('{"client":{}}');
  });

  it("need a budget above what the prompt takes", async () => {
    const { thread, headers, running } = open;
    const asked = { threadId: thread, message: "ok", maxTokens: 1000, reserve: 1200 };
    const { status, json } = await post(`${running.url}/context/build`, asked, headers);
    expect(status).toBe(400);
    expect(json.error.message).toContain("reserve 1200 is more than maxTokens 1000");
  });
});

describe("files of the workspace", () => {
  const files = {
    "src/retry.ts":
      "/** Waits longer after each failed attempt. */\nexport function retryWithBackoff(attempts: number): number {\n  return 2 ** attempts;\n}\n",
    "docs/lantern.md": "# Lantern\n\nThe lantern battery is charged on Sundays in the boiler room.\n",
  };
  let open: Chat;
  beforeAll(async () => {
    open = await chat(20, files);
  });
  afterAll(() => open.running.close());

  it("take part in a build", async () => {
    const code = await build(open, "What does retryWithBackoff do?");
    expect(code.items.map(({ source }) => source)).toContain("src/retry.ts");
    const text = await build(open, "When is the lantern battery charged?");
    const printedItem = text.items.find(({ source }) => source === "docs/lantern.md")!;
    expect(printedItem).toMatchObject({ type: "file" });
    expect(printedItem.content).toContain("charged on Sundays");
    expect(text.citations.find(({ itemId }) => itemId === printedItem.id)).toMatchObject({ type: "file" });
  });

  it("stay out of what they have nothing to do with", async () => {
    const { items } = await build(open, "Who brings the projector to the meeting?");
    expect(items.filter(({ source }) => source in files)).toEqual([]);
  });
});

describe("what is named", () => {
  let open: Chat;
  beforeAll(async () => {
    open = await chat(20);
    const { call } = open;
    const created = (await call("thread", { step: "create", title: "Harbour plans" })) as unknown as {
      thread: { id: string };
    };
    const turns = [
      { role: "user", content: "Which crane shall we buy?" },
      { role: "assistant", content: "We decided on the yellow one." },
      ...Array.from({ length: 8 }, (_, i) => ({ role: "user", content: `Note ${i} about bollards` })),
    ];
    await call("say", { thread: created.thread.id, messages: JSON.stringify(turns) });
    await call("put_document", { document: "harbour/map.md", content: "# Map\n\nThe quay is 90 metres long.\n" });
    await call("put_document", { document: "low.md", content: "# Low\n\nThis one matters least.\n" });
    await call("put_document", { document: "high.md", content: "# High\n\nThis one matters most.\n" });
    await call("references", { step: "add", thread: created.thread.id, kind: "document", target: "harbour/map.md" });
    for (const [target, priority] of [
      ["low.md", 0.2],
      ["high.md", 0.9],
    ] as const) {
      await call("references", { step: "add", thread: open.thread, kind: "document", target, priority });
    }
  });
  afterAll(() => open.running.close());

  it("brings of a thread its summary, its last five messages and its files", async () => {
    const { items, text } = await build(open, 'What about @"Harbour plans"?');
    const named = items.filter(({ type }) => type === "reference").map(({ content }) => content);
    const summary = named.find((content) => content.startsWith("Summary of the thread"))!;
    expect(summary).toContain("First question: user: Which crane shall we buy?");
    expect(summary).toContain("Decided: We decided on the yellow one.");
    expect(summary).toContain("Last turn: user: Note 7 about bollards");
    for (let i = 3; i < 8; i++) expect(named).toContain(`user: Note ${i} about bollards`);
    expect(named).not.toContain("user: Note 2 about bollards");
    expect(text).toContain("The quay is 90 metres long.");
  });

  it("stands in the order of its priority, whatever it says", async () => {
    const { items } = await build(open, "Who matters least?");
    const named = items.filter(({ type }) => type === "reference").map(({ source }) => source);
    expect(named).toEqual(["high.md", "low.md"]);
  });
});
