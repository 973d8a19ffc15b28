import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { primeContext } from "../../index.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";

const words = ["crane", "harbour", "refund", "invoice", "lantern", "ledger", "quay", "bollard"];
const sentence = (seed: number, length: number) =>
  `${Array.from({ length }, (_, i) => words[(seed * 7 + i * i) % words.length]).join(" ")} ${seed}.`;

type Kept = { documents: number; turns: number[]; named: number };

/** `turns`: words of each, in their order. The first `named` documents are referred to. */
async function kept({ documents, turns, named }: Kept): Promise<{ workspace: Workspace; thread: string }> {
  const workspace = await openWorkspace(folder({}));
  onTestFinished(() => workspace.close());
  const { owner } = workspace;
  const library = await workspace.library();
  const { id: thread } = await library.createThread(owner, { title: "Harbour", at: 1 });
  for (let n = 0; n < documents; n++) {
    const content = `# Crane ${n}\n\n${Array.from({ length: 12 }, (_, i) => sentence(n + i, 9)).join("\n")}\n`;
    const { id: target } = await library.putDocument(owner, { path: `docs/${n}.md`, content, at: n });
    if (n < named) {
      const reference = { kind: "document", target, source: "user-added", priority: 0.5, at: 1 } as const;
      await library.addReference(owner, thread, reference);
    }
  }
  const messages = turns.map((length, i) => ({
    role: i % 2 ? ("assistant" as const) : ("user" as const),
    blocks: [{ type: "text" as const, text: `Turn ${i} ${sentence(i, length)}` }],
    at: i,
  }));
  await library.addMessages(owner, thread, messages);
  return { workspace, thread };
}

const anyLibrary = fc.record({
  documents: fc.integer({ min: 0, max: 30 }),
  turns: fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 30 }),
  named: fc.integer({ min: 0, max: 4 }),
});

describe("the budget of a chat", () => {
  it("is never exceeded; what is printed has text; the last turn is there whatever else there is", async () => {
    await fc.assert(
      fc.asyncProperty(anyLibrary, fc.integer({ min: 64, max: 3000 }), async (library, maxTokens) => {
        const { workspace, thread } = await kept(library);
        const message = "Which crane of the harbour needs a refund?";
        const asked = { message, thread, maxTokens, reserve: 0, path: workspace.root };
        const { items, totalTokens, excluded } = await primeContext(asked, { workspace });
        expect(totalTokens).toBeLessThanOrEqual(maxTokens);
        for (const { content } of items) expect(content.trim()).not.toBe("");
        const ids = items.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        for (const { id } of excluded) expect(ids).not.toContain(id);
        if (maxTokens >= 600) {
          const last = `Turn ${library.turns.length - 1} `;
          expect(items.some(({ content }) => content.includes(last))).toBe(true);
        }
      }),
      { numRuns: 12 },
    );
  });

  it("gives the conversation its part beside documents that would fill all of it, and the rest to them", async () => {
    const { workspace, thread } = await kept({ documents: 40, turns: Array(30).fill(40), named: 0 });
    const asked = { message: "Which crane of the harbour?", thread, maxTokens: 2000, reserve: 0, path: workspace.root };
    const { items, totalTokens } = await primeContext(asked, { workspace });
    const tokens = (type: string) =>
      items
        .filter((item) => (item.type === "message") === (type === "message"))
        .reduce((sum, { tokens }) => sum + tokens, 0);
    expect(tokens("message")).toBeGreaterThan(0.25 * 2000);
    expect(tokens("document")).toBeGreaterThan(0.4 * 2000);
    expect(totalTokens).toBeGreaterThan(0.9 * 2000);
  });

  it("gives all of it to the conversation where there is nothing else", async () => {
    const { workspace, thread } = await kept({ documents: 0, turns: Array(40).fill(60), named: 0 });
    const asked = { message: "Which crane of the harbour?", thread, maxTokens: 2000, reserve: 0, path: workspace.root };
    const { totalTokens, stats } = await primeContext(asked, { workspace });
    expect(stats.searchCount).toBe(0);
    expect(totalTokens).toBeGreaterThan(0.9 * 2000);
  });
});
