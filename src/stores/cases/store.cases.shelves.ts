import { expect, it } from "vitest";
import { type Store, shelves } from "../store.ts";
import { sampleFile, termsOf } from "./store.samples.ts";

/** Items on one shelf are ranked, counted and removed as if there were no other. */
export function shelfCases(store: () => Store): void {
  const page = (name: string) => sampleFile("a/page", [{ name, text: `def ${name}(): shared`, vector: [1, 2] }]);
  const search = { scope: "unit" as const, terms: termsOf("shared"), limit: 9 };

  it("keeps shelves apart: files, items, text, vectors, notes and revisions", async () => {
    for (const [count, shelf] of shelves.entries()) {
      const current = store().shelf(shelf);
      await current.write("me", { files: [page(`only_${shelf}`)], removed: [] });
      await current.writeMetadata("me", "note", Uint8Array.of(count));
    }
    for (const [count, shelf] of shelves.entries()) {
      const current = store().shelf(shelf);
      const hits = await current.searchText("me", search);
      expect(hits.map(({ item }) => item.name)).toEqual([`only_${shelf}`]);
      expect((await current.searchVectors("me", { vector: Int8Array.of(1, 1), limit: 9 })).length).toBe(1);
      expect((await current.itemsOf("me", "a/page")).map(({ name }) => name)).toEqual(["page", `only_${shelf}`]);
      const { term } = search.terms[0]!;
      const { count: items, frequencies } = await current.termStatistics("me", "unit", [term]);
      expect([items, frequencies.get(term)]).toEqual([2, 1]);
      expect(await current.metadata("me", "note")).toEqual(Uint8Array.of(count));
      expect(await current.revision("me")).toBe(1);
      expect(await current.statistics("me")).toMatchObject({ files: 1, items: 2, vectors: 1 });
    }
  });

  it("removes from one shelf what the others keep", async () => {
    const [files, commits] = [store(), store().shelf("commit")];
    for (const each of [files, commits]) await each.write("me", { files: [page("same")], removed: [] });
    await commits.write("me", { files: [page("other")], removed: [] });
    await commits.write("me", { files: [], removed: ["a/page"] });
    expect(await commits.files("me")).toEqual([]);
    expect((await files.searchText("me", search)).map(({ item }) => item.name)).toEqual(["same"]);
    expect(await files.searchNames("me", { text: "same", mode: "exact", limit: 9 })).toHaveLength(1);
  });

  it("finds by name on the shelf of files only; elsewhere a name is kept as it is, and nothing fails", async () => {
    const commits = store().shelf("commit");
    const names = ["Fixed #12 -- a  name, with “signs”", "same", "same"];
    const items = names.map((name, i) => ({ name, text: "x", item: { id: `com-${i}`, name } }));
    await commits.write("me", { files: [sampleFile("a/page", items)], removed: [] });
    expect((await commits.items("me", ["com-0", "com-1", "com-2"])).map(({ name }) => name)).toEqual(names);
    for (const mode of ["exact", "suffix", "fuzzy"] as const) {
      expect(await commits.searchNames("me", { text: "same", mode, limit: 9 })).toEqual([]);
      await expect(commits.searchPaths("me", { text: "a/pag", mode, limit: 9 })).resolves.toBeInstanceOf(Array);
    }
    expect(await store().searchNames("me", { text: "same", mode: "exact", limit: 9 })).toEqual([]);
  });

  it("gives the same shelf each time, whichever it is asked of", () => {
    const memory = store().shelf("memory");
    expect(store().shelf("commit").shelf("memory")).toBe(memory);
    expect(memory.shelf("files")).toBe(store());
    expect(memory.commits).toBe(store().commits);
  });
}
