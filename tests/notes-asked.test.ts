import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { tanaContext } from "../src/index.ts";
import type { Workspace } from "../src/workspace.ts";
import { noteOf, notesWorkspace } from "./notes.ts";

type Input = Parameters<typeof tanaContext>[0];

function ask(workspace: Workspace, input: Input) {
  return tanaContext({ path: workspace.root, ...input }, { workspace });
}

describe("a long note that is asked for", () => {
  const sentences = Array.from(
    { length: 240 },
    (_, i) => `Paragraph ${i} of the handbook says how step ${i} is done here.`,
  );
  const long = noteOf("handbook", "Handbook", { text: sentences.join("\n\n") });
  const backlinks = Array.from({ length: 60 }, (_, i) =>
    noteOf(`b${i}`, `Meeting ${i} about the handbook`, {
      text: `In meeting ${i} we went through the handbook once more and changed a few of its many rules.`,
      references: ["handbook"],
    }),
  );

  it("comes first and is whole where it fits, before any of its backlinks", async () => {
    const { workspace } = await notesWorkspace([long, ...backlinks]);
    for (const format of ["markdown", "json"] as const) {
      const { nodes, text, meta } = await ask(workspace, { query: "Handbook", maxTokens: 8000, format });
      expect(nodes[0]).toMatchObject({ id: "handbook", score: 1 });
      expect(text).toContain("Paragraph 239 of the handbook");
      expect(text.indexOf("Paragraph 0 ")).toBeLessThan(text.indexOf("In meeting"));
      expect(nodes.length).toBeGreaterThan(1);
      expect(countTokens(text)).toBe(meta.tokens.used);
    }
  });

  it("is cut to fit where it does not, and still comes first", async () => {
    const { workspace } = await notesWorkspace([long, ...backlinks]);
    for (const maxTokens of [600, 1000, 2000, 4000]) {
      const { nodes, text, meta } = await ask(workspace, { query: "handbook", maxTokens });
      expect(nodes[0]?.id).toBe("handbook");
      expect(text).toContain("Paragraph 0 of the handbook");
      expect(text.indexOf("Paragraph 0 ")).toBeLessThan(text.search(/Meeting \d/) >>> 0);
      // Most of the room is its own.
      expect(countTokens(nodes[0]!.content)).toBeGreaterThan(maxTokens / 2);
      expect(meta.tokens.used).toBeLessThanOrEqual(maxTokens);
    }
  });
});

describe("what is asked for by a part of its name", () => {
  const project = noteOf("apollo", "Apollo", {
    tags: ["project"],
    fields: [{ name: "Status", values: [{ text: "active" }] }],
    parent: "home",
  });
  const lines = [
    noteOf("draft", "Apollo draft article for the launch", { parent: "apollo", order: 0 }),
    noteOf("post", "Post about the apollo launch on the apollo launch page", { parent: "apollo", order: 1 }),
    noteOf("other", "Nothing of it", { parent: "home", order: 9 }),
  ];

  it("is the thing before the lines that stand below it", async () => {
    const { workspace } = await notesWorkspace([noteOf("home", "Home"), project, ...lines]);
    const { nodes, text } = await ask(workspace, { query: "apollo launch" });
    expect(nodes[0]?.id).toBe("apollo");
    expect(nodes.slice(1, 3).map(({ id }) => id)).toEqual(expect.arrayContaining(["draft", "post"]));
    expect(nodes[1]).toMatchObject({ distance: 1, path: [{ name: "Apollo", type: "child" }] });
    expect(text.indexOf("Apollo #project")).toBeLessThan(text.indexOf("draft article"));
  });

  it("is the book before lines that quote it, with the field that answers and the author's own note", async () => {
    const quotes = Array.from({ length: 30 }, (_, i) =>
      noteOf(`q${i}`, `He wrote that the Lighthouse keeper wrote letter ${i} by the Lighthouse`, {
        parent: "log",
        order: i,
      }),
    );
    const { workspace } = await notesWorkspace([
      noteOf("log", "Reading log"),
      noteOf("book", "To the Lighthouse; A Novel", {
        tags: ["book"],
        parent: "log",
        fields: [{ name: "Author", values: [{ text: "Virginia Woolf", note: "pointer" }] }],
      }),
      // What the field points to is only a name; the author's node is another one of the same name.
      noteOf("pointer", "Virginia Woolf"),
      noteOf("woolf", "Virginia Woolf", {
        tags: ["author"],
        parent: "log",
        fields: [{ name: "Birth year", values: [{ text: "1882" }] }],
      }),
      ...quotes,
    ]);
    const { nodes, text, overflow } = await ask(workspace, { query: "who wrote the Lighthouse?" });
    expect(nodes[0]).toMatchObject({ id: "book", fields: { Author: "Virginia Woolf" } });
    expect(text).toContain("1882");
    expect([...nodes, ...overflow].map(({ id }) => id)).not.toContain("pointer");
    const born = await ask(workspace, { query: "when was Woolf born?" });
    expect(born.nodes[0]).toMatchObject({ id: "woolf", fields: { "Birth year": "1882" } });
    const named = await ask(workspace, { query: "Virginia Woolf" });
    expect(named.nodes[0]).toMatchObject({ id: "woolf", score: 1 });
  });

  it("takes the word of a tag as a hint", async () => {
    const { workspace } = await notesWorkspace([
      noteOf("ada", "Ada Lovelace", { tags: ["person"] }),
      noteOf("language", "Ada, the language", { tags: ["topic"] }),
      noteOf("open", "Paint the fence", { tags: ["task"], fields: [{ name: "Status", values: [{ text: "open" }] }] }),
      noteOf("closed", "Mow the lawn", { tags: ["task"], fields: [{ name: "Status", values: [{ text: "closed" }] }] }),
      noteOf("talk", "We talked of open tasks again", { parent: "ada" }),
    ]);
    const first = async (query: string) => (await ask(workspace, { query })).nodes[0]?.id;
    expect(await first("person Ada")).toBe("ada");
    expect(await first("topic Ada")).toBe("language");
    expect(await first("open tasks")).toBe("open");
  });
});
