import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { tanaContext } from "../../src/index.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { folder } from "../workspace.ts";
import { apollo, noteOf, notesWorkspace } from "./notes-workspace.ts";

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

describe("what has no room", () => {
  const many = Array.from({ length: 400 }, (_, i) =>
    noteOf(`c${i}`, `Entry ${i} of the log says what was done on day ${i} and by whom`, { parent: "list", order: i }),
  );
  const list = [noteOf("list", "Ship log", { tags: ["log"] }), ...many];

  it("is counted and named to the last, page by page", async () => {
    const { workspace } = await notesWorkspace(list);
    for (const format of ["markdown", "json"] as const) {
      const first = await ask(workspace, { query: "Ship log", maxTokens: 1500, format });
      const reached = first.nodes.length + first.meta.tokens.nodesSummarized;
      expect(reached).toBeGreaterThan(100);
      const named = new Set(first.nodes.map(({ id }) => id));
      for (let from = 0, calls = 0; from < first.meta.tokens.nodesSummarized; calls++) {
        const page = await ask(workspace, { query: "Ship log", maxTokens: 1500, format, overflowFrom: from });
        expect(page.nodes).toEqual([]);
        expect(countTokens(page.text)).toBeLessThanOrEqual(1500);
        expect(page.overflow.length).toBeGreaterThan(0);
        expect(page.meta.tokens.nodesSummarized).toBe(first.meta.tokens.nodesSummarized);
        for (const { id } of page.overflow) named.add(id);
        from += page.overflow.length;
        expect(calls).toBeLessThan(20);
      }
      expect(named.size).toBe(reached);
    }
  });

  it("is nothing with a budget for all of it, or the limit is told", async () => {
    const deep = Array.from({ length: 40 }, (_, i) =>
      noteOf(`d${i}`, `Below ${i}`, { parent: i === 0 ? "c0" : `d${i - 1}` }),
    );
    const { workspace } = await notesWorkspace([...list, ...deep]);
    const { nodes, overflow, meta, text } = await ask(workspace, { query: "Ship log", depth: 5, maxTokens: 1_000_000 });
    const ids = new Set([...nodes, ...overflow].map(({ id }) => id));
    for (const { key } of many) expect(ids.has(key)).toBe(true);
    expect(ids.has("d1")).toBe(true);
    const warning = "The lens general follows links for 3 steps, not 5.";
    expect(meta.warnings).toContain(warning);
    expect(text).toContain(warning);
  });

  it("says which limit ended a walk", async () => {
    const spread = Array.from({ length: 30 }, (_, i) => [
      noteOf(`p${i}`, `Part ${i}`, { parent: "list", order: i }),
      ...Array.from({ length: 20 }, (_, j) =>
        noteOf(`p${i}-${j}`, `Piece ${j} of ${i}`, { parent: `p${i}`, order: j }),
      ),
    ]).flat();
    const { workspace } = await notesWorkspace([noteOf("list", "Ship log"), ...spread]);
    const { meta, warnings } = await ask(workspace, { query: "Ship log" });
    expect(meta.warnings?.join()).toMatch(
      /The walk from Ship log ended after 160 notes: \d+ more at step 2 were not followed/,
    );
    expect(warnings).toEqual(expect.arrayContaining(meta.warnings ?? []));
  });

  it("follows the best of many children also from a note on the way", async () => {
    const children = many.map((note, i) => ({
      ...note,
      parent: "box",
      name: i === 399 ? "The zeppelin lands" : note.name,
    }));
    const { workspace } = await notesWorkspace([
      noteOf("ship", "Zeppelin", { tags: ["ship"] }),
      noteOf("box", "Papers", { parent: "ship" }),
      ...children,
    ]);
    const { nodes, overflow } = await ask(workspace, { query: "Zeppelin", depth: 2 });
    expect([...nodes, ...overflow].map(({ id }) => id)).toContain("c399");
  });

  it("is told in the document below 500 tokens", async () => {
    const { workspace } = await notesWorkspace(list);
    for (const format of ["markdown", "json"] as const) {
      const { meta, text } = await ask(workspace, { query: "Ship log", maxTokens: 400, format });
      const warning = "Below 500 tokens notes are only named; raise the budget to read them.";
      expect(meta.warnings).toContain(warning);
      expect(text).toContain(warning);
    }
  });
});

