import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { XMLValidator } from "fast-xml-parser";
import { describe, expect, it } from "vitest";
import { runs } from "../../tests/seed.ts";
import { folder } from "../../tests/workspace.ts";
import { wellFormed } from "../formats/characters.ts";
import { encodingNames, formatNames, layoutNames, truncationNames } from "../options.ts";
import { hashText } from "../text/hash.ts";
import { splitLines } from "../text/lines.ts";
import { redact } from "../text/secrets/secrets.ts";
import { tokenCounter } from "../text/tokens/tokens.ts";
import { assembleResults } from "./assemble-results.ts";
import type { Entity, SearchResult } from "./search-result.ts";

const payments = [
  'import { charge } from "./gateway.ts";',
  'import { log } from "./log.ts";',
  "",
  "/** Charges the customer of an order. */",
  "export async function processPayment(order: Order): Promise<Receipt> {",
  "  const total = priceOf(order);",
  "  return charge(order.customer, total);",
  "}",
  "",
  "export function refundPayment(receipt: Receipt): void {",
  "  log(receipt.id);",
  "}",
  "",
].join("\n");
const shop = {
  "src/payments.ts": payments,
  "src/steps.py": [
    "class Steps:",
    ...Array.from({ length: 30 }, (_, i) => `    def step_${i}(self, order):\n        return order.advance(${i})\n`),
  ].join("\n"),
  "docs/guide.md": "# Guide\n\n## Payments\n\nA payment has three steps.\n\n```sh\npay\n```\n",
  "src/odd.ts": "const fence = `\n```\n]]> </code>\n=== odd ===\n`;\r\nexport const key = 'AKIA2E0A8F3B244C9986';\n",
  "config/pay.yml": "retries: 3\n",
};

const of = (entity: Partial<Entity>, score = 0.9): SearchResult => ({
  entity: { name: "processPayment", type: "function", ...entity },
  score,
});
const place = { filePath: "src/payments.ts", startLine: 5, endLine: 8 };

