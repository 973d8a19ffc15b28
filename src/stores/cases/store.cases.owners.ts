import fc from "fast-check";
import { expect, it } from "vitest";
import type { IndexedFile, Store } from "../store.ts";
import { idOf, sampleFile, sampleShop, termsOf } from "./store.samples.ts";

/** Everything that a store returns for an owner, scores and statistics included. */
async function everything(store: Store, owner: string, files: IndexedFile[]): Promise<unknown> {
  const ids = files.flatMap((file) => file.items.map(({ item }) => item.id));
  const paths = files.map(({ path }) => path);
  const terms = termsOf("total charge price card refund order secret amount shared");
  const allTerms: string[] = [];
  for (const scope of ["unit", "file"] as const)
    for await (const batch of store.allTerms(owner, scope)) allTerms.push(...batch.map(({ id }) => id).sort());
  const { bytes: _, ...statistics } = await store.statistics(owner);
  return {
    files: await store.files(owner),
    texts: await Promise.all(paths.map((path) => store.file(owner, path))),
    items: await store.items(owner, ids),
    itemsOf: await Promise.all(paths.map((path) => store.itemsOf(owner, path))),
    byPrefix: await store.itemsByPrefix(owner, "cod-", 1000),
    units: await store.searchText(owner, { scope: "unit", terms, limit: 100 }),
    inFiles: await store.searchText(owner, { scope: "file", terms, limit: 100 }),
    filtered: await store.searchText(owner, { scope: "unit", terms, limit: 100, filter: { paths: ["shop/**"] } }),
    exact: await store.searchNames(owner, { text: "total", mode: "exact", limit: 100 }),
    suffix: await store.searchNames(owner, { text: "Gateway.charge", mode: "suffix", limit: 100 }),
    fuzzy: await store.searchNames(owner, { text: "procesPayment", mode: "fuzzy", limit: 100 }),
    paths: await store.searchPaths(owner, { text: "payment.py", mode: "suffix", limit: 100 }),
    fuzzyPaths: await store.searchPaths(owner, { text: "shop/paymnt.py", mode: "fuzzy", limit: 100 }),
    vectors: await store.searchVectors(owner, { vector: Int8Array.of(3, 1), limit: 100 }),
    unitStatistics: await store.termStatistics(
      owner,
      "unit",
      terms.map(({ term }) => term),
    ),
    fileStatistics: await store.termStatistics(
      owner,
      "file",
      terms.map(({ term }) => term),
    ),
    terms: await store.terms(owner, "unit", ids),
    wholeFiles: await store.wholeFiles(owner, paths),
    allTerms,
    from: await store.links(owner, ids, "from"),
    to: await store.links(owner, ids, "to"),
    note: await store.metadata(owner, "note"),
    statistics,
  };
}

export function ownerCases(store: () => Store, open: () => Promise<Store>): void {
  const secret = () => [
    sampleFile(
      "shop/payment.py",
      [{ name: "total", text: "secret total price shared", vector: [9, 9], links: [["calls", "processPayment"]] }],
      { imports: ["shop.basket"] },
    ),
    sampleFile("shop/secret.py", [{ name: "processPayment", text: "secret card order amount refund" }]),
    ...Array.from({ length: 20 }, (_, i) =>
      sampleFile(`other/f${i}.py`, [{ name: "total", text: "charge price refund" }]),
    ),
  ];

  it("shows an owner nothing of another's, in any answer, score or count", async () => {
    const files = sampleShop();
    const alone = await open();
    try {
      for (const each of [alone, store()]) {
        await each.write("me", { files: files, removed: [] });
        await each.writeVectors("me", new Map([[idOf("web/tax.ts"), Int8Array.of(1, 1)]]));
      }
      await store().write("other", { files: secret(), removed: [] });
      await store().writeMetadata("other", "note", Uint8Array.of(1));
      const allFiles = [...files, ...secret()];
      expect(await everything(store(), "me", allFiles)).toEqual(await everything(alone, "me", allFiles));
      expect(await everything(store(), "nobody", allFiles)).toEqual(await everything(alone, "nobody", allFiles));
      await store().write("other", { files: [], removed: allFiles.map(({ path }) => path) });
      expect(await everything(store(), "me", allFiles)).toEqual(await everything(alone, "me", allFiles));
    } finally {
      await alone.close();
    }
  });

  it("keeps revisions and ids of owners apart", async () => {
    await store().write("me", { files: sampleShop(), removed: [] });
    await store().write("you", { files: sampleShop(), removed: [] });
    await store().write("you", { files: [], removed: ["shop/payment.py"] });
    expect([await store().revision("me"), await store().revision("you"), await store().revision("nobody")]).toEqual([
      1, 2, 0,
    ]);
    expect(await store().itemsOf("me", "shop/payment.py")).toHaveLength(5);
  });

  it("takes any text for an owner's name", async () => {
    for (const owner of ["", "'; DROP TABLE items; --", "ä 日本", "me"]) {
      await store().write(owner, { files: [sampleFile("a.py", [{ name: "f", text: owner }])], removed: [] });
    }
    expect((await store().file("'; DROP TABLE items; --", "a.py"))?.text).toContain("DROP");
    expect((await store().file("", "a.py"))?.text).toBe("\n");
  });

  it("is in the end what writing the last versions alone would have made it", async () => {
    const words = fc.constantFrom("red", "blue", "green", "gold", "shared", "total");
    const unit = fc.record({
      name: fc.constantFrom("f", "g", "hello", "total"),
      text: fc.array(words, { maxLength: 6 }).map((each) => each.join(" ")),
    });
    const units = fc.uniqueArray(unit, { maxLength: 3, selector: ({ name }) => name });
    const path = fc.constantFrom("a.py", "b/c.py", "b/d.py", "e.md");
    const step = fc.oneof(fc.record({ path, units }), fc.record({ path, units: fc.constant(undefined) }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), fc.uuid(), async (steps, owner) => {
        const last = new Map<string, IndexedFile>();
        for (const { path, units } of steps) {
          if (units) {
            const file = sampleFile(
              path,
              units.map((each) => ({ ...each, vector: [each.text.length, 1], links: [["calls", "hello"]] })),
            );
            last.set(path, file);
            await store().write(owner, { files: [file], removed: [] });
          } else {
            last.delete(path);
            await store().write(owner, { files: [], removed: [path] });
          }
        }
        await store().write(`${owner} at once`, { files: [...last.values()], removed: [] });
        expect(await everything(store(), owner, [...last.values()])).toEqual(
          await everything(store(), `${owner} at once`, [...last.values()]),
        );
      }),
      { numRuns: 12 },
    );
  });
}
