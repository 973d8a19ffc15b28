import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { context as ask } from "../../index.ts";
import { call } from "../core/call.ts";
import { diff } from "./diff.ts";

type Item = { id: string; name?: string; level?: string; score?: number; text?: string };

const context = (items: Item[], more: object = {}) => ({
  query: "retry",
  recipe: "auto",
  format: "markdown",
  text: "…",
  tokens: { budget: 4000, used: 100 },
  items: items.map((item) => ({ name: item.id, level: "full", score: 0.5, text: `text of ${item.id}`, ...item })),
  dropped: [] as { id: string; reason: string }[],
  ...more,
});

const notes = (names: string[], overflow: string[] = [], more: object = {}) => ({
  meta: {
    query: "Apollo",
    workspace: "main",
    lens: "general",
    tokens: { budget: 4000, used: 10 },
    assembledAt: "x",
    ...more,
  },
  nodes: names.map((name) => ({
    id: name,
    name,
    content: `# ${name}`,
    tags: ["project"],
    fields: { status: "open" },
    score: 1,
  })),
  overflow: overflow.map((name) => ({ id: name, name, tags: [], score: 0.2 })),
});

const briefing = (ids: string[]) => ({
  markdown: "…",
  token_count: 7,
  items: ids.map((id) => ({ id, source: "memory", content: `About ${id}\nmore`, relevance: 0.4, level: "full" })),
});

async function compare(a: unknown, b: unknown) {
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  const { output, input } = await call(diff, { a: text(a), b: text(b) });
  return { ...output, shown: diff.text!(output, input, false) };
}

const ids = (list: { id: string }[]) => list.map(({ id }) => id);

