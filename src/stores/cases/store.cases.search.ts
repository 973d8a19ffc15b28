import fc from "fast-check";
import { expect, it } from "vitest";
import { analyse } from "../../text/analysis/analyse.ts";
import { packTerms } from "../../text/analysis/terms.ts";
import type { Filter, Hit, NameSearch, Store } from "../store.ts";
import { idOf, sampleFile, sampleShop, termsOf } from "./store.samples.ts";

const names = (hits: Hit[]) => hits.map(({ item }) => item.name);
const paths = (hits: Hit[]) => hits.map(({ item }) => item.path);

/** What every engine must find. */
export function searchCases(store: () => Store): void {
  const write = () => store().write("me", { files: sampleShop(), removed: [] });
  const text = (query: string, filter?: Filter, limit = 10) =>
    store().searchText("me", { scope: "unit", terms: termsOf(query), limit, filter });
  const name = (query: string, mode: NameSearch["mode"], filter?: Filter) =>
    store().searchNames("me", { text: query, mode, limit: 10, filter });
  const path = (query: string, mode: NameSearch["mode"], filter?: Filter) =>
    store().searchPaths("me", { text: query, mode, limit: 10, filter });

  it("ranks a match in the name above one in the doc comment, and that above the body", async () => {
    const filler = "alpha beta gamma";
    await store().write("me", {
      files: [
        sampleFile("a.py", [
          { name: "other", text: `${filler} refund` },
          { name: "thing", text: filler, doc: "refund" },
          { name: "refund", text: filler },
          ...Array.from({ length: 40 }, (_, i) => ({ name: `filler${i}`, text: filler })),
        ]),
      ],
      removed: [],
    });
    const hits = await text("refund");
    expect(names(hits)).toEqual(["refund", "thing", "other"]);
    expect(hits[0]!.score).toBeGreaterThan(hits[1]!.score);
    expect(hits.every(({ score }) => score > 0)).toBe(true);
  });

  it("searches an item's own text in one scope and whole files in the other", async () => {
    await write();
    const unit = await store().searchText("me", { scope: "unit", terms: termsOf("bank"), limit: 10 });
    expect(names(unit)).toEqual(["Gateway"]);
    const file = await store().searchText("me", { scope: "file", terms: termsOf("timeout charge"), limit: 10 });
    expect(names(file)[0]).toBe("payment.py");
    expect(file.every(({ item }) => item.kind === "file" || item.kind === "document")).toBe(true);
  });

  it("ranks items that match more of a query above those that match less", async () => {
    await write();
    expect(names(await text("charges the customer's card"))[0]).toBe("charge");
    expect(names(await text("price of the basket"))[0]).toBe("total");
  });

  it("gives at most the limit, best first", async () => {
    await write();
    const all = await text("total price amount order card");
    expect(all.length).toBeGreaterThan(3);
    expect((await text("total price amount order card", undefined, 2)).length).toBe(2);
    expect(await text("total", undefined, 0)).toEqual([]);
    expect(all.map(({ score }) => score)).toEqual(all.map(({ score }) => score).sort((a, b) => b - a));
  });

  it("takes no term for syntax", async () => {
    await write();
    for (const term of ['"', '""', "AND", "near", "(", "*", "-", "name:x", "^", "\0", "", " ", "{a b}", "total OR"]) {
      const hits = await store().searchText("me", {
        scope: "unit",
        terms: [
          { term, weight: 1 },
          { term: "refund", weight: 1 },
        ],
        limit: 5,
      });
      expect(names(hits)).toContain("Refunds");
    }
    expect(await store().searchText("me", { scope: "unit", terms: [], limit: 5 })).toEqual([]);
    expect(await store().searchText("me", { scope: "unit", terms: [{ term: "refund", weight: 0 }], limit: 5 })).toEqual(
      [],
    );
  });

  it("answers a query of a thousand terms, most of them unknown", async () => {
    await write();
    const noise = Array.from({ length: 1000 }, (_, i) => ({ term: `noise${i}`, weight: 1 }));
    const hits = await store().searchText("me", {
      scope: "unit",
      terms: [...noise, ...termsOf("refund money")],
      limit: 5,
    });
    expect(names(hits)[0]).toBe("Refunds");
  });

  it("finds terms of every script, and whole identifiers", async () => {
    const text = "größe 日本語 переменная naïve_value 𝒳𝒴";
    const file = sampleFile("a.py", [
      { name: "größe", text },
      { name: "other", text: "other" },
    ]);
    await store().write("me", { files: [file], removed: [] });
    for (const term of new Set(analyse(text))) {
      const hits = await store().searchText("me", { scope: "unit", terms: [{ term, weight: 1 }], limit: 5 });
      expect({ term, found: names(hits) }).toEqual({ term, found: ["größe"] });
    }
  });

  it("finds common words too, when nothing rarer is asked", async () => {
    const units = Array.from({ length: 60 }, (_, i) => ({ name: `unit${i}`, text: `shared word${i % 7}` }));
    await store().write("me", { files: [sampleFile("a.py", units)], removed: [] });
    expect(await text("shared", undefined, 100)).toHaveLength(60);
    expect(await text("shared word3 unit5", undefined, 100)).toHaveLength(60);
    expect(names(await text("shared word3 unit5"))[0]).toBe("unit5");
  });

  it("applies every filter exactly", async () => {
    await write();
    const query = "total charge price card refund order amount";
    const check = async (filter: Filter, allowed: (hit: Hit) => boolean) => {
      const expected = (await text(query)).filter(allowed).map(({ item }) => item.id);
      expect(expected.length).toBeGreaterThan(0);
      expect((await text(query, filter)).map(({ item }) => item.id).sort()).toEqual(expected.sort());
    };
    await check({ kinds: ["method"] }, ({ item }) => item.kind === "method");
    await check({ languages: ["typescript", "markdown"] }, ({ item }) => item.language !== "python");
    await check({ sources: ["code"] }, () => true);
    await check({ tests: false }, ({ item }) => !item.test);
    await check({ tests: true }, ({ item }) => item.test === true);
    await check({ paths: ["shop/**"] }, ({ item }) => item.path.startsWith("shop/"));
    await check({ files: ["shop/payment.py", "nowhere.py"] }, ({ item }) => item.path === "shop/payment.py");
    await check({ paths: ["shop"] }, ({ item }) => item.path.startsWith("shop/"));
    await check({ paths: ["*.ts", "docs/"] }, ({ item }) => /^web|^docs/.test(item.path));
    await check({ paths: ["!shop/tests/**", "!**/*.md"] }, ({ item }) => !/tests|docs/.test(item.path));
    await check(
      { paths: ["./shop/*.py"], kinds: ["function"] },
      ({ item }) => /^shop\/\w+\.py$/.test(item.path) && item.kind === "function",
    );
    expect(await text(query, { kinds: [] })).toEqual([]);
    expect(await text(query, { sources: ["note"] })).toEqual([]);
    expect(await text(query, { paths: ["nowhere/**"] })).toEqual([]);
  });

  it("sees a file that arrived after a filter was first used", async () => {
    await write();
    expect(paths(await text("refund", { paths: ["new/**"] }))).toEqual([]);
    await store().write("me", { files: [sampleFile("new/a.py", [{ name: "refund", text: "refund" }])], removed: [] });
    expect(new Set(paths(await text("refund", { paths: ["new/**"] })))).toEqual(new Set(["new/a.py"]));
  });

  it("counts items, terms and lengths by scope", async () => {
    const file = sampleFile("a.py", [
      { name: "one", text: "red red blue" },
      { name: "two", text: "red" },
    ]);
    await store().write("me", { files: [file], removed: [] });
    const unit = await store().termStatistics("me", "unit", ["red", "blue", "green"]);
    expect(unit.count).toBe(3);
    expect(unit.averageLength).toBeCloseTo(file.items.reduce((sum, each) => sum + each.unit!.length, 0) / 3);
    expect(unit.frequencies).toEqual(
      new Map([
        ["red", 2],
        ["blue", 1],
      ]),
    );
    const fileStatistics = await store().termStatistics("me", "file", ["red", "green"]);
    expect(fileStatistics).toEqual({
      count: 1,
      averageLength: file.items[0]!.file!.length,
      frequencies: new Map([["red", 1]]),
    });
  });

  it("gives back packed term vectors by id, by path and all of them", async () => {
    const files = sampleShop();
    await store().write("me", { files, removed: [] });
    const items = files.flatMap((file) => file.items);
    const expected = new Map(items.map(({ item, unit }) => [item.id, unit!.terms]));
    expect(await store().terms("me", "unit", [...expected.keys(), "cod-unknown"])).toEqual(expected);
    const fileTerms = new Map(items.filter((each) => each.file).map((each) => [each.item.id, each.file!.terms]));
    expect(await store().terms("me", "file", [...expected.keys()])).toEqual(fileTerms);
    const streamed = new Map<string, Uint8Array>();
    for await (const batch of store().allTerms("me", "unit"))
      for (const { id, terms } of batch) streamed.set(id, terms);
    expect(streamed).toEqual(expected);
    // Cached reads must not leak into the result.
    await store().items("me", [...expected.keys()]);
    await store().searchPaths("me", { text: "tax", mode: "fuzzy", limit: 10 });
    await store().wholeFiles(
      "me",
      files.map(({ path }) => path),
    );
    const byPath = await store().wholeFiles("me", ["web/tax.ts", "nothing"]);
    expect([...byPath]).toEqual([
      ["web/tax.ts", { item: files[5]!.items[0]!.item, terms: files[5]!.items[0]!.file!.terms }],
    ]);
  });

  it("hands out every item in batches, however many there are", async () => {
    const units = Array.from({ length: 2500 }, (_, i) => ({ name: `u${i}`, text: "x" }));
    await store().write("me", { files: [sampleFile("big.py", units)], removed: [] });
    const sizes: number[] = [];
    for await (const batch of store().allTerms("me", "unit")) sizes.push(batch.length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(2501);
    expect(sizes.length).toBeGreaterThan(1);
  });

  it("finds a name in any case, the exact case first", async () => {
    await store().write("me", {
      files: [
        sampleFile("a.py", [
          { name: "total", text: "t" },
          { name: "Total", text: "t" },
          { name: "totals", text: "t" },
        ]),
      ],
      removed: [],
    });
    expect(names(await name("Total", "exact"))).toEqual(["Total", "total"]);
    expect(names(await name("TOTAL", "exact")).sort()).toEqual(["Total", "total"]);
    expect(names(await name("tota", "exact"))).toEqual([]);
    expect(names(await name("", "exact"))).toEqual([]);
  });

  it("finds a qualified name by its end, at a separator", async () => {
    await write();
    expect(names(await name("Gateway.charge", "suffix"))).toEqual(["charge"]);
    expect(names(await name("gateway::charge", "suffix"))).toEqual(["charge"]);
    expect(names(await name("shop/payment.py::Gateway.charge", "suffix"))).toEqual(["charge"]);
    expect(names(await name("charge", "suffix"))).toEqual(["charge"]);
    expect(names(await name("way.charge", "suffix"))).toEqual([]);
    expect(names(await name("Basket.charge", "suffix"))).toEqual([]);
  });

  it("forgives misspelt names", async () => {
    await write();
    const file = sampleFile("k.py", [
      { name: "knowledge", text: "k" },
      { name: "acknowledge_message", text: "k" },
      { name: "go", text: "k" },
    ]);
    await store().write("me", { files: [file], removed: [] });
    expect(names(await name("knowlege", "fuzzy"))[0]).toBe("knowledge");
    expect(names(await name("procesPayment", "fuzzy"))[0]).toBe("processPayment");
    expect(names(await name("proecssPayment", "fuzzy"))[0]).toBe("processPayment");
    expect(names(await name("payment", "fuzzy"))).toContain("processPayment");
    expect(names(await name("Gatway.charge", "fuzzy"))[0]).toBe("charge");
    expect(names(await name("go", "fuzzy"))).toEqual(["go"]);
    expect(names(await name("gp", "fuzzy"))).toEqual([]);
    expect(names(await name("zzzzqqqq", "fuzzy"))).toEqual([]);
    expect((await name("knowledge", "fuzzy"))[0]!.score).toBe(1);
  });

  it("applies filters to names", async () => {
    await write();
    expect(paths(await name("total", "exact", { languages: ["typescript"] }))).toEqual(["web/cart.ts"]);
    expect(paths(await name("totl", "fuzzy", { paths: ["web/**"] }))).toEqual(["web/cart.ts"]);
    expect(await name("total", "suffix", { kinds: ["class"] })).toEqual([]);
  });

  it("finds whole files by path: exact, by the end at a slash, misspelt", async () => {
    await write();
    expect(paths(await path("shop/payment.py", "exact"))).toEqual(["shop/payment.py"]);
    expect(paths(await path("./Shop/Payment.py", "exact"))).toEqual(["shop/payment.py"]);
    expect(paths(await path("payment.py", "exact"))).toEqual([]);
    expect(paths(await path("payment.py", "suffix"))).toEqual(["shop/payment.py"]);
    expect(paths(await path("tests\\test_payment.py", "suffix"))).toEqual(["shop/tests/test_payment.py"]);
    expect(paths(await path("ayment.py", "suffix"))).toEqual([]);
    expect(paths(await path("shop/paymnt.py", "fuzzy"))[0]).toBe("shop/payment.py");
    expect(paths(await path("guid.md", "fuzzy"))).toEqual(["docs/guide.md"]);
    expect((await path("payment.py", "suffix")).every(({ item }) => item.kind === "file")).toBe(true);
    expect(await path("", "suffix")).toEqual([]);
    expect(await path("cart.ts", "suffix", { languages: ["python"] })).toEqual([]);
    expect(await path("crt.ts", "fuzzy", { languages: ["python"] })).toEqual([]);
  });

  it("finds the nearest vectors, exactly as comparing them one by one", async () => {
    const vector = fc.int8Array({ minLength: 20, maxLength: 20 });
    const vectors = fc.array(vector, { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(vectors, vector, fc.integer({ min: 1, max: 50 }), async (stored, query, limit) => {
        const units = stored.map((each, i) => ({
          name: `v${i}`,
          text: "v",
          vector: [...each],
          kind: i % 3 ? ("function" as const) : ("class" as const),
        }));
        const half = units.length >> 1;
        const files = [sampleFile("v.py", units.slice(half)), sampleFile("w.py", units.slice(0, half))];
        await store().write("me", { files, removed: [] });
        const scores = stored.map((each) => each.reduce((sum, value, i) => sum + value * query[i]!, 0));
        const nearest = await store().searchVectors("me", { vector: query, limit });
        expect(nearest.map(({ score }) => score)).toEqual(scores.sort((a, b) => b - a).slice(0, limit));
        const classes = stored
          .filter((_, i) => i % 3 === 0)
          .map((each) => each.reduce((sum, value, i) => sum + value * query[i]!, 0));
        const filtered = await store().searchVectors("me", { vector: query, limit, filter: { kinds: ["class"] } });
        expect(filtered.map(({ score }) => score)).toEqual(classes.sort((a, b) => b - a).slice(0, limit));
      }),
      { numRuns: 15 },
    );
  });

  it("replaces vectors, and compares only those as long as the query's", async () => {
    await write();
    const tax = idOf("web/tax.ts");
    const cart = idOf("web/cart.ts");
    await store().writeVectors(
      "me",
      new Map([
        [tax, Int8Array.of(1, 0, 0)],
        [cart, Int8Array.of(0, 1, 0)],
      ]),
    );
    const search = (vector: number[]) => store().searchVectors("me", { vector: Int8Array.from(vector), limit: 5 });
    expect((await search([0, 5, 1])).map(({ item, score }) => [item.id, score])).toEqual([
      [cart, 5],
      [tax, 0],
    ]);
    await store().writeVectors("me", new Map([[tax, Int8Array.of(0, 9, 0)]]));
    expect((await search([0, 5, 1])).map(({ item, score }) => [item.id, score])).toEqual([
      [tax, 45],
      [cart, 5],
    ]);
    await store().writeVectors("me", new Map([[tax, Int8Array.of(1, 1)]]));
    expect(await search([1, 1, 1])).toHaveLength(1);
    expect(await search([1, 1])).toHaveLength(1);
    expect(await search([])).toEqual([]);
  });

  it("keeps empty and enormous term vectors apart", async () => {
    const many = Array.from({ length: 3000 }, (_, i) => `w${i}`);
    const file = sampleFile("a.py", [
      { name: "empty", text: "" },
      { name: "many", text: many.join(" ") },
    ]);
    file.items[1]!.unit!.terms = packTerms({});
    await store().write("me", { files: [file], removed: [] });
    const termVectors = await store().terms(
      "me",
      "unit",
      file.items.map(({ item }) => item.id),
    );
    expect(termVectors.get(file.items[1]!.item.id)).toHaveLength(0);
    expect(termVectors.get(file.items[2]!.item.id)).toEqual(file.items[2]!.unit!.terms);
  });
}