describe("a caller's own results", () => {
  it("are read from disk, with their imports and the lines around them", async () => {
    const projectRoot = folder(shop);
    const { blocks, totalTokens, summary, text, dropped } = await assembleResults([of(place)], { projectRoot });
    expect(blocks).toEqual([
      {
        entity: {
          name: "processPayment",
          type: "function",
          qualifiedName: expect.stringContaining("src/payments.ts::processPayment"),
        },
        score: 0.9,
        location: { filePath: "src/payments.ts", startLine: 4, endLine: 8 },
        code: payments.split("\n").slice(3, 8).join("\n"),
        context: { imports: 'import { charge } from "./gateway.ts";' },
      },
    ]);
    expect(totalTokens).toBeGreaterThan(0);
    expect(text).toContain("```typescript");
    expect(dropped).toEqual([]);
    expect(summary).toMatchObject({
      entitiesIncluded: 1,
      entitiesExcluded: 0,
      filesRead: 1,
      truncated: false,
      sentence: "Everything that was found is here.",
    });
  });

  it("may say where they are in either form, with nulls for what they do not know", async () => {
    const projectRoot = folder(shop);
    const first = await assembleResults([of(place)], { projectRoot });
    const metadata = await assembleResults([of({ metadata: place, filePath: null, content: null })], { projectRoot });
    const absolute = await assembleResults([of({ ...place, filePath: join(projectRoot, "src/payments.ts") })], {
      projectRoot,
    });
    const dotted = await assembleResults([of({ ...place, filePath: "./docs/../src/payments.ts" })], { projectRoot });
    for (const { text } of [metadata, absolute, dotted]) expect(text).toBe(first.text);
  });

  it("keep the caller's ids, types and scores, best first", async () => {
    const projectRoot = folder(shop);
    const { sources, blocks, text } = await assembleResults(
      [
        { ...of({ name: "Payments", type: "requirement", filePath: "docs/guide.md", startLine: 3, endLine: 5 }, 3) },
        { ...of({ ...place, id: 42, type: "async function" }, 12), source: "semantic" },
        { ...of({ name: "gone", type: "class" }, 1), entityId: "e-3" },
      ],
      { projectRoot, layout: "entities" },
    );
    expect(sources).toMatchObject([
      { entityId: "42", name: "processPayment", type: "async function", file: "src/payments.ts", relevance: 12 },
      { name: "Payments", type: "requirement", file: "docs/guide.md", line: 3, relevance: 3 },
    ]);
    expect(blocks.map(({ score }) => score)).toEqual([12, 3]);
    expect(text).toMatch(/## Relevant Code\n.*\(score: 1\.00\).*## Related Documentation\n.*\*\*Sources:\*\*\n/s);
    expect(text).toContain("- processPayment (function, src/payments.ts:4-8)");
  });

  it("need no end, no line where the name says it, and are found again where they moved to", async () => {
    const projectRoot = folder(shop);
    const lines = async (entity: Partial<Entity>) => {
      const { items } = await assembleResults([of(entity)], { projectRoot, contextLines: 0 });
      return items.map(({ startLine, endLine, freshness }) => `${startLine}-${endLine} ${freshness}`);
    };
    const filePath = "src/payments.ts";
    expect(await lines({ filePath, startLine: 5 })).toEqual(["5-8 current"]);
    expect(await lines({ filePath })).toEqual(["4-8 current"]);
    expect(await lines({ filePath, name: "refundPayment", startLine: 1, endLine: 2 })).toEqual(["10-12 moved"]);
    expect(await lines({ filePath, name: "refundPayment", startLine: 400 })).toEqual(["10-12 moved"]);
    expect(await lines({ filePath, name: "refundPayment", startLine: 8, endLine: 10 })).toEqual(["10-12 moved"]);
    expect(await lines({ filePath, name: "refundPayment", startLine: 9, endLine: 12 })).toEqual(["9-12 current"]);
    expect(await lines({ filePath, name: "payments.ts", type: "file" })).toEqual(["1-12 current"]);
    expect(await lines({ filePath, name: "chunk 2", type: "chunk", startLine: 6, endLine: 900 })).toEqual([
      "6-12 current",
    ]);
  });

  it("are printed from what the caller stored, and say so, where there is no file", async () => {
    const projectRoot = folder(shop);
    const content = "export function old() {\n  return 1;\n}";
    const gone = { name: "old", filePath: "src/old.ts", startLine: 7, content };
    const { blocks, items, text } = await assembleResults([of(gone)], { projectRoot });
    expect(items[0]).toMatchObject({ freshness: "stored", startLine: 7, endLine: 9 });
    expect(blocks[0]!.code).toBe(content);
    expect(text).toContain("(stored text: the file is gone)");
    const talk = { name: "Launch", type: "decision", summary: "We launch on Friday." };
    const spoken = await assembleResults([of(talk), of(place, 0.5)], { projectRoot, layout: "entities" });
    expect(spoken.text).toMatch(/## Previous Conversations\n\n\*\*Message\*\* in Launch \[msg-\w+\]\n/);
    expect(spoken.text).toContain("stored text: it is in no file");
    expect(spoken.sources[1]).toEqual({
      entityId: spoken.items[1]!.id,
      name: "Launch",
      type: "decision",
      relevance: 0.9,
    });
  });

  it("are left out with a reason where there is nothing to print", async () => {
    const projectRoot = folder(shop);
    writeFileSync(join(projectRoot, "image.ts"), "\0\0\0");
    const { dropped, warnings, summary, text } = await assembleResults(
      [
        of({ name: "nowhere" }),
        of({ name: "gone", filePath: "src/gone.ts", startLine: 1 }),
        of({ name: "folder", filePath: "src", startLine: 1 }),
        of({ name: "lost", filePath: "src/payments.ts", startLine: 4000 }),
        of({ name: "unplaced", filePath: "src/payments.ts", startLine: 0 }),
        of({ name: "binary", filePath: "image.ts", startLine: 1 }),
      ],
      { projectRoot },
    );
    expect(dropped.map(({ title, reason }) => `${title} ${reason}`)).toEqual(
      ["nowhere", "gone", "folder", "lost", "unplaced", "binary"].map((name) => `${name} unreadable`),
    );
    expect(warnings.slice(0, 6)).toEqual([
      "nowhere is left out: it is in no file.",
      "gone is left out: the file is gone.",
      "folder is left out: its path is no file.",
      "lost is left out: it is no longer in its file.",
      "unplaced is left out: nobody says where in its file it is.",
      "binary is left out: its file is not text.",
    ]);
    expect(summary).toMatchObject({
      entitiesIncluded: 0,
      entitiesExcluded: 6,
      sentence: "6 were left out: 6 unreadable.",
    });
    expect(text).toBe("*Nothing relevant was found.*\n");
  });

  it("never read what is outside the root or hidden in it, by whatever path", async () => {
    const outside = folder({ "secret.ts": "export const outside = 1;\n" });
    const projectRoot = folder({ ...shop, ".env": "TOKEN=outside\n", ".git/config": "outside\n" });
    symlinkSync(join(outside, "secret.ts"), join(projectRoot, "src/link.ts"));
    symlinkSync(outside, join(projectRoot, "linked"));
    symlinkSync(join(projectRoot, ".env"), join(projectRoot, "src/env.ts"));
    const paths = [
      join(outside, "secret.ts"),
      `../${outside.split("/").at(-1)}/secret.ts`,
      `src/../../${outside.split("/").at(-1)}/secret.ts`,
      "src/link.ts",
      "linked/secret.ts",
      ".env",
      "src/env.ts",
      ".git/config",
      "src/payments.ts\0.png",
      "/etc/passwd",
      "..",
      ".",
      `${projectRoot}-other/a.ts`,
    ];
    const results = paths.map((filePath) =>
      of({ name: "outside", type: "file", filePath, startLine: 1, content: "outside" }),
    );
    const { items, dropped, text, filesRead } = await assembleResults(results, { projectRoot }).then((context) => ({
      ...context,
      filesRead: context.summary.filesRead,
    }));
    expect(items).toEqual([]);
    expect(dropped).toHaveLength(paths.length);
    expect(filesRead).toBe(0);
    expect(text).not.toContain("outside");
  });

  it("are read anew each time", async () => {
    const projectRoot = folder(shop);
    const first = await assembleResults([of(place)], { projectRoot });
    writeFileSync(join(projectRoot, "src/payments.ts"), payments.replaceAll("total", "amount"));
    const { text } = await assembleResults([of(place)], { projectRoot });
    expect(text).toBe(first.text.replaceAll("total", "amount"));
  });

  it("make no index and leave the folder as it is", async () => {
    const projectRoot = folder(shop);
    const before = readdirSync(projectRoot, { recursive: true });
    await assembleResults([of(place)], { projectRoot });
    expect(readdirSync(projectRoot, { recursive: true })).toEqual(before);
  });

  it("are refused in a sentence that names what is wrong", async () => {
    const projectRoot = folder(shop);
    const wrong = (results: unknown, options: unknown = { projectRoot }) =>
      assembleResults(results as SearchResult[], options as { projectRoot: string }).catch((error: Error) => error);
    expect(await wrong([{ entity: { name: "x", type: "y" } }])).toMatchObject({
      code: "bad-input",
      message: expect.stringMatching(/^results\[0\]\.score: /),
    });
    expect(await wrong([of({ name: 3 as never })])).toMatchObject({ message: expect.stringMatching(/entity\.name: /) });
    expect(await wrong([of(place, Number.NaN)])).toMatchObject({ code: "bad-input" });
    expect(await wrong("none")).toMatchObject({ message: expect.stringMatching(/^results: /) });
    expect(await wrong([], { maxTokens: 10 })).toMatchObject({ code: "budget-too-small" });
    expect(await wrong([], { maxToken: 100 })).toMatchObject({ code: "bad-input" });
    expect(await wrong([], { projectRoot: join(projectRoot, "no such") })).toMatchObject({ code: "not-a-folder" });
  });

  it("fit any budget, in lines that are those on disk, the same each time", { timeout: 120_000 }, async () => {
    const projectRoot = folder(shop);
    const disk = new Map(
      Object.keys(shop).map((path) => [path, splitLines(readFileSync(join(projectRoot, path), "utf8"))]),
    );
    const entity = fc.record({
      name: fc.constantFrom("processPayment", "refundPayment", "Steps", "step_3", "Payments", "]]> `x`\n## y", ""),
      type: fc.constantFrom("function", "class", "method", "file", "section", "decision", "whatever", "__proto__"),
      filePath: fc.constantFrom(...Object.keys(shop), "../x.ts", "src/none.ts", undefined),
      startLine: fc.option(fc.integer({ min: -2, max: 70 }), { nil: undefined }),
      endLine: fc.option(fc.integer({ min: 0, max: 90 }), { nil: undefined }),
      content: fc.constantFrom(undefined, "", "kept text\nof two lines", "```\n]]>\n=== x ==="),
      summary: fc.constantFrom(undefined, "Says what it is."),
    });
    const results = fc.array(fc.record({ entity, score: fc.double({ min: -2, max: 30, noNaN: true }) }), {
      maxLength: 12,
    });
    const options = fc.record({
      maxTokens: fc.integer({ min: 64, max: 1500 }),
      format: fc.constantFrom(...formatNames),
      layout: fc.constantFrom(...layoutNames),
      truncation: fc.constantFrom(...truncationNames),
      encoding: fc.constantFrom(...encodingNames),
      contextLines: fc.integer({ min: 0, max: 6 }),
      includeImports: fc.boolean(),
      includeSources: fc.boolean(),
      includeCodeContent: fc.boolean(),
      groupByType: fc.boolean(),
      query: fc.constantFrom("", "how are payments processed?"),
    });
    await fc.assert(
      fc.asyncProperty(results, options, async (entities, chosen) => {
        const context = await assembleResults(entities, { ...chosen, projectRoot });
        const { text, items, dropped, tokens, blocks, sources, summary } = context;
        expect(tokenCounter(chosen.encoding).count(text)).toBe(tokens.used);
        expect(tokens.used).toBeLessThanOrEqual(chosen.maxTokens);
        expect(summary.included + summary.excluded).toBe(entities.length);
        expect(items.length + dropped.length).toBe(entities.length);
        expect(sources).toHaveLength(items.length);
        expect(blocks.length).toBeLessThanOrEqual(items.length);
        expect(text).not.toContain("AKIA2E0A8F3B244C9986");
        if (chosen.format === "json") JSON.parse(text);
        if (chosen.format === "xml") expect(XMLValidator.validate(text)).toBe(true);
        for (const item of items) {
          if (item.level !== "full" || item.facts || item.freshness === "stored") continue;
          const { citation } = item;
          const cited = disk.get(item.path)!.slice(citation.startLine - 1, citation.endLine);
          expect(citation.hash).toBe(hashText(cited.join("\n")));
          const lines = disk.get(item.path)!.slice(item.startLine - 1, item.endLine);
          expect(item.text).toBe(redact(wellFormed(lines.join("\n"))).text);
        }
        expect(await assembleResults(entities, { ...chosen, projectRoot })).toEqual(context);
      }),
      { numRuns: runs(300, 100) },
    );
  });
});
