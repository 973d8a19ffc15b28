import { describe, expect, it } from "vitest";
import { evidence, requestFor } from "../../../tests/pipeline/evidence.ts";
import type { Context, Dropped } from "../../document.ts";
import { type Enriched, sourceNames } from "../../item.ts";
import { encodingNames, formatNames, type Request } from "../../options.ts";
import { code } from "../../recipes/code.ts";
import { analyseQuery } from "../../text/analysis/query.ts";
import { tokenCounter } from "../../text/tokens/tokens.ts";
import { render } from "../8-result/result.ts";
import type { Unique } from "../unique.ts";
import { fitBudget } from "./fit-budget.ts";

const query = analyseQuery("how are payments processed?");
const run = { confidence: 1, stats: { found: {}, milliseconds: {} }, filesRead: 1, warnings: [] };

function contextOf(items: Unique[], options: Partial<Request> = {}, leftOut: Dropped[] = []): Context {
  const request = requestFor(options);
  return render(fitBudget(items, leftOut, request, query, code.look), request, code, run);
}

function body(name: string, lines: number): string {
  const statements = Array.from({ length: lines - 2 }, (_, i) => `  const ${name}${i} = compute(${i}, "${name}");`);
  return [`function ${name}() {`, ...statements, "}"].join("\n");
}

/** Functions of `lines` lines each, in a file each, best first. */
function functions(
  count: number,
  lines: number,
  piece: (index: number) => Partial<Parameters<typeof evidence>[0]> = () => ({}),
): Enriched[] {
  return Array.from({ length: count }, (_, i) =>
    evidence({
      path: `src/f${i}.ts`,
      name: `step${i}`,
      text: body(`step${i}`, lines),
      score: 0.95 - i / 200,
      ...piece(i),
      item: { language: "typescript", signature: `function step${i}()` },
    }),
  );
}