describe("several notes at once", () => {
  it("are given without the one that does not exist, which is told with the closest names", async () => {
    const { workspace } = await notesWorkspace(apollo);
    const { nodes, meta, text, warnings } = await ask(workspace, { query: "Apollo and person Garce Hoper" });
    expect(nodes[0]).toMatchObject({ id: "apollo", score: 1 });
    const warning = /^No note is called "person Garce Hoper"\. The closest names: .*Grace Hopper/;
    expect(meta.warnings?.[0]).toMatch(warning);
    expect(warnings.some((each) => warning.test(each))).toBe(true);
    expect(text).toContain("Garce Hoper");
    const none = await ask(workspace, { query: "Ada Lovelace, Ledger, Xyzzy" });
    expect(new Set(none.nodes.slice(0, 2).map(({ id }) => id))).toEqual(new Set(["ada", "ledger"]));
    expect(none.meta.warnings?.[0]).toContain('No note is called "Xyzzy".');
  });

  it("may be named by a part of their names", async () => {
    const { workspace } = await notesWorkspace(apollo);
    const { nodes, meta } = await ask(workspace, { query: "Apollo and Hopper" });
    expect(new Set(nodes.slice(0, 2).map(({ id }) => id))).toEqual(new Set(["apollo", "grace"]));
    expect(meta.warnings ?? []).toEqual([]);
  });
});

describe("the document for people", () => {
  it("has one heading for each branch, no level left out, blank lines around lists and no scores", async () => {
    const { workspace } = await notesWorkspace(apollo);
    const { text } = await ask(workspace, { query: "apollo", depth: 3 });
    const lines = text.split("\n");
    let level = 0;
    for (const [at, line] of lines.entries()) {
      const signs = /^#+(?= )/.exec(line)?.[0].length;
      if (signs === undefined) continue;
      expect(signs).toBeLessThanOrEqual(level + 1);
      level = signs;
      if (at > 0) expect(lines[at - 1]).toBe("");
      expect(lines[at + 1]).toBe("");
    }
    expect(text).not.toMatch(/score/);
    expect(text).toMatch(/^- Milestones \[not-\w+\]$/m);
    expect(text).toMatch(/^## Apollo #project/m);
  });
});

describe("a note that nothing owns", () => {
  it("ranks below one that stands somewhere and says the same", async () => {
    const { workspace } = await notesWorkspace([
      noteOf("page", "Kitchen", { tags: ["room"] }),
      noteOf("owned", "Sharpen the kitchen knives on Friday", { parent: "page" }),
      noteOf("a-lost", "Sharpen the kitchen knives on Friday evening"),
    ]);
    const { nodes } = await ask(workspace, { query: "sharpen knives" });
    const order = nodes.map(({ id }) => id);
    expect(order.indexOf("owned")).toBeGreaterThanOrEqual(0);
    expect(order.indexOf("owned")).toBeLessThan(order.indexOf("a-lost"));
  });

  it("ranks last of all, however well it says the question, unless it is asked for", async () => {
    const { workspace } = await notesWorkspace([
      noteOf("page", "Kitchen", { tags: ["room"] }),
      noteOf("owned", "Sharpen the kitchen knives on Friday", { parent: "page" }),
      noteOf("far", "Ask somebody about whetstones", { parent: "owned" }),
      noteOf("lost", "Sharpen knives", { loose: true, tags: ["task"], text: "Sharpen knives, sharpen them well." }),
    ]);
    const { nodes } = await ask(workspace, { query: "how to sharpen knives" });
    expect(nodes.map(({ id }) => id).sort()).toEqual(["far", "lost", "owned", "page"]);
    expect(nodes.at(-1)?.id).toBe("lost");
    expect((await ask(workspace, { query: "Sharpen knives" })).nodes[0]?.id).toBe("lost");
  });

  it("is not forgotten where another note mentions it, or where its origin says that it stands at the top", async () => {
    const { workspace } = await notesWorkspace([
      noteOf("page", "Kitchen", { references: ["listed"] }),
      noteOf("listed", "Sharpen the kitchen knives"),
      noteOf("top", "Sharpen the garden knives", { loose: false }),
      noteOf("lost", "Sharpen the lost knives"),
    ]);
    const { nodes } = await ask(workspace, { query: "when do we sharpen knives" });
    const order = nodes.map(({ id }) => id);
    for (const id of ["listed", "top"]) expect(order.indexOf(id)).toBeLessThan(order.indexOf("lost"));
  });
});

describe("a page that has other names", () => {
  it("is found by each of them, in Obsidian and in Logseq", async () => {
    const vaults: Record<string, string>[] = [
      {
        ".obsidian/app.json": "{}",
        "Apollo.md": "---\naliases: [Moonshot, Lunar programme]\n---\n# Apollo\n\nLaunch in July.\n",
        "Other.md": "Nothing of it.\n",
      },
      {
        "logseq/config.edn": "{}",
        "pages/Apollo.md": "alias:: Moonshot, Lunar programme\n\n- Launch in July.\n",
        "pages/Other.md": "- Nothing of it.\n",
      },
    ];
    for (const files of vaults) {
      const path = folder(files);
      for (const query of ["Moonshot", "Lunar programme"]) {
        const { nodes, text } = await tanaContext({ path, query });
        expect(nodes[0]?.name).toBe("Apollo");
        expect(text).not.toContain("Nothing here matches");
      }
    }
  });
});