describe("the difference between two results", () => {
  it("is none between a result and itself", async () => {
    for (const same of [context([{ id: "a" }, { id: "b" }]), notes(["a"], ["b"]), briefing(["a"]), { items: [] }]) {
      expect(await compare(same, same)).toMatchObject({
        same: true,
        summary: "No difference.",
        shown: "No difference.",
      });
    }
  });

  it("ignores the time and what it took", async () => {
    const later = notes(["a"], [], { assembledAt: "y" });
    expect((await compare(notes(["a"]), later)).same).toBe(true);
  });

  it("is what entered and left, with the reasons that are known", async () => {
    const before = context([{ id: "a" }, { id: "b" }], { dropped: [{ id: "c", reason: "over-budget" }] });
    const after = context([{ id: "c", score: 0.9 }, { id: "a" }], { dropped: [{ id: "b", reason: "below-score" }] });
    const { entered, left, moved, shown, summary } = await compare(before, after);
    expect(entered).toEqual([{ id: "c", name: "c", rank: 1, level: "full", score: 0.9, reason: "over-budget" }]);
    expect(left).toEqual([{ id: "b", name: "b", rank: 2, level: "full", score: 0.5, reason: "below-score" }]);
    expect(moved).toEqual([]);
    expect(summary).toBe("1 entered, 1 left; 1 item is as before.");
    expect(shown.split("\n")).toEqual([
      "+ 1. c [c], score 0.900, left out before: over-budget",
      "- 2. b [b], score 0.500, left out now: below-score",
      "1 entered, 1 left; 1 item is as before.",
    ]);
  });

  it("is what moved among those that stayed, with the ranks in both", async () => {
    const { moved, entered, unchanged } = await compare(
      context([{ id: "a" }, { id: "b" }, { id: "c" }]),
      context([{ id: "new" }, { id: "b" }, { id: "a" }, { id: "c" }]),
    );
    expect(moved).toEqual([{ id: "a", name: "a", before: 1, after: 3 }]);
    expect(ids(entered)).toEqual(["new"]);
    expect(unchanged).toBe(2);
    const swapped = await compare(context([{ id: "a" }, { id: "b" }]), context([{ id: "b" }, { id: "a" }]));
    expect(swapped.shown.split("\n").slice(0, 2)).toEqual(["~ 1. b [b]: was 2.", "~ 2. a [a]: was 1."]);
  });

  it("is what changed: level, score and text", async () => {
    const { changed, shown } = await compare(
      context([{ id: "a", score: 0.5, text: "one\ntwo\nthree" }]),
      context([{ id: "a", level: "elided", score: 0.62, text: "one\n2\n2½\nthree" }]),
    );
    expect(changed).toEqual([
      {
        id: "a",
        name: "a",
        rank: 1,
        level: { before: "full", after: "elided" },
        score: { before: 0.5, after: 0.62 },
        text: { removed: 1, added: 2, line: 2, before: "two", after: "2" },
      },
    ]);
    expect(shown).toContain(
      '~ 1. a [a]: full -> elided; score 0.500 -> 0.620; text from line 2 (1 line out, 2 in): "two" -> "2"',
    );
  });

  it("is what was asked differently, and what that took", async () => {
    const { settings, summary, shown } = await compare(
      context([{ id: "a" }]),
      context([{ id: "a" }], { query: "retry policy", tokens: { budget: 8000, used: 120 } }),
    );
    expect(settings).toEqual([
      { name: "query", before: "retry", after: "retry policy" },
      { name: "budget", before: 4000, after: 8000 },
      { name: "tokens", before: 100, after: 120 },
    ]);
    expect(summary).toBe("Only query, budget, tokens differ; 1 item is as before.");
    expect(shown).toContain("budget: 4,000 -> 8,000");
  });

  it("of notes is also what is only named now, and fields", async () => {
    const before = notes(["a", "b"]);
    const after = notes(["a"], ["b"], { lens: "planning" });
    after.nodes[0]!.fields.status = "done";
    const { changed, settings, left } = await compare(before, after);
    expect(left).toEqual([]);
    expect(settings).toEqual([{ name: "lens", before: "general", after: "planning" }]);
    expect(changed).toMatchObject([
      { id: "a", text: { before: "status: open", after: "status: done", removed: 1, added: 1 } },
      { id: "b", level: { before: "shown", after: "named only" }, score: { before: 1, after: 0.2 } },
    ]);
    expect(changed[1]!.text).toBeUndefined();
  });

  it("is told of every kind of result", async () => {
    expect(ids((await compare(briefing(["a"]), briefing(["a", "b"]))).entered)).toEqual(["b"]);
    const code = (names: string[]) => ({
      query: "q",
      context: "…",
      tokenCount: 3,
      results: names.map((name) => ({ codePreview: name })),
      sources: names.map((name) => ({ entityId: `cod-${name}`, name, file: "a.ts", relevance: 1 })),
    });
    expect((await compare(code(["x"]), code(["y"]))).entered).toMatchObject([{ id: "cod-y", name: "a.ts::y" }]);
    const document = (text: string) => ({ items: [{ id: "com-1", type: "commit", text, level: "full" }], omitted: {} });
    expect((await compare(document("Fix it"), document("Fix that"))).changed).toMatchObject([{ name: "Fix that" }]);
  });

  it("reads a document of --format json in both layouts, with what was written down in it", async () => {
    const root = folder({ "src/cart.ts": "export class Cart {\n  total(): number {\n    return 2;\n  }\n}\n" });
    const printed = async (layout: "files" | "entities") =>
      JSON.parse((await ask({ query: "Cart", path: root, format: "json", layout })).text);
    const [files, entities] = [await printed("files"), await printed("entities")];
    expect(files.items[0]).toMatchObject({ path: "src/cart.ts", spans: [{ name: "Cart" }] });
    for (const document of [files, entities]) expect((await compare(document, document)).same).toBe(true);
    expect((await compare(files, entities)).entered).toEqual([]);
    const without = { ...files, items: files.items.slice(1) };
    expect((await compare(without, files)).entered).toMatchObject([{ rank: 1, name: "src/cart.ts::Cart" }]);
  });

  it("tells two items with one id apart", async () => {
    const { entered, unchanged } = await compare(
      context([{ id: "a" }]),
      context([{ id: "a" }, { id: "a", text: "other" }]),
    );
    expect(entered).toMatchObject([{ id: "a", rank: 2 }]);
    expect(unchanged).toBe(1);
  });

  it("does not steer the terminal, whatever the results say", async () => {
    const evil = "\u001b]0;owned\u0007\u001b[2J\n+ 1. forged\u009b31m";
    const before = context([{ id: evil, name: evil, text: "x" }], { dropped: [{ id: "n", reason: evil }] });
    const after = context(
      [
        { id: evil, name: evil, text: evil, level: evil },
        { id: "n", name: evil },
      ],
      { query: evil },
    );
    const { shown } = await compare(before, after);
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(shown.split("\n").filter((line) => line.startsWith("+"))).toHaveLength(1);
  });

  it("adds up, and is the mirror image the other way round", async () => {
    const anyItem = fc.record({
      id: fc.constantFrom("a", "b", "c", "d", "e", "__proto__", "constructor"),
      level: fc.constantFrom("full", "signature"),
      score: fc.constantFrom(0.1, 0.5),
      text: fc.constantFrom("", "x", "x\ny"),
    });
    const anyItems = fc.uniqueArray(anyItem, { selector: ({ id }) => id });
    await fc.assert(
      fc.asyncProperty(anyItems, anyItems, async (one, other) => {
        const there = await compare(context(one), context(other));
        const back = await compare(context(other), context(one));
        expect(ids(there.entered)).toEqual(ids(back.left));
        expect(ids(there.left)).toEqual(ids(back.entered));
        expect(ids(there.moved).sort()).toEqual(ids(back.moved).sort());
        expect(ids(there.changed).sort()).toEqual(ids(back.changed).sort());
        const differing = new Set([...ids(there.moved), ...ids(there.changed)]);
        expect(there.entered.length + there.unchanged + differing.size).toBe(other.length);
        expect(there.same).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
      { numRuns: 100 },
    );
  });

  it("ends with 1 only for those who ask for it", () => {
    const output = { same: false } as Parameters<NonNullable<typeof diff.exit>>[0];
    const input = { a: "", b: "", path: ".", exitCode: false };
    expect(diff.exit!(output, input)).toBe(0);
    expect(diff.exit!(output, { ...input, exitCode: true })).toBe(1);
    expect(diff.exit!({ ...output, same: true }, { ...input, exitCode: true })).toBe(0);
  });
});

describe("what cannot be compared", () => {
  const fine = context([]);

  it.each<[string, unknown, unknown, RegExp]>([
    ["empty", " \n", fine, /^The earlier result a is empty\.$/],
    [
      "not JSON",
      fine,
      "{\n nope",
      /^The later result b is not JSON, line 2, column 2: it lacks a key in double quotes\.$/,
    ],
    ["with comments", '{"items": []} // x', fine, /^The earlier result a is not JSON\.$/],
    ["a list", [1, 2], fine, /a is no result that can be compared: it is a list of 2\.$/],
    ["a number", 7, fine, /it is a number\.$/],
    ["null", "null", fine, /it is null\.$/],
    ["an empty object", {}, fine, /it is an object without keys\.$/],
    ["something else", { files: 3, root: "/" }, fine, /it is an object with files, root\.$/],
    [
      "of wrong parts",
      context([{ id: 7 as unknown as string }]),
      fine,
      /seems to be a result of dossier context --json, but items\.0\.id is wrong/,
    ],
    [
      "two kinds",
      fine,
      notes(["a"]),
      /of two kinds .*: a seems to be a result of dossier context --json, b a document of a notes graph\.$/,
    ],
  ])("is refused when it is %s", async (_what, a, b, pattern) => {
    await expect(compare(a, b)).rejects.toThrow(pattern);
    await expect(compare(a, b)).rejects.toMatchObject({ code: "bad-input" });
  });

  it("is no reason to hang: twenty thousand items, and very deep JSON", async () => {
    const many = context(Array.from({ length: 20_000 }, (_, i) => ({ id: `i${i}` })));
    expect((await compare(many, many)).unchanged).toBe(20_000);
    await expect(compare("[".repeat(200_000), fine)).rejects.toMatchObject({ code: "bad-input" });
  });
});
