import { describe, expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { deleteDocument, documents, getDocument, moveDocument, putDocument, restoreDocument } from "../../index.ts";
import { refreshDocuments } from "../../indexing/library/documents.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import { documents as listing } from "./documents.ts";
import { getDocument as getting } from "./get-document.ts";
import { putDocument as putting } from "./put-document.ts";

const other = { owner: "him" };

async function library(files: Record<string, string> = {}) {
  const path = folder({});
  const put = (document: string, content = "text", more: { force?: boolean; type?: string } = {}) =>
    putDocument({ document, content, path, ...more });
  for (const [document, content] of Object.entries(files)) await put(document, content);
  const paths = async (input: Partial<Parameters<typeof documents>[0]> = {}) =>
    (await documents({ path, ...input })).documents.map((each) => each.path);
  return { path, put, paths };
}

describe("documents", () => {
  it("come back as they were put, under one path however it is written", async () => {
    const { path, put } = await library();
    const content = "# Plan\r\n\tOn Monday\u001b[31m, caf\u00e9 😀\n\n";
    const first = await put(".\\notes\\caf\u0065\u0301.md", content, { type: "text/markdown" });
    expect(first).toMatchObject({
      outcome: "created",
      document: { path: "notes/café.md", version: 1, type: "text/markdown" },
    });
    const read = await getDocument({ document: "notes/café.md", path });
    expect(read.content).toBe(content);
    expect(read.document).toMatchObject({ id: first.document.id, size: Buffer.byteLength(content) });
    expect(getting.text!(read, { document: "", path, touch: true }, false)).not.toContain("\u001b");
    expect((await getDocument({ document: first.document.id, path })).content).toBe(content);
  });

  it("say whether they are new, another version, or the same", async () => {
    const { put } = await library();
    const outcomes = [await put("a.md", "1"), await put("a.md", "2"), await put("./a.md", "2")];
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["created", "changed", "unchanged"]);
    expect(new Set(outcomes.map(({ document }) => document.id)).size).toBe(1);
    expect(outcomes.map(({ document }) => document.version)).toEqual([1, 2, 2]);
    const texts = outcomes.map((each) => putting.text!(each, {} as never, false));
    expect(texts.map((text) => text.split(":")[0])).toEqual([
      "Stored",
      "Stored as a new version",
      "Nothing was changed",
    ]);
  });

  it("may be empty, but not too long, nor anything but text", async () => {
    const { put, paths } = await library();
    expect((await put("empty.md", "")).document.size).toBe(0);
    await expect(put("a.md", "x".repeat(5_000_001))).rejects.toMatchObject({ code: "too-long" });
    await expect(put("a.bin", "a\0b")).rejects.toMatchObject({ code: "bad-input" });
    expect(await paths()).toEqual(["empty.md"]);
  });

  it.each(["../a", "/a", "C:\\a", "", " ", "a/", "a\0", "a/../../b"])("are never at %j", async (document) => {
    const { put, paths } = await library();
    await expect(put(document)).rejects.toMatchObject({ code: "bad-input" });
    expect(await paths()).toEqual([]);
  });

  it("that hold secrets by their name are stored only when it is meant", async () => {
    const { path, put, paths } = await library({ "a.md": "x" });
    for (const secret of [".env", "deploy/.env.production", "node_modules/x/id_rsa", "keys/server.PEM"]) {
      await expect(put(secret)).rejects.toMatchObject({ code: "looks-secret" });
      await expect(moveDocument({ document: "a.md", to: secret, path })).rejects.toMatchObject({
        code: "looks-secret",
      });
    }
    const { warnings } = await put(".env", "A=1", { force: true });
    expect(warnings.join()).toMatch(/kept out of every answer/);
    expect(await paths()).toEqual([".env", "a.md"]);
    expect((await put(".env.example")).warnings).toEqual([]);
    const key = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC".repeat(4)}\n-----END PRIVATE KEY-----\n`;
    expect((await put("notes/deploy.md", key)).warnings.join()).toMatch(/kept out of every answer/);
  });

  it("are listed by folder, by time and page by page", async () => {
    const { path, paths } = await library({
      "b.md": "1",
      "notes/a.md": "2",
      "notes/deep/c.md": "3",
      "notes-old/d.md": "4",
    });
    expect(await paths()).toEqual(["b.md", "notes-old/d.md", "notes/a.md", "notes/deep/c.md"]);
    expect(await paths({ under: "notes/" })).toEqual(["notes/a.md", "notes/deep/c.md"]);
    expect(await paths({ under: ".\\notes\\deep" })).toEqual(["notes/deep/c.md"]);
    expect(await paths({ under: "%" })).toEqual([]);
    for (const under of [".", "./", "/"]) expect(await paths({ under })).toHaveLength(4);
    await expect(paths({ under: ".." })).rejects.toMatchObject({ code: "bad-input" });
    expect(await paths({ limit: 2, offset: 1 })).toEqual(["notes-old/d.md", "notes/a.md"]);
    const page = await documents({ path, limit: 2, offset: 1 });
    expect(page.total).toBe(4);
    expect(listing.text!(page, { ...page, path, offset: 1 } as never, false)).toContain("2 to 3 of 4 documents.");
  });

  it("are recently opened once they were read, and not by being listed or looked at", async () => {
    const { path, paths } = await library({ "a.md": "1", "b.md": "2", "c.md": "3" });
    expect(await paths({ opened: true })).toEqual([]);
    await getDocument({ document: "b.md", path });
    await new Promise((resolve) => setTimeout(resolve, 5));
    await getDocument({ document: "a.md", path });
    await getDocument({ document: "c.md", path, touch: false });
    expect(await paths({ opened: true })).toEqual(["a.md", "b.md"]);
  });

  it("keep their id when they are moved, and never push another away", async () => {
    const { path, put } = await library({ "a.md": "1", "b.md": "2" });
    const { id } = (await getDocument({ document: "a.md", path })).document;
    const moved = await moveDocument({ document: "a.md", to: "notes/a.md", path });
    expect(moved).toMatchObject({ moved: true, from: "a.md", document: { id, path: "notes/a.md" } });
    expect(await moveDocument({ document: id, to: "notes//a.md", path })).toMatchObject({ moved: false });
    await expect(moveDocument({ document: id, to: "b.md", path })).rejects.toMatchObject({ code: "already-exists" });
    expect((await put("a.md")).outcome).toBe("created");
  });

  it("can be brought back when they were deleted, unless another took their path", async () => {
    const { path, put, paths } = await library({ "a.md": "one", "b.md": "two" });
    const { deleted } = await deleteDocument({ documents: ["a.md", "b.md"], path });
    expect(deleted.map((each) => each.path)).toEqual(["a.md", "b.md"]);
    expect(await paths()).toEqual([]);
    expect(await paths({ deleted: true })).toEqual(["a.md", "b.md"]);
    await expect(getDocument({ document: "a.md", path })).rejects.toThrow(/deleted; dossier doc restore/);
    await restoreDocument({ documents: ["a.md"], path });
    expect((await getDocument({ document: "a.md", path })).content).toBe("one");
    await put("b.md", "three");
    await expect(restoreDocument({ documents: [deleted[1]!.id], path })).rejects.toMatchObject({
      code: "already-exists",
    });
    await expect(restoreDocument({ documents: ["a.md"], path })).rejects.toThrow(/not deleted/);
  });

  it("are all deleted, or none when one is wrong", async () => {
    const { path, paths } = await library({ "a.md": "1", "notes/plan.md": "2" });
    await expect(deleteDocument({ documents: ["a.md", "notes/plam.md"], path })).rejects.toThrow(
      /no document "notes\/plam.md"\. Did you mean "notes\/plan.md"\?/,
    );
    await expect(deleteDocument({ documents: ["plan.md"], path })).rejects.toThrow(/Did you mean "notes\/plan.md"/);
    expect(await paths()).toEqual(["a.md", "notes/plan.md"]);
  });

  it("are gone for good when purged", async () => {
    const { path, paths } = await library({ "a.md": "zanzibarium", "b.md": "2" });
    await deleteDocument({ documents: ["b.md"], path });
    const workspace = await openWorkspace(path);
    await refreshDocuments(workspace);
    const shelf = workspace.store.shelf("document");
    expect(await shelf.itemsByPrefix("local", "chk-", 9)).toHaveLength(1);
    expect(await deleteDocument({ documents: ["a.md", "b.md"], path, purge: true })).toMatchObject({ purged: true });
    expect(await shelf.itemsByPrefix("local", "chk-", 9)).toEqual([]);
    await workspace.close();
    expect([...(await paths()), ...(await paths({ deleted: true }))]).toEqual([]);
    await expect(restoreDocument({ documents: ["a.md"], path })).rejects.toMatchObject({ code: "not-found" });
  });

  it("of one owner are nowhere for another, by path or by id", async () => {
    const { path, put } = await library({ "a.md": "hers" });
    const { id } = (await put("a.md", "hers")).document;
    for (const document of ["a.md", id]) {
      await expect(getDocument({ document, path }, other)).rejects.toMatchObject({ code: "not-found" });
      await expect(moveDocument({ document, to: "b.md", path }, other)).rejects.toMatchObject({ code: "not-found" });
      await expect(deleteDocument({ documents: [document], path, purge: true }, other)).rejects.toMatchObject({
        code: "not-found",
      });
    }
    expect((await putDocument({ document: "a.md", content: "his", path }, other)).outcome).toBe("created");
    expect((await getDocument({ document: "a.md", path })).content).toBe("hers");
    expect((await documents({ path }, other)).total).toBe(1);
  });

  it("are looked for where nothing was ever stored", async () => {
    const path = folder({});
    expect(await documents({ path })).toEqual({ total: 0, documents: [] });
    await expect(getDocument({ document: "a.md", path })).rejects.toMatchObject({ code: "not-found" });
    await expect(getDocument({ document: "'; DROP TABLE documents; --", path })).rejects.toMatchObject({
      code: "not-found",
    });
  });
});
