import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { folder } from "../../../../tests/workspace.ts";
import { packHashes } from "../../../text/analysis/terms.ts";
import { hashTerm } from "../../../text/hash.ts";
import type { IndexedFile } from "../../store.ts";
import { openSqliteStore } from "../engine/open.ts";

const words = ["boat", "crane", "pier", "gull"];

function file(path: string, texts: string[][]): IndexedFile {
  return {
    path,
    hash: JSON.stringify(texts),
    size: 0,
    modified: 0,
    text: "",
    imports: [],
    items: texts.map((text, i) => ({
      item: {
        id: `msg-${path.replace(/\W/g, "")}${i}`,
        source: "message",
        kind: "message",
        name: "x",
        qualifiedName: `message::${path}/${i}`,
        path,
        startLine: i + 1,
        endLine: i + 1,
        hash: "",
      },
      unit: packHashes({ doc: text.map(hashTerm) }),
    })),
    links: [],
  };
}

describe("searching some files only", () => {
  it("finds what searching all of them finds of these, with the same scores, however often they were rewritten", async () => {
    const store = await openSqliteStore(join(folder({}), "index.db"));
    const shelf = store.shelf("message");
    const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 });
    const write = fc.record({
      path: fc.constantFrom("a/0", "a/1", "b/0", "b/1", "c/0"),
      texts: fc.array(text, { maxLength: 4 }),
    });
    const search = { scope: "unit" as const, terms: words.map((term, i) => ({ term, weight: 1 + i })), limit: 1000 };
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 8 }), async (writes) => {
        for (const { path, texts } of writes) await shelf.write("me", { files: [file(path, texts)], removed: [] });
        const all = await shelf.searchText("me", search);
        for (const paths of [["a/**"], ["b/1"], ["c/**", "a/0"], ["nowhere/**"]]) {
          const some = await shelf.searchText("me", { ...search, filter: { paths } });
          const ids = new Set(some.map(({ item }) => item.id));
          expect(some).toEqual(all.filter(({ item }) => ids.has(item.id)));
          const within = (path: string) =>
            paths.some((glob) => path === glob || path.startsWith(glob.replace("**", "")));
          expect(ids).toEqual(new Set(all.filter(({ item }) => within(item.path)).map(({ item }) => item.id)));
        }
      }),
      { numRuns: 40 },
    );
    await store.close();
  });
});
