import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Item } from "../../item.ts";
import { analyse } from "../../text/analysis/analyse.ts";
import type { Store } from "../store.ts";
import { linkCases } from "./store.cases.links.ts";
import { modelVectorCases } from "./store.cases.model-vectors.ts";
import { nameCases } from "./store.cases.names.ts";
import { ownerCases } from "./store.cases.owners.ts";
import { receiverCases } from "./store.cases.receivers.ts";
import { scopeCases } from "./store.cases.scope.ts";
import { searchCases } from "./store.cases.search.ts";
import { shelfCases } from "./store.cases.shelves.ts";
import { idOf, sampleFile, sampleShop } from "./store.samples.ts";

/** What every engine must do. `open` gives a new, empty store each time. */
export function storeCases(name: string, open: () => Promise<Store>): void {
  describe(name, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      await store.close();
    });
    const current = () => store;

    describe("files and items", () => fileCases(current));
    describe("changes", () => changeCases(current));
    describe("search", () => searchCases(current));
    describe("names", () => nameCases(current));
    describe("links", () => linkCases(current));
    describe("scope", () => scopeCases(current));
    describe("receivers", () => receiverCases(current));
    describe("owners", () => ownerCases(current, open));
    describe("shelves", () => shelfCases(current));
    describe("vectors of models", () => modelVectorCases(current));
    describe("notes and statistics", () => noteCases(current));
  });
}

