import { expect, it } from "vitest";
import type { DocumentChange, DocumentQuery, LibraryStore } from "../library.ts";
import { oddTexts } from "./library.samples.ts";

export function documentCases(store: () => LibraryStore): void {
  const put = (path: string, content = path, at = 1000, type?: string) =>
    store().putDocument("me", { path, content, at, type });
  const paths = async (query: Partial<DocumentQuery> = {}) => {
    const { documents, total } = await store().documents("me", { limit: 100, ...query });
    expect(total).toBeGreaterThanOrEqual(documents.length);
    return documents.map((document) => document.path);
  };

  it("come back as they were written, by id and by path", async () => {
    const info = await put("notes/a.md", "Grüße", 1000, "text/markdown");
    expect(info).toEqual({
      id: expect.stringMatching(/^doc-[0-9a-z]{13}$/),
      path: "notes/a.md",
      type: "text/markdown",
      size: 7,
      hash: expect.any(String),
      version: 1,
      created: 1000,
      changed: 1000,
    });
    expect(await store().document("me", info.id)).toEqual({ ...info, content: "Grüße" });
    expect(await store().document("me", "notes/a.md")).toEqual({ ...info, content: "Grüße" });
    for (const other of ["notes/A.md", "notes/a.m", "notes", "", "doc-0000000000000"]) {
      expect(await store().document("me", other)).toBeUndefined();
    }
  });

  it("keep every character of contents, paths and types", async () => {
    for (const [i, text] of oddTexts.entries()) {
      const { id } = await put(`odd/${text}`, text, i, text);
      const document = await store().document("me", `odd/${text}`);
      expect(document).toMatchObject({ id, path: `odd/${text}`, content: text, type: text });
      expect((await store().contents("me", [id])).get(id)).toBe(text);
    }
    expect(new Set(await paths({ under: "odd" }))).toEqual(new Set(oddTexts.map((text) => `odd/${text}`)));
    await put(`${oddTexts[4]}/inside`);
    expect(await paths({ under: oddTexts[4]! })).toEqual([`${oddTexts[4]}/inside`]);
    const changes = await store().documentsSince("me", 0, 100);
    expect(changes.slice(0, oddTexts.length).map((change) => change.content)).toEqual(oddTexts);
  });

  it("may be as long as 5 MB", async () => {
    const content = "Ein langer Text, 😀 und \u0000. ".repeat(170_000);
    const { id, size } = await put("long", content);
    expect(size).toBe(Buffer.byteLength(content));
    expect((await store().document("me", id))?.content === content).toBe(true);
  });

  it("get a new version at the same path, and none for the same content", async () => {
    const first = await put("a", "one", 1000, "text/plain");
    const second = await put("a", "two", 2000);
    expect(second).toMatchObject({ id: first.id, version: 2, created: 1000, changed: 2000, type: "text/plain" });
    expect(second.hash).not.toBe(first.hash);
    const revision = await store().revision("me");
    expect(await put("a", "two", 3000)).toEqual(second);
    expect(await put("a", "two", 3000, "text/plain")).toEqual(second);
    expect(await store().revision("me")).toBe(revision);
    expect(await put("a", "two", 3000, "text/html")).toMatchObject({ version: 3, type: "text/html", changed: 3000 });
    expect(await store().document("me", "a")).toMatchObject({ content: "two" });
  });

  it("tell lone surrogates apart that no UTF-8 can", async () => {
    const first = await put("a", "\ud800");
    expect(await put("a", "\ud801")).toMatchObject({ id: first.id, version: 2 });
    expect((await store().document("me", "a"))?.content).toBe("\ud801");
  });

  it("are given in the order of the ids asked for, once each, without the unknown", async () => {
    const [a, b] = [await put("a", "A"), await put("b", "B")];
    const deleted = await put("c");
    await store().removeDocument("me", deleted.id, 5);
    const ids = [b.id, "doc-x", a.id, b.id, deleted.id, "\u0000"];
    expect(await store().documentInfos("me", ids)).toEqual([b, a]);
    expect(await store().contents("me", ids)).toEqual(
      new Map([
        [a.id, "A"],
        [b.id, "B"],
      ]),
    );
    expect(await store().documentInfos("me", [])).toEqual([]);
  });

  it("are listed by path, in a folder and page by page", async () => {
    for (const path of ["b/2", "a", "b/1", "b.md", "b/c/3", "b0", "B/4"]) await put(path);
    expect(await paths()).toEqual(["B/4", "a", "b.md", "b/1", "b/2", "b/c/3", "b0"]);
    expect(await paths({ under: "b" })).toEqual(["b/1", "b/2", "b/c/3"]);
    expect(await paths({ under: "b/c" })).toEqual(["b/c/3"]);
    for (const under of ["b/1", "x", "b/", "%"]) expect(await paths({ under })).toEqual([]);
    const page = await store().documents("me", { under: "b", limit: 1, offset: 1 });
    expect([page.documents.map(({ path }) => path), page.total]).toEqual([["b/2"], 3]);
    expect(await store().documents("me", { limit: 0 })).toEqual({ documents: [], total: 7 });
    expect(await paths({ limit: -1 })).toEqual([]);
    expect(await paths({ limit: Number.POSITIVE_INFINITY })).toHaveLength(7);
  });

  it("are listed by last change and by last opening, never opened ones last", async () => {
    const ids = new Map<string, string>();
    for (const [i, path] of ["a", "b", "c", "f/d"].entries()) ids.set(path, (await put(path, path, 1000 + i)).id);
    await put("a", "new", 5000);
    const revision = await store().revision("me");
    await store().touchDocuments("me", [ids.get("b")!, "doc-x"], 70);
    await store().touchDocuments("me", [ids.get("f/d")!, ids.get("b")!], 60);
    await store().touchDocuments("me", [], 90);
    expect(await store().revision("me")).toBe(revision);
    expect(await paths({ order: "changed" })).toEqual(["a", "f/d", "c", "b"]);
    expect((await paths({ order: "accessed" })).slice(0, 2)).toEqual(["b", "f/d"]);
    expect(await paths({ order: "accessed", opened: true })).toEqual(["b", "f/d"]);
    expect(await paths({ order: "path", opened: true, under: "f" })).toEqual(["f/d"]);
    expect(await store().document("me", "b")).toMatchObject({ accessed: 70 });
    expect((await store().document("me", "a"))?.accessed).toBeUndefined();
  });
}

