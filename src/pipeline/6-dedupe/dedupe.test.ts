import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EvidencePiece, evidence, recorded } from "../../../tests/pipeline/evidence.ts";
import { hashText } from "../../text/hash.ts";
import { dedupe } from "./dedupe.ts";

const file = Array.from({ length: 1000 }, (_, i) => `line ${i + 1} of the file`);

/** An item of `a.ts` that owns lines `from..to`, with context lines around. */
function lines(from: number, to: number, piece: Partial<EvidencePiece> = {}, context = 3) {
  return evidence({
    path: "a.ts",
    name: `${piece.kind ?? "function"} ${from}`,
    line: from,
    text: file.slice(from - 1, to).join("\n"),
    before: file.slice(Math.max(0, from - 1 - context), from - 1),
    after: file.slice(to, to + context),
    ...piece,
  });
}

const shape = (items: ReturnType<typeof dedupe>["unique"]) =>
  items.map(
    ({ item, startLine, endLine, outline }) => `${item.name} ${startLine}-${endLine}${outline ? " outline" : ""}`,
  );

describe("dedupe", () => {
  it("keeps the better of two items with one id", () => {
    const item = lines(10, 20);
    const { unique, duplicates } = dedupe([
      { ...item, score: 0.9 },
      { ...item, score: 0.4 },
    ]);
    expect(unique.map(({ score }) => score)).toEqual([0.9]);
    expect(duplicates).toMatchObject([{ id: item.item.id, by: item.item.id, score: 0.4, reason: "duplicate" }]);
  });

  it("prints no merge beside what it brought, and two commits that say the same of different files both", () => {
    const commit = (id: string, text: string, files: string[]) =>
      recorded({ source: "commit", id: `com-${id}`, text, facts: { sha: id, files_changed: files } });
    const said = "Round the total of a family ticket once\n\nThe cents that are left go to the first passenger.";
    const own = commit("aa", said, ["price.ts", "price.test.ts"]);
    const merges = [
      commit("bb", `Merge pull request #12 from ada/rounding\n\n${said}`, ["price.ts"]),
      commit("cc", said.replace("once", "once (#12)"), []),
    ];
    for (const merge of merges) {
      const { unique, duplicates } = dedupe([own, merge]);
      expect(unique.map(({ item }) => item.id)).toEqual(["com-aa"]);
      expect(duplicates).toMatchObject([{ id: merge.item.id, by: "com-aa" }]);
    }
    expect(dedupe([own, commit("dd", said, ["other.ts"])]).unique).toHaveLength(2);
  });

  it("joins a small neighbour, but not to what was asked for by name", () => {
    const neighbours = (named: Partial<EvidencePiece>) => [
      lines(10, 16, { kind: "method", score: 0.9, ...named }),
      lines(18, 22, { kind: "method", score: 0.4 }),
    ];
    expect(shape(dedupe(neighbours({})).unique)).toEqual(["method 10 7-25"]);
    expect(shape(dedupe(neighbours({ signals: { named: 1 } })).unique)).toEqual(["method 10 7-17", "method 18 18-25"]);
  });

  it("makes one span of a small class and its method: the class, with the better score and the method's name recorded", () => {
    const method = lines(15, 20, { kind: "method", score: 0.9, because: { text: 0.9 } });
    const cls = lines(10, 24, { kind: "class", score: 0.6 });
    const { unique, duplicates } = dedupe([method, cls]);
    expect(shape(unique)).toEqual(["class 10 7-27"]);
    expect(unique[0]).toMatchObject({
      score: 0.9,
      because: { text: 0.9 },
      merged: [{ id: method.item.id, why: "inside" }],
    });
    expect(unique[0]!.lines).toEqual(file.slice(6, 27));
    expect(duplicates).toMatchObject([{ id: method.item.id, by: cls.item.id }]);
  });

  it("does not blow a method up into a huge class: the method stays, the class is an outline", () => {
    const { unique, duplicates } = dedupe([
      lines(500, 520, { kind: "method", score: 0.9 }),
      lines(1, 1000, { kind: "class", score: 0.6 }, 0),
    ]);
    expect(shape(unique)).toEqual(["method 500 497-523", "class 1 1-1000 outline"]);
    expect(duplicates).toEqual([]);
  });

  it("keeps a short class that ranks above its methods whole, with their lines in focus", () => {
    const { unique } = dedupe([
      lines(1, 40, { kind: "class", score: 0.9 }),
      lines(20, 30, { kind: "method", score: 0.5 }),
    ]);
    expect(shape(unique)).toEqual(["class 1 1-43"]);
    expect(unique[0]!.focus).toEqual([{ startLine: 20, endLine: 30 }]);
  });

  it("prints the ranked methods of a long class rather than the class", () => {
    const { unique } = dedupe([
      lines(1, 150, { kind: "class", score: 0.9 }),
      lines(40, 50, { kind: "method", score: 0.5 }),
    ]);
    expect(shape(unique)).toEqual(["class 1 1-153 outline", "method 40 37-53"]);
  });

  it("lets a whole file never swallow its units", () => {
    const whole = lines(1, 1000, { kind: "file", score: 0.9 }, 0);
    const unit = lines(40, 50, { score: 0.7 });
    const good = dedupe([whole, unit]);
    expect(shape(good.unique)).toEqual(["function 40 37-53"]);
    expect(good.duplicates).toMatchObject([{ id: whole.item.id, by: unit.item.id }]);
    expect(good.unique[0]!.merged).toMatchObject([{ id: whole.item.id, why: "the whole file" }]);
    const weak = dedupe([whole, { ...unit, score: 0.2 }]);
    expect(shape(weak.unique)).toEqual(["file 1 1-1000 outline", "function 40 37-53"]);
  });

  it("keeps a file that was asked for by its path in one piece", () => {
    const whole = { ...lines(1, 1000, { kind: "file", score: 0.99 }, 0), signals: { named: 1 }, askedWhole: true };
    const { unique } = dedupe([whole, lines(40, 50, { score: 0.7 }), lines(300, 700, { score: 0.7 })]);
    expect(shape(unique)).toEqual(["file 1 1-1000"]);
    expect(unique[0]).toMatchObject({ askedWhole: true, signals: { named: 1 } });
  });

  it("keeps it in one piece too where one unit is as long as the file", () => {
    const whole = { ...lines(1, 200, { kind: "file", score: 0.99 }, 0), signals: { named: 1 }, askedWhole: true };
    const shell = lines(1, 200, { kind: "module", score: 0.5 }, 0);
    const { unique } = dedupe([whole, lines(10, 20, { score: 0.95 }), lines(50, 120, { score: 0.94 }), shell]);
    expect(shape(unique)).toEqual(["file 1 1-200"]);
    expect(unique[0]).toMatchObject({ askedWhole: true });
  });

  it("puts the best part of a file that the question names in the file's place", () => {
    const whole = { ...lines(1, 1000, { kind: "file", score: 0.99 }, 0), signals: { named: 1 } };
    const elsewhere = evidence({ path: "other.ts", text: "elsewhere()", score: 0.8 });
    const { unique } = dedupe([whole, elsewhere, lines(40, 50, { score: 0.7 })]);
    expect(unique.map(({ item }) => item.path === "other.ts")).toEqual([false, true]);
  });

  it("does not print a whole file for a short function because a long one fills the rest of it", () => {
    const { unique } = dedupe([
      lines(480, 484, { score: 0.9 }),
      lines(1, 484, { kind: "file", score: 0.7 }, 0),
      lines(31, 470, { score: 0.65 }, 0),
    ]);
    expect(shape(unique)).toEqual(["function 480 477-487", "function 31 31-470"]);
  });

  it("joins small neighbours whose context lines meet, and cites the lines of both", () => {
    const { unique } = dedupe([lines(10, 15, { score: 0.9 }), lines(20, 25, { score: 0.8 })]);
    expect(shape(unique)).toEqual(["function 10 7-28"]);
    expect(unique[0]!.citation).toMatchObject({
      startLine: 10,
      endLine: 25,
      hash: hashText(file.slice(9, 25).join("\n")),
    });
  });

  it("leaves a long neighbour apart, without a line printed twice", () => {
    const { unique } = dedupe([lines(10, 15, { score: 0.9 }), lines(18, 300, { score: 0.8 })]);
    expect(shape(unique)).toEqual(["function 10 7-17", "function 18 18-303"]);
    expect(unique[1]!.lines).toEqual(file.slice(17, 303));
  });

  it("never joins two states of a file", () => {
    const changed = lines(20, 25);
    const { unique } = dedupe([lines(10, 15), { ...changed, lines: changed.lines.map((line) => `${line} changed`) }]);
    expect(unique).toHaveLength(2);
  });

  it("drops a copy in another file, and keeps alike units of one file", () => {
    const text = Array.from({ length: 12 }, (_, i) => `  total += price(${i}) * quantity(${i});`).join("\n");
    const original = evidence({ path: "src/a.ts", name: "sum", text, line: 1, score: 0.9 });
    const vendored = evidence({ path: "vendor/a.ts", name: "sum", text, line: 5, score: 0.8 });
    const twin = evidence({ path: "src/a.ts", name: "again", text, line: 100, score: 0.7 });
    const { unique, duplicates } = dedupe([original, vendored, twin]);
    expect(unique.map(({ item }) => item.name)).toEqual(["sum", "again"]);
    expect(duplicates).toMatchObject([{ id: vendored.item.id, by: original.item.id }]);
    expect(unique[0]!.merged).toMatchObject([{ id: vendored.item.id, why: "same code in vendor/a.ts:5-16" }]);
  });

  it("keeps both of two functions that share nearly all their lines", () => {
    const body = Array.from({ length: 40 }, (_, i) => `  total += price(item${i}) * quantity(item${i});`);
    const text = (changed: string) =>
      ["function sum() {", ...body.with(20, changed), "  return total;", "}"].join("\n");
    const one = evidence({ path: "a.ts", name: "sum", text: text("  total += shipping();"), score: 0.9 });
    const other = evidence({ path: "b.ts", name: "sum", text: text("  total -= discount();"), score: 0.8 });
    const { unique, duplicates } = dedupe([one, other]);
    expect(unique.map(({ item }) => item.path)).toEqual(["a.ts", "b.ts"]);
    expect(duplicates).toEqual([]);
  });

  it("keeps both of two functions that differ in a name, a string or an operator", () => {
    const text =
      'function pay(order) {\n  const sum = total(order) * 1.2;\n  log("paid " + order.id + " by card");\n  return gateway.charge(order.customer.account, sum);\n}';
    const variants = [
      ["total(", "count("],
      ["by card", "by cash"],
      ["* 1.2", "+ 1.2"],
      ["by card", "by  card"],
    ] as const;
    for (const [from, to] of variants) {
      const { unique } = dedupe([
        evidence({ path: "a.ts", name: "pay", text }),
        evidence({ path: "b.ts", name: "pay", text: text.replace(from, to) }),
      ]);
      expect(unique).toHaveLength(2);
    }
  });

  it("makes one of the same function formatted otherwise and with other comments, and names the other place", () => {
    const text =
      'function pay(order) {\n  // Prices are without tax.\n  const sum = total(order) * 1.2;\n  log("paid // by card");\n  return gateway.charge(order.customer.account, sum);\n}';
    const again =
      '    /** Charges the customer. */\n    function pay( order )\n    {\n        const sum = total(order)*1.2; /* with tax */\n        log("paid // by card");\n        return gateway.charge(\n            order.customer.account, sum);\n    }';
    const { unique, duplicates } = dedupe([
      evidence({ path: "a.ts", name: "pay", text, item: { language: "typescript" } }),
      evidence({ path: "old/b.ts", name: "pay", text: again, line: 11, item: { language: "typescript" } }),
    ]);
    expect(unique.map(({ item }) => item.path)).toEqual(["a.ts"]);
    expect(unique[0]!.merged).toMatchObject([{ why: "same code in old/b.ts:11-18" }]);
    expect(duplicates).toHaveLength(1);
  });

  it("does not take Python code for the same whose lines are indented to another depth", () => {
    const text = (last: string) =>
      `def pay(order):\n    total = 0\n    for line in order.lines:\n        total += line.price * line.quantity\n        if line.gift:\n            total += wrapping(line)\n${last}return gateway.charge(order.customer, total)`;
    const python = (path: string, written: string) =>
      evidence({ path, name: "pay", text: written, item: { language: "python" } });
    expect(dedupe([python("a.py", text("    ")), python("b.py", text("        "))]).unique).toHaveLength(2);
    const tabs = text("    ").replaceAll("    ", "\t");
    expect(dedupe([python("a.py", text("    ")), python("b.py", tabs)]).unique).toHaveLength(1);
  });

  it("still makes one of documents that are nearly the same", () => {
    const text = Array.from(
      { length: 40 },
      (_, i) => `Sentence ${i} of the guide says how part ${i} is installed and used.`,
    ).join("\n");
    const document = (path: string, written: string) =>
      evidence({ path, name: "Guide", kind: "section", text: written, item: { source: "file", language: "markdown" } });
    const { unique } = dedupe([document("docs/a.md", text), document("docs/b.md", text.replace("guide", "manual"))]);
    expect(unique.map(({ item }) => item.path)).toEqual(["docs/a.md"]);
    expect(unique[0]!.merged).toMatchObject([{ why: "same text in docs/b.md" }]);
  });

  it("makes one of equal sections of one file, and leaves those that differ in a word", () => {
    const text = Array.from({ length: 8 }, (_, i) => `* Sentence ${i} of an option that each command has`).join("\n");
    const section = (line: number, written = text) =>
      evidence({
        path: "docs/a.md",
        name: `Option ${line}`,
        kind: "section",
        line,
        text: written,
        item: { source: "file", language: "markdown" },
      });
    const { unique, duplicates } = dedupe([
      section(10),
      section(50),
      section(90, text.replace("Sentence 3", "Line 3")),
    ]);
    expect(unique.map(({ item }) => item.name)).toEqual(["Option 10", "Option 90"]);
    expect(unique[0]!.merged).toMatchObject([{ name: "Option 50", why: "same text in lines 50-57" }]);
    expect(duplicates).toMatchObject([{ by: unique[0]!.item.id, reason: "duplicate" }]);
  });

  it("shortens citations, and keeps the ranking", () => {
    const ranked = [300, 10, 600].map((from, i) => lines(from, from + 5, { score: 0.9 - i / 10 }));
    const { unique } = dedupe(ranked);
    expect(unique.map(({ item }) => item.id)).toEqual(ranked.map(({ item }) => item.id));
    for (const { citation, item } of unique) expect(citation.id).toBe(`[${item.id.slice(0, 8)}]`);
  });

  it("loses nothing, prints no line of a file twice but in outlines, and only lines of the file", () => {
    const span = fc.tuple(
      fc.integer({ min: 1, max: 380 }),
      fc.integer({ min: 0, max: 200 }),
      fc.nat(3),
      fc.constantFrom("method", "class", "file"),
    );
    fc.assert(
      fc.property(fc.array(span, { minLength: 1, maxLength: 12 }), (spans) => {
        const ranked = spans.map(([from, length, context, kind], i) =>
          lines(
            from,
            Math.min(400, from + length),
            { kind: kind as "class", score: 1 - i / 20, name: `n${i}`, item: { id: `cod-${i}aaaa` } },
            context,
          ),
        );
        const { unique, duplicates } = dedupe(ranked);
        expect([...unique.map(({ item }) => item.id), ...duplicates.map(({ id }) => id)].sort()).toEqual(
          ranked.map(({ item }) => item.id).sort(),
        );
        const kept = new Set(unique.map(({ item }) => item.id));
        for (const { by } of duplicates) expect(kept.has(by!)).toBe(true);
        const printed = new Set<number>();
        for (const { lines, startLine, endLine, outline } of unique) {
          expect(lines).toEqual(file.slice(startLine - 1, endLine));
          for (let line = startLine; line <= endLine && !outline; line++) {
            expect(printed.has(line)).toBe(false);
            printed.add(line);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});