function fileCases(store: () => Store): void {
  it("gives back a file's text, state and imports as they were written", async () => {
    const files = sampleShop();
    await store().write("me", { files, removed: [] });
    for (const { path, hash, size, modified, language, text, imports, items } of files) {
      expect(await store().file("me", path)).toEqual({
        path,
        hash,
        size,
        modified,
        language,
        text,
        imports,
        items: items.length,
      });
    }
    expect(await store().file("me", "shop/nothing.py")).toBeUndefined();
  });

  it("lists the state of every file without its text", async () => {
    const files = sampleShop();
    await store().write("me", { files, removed: [] });
    const expected = files.map(({ path, hash, size, modified, items }) => ({
      path,
      hash,
      size,
      modified,
      items: items.length,
    }));
    expect(await store().files("me")).toEqual(expected.sort((a, b) => (a.path < b.path ? -1 : 1)));
  });

  it("outlines files: hash, imports and the lines of their units", async () => {
    const units = [
      { name: "first", text: "a" },
      { name: "second", text: "b" },
    ];
    const file = sampleFile("a.py", units, { imports: ["os"] });
    await store().write("me", { files: [file, sampleFile("b.py", [])], removed: [] });
    const outlines = await store().outlines("me", ["a.py", "nothing"]);
    expect([...outlines.keys()]).toEqual(["a.py"]);
    const { hash, imports, spans } = outlines.get("a.py")!;
    expect({ hash, imports }).toEqual({ hash: file.hash, imports: file.imports });
    const lines = file.items.slice(1).map(({ item }) => [item.startLine, item.endLine, item.name]);
    expect(spans.sort((a, b) => a[0] - b[0])).toEqual(lines);
    expect(await store().outlines("you", ["a.py"])).toEqual(new Map());
  });

  it("gives back every field of an item, and leaves out what it does not have", async () => {
    const full: Partial<Item> = {
      signature: "def a(\n  b,\n)",
      doc: "Does.\n\nMore.",
      test: true,
      changed: 1_600_000_000_123,
    };
    const file = sampleFile("a.py", [
      { name: "Über", text: "x", item: full },
      { name: "bare", text: "y", item: { signature: undefined, language: undefined, parent: undefined } },
    ]);
    await store().write("me", { files: [file], removed: [] });
    const ids = file.items.map(({ item }) => item.id);
    const bare = Object.fromEntries(Object.entries(file.items[2]!.item).filter(([, value]) => value !== undefined));
    expect(await store().items("me", ids)).toStrictEqual([file.items[0]!.item, file.items[1]!.item, bare]);
  });

  it("answers ids in the order asked and leaves out unknown ones", async () => {
    await store().write("me", { files: sampleShop(), removed: [] });
    const ids = [idOf("shop/basket.py", "total"), "cod-unknown", idOf("docs/guide.md")];
    expect((await store().items("me", ids)).map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    expect(await store().items("me", [])).toEqual([]);
  });

  it("lists the items of a file in line order", async () => {
    await store().write("me", { files: sampleShop(), removed: [] });
    const names = (await store().itemsOf("me", "shop/payment.py")).map(({ name }) => name);
    expect(names).toEqual(["payment.py", "Gateway", "charge", "send", "processPayment"]);
    expect(await store().itemsOf("me", "shop")).toEqual([]);
  });

  it("finds items by the beginning of their id, up to the limit", async () => {
    await store().write("me", { files: sampleShop(), removed: [] });
    const id = idOf("shop/basket.py", "total");
    expect((await store().itemsByPrefix("me", id.slice(0, 10), 5)).map((item) => item.id)).toEqual([id]);
    expect(await store().itemsByPrefix("me", "cod-", 3)).toHaveLength(3);
    expect(await store().itemsByPrefix("me", "%", 3)).toEqual([]);
    expect(await store().sharedPrefixes("me", [id, "%", "cod-zzzzzzzzzzzzz"])).toEqual([]);
    expect(await store().sharedPrefixes("me", ["cod-"])).toContain(id);
    expect(await store().sharedPrefixes("somebody else", ["cod-"])).toEqual([]);
  });

  it("keeps any text: empty, any script, control characters, a very long line", async () => {
    for (const text of ["", "日本語 العربية 👩‍👩‍👧 \u0000\u0007\r\n\t", "x".repeat(300_000)]) {
      const file = { ...sampleFile("a b/ü'\"%.py", [{ name: "f", text: "f" }]), text };
      await store().write("me", { files: [file], removed: [] });
      expect((await store().file("me", file.path))?.text).toBe(text);
    }
  });

  it("keeps control characters in names, signatures and doc comments away from harm", async () => {
    const strange = sampleFile("a.py", [{ name: "a\u0000b", text: "one\u0000two", doc: 'quote " and \ud800 half' }]);
    await store().write("me", { files: [strange], removed: [] });
    const [, item] = await store().itemsOf("me", "a.py");
    expect(item!.id).toBe(strange.items[1]!.item.id);
    expect(item!.signature).toMatch(/^one.?two$/s);
    expect(await store().searchNames("me", { text: "a\u0000b", mode: "exact", limit: 5 })).toHaveLength(1);
  });
}

function changeCases(store: () => Store): void {
  it("makes the revision grow by one with every write", async () => {
    expect(await store().revision("me")).toBe(0);
    await store().write("me", { files: sampleShop(), removed: [] });
    expect(await store().revision("me")).toBe(1);
    await store().write("me", { files: [], removed: ["docs/guide.md"] });
    expect(await store().revision("me")).toBe(2);
    await store().writeVectors("me", new Map([[idOf("web/tax.ts"), Int8Array.of(1, 2)]]));
    expect(await store().revision("me")).toBe(3);
  });

  it("replaces everything a file contributed", async () => {
    await store().write("me", { files: sampleShop(), removed: [] });
    await store().write("me", {
      files: [sampleFile("shop/payment.py", [{ name: "refund", text: "def refund(): giveback()" }])],
      removed: [],
    });
    expect((await store().itemsOf("me", "shop/payment.py")).map(({ name }) => name)).toEqual(["payment.py", "refund"]);
    expect(await store().items("me", [idOf("shop/payment.py", "Gateway.charge")])).toEqual([]);
    expect(await store().searchNames("me", { text: "processPayment", mode: "exact", limit: 5 })).toEqual([]);
    const hits = await store().searchText("me", { scope: "unit", terms: [{ term: "giveback", weight: 1 }], limit: 5 });
    expect(hits.map(({ item }) => item.name)).toEqual(["refund"]);
    const statistics = await store().termStatistics("me", "unit", analyse("gateway giveback"));
    expect([...statistics.frequencies]).toEqual([["giveback", 1]]);
  });

  it("tells the role of a file with the file and with its items, until it has another", async () => {
    const roles = async () => {
      const [state] = (await store().files("me")).filter(({ path }) => path === "examples/pay.py");
      const items = await store().itemsOf("me", "examples/pay.py");
      return [state?.role, ...items.map(({ role }) => role)];
    };
    const file = sampleFile("examples/pay.py", [{ name: "pay", text: "def pay(): ..." }]);
    await store().write("me", { files: [{ ...file, role: "example" }], removed: [] });
    expect(await roles()).toEqual(["example", "example", "example"]);
    await store().write("me", { files: [], removed: [], roles: [{ path: "examples/pay.py", role: "vendored" }] });
    expect(await roles()).toEqual(["vendored", "vendored", "vendored"]);
    expect((await store().file("me", "examples/pay.py"))?.role).toBe("vendored");
    await store().write("me", { files: [], removed: [], roles: [{ path: "examples/pay.py" }] });
    expect(await roles()).toEqual([undefined, undefined, undefined]);
  });

  it("records new sizes and times of files that were only touched", async () => {
    await store().write("me", { files: sampleShop(), removed: [] });
    await store().write("me", {
      files: [],
      removed: [],
      touched: [
        { path: "web/tax.ts", size: 9, modified: 1.5 },
        { path: "no", size: 1, modified: 1 },
      ],
    });
    const states = await store().files("me");
    expect(states.find(({ path }) => path === "web/tax.ts")).toMatchObject({ size: 9, modified: 1.5 });
    expect(states).toHaveLength(6);
  });

  it("writes a file that is also listed as removed", async () => {
    const [file] = sampleShop();
    await store().write("me", { files: [file!], removed: [file!.path] });
    expect(await store().files("me")).toHaveLength(1);
  });

  it("keeps the last of two files that bring the same id, or the same path", async () => {
    const one = sampleFile("one.py", [{ name: "same", text: "first", item: { id: "cod-same" }, vector: [1, 0] }], {
      vector: [0, 1],
    });
    const two = sampleFile("two.py", [{ name: "same", text: "second", item: { id: "cod-same" } }]);
    await store().write("me", { files: [one, two], removed: [] });
    expect((await store().items("me", ["cod-same"])).map(({ path }) => path)).toEqual(["two.py"]);
    await store().write("me", { files: [one], removed: [] });
    expect((await store().items("me", ["cod-same"])).map(({ path }) => path)).toEqual(["one.py"]);
    expect((await store().itemsOf("me", "two.py")).map(({ name }) => name)).toEqual(["two.py"]);
    expect((await store().files("me")).map(({ items }) => items)).toEqual([2, 1]);
    await store().write("me", { files: [two], removed: [] });
    expect(
      (await store().searchVectors("me", { vector: Int8Array.of(1, 1), limit: 5 })).map(({ item }) => item.name),
    ).toEqual(["one.py"]);
    await store().write("me", { files: [], removed: ["one.py"] });
    await store().write("me", { files: [{ ...two, hash: "old" }, two], removed: [] });
    expect((await store().files("me")).map(({ hash }) => hash)).toEqual([two.hash]);
  });

  it("leaves nothing to find when every file is removed", async () => {
    const files = sampleShop();
    await store().write("me", { files, removed: [] });
    await store().write("me", { files: [], removed: [...files.map(({ path }) => path), "never/there.py"] });
    const ids = files.flatMap((file) => file.items.map(({ item }) => item.id));
    expect(await store().files("me")).toEqual([]);
    expect(await store().items("me", ids)).toEqual([]);
    expect(await store().links("me", ids, "from")).toEqual([]);
    expect(await store().termStatistics("me", "unit", ["total"])).toEqual({
      count: 0,
      averageLength: 0,
      frequencies: new Map(),
    });
    expect(await store().statistics("me")).toMatchObject({
      files: 0,
      items: 0,
      links: 0,
      vectors: 0,
      textBytes: 0,
      kinds: {},
      languages: {},
    });
  });

  it("leaves the store as it was when a write fails", async () => {
    await store().write("me", { files: sampleShop(), removed: [] });
    const broken = sampleFile("broken.py", [{ name: "f", text: "f", item: { hash: null as unknown as string } }]);
    await expect(store().write("me", { files: [broken], removed: ["web/tax.ts"] })).rejects.toThrow();
    expect(await store().revision("me")).toBe(1);
    expect((await store().files("me")).map(({ path }) => path)).toContain("web/tax.ts");
    expect(await store().file("me", "broken.py")).toBeUndefined();
  });
}

function noteCases(store: () => Store): void {
  it("keeps small named values, and replaces them", async () => {
    expect(await store().metadata("me", "model")).toBeUndefined();
    await store().writeMetadata("me", "model", Uint8Array.of(0, 1, 255));
    await store().writeMetadata("me", "model", Uint8Array.of(7, 0));
    expect(await store().metadata("me", "model")).toEqual(Uint8Array.of(7, 0));
    expect(await store().metadata("me", "other")).toBeUndefined();
  });

  it("counts what it holds", async () => {
    const files = sampleShop();
    await store().write("me", { files, removed: [] });
    await store().writeVectors(
      "me",
      new Map([
        [idOf("web/tax.ts"), Int8Array.of(1, 2)],
        ["cod-unknown", Int8Array.of(1, 2)],
      ]),
    );
    const statistics = await store().statistics("me");
    expect(statistics).toMatchObject({
      files: 6,
      items: files.flatMap((file) => file.items).length,
      links: files.flatMap((file) => file.links).length,
      vectors: 1,
      textBytes: files.reduce((sum, { size }) => sum + size, 0),
      languages: { python: 3, markdown: 1, typescript: 2 },
    });
    expect(statistics.kinds).toEqual({
      class: 2,
      constant: 1,
      document: 1,
      file: 5,
      function: 4,
      method: 2,
      section: 1,
    });
    expect(statistics.bytes).toBeGreaterThan(0);
    expect(statistics.engine).not.toBe("");
  });

  it("finds nothing wrong with itself", async () => {
    await store().write("me", { files: sampleShop(), removed: [] });
    await store().write("me", { files: [], removed: ["shop/payment.py"] });
    await expect(store().check()).resolves.toBeUndefined();
  });
}