describe("the budget", () => {
  it.each(formatNames)("holds and is filled at any size in %s", (format) => {
    const items = functions(60, 24);
    for (const maxTokens of [64, 100, 200, 400, 1000, 4000, 9000]) {
      for (const encoding of encodingNames) {
        const { tokens, text } = contextOf(items, { maxTokens, format, encoding, fill: true });
        expect(tokens.used).toBe(tokenCounter(encoding).count(text));
        expect(tokens.used).toBeLessThanOrEqual(maxTokens);
        // What was asked for is whole first: of a small budget it may leave less than another heading takes.
        if (maxTokens >= 400) expect(tokens.fill).toBeGreaterThanOrEqual(maxTokens >= 1000 ? 0.95 : 0.9);
      }
    }
  });

  it("names each other place of a text once, and counts those that would make the heading long", () => {
    const copies = (...places: string[]) =>
      places.map((place, i) => ({ id: `fil-${i}`, name: "Options", why: `same text in ${place}` }));
    const heading = (merged: Unique["merged"]) =>
      contextOf([{ ...functions(1, 5)[0]!, merged }]).text.match(/\(same in .*\)/)?.[0];
    expect(heading(copies("docs/b.md", "docs/b.md", "docs/c.md", "docs/b.md"))).toBe("(same in docs/b.md, docs/c.md)");
    expect(heading(copies("lines 5-9", "a.md", "b.md", "lines 7-9", "c.md", "lines 9-9"))).toBe(
      "(same in a.md, b.md, c.md, lines 5-9 and 2 more)",
    );
  });

  it("folds a long doc comment before anything that the code does", () => {
    const doc = [
      "/**",
      " * Does it.",
      " *",
      ...Array.from({ length: 40 }, (_, i) => ` * It is told in point ${i}.`),
      " */",
    ];
    const items = functions(9, 24, (i) => ({ text: [...doc, body(`step${i}`, 24)].join("\n") }));
    const { items: printed } = contextOf(items, { maxTokens: 3500 });
    const later = printed.slice(1);
    expect(later.length).toBeGreaterThan(3);
    for (const { text, name, level } of later) {
      expect(level).toBe("elided");
      expect(text).toContain(body(name, 24));
      expect(text).toContain(" * Does it.\n * ... 41 lines");
    }
  });

  it("prints everything in full when there is room, and says that nothing was left out", () => {
    const { items, dropped, summary, optimality, text } = contextOf(functions(5, 10), { maxTokens: 20_000 });
    expect(items.map(({ level }) => level)).toEqual(Array(5).fill("full"));
    expect(dropped).toEqual([]);
    expect(summary).toMatchObject({ included: 5, excluded: 0, truncated: false });
    expect(optimality).toBe(1);
    expect(text).not.toContain("left out");
  });

  it("cuts the best item to fit when even that is too long, and closes what it opened", () => {
    const { items, text, tokens } = contextOf(functions(1, 2000), { maxTokens: 500 });
    expect(items).toMatchObject([{ level: "elided" }]);
    expect(text).toContain("function step0() {");
    expect(text.match(/^```/gm)).toHaveLength(2);
    expect(tokens.fill).toBeGreaterThan(0.95);
  });

  it("does not let one long function crowd out ten good small ones, unless it is the best", () => {
    const [long] = functions(3, 250).slice(2);
    const small = functions(12, 12).filter((_, i) => i !== 2);
    const { items: printed } = contextOf([...small.slice(0, 2), long!, ...small.slice(2)], { maxTokens: 2500 });
    expect(printed.filter(({ level, name }) => level === "full" && name !== "step2").length).toBeGreaterThanOrEqual(10);
    const [best] = functions(1, 250);
    expect(contextOf([best!, ...small.slice(1)], { maxTokens: 5000 }).items[0]).toMatchObject({
      name: "step0",
      level: "full",
    });
  });

  it("ends where relevance ends, and uses the rest of the budget only when it is to be filled", () => {
    const items = functions(60, 6, (i) => ({ score: 0.95 - i / 70 }));
    const { tokens, items: printed, dropped } = contextOf(items, { maxTokens: 4000 });
    expect(printed.length).toBeLessThan(40);
    expect(tokens.fill).toBeLessThan(0.75);
    expect(dropped.every(({ reason }) => reason === "below-score")).toBe(true);
    const scores = printed.map(({ score }) => score);
    expect(Math.max(...dropped.map(({ score }) => score))).toBeLessThanOrEqual(Math.min(...scores));
    expect(contextOf(items, { maxTokens: 4000, fill: true }).items.length).toBeGreaterThan(printed.length);
  });

  it("prints what is less likely where more room is given", () => {
    const items = functions(60, 24, (i) => ({ score: 0.95 - i / 70 }));
    const printed = [4000, 8000, 16_000].map((maxTokens) => contextOf(items, { maxTokens }).items.length);
    expect(printed).toEqual(printed.toSorted((a, b) => a - b));
    expect(printed[0]!).toBeLessThan(printed[2]!);
    expect(contextOf(items, { maxTokens: 20_000, fill: true }).items).toHaveLength(60);
  });

  it("prints the best item whole wherever it fits alone, else cut to the room there is", () => {
    for (const lines of [10, 60, 200, 700]) {
      for (const maxTokens of [500, 1500, 4000, 8000]) {
        const { items, tokens } = contextOf([...functions(1, lines), ...functions(9, 30).slice(1)], { maxTokens });
        const [first] = items;
        expect(first!.name).toBe("step0");
        const alone = contextOf(functions(1, lines), { maxTokens: 100_000 }).tokens.used;
        if (alone <= maxTokens - 60) expect(first!.level).toBe("full");
        if (alone > maxTokens) expect(tokens.fill).toBeGreaterThan(0.9);
      }
    }
  });

  it("leaves half of the room to others where the best item is too long and was only found, and none where it was asked for", () => {
    const others = functions(9, 30).slice(1);
    const found = contextOf([...functions(1, 700), ...others], { maxTokens: 4000 });
    expect(found.items[0]).toMatchObject({ name: "step0", level: "elided" });
    expect(found.items[0]!.tokens).toBeLessThan(2100);
    expect(found.items.length).toBeGreaterThan(3);
    const named = contextOf([...functions(1, 700, () => ({ signals: { named: 1 } })), ...others], { maxTokens: 4000 });
    expect(named.items[0]!.tokens).toBeGreaterThan(3700);
  });

  it("leaves out a function of one statement that has no word of the question, wherever it ranks", () => {
    const names = (line: string) => {
      const items = functions(3, 12, (i) => (i === 1 ? { text: `function step${i}() {\n  ${line}\n}` } : {}));
      return contextOf(items, { maxTokens: 4000 }).items.map(({ name }) => name);
    };
    expect(names("return true;")).toEqual(["step0", "step2"]);
    expect(names("return isProcessed;")).toEqual(["step0", "step1", "step2"]);
  });

  it("prints what is likely to be the answer whole where the room is left, though its tokens are not worth their price", () => {
    const last = 4;
    const withLong = (score: number) =>
      functions(5, 12, (i) => {
        const said = body(`step${i}`, 36).replace("const step420", "const payments = processed(); const step420");
        return i === last ? { text: said, score } : { score: 0.99 - i / 100 };
      });
    const levelOf = (score: number, maxTokens: number) =>
      contextOf(withLong(score), { maxTokens }).items.find(({ name }) => name === `step${last}`)?.level;
    expect(levelOf(0.95, 4000)).toBe("full");
    expect(levelOf(0.6, 4000)).not.toBe("full");
    expect(levelOf(0.95, 1000)).not.toBe("full");
  });

  it("uses the room for the units that do most of a file that was asked for by its path, and names what it hides", () => {
    const units = Array.from({ length: 30 }, (_, i) => body(`step${i}`, 20));
    units[17] = units[17]!.replaceAll("const ", "if (ready) return ");
    const parts = units.map((_, i) => ({ startLine: 1 + 20 * i, endLine: 20 * (i + 1), name: `step${i}` }));
    const file = evidence({
      path: "src/steps.ts",
      name: "steps.ts",
      text: units.join("\n"),
      score: 1,
      signals: { named: 1 },
      item: { kind: "file", language: "typescript" },
    });
    for (const maxTokens of [1000, 3000, 6000]) {
      const { items, tokens } = contextOf([{ ...file, parts, askedWhole: true }], { maxTokens });
      expect(tokens.fill).toBeGreaterThan(0.95);
      expect(items[0]!.text).toContain(units[17]!);
      expect(items[0]!.text).toMatch(/\.\.\. \d+ lines: step\d+/);
    }
    expect(contextOf([{ ...file, parts, askedWhole: true }], { maxTokens: 20_000 }).items[0]!.level).toBe("full");
  });

  it("counts every reason for leaving out but duplicates, and adds up", () => {
    const leftOut: Dropped[] = [
      { id: "cod-x", title: "x", source: "code", score: 0.1, reason: "below-score" },
      { id: "cod-y", title: "y", source: "code", score: 0.5, reason: "duplicate", by: "cod-z" },
    ];
    const { text, summary, dropped } = contextOf(functions(60, 24), { maxTokens: 600, fill: true }, leftOut);
    const over = dropped.filter(({ reason }) => reason === "over-budget").length;
    expect(over).toBeGreaterThan(0);
    expect(text).toContain(`${over + 1} more results left out: ${over} over budget, 1 less relevant`);
    expect(summary.included + summary.excluded).toBe(62);
    expect(summary.truncated).toBe(true);
  });

  it("may be soft: the item at its edge is printed whole within a quarter more, and the warning says what that costs", () => {
    const soft = (lines: number) => contextOf(functions(1, lines), { maxTokens: 500, budget: "soft" });
    const whole = soft(42);
    expect(whole.items).toMatchObject([{ level: "full" }]);
    expect(whole.tokens.used).toBeGreaterThan(500);
    expect(whole.warnings).toEqual([`The soft budget of 500 tokens is exceeded by ${whole.tokens.used - 500}.`]);
    for (const lines of [50, 200, 2000]) expect(soft(lines).tokens.used).toBeLessThanOrEqual(625);
  });

  it("limits what was only reached by links", () => {
    const items = functions(40, 12, (i) => ({ distance: i % 2 }));
    for (const expandTokens of [0, 150, 600]) {
      const { items: printed } = contextOf(items, { expandTokens, maxTokens: 3000, fill: true });
      const linked = printed.filter(({ distance }) => distance).reduce((sum, { tokens }) => sum + tokens, 0);
      expect(linked).toBeLessThanOrEqual(expandTokens);
      expect(linked).toBeGreaterThanOrEqual(expandTokens * 0.7);
    }
  });

  it("says when nothing was found, and when nothing fits", () => {
    for (const format of formatNames) {
      const none = contextOf([], { format, maxTokens: 64 });
      expect(none).toMatchObject({
        items: [],
        warnings: ["Nothing relevant was found."],
        summary: { included: 0, excluded: 0 },
      });
      expect(none.text).toContain("Nothing relevant was found.");
      const path = `${"very/long/".repeat(60)}path.ts`;
      const tight = contextOf([evidence({ path, text: "x" })], { format, maxTokens: 64 });
      expect(tight).toMatchObject({ items: [], summary: { included: 0, excluded: 1 } });
      expect(tight.tokens.used).toBeLessThanOrEqual(64);
      expect(tight.warnings).toHaveLength(1);
    }
  });

  it("gives the same bytes for the same input", () => {
    const items = functions(30, 20);
    expect(contextOf(items, { maxTokens: 900 })).toEqual(contextOf(structuredClone(items), { maxTokens: 900 }));
  });
});

describe("what is printed", () => {
  const imports = ['import { a } from "a";', 'import { b } from "b";'];

  it("has each import once per file, with the first block that uses it", () => {
    const piece = { path: "p.ts", kind: "block" as const };
    const first = evidence({ ...piece, name: "one", text: "a();", line: 1, imports: [imports[0]!], score: 0.9 });
    const second = evidence({ ...piece, name: "two", text: "a(); b();", line: 50, imports, score: 0.8 });
    const { text } = contextOf([first, second]);
    expect(text.split(imports[0]!)).toHaveLength(2);
    expect(text.indexOf(imports[0]!)).toBeLessThan(text.indexOf("a();"));
    expect(text.indexOf(imports[1]!)).toBeGreaterThan(text.indexOf("two"));
    expect(contextOf([first, second], { includeImports: false }).text).not.toContain("import");
  });

  it("is grouped by type, groups by their best item, or in a fixed order where items stand alone", () => {
    const items = [
      evidence({ path: "d.md", kind: "section", name: "Guide", text: "# Guide", score: 0.9 }),
      evidence({ path: "m", kind: "document", name: "Chat", text: "hello", score: 0.8, item: { source: "message" } }),
      evidence({ path: "c.yml", kind: "config", name: "c.yml", text: "a: 1", score: 0.7 }),
      evidence({ path: "f.ts", name: "low", text: "low();", score: 0.5 }),
    ];
    const byScore = [
      "## Related Documentation",
      "Guide",
      "## Previous Conversations",
      "hello",
      "## Other Context",
      "c.yml",
    ];
    const code = ["## Relevant Code", "low"];
    for (const [layout, titles] of [
      ["files", [...byScore, ...code]],
      ["entities", [...code, ...byScore]],
    ] as const) {
      const { text } = contextOf(items, { fill: true, layout });
      const places = titles.map((title) => text.indexOf(title));
      expect(places).toEqual([...places].sort((a, b) => a - b));
    }
    const flat = contextOf(items, { groupByType: false, fill: true });
    expect(flat.items.map(({ name }) => name)).toEqual(["Guide", "Chat", "c.yml", "low"]);
    expect(flat.text).not.toContain("## Relevant");
  });

  it("has signatures and places only when code is not wanted", () => {
    const { items, text } = contextOf(functions(4, 20), { includeCodeContent: false });
    expect(new Set(items.map(({ level }) => level))).toEqual(new Set(["signature"]));
    expect(text).not.toContain("compute(");
  });

  it("hides secrets, before they are counted", () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const { text, items } = contextOf([evidence({ path: "s.ts", text: `const token = "${secret}";` })]);
    expect(text).not.toContain(secret);
    expect(items[0]!.text).toContain("[secret:github-token:");
  });

  it("marks text that moved or is no longer on disk, and what was merged in", () => {
    const marks = (piece: Partial<Enriched>) =>
      contextOf([evidence({ path: "a.ts", text: "x", ...piece })], { layout: "entities" }).text;
    expect(marks({ freshness: "stored" })).toContain("stored text: the file is gone");
    expect(marks({ freshness: "moved" })).toContain("moved since indexing");
    expect(marks({ merged: [{ id: "cod-1", name: "refund", why: "inside" }] })).toContain("includes refund");
  });

  it("elides to the lines that speak of the query, with the rest marked as cut", () => {
    const lines = body("step", 60).split("\n");
    lines[30] = "  return processPayment(order);";
    const { items } = contextOf(
      [
        evidence({
          path: "a.ts",
          text: lines.join("\n"),
          item: { language: "typescript", signature: "function step()" },
        }),
      ],
      { maxTokens: 400 },
    );
    expect(items[0]).toMatchObject({ level: "elided" });
    expect(items[0]!.text).toContain("processPayment(order)");
    expect(items[0]!.text).toMatch(/\/\/ \.\.\. \d+ lines/);
  });

  it("shows a container with ranked parts by what it says itself", () => {
    const cls = evidence({ path: "a.ts", kind: "class", text: body("step", 300), item: { language: "typescript" } });
    const { items } = contextOf([...functions(1, 5), { ...cls, score: 0.7, outline: true } as Unique], {
      maxTokens: 8000,
    });
    expect(items.map(({ level }) => level)).toEqual(["full", "elided"]);
  });

  it("begins with the best part of a container that ranks best and is only outlined", () => {
    const item = { language: "typescript" };
    const cls = evidence({ path: "a.ts", name: "Shop", kind: "class", text: body("step", 300), score: 0.9, item });
    const part = (name: string, line: number, score: number) =>
      evidence({ path: "a.ts", name, kind: "method", text: body(name, 20), line, score, item });
    const items = [
      { ...cls, outline: true } as Unique,
      ...functions(2, 20, () => ({ score: 0.8 })),
      part("close", 200, 0.7),
      part("open", 100, 0.6),
    ];
    const names = contextOf(items, { maxTokens: 4000 }).items.map(({ name }) => name);
    expect(names[0]).toBe("close");
    expect(names).toEqual(expect.arrayContaining(["step0", "open"]));
  });
});

describe("variety", () => {
  it("makes room for another source when one gives more than 70 % of the items, and leaves none unused", () => {
    const code = functions(40, 14);
    const notes = Array.from({ length: 5 }, (_, i) =>
      evidence({
        path: `n${i}`,
        kind: "document",
        name: `note ${i}`,
        text: body(`note${i}`, 14),
        score: 0.5,
        item: { source: "memory" },
      }),
    );
    const { items, dropped, tokens } = contextOf([...code, ...notes], { maxTokens: 1500, fill: true });
    expect(items.some(({ source }) => source === "memory")).toBe(true);
    expect(dropped.some(({ reason }) => reason === "diversity")).toBe(true);
    expect(tokens.fill).toBeGreaterThan(0.95);
  });

  it("does not apply when nothing else wants the room", () => {
    const { dropped } = contextOf(functions(40, 14), { maxTokens: 1000, fill: true });
    expect(dropped.every(({ reason }) => reason === "over-budget")).toBe(true);
  });

  it("never drops an explicit reference for density", () => {
    expect(sourceNames).toContain("reference");
    const reference = evidence({
      path: "ref.ts",
      name: "asked",
      text: body("asked", 120),
      score: 0.31,
      item: { source: "reference" },
    });
    const { items } = contextOf([...functions(40, 10), reference], { maxTokens: 2500 });
    expect(items.find(({ name }) => name === "asked")).toMatchObject({ level: "full" });
  });
});