export function documentChangeCases(store: () => LibraryStore): void {
  const put = (path: string, content = path, at = 1000) => store().putDocument("me", { path, content, at });

  it("moves keep the id, and never take another's place", async () => {
    const a = await put("a");
    await put("b");
    expect(await store().moveDocument("me", a.id, "c/a", 2000)).toEqual({ ...a, path: "c/a", changed: 2000 });
    expect(await store().document("me", "a")).toBeUndefined();
    const revision = await store().revision("me");
    await store().moveDocument("me", a.id, "c/a", 3000);
    await expect(store().moveDocument("me", a.id, "b", 3000)).rejects.toMatchObject({ code: "conflict" });
    await expect(store().moveDocument("me", "doc-x", "d", 3000)).rejects.toMatchObject({ code: "not-found" });
    expect(await store().revision("me")).toBe(revision);
    expect(await put("a")).toMatchObject({ version: 1, id: expect.not.stringContaining(a.id) });
  });

  it("deleted ones are gone until they are restored", async () => {
    const a = await put("a");
    await store().touchDocuments("me", [a.id], 5);
    expect(await store().removeDocument("me", a.id, 2000)).toBe(true);
    expect(await store().removeDocument("me", a.id, 3000)).toBe(false);
    expect(await store().document("me", a.id)).toBeUndefined();
    expect(await store().document("me", "a")).toBeUndefined();
    await expect(store().moveDocument("me", a.id, "b", 1)).rejects.toMatchObject({ code: "not-found" });
    for (const key of [a.id, "a"]) {
      expect(await store().document("me", key, { deleted: true })).toMatchObject({ deleted: 2000, content: "a" });
    }
    expect((await store().documents("me", { limit: 9 })).total).toBe(0);
    expect((await store().documents("me", { limit: 9, deleted: true })).documents).toMatchObject([{ id: a.id }]);
    expect(await store().restoreDocument("me", a.id)).toBe(true);
    expect(await store().restoreDocument("me", a.id)).toBe(false);
    expect(await store().document("me", "a")).toEqual({ ...a, accessed: 5, content: "a" });
  });

  it("a deleted one does not hold its path, and comes back only where it is free", async () => {
    const old = await put("a", "old");
    await store().removeDocument("me", old.id, 10);
    const replacement = await put("a", "fresh");
    expect(replacement.id).not.toBe(old.id);
    expect(await store().document("me", "a", { deleted: true })).toMatchObject({ content: "fresh" });
    await expect(store().restoreDocument("me", old.id)).rejects.toMatchObject({ code: "conflict" });
    await store().removeDocument("me", replacement.id, 20);
    expect(await store().document("me", "a", { deleted: true })).toMatchObject({ content: "fresh", deleted: 20 });
    expect(await store().restoreDocument("me", old.id)).toBe(true);
    expect(await store().document("me", "a")).toMatchObject({ content: "old" });
  });

  it("purged ones are gone for good, many at once, and only indexes learn of it", async () => {
    const [a, b, c] = [await put("a"), await put("b"), await put("c")];
    await store().removeDocument("me", b.id, 10);
    const revision = await store().revision("me");
    expect(await store().purgeDocument("me", [a.id, "doc-x", b.id])).toBe(true);
    expect(await store().revision("me")).toBe(revision + 2);
    expect(await store().purgeDocument("me", a.id)).toBe(false);
    expect(await store().restoreDocument("me", b.id)).toBe(false);
    for (const key of [a.id, b.id, "a", "b", ""]) {
      expect(await store().document("me", key, { deleted: true })).toBeUndefined();
    }
    expect((await store().documents("me", { limit: 9, deleted: true })).total).toBe(0);
    const changes = await store().documentsSince("me", revision, 9);
    expect(changes).toMatchObject([{ info: { id: a.id, path: "", size: 0, hash: "" } }, { info: { id: b.id } }]);
    expect(changes.every(({ info, content }) => info.deleted !== undefined && content === undefined)).toBe(true);
    expect(await store().document("me", c.id)).toMatchObject({ content: "c" });
    await put("a", "again");
    expect(await store().counts("me")).toMatchObject({ documents: 2 });
  });

  it("changes come in their order, each document once, page by page", async () => {
    const all = [];
    for (let i = 0; i < 12; i++) all.push(await put(`d${i}`));
    await put("d3", "new");
    await store().removeDocument("me", all[5]!.id, 7);
    await store().moveDocument("me", all[0]!.id, "moved", 8);
    const changes: DocumentChange[] = [];
    for (let revision = 0; ; ) {
      const page = await store().documentsSince("me", revision, 5);
      if (page.length === 0) break;
      changes.push(...page);
      revision = page.at(-1)!.revision;
    }
    expect(changes.map(({ revision }) => revision)).toEqual(
      [...changes.map(({ revision }) => revision)].sort((a, b) => a - b),
    );
    expect(changes.map(({ info }) => info.path)).toEqual([
      ...["d1", "d2", "d4", "d6", "d7", "d8", "d9", "d10", "d11"],
      ...["d3", "d5", "moved"],
    ]);
    expect(changes.slice(-3).map(({ content, info }) => [content, info.deleted])).toEqual([
      ["new", undefined],
      [undefined, 7],
      ["d0", undefined],
    ]);
    expect(changes.at(-1)!.revision).toBe(await store().revision("me"));
  });

  it("large contents make a page shorter, never empty before the end, unless they are left out", async () => {
    for (const [i, size] of [40, 60, 50, 200, 1, 1].entries()) await put(`d${i}`, "x".repeat(size));
    const pages = async (options: { contents?: boolean; bytes?: number }) => {
      const lengths: number[] = [];
      for (let revision = 0; ; revision = (await store().documentsSince("me", revision, 4, options)).at(-1)!.revision) {
        const page = await store().documentsSince("me", revision, 4, options);
        if (page.length === 0) return lengths;
        expect(page.map(({ content }) => content?.length)).toEqual(
          page.map(({ info }) => (options.contents === false ? undefined : info.size)),
        );
        lengths.push(page.length);
      }
    };
    expect(await pages({ bytes: 100 })).toEqual([2, 1, 1, 2]);
    expect(await pages({ bytes: 100, contents: false })).toEqual([4, 2]);
    expect(await pages({})).toEqual([4, 2]);
  });
}
