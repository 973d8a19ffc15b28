import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { placeOfDocument } from "../../sources/documents/document-items.ts";
import { knownWords } from "../../sources/documents/vocabulary.ts";
import type { LibraryStore } from "../../stores/library.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";
import { refreshDocuments } from "./documents.ts";

async function opened(root = folder({}), owner = "ada"): Promise<{ workspace: Workspace; library: LibraryStore }> {
  const workspace = await openWorkspace(root, { owner });
  onTestFinished(() => workspace.close());
  return { workspace, library: await workspace.library() };
}

const shelfOf = ({ store }: Workspace) => store.shelf("document");

/** What the shelf has, by the id of the document: ids and qualified names of the chunks. */
async function shown(workspace: Workspace): Promise<Record<string, string[]>> {
  const result: Record<string, string[]> = {};
  for (const { path } of await shelfOf(workspace).files(workspace.owner)) {
    const items = await shelfOf(workspace).itemsOf(workspace.owner, path);
    result[path] = items.map((item) => `${item.id} ${item.qualifiedName} ${item.hash}`);
  }
  return result;
}

async function finds(workspace: Workspace, term: string): Promise<string[]> {
  const search = { scope: "unit" as const, terms: [{ term, weight: 1 }], limit: 10 };
  return (await shelfOf(workspace).searchText(workspace.owner, search)).map(({ item }) => item.qualifiedName).sort();
}

const long = (word: string) =>
  `${`The ${word} is told about here in a sentence of some length. `.repeat(45).trim()}\n\n`;

describe("refreshDocuments", () => {
  it("follows what is put, changed, moved, deleted and restored", async () => {
    const { workspace, library } = await opened();
    await refreshDocuments(workspace);
    const { id } = await library.putDocument("ada", {
      path: "docs/a.md",
      content: "# Apples\n\nAbout zebras.\n",
      at: 1,
    });
    await refreshDocuments(workspace);
    expect(await finds(workspace, "zebra")).toEqual(["docs/a.md::Apples"]);
    await library.putDocument("ada", { path: "docs/a.md", content: "# Apples\n\nAbout lions.\n", at: 2 });
    await refreshDocuments(workspace);
    expect(await finds(workspace, "zebra")).toEqual([]);
    expect(await finds(workspace, "lion")).toEqual(["docs/a.md::Apples"]);
    await library.moveDocument("ada", id, "old/b.md", 3);
    await refreshDocuments(workspace);
    expect(await finds(workspace, "lion")).toEqual(["old/b.md::Apples"]);
    await library.removeDocument("ada", id, 4);
    await refreshDocuments(workspace);
    expect(await finds(workspace, "lion")).toEqual([]);
    await library.restoreDocument("ada", id);
    await refreshDocuments(workspace);
    expect(await finds(workspace, "lion")).toEqual(["old/b.md::Apples"]);
  });

  it("keeps the ids of chunks when other parts of the document change or it moves", async () => {
    const { workspace, library } = await opened();
    const write = (first: string) => `# One\n\n${first}# Two\n\n${long("second")}# Three\n\n${long("third")}`;
    const { id } = await library.putDocument("ada", { path: "a.md", content: write(long("first")), at: 1 });
    const ids = async () => {
      await refreshDocuments(workspace);
      const items = await shelfOf(workspace).itemsOf("ada", placeOfDocument(id));
      return new Map(items.map((item) => [item.name, item.id]));
    };
    const before = await ids();
    expect([...before.keys()]).toEqual(["One", "Two", "Three"]);
    await library.putDocument("ada", { path: "a.md", content: write(`${long("changed")}And some more.\n\n`), at: 2 });
    await library.moveDocument("ada", id, "b/c.md", 3);
    expect(await ids()).toEqual(before);
  });

  it("leaves secrets out, whether the path or the content tells, and takes them out when they become secret", async () => {
    const { workspace, library } = await opened();
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${"MIIEpAIBAAKCAQEA7bq0Zx9Yw3Jr5Kd8".repeat(4)}\n-----END RSA PRIVATE KEY-----\n`;
    await library.putDocument("ada", { path: "config/.env", content: "COLOUR=turquoise\n", at: 1 });
    await library.putDocument("ada", { path: "notes.txt", content: `turquoise\n${key}`, at: 2 });
    await library.putDocument("ada", { path: "fine.txt", content: "turquoise walls\n", at: 3 });
    await refreshDocuments(workspace);
    expect(await finds(workspace, "turquois")).toEqual(["fine.txt"]);
    await library.putDocument("ada", { path: "fine.txt", content: `turquoise\n${key}`, at: 4 });
    await refreshDocuments(workspace);
    expect(await finds(workspace, "turquois")).toEqual([]);
    expect(await library.document("ada", "config/.env")).toMatchObject({ content: "COLOUR=turquoise\n" });
  });

  it("shows nothing of one owner to another", async () => {
    const root = folder({});
    const { workspace, library } = await opened(root);
    await library.putDocument("ada", { path: "a.md", content: "zebras", at: 1 });
    await library.putDocument("bob", { path: "b.md", content: "zebras", at: 1 });
    const bob = { ...workspace, owner: "bob" };
    await refreshDocuments(workspace);
    expect(await finds(bob, "zebra")).toEqual([]);
    await refreshDocuments(bob);
    expect(await finds(workspace, "zebra")).toEqual(["a.md"]);
    expect(await finds(bob, "zebra")).toEqual(["b.md"]);
  });

  it("fills an index that was deleted, and clears one whose library was replaced", async () => {
    const { workspace, library } = await opened();
    const { id } = await library.putDocument("ada", { path: "a.md", content: "zebras", at: 1 });
    await refreshDocuments(workspace);
    const before = await shown(workspace);
    await workspace.rebuild();
    await refreshDocuments(workspace);
    expect(await shown(workspace)).toEqual(before);
    expect(Object.keys(before)).toEqual([placeOfDocument(id)]);
    const replaced = {
      ...workspace,
      library: async () => ({ ...library, revision: async () => 0, documentsSince: async () => [] }),
    };
    await refreshDocuments(replaced);
    expect(await shown(workspace)).toEqual({});
  });

  it("remembers the words of its documents, and none of what was deleted", async () => {
    const { workspace, library } = await opened();
    await library.putDocument("ada", { path: "a.md", content: "All knowledge of the giraffes", at: 1 });
    const { id } = await library.putDocument("ada", { path: "b.md", content: "Secretive knowledge", at: 2 });
    await refreshDocuments(workspace);
    const words = () => knownWords(shelfOf(workspace), "ada");
    expect((await words()).has("giraff")).toBe(true);
    expect((await words()).has("secret")).toBe(true);
    await library.purgeDocument("ada", id);
    await refreshDocuments(workspace);
    expect((await words()).has("secret")).toBe(false);
    expect((await words()).has("knowledg")).toBe(true);
    await library.putDocument("ada", { path: "a.md", content: "All knowledge of the elephants", at: 3 });
    await refreshDocuments(workspace);
    expect((await words()).has("giraff")).toBe(false);
    expect((await words()).has("eleph")).toBe(true);
    const note = await shelfOf(workspace).metadata("ada", "words.1");
    expect(new TextDecoder().decode(note)).not.toContain("secret");
  });

  it("takes up where an interrupted run stopped", async () => {
    const { workspace, library } = await opened();
    for (let i = 0; i < 30; i++)
      await library.putDocument("ada", { path: `${i}.md`, content: `zebra number ${i}`, at: i });
    const stop = new AbortController();
    const failing = {
      ...workspace,
      library: async () => ({
        ...library,
        documentsSince: async (owner: string, since: number) => {
          if (since > 0) stop.abort();
          return library.documentsSince(owner, since, 10);
        },
      }),
    };
    await expect(refreshDocuments(failing, { signal: stop.signal })).rejects.toMatchObject({ code: "interrupted" });
    await refreshDocuments(workspace);
    expect(Object.keys(await shown(workspace))).toHaveLength(30);
  });

  it("fills the shelf anew when it was interrupted while it was emptied", async () => {
    const { workspace, library } = await opened();
    await library.putDocument("ada", { path: "a.md", content: "zebras", at: 1 });
    await refreshDocuments(workspace);
    const other = {
      ...workspace,
      library: async () => ({ ...library, revision: async () => 0, documentsSince: failing }),
    };
    await expect(refreshDocuments(other)).rejects.toThrow("gone");
    expect(await finds(workspace, "zebra")).toEqual([]);
    await refreshDocuments(workspace);
    expect(await finds(workspace, "zebra")).toEqual(["a.md"]);
  });

  it("does the work once for all who ask at the same time, and fails only for whom it fails", async () => {
    const { workspace, library } = await opened();
    await library.putDocument("ada", { path: "a.md", content: "zebras", at: 1 });
    const stopped = refreshDocuments(workspace, { signal: AbortSignal.abort() });
    const others = Array.from({ length: 5 }, () => refreshDocuments(workspace));
    await expect(stopped).rejects.toMatchObject({ code: "interrupted" });
    await Promise.all(others);
    expect(await shelfOf(workspace).revision("ada")).toBe(1);
  });

  it("ends with the newest version when an older one was written over it by another process", async () => {
    const root = folder({});
    const [first, second] = [await opened(root), await opened(root)];
    await first.library.putDocument("ada", { path: "a.md", content: "zebras", at: 1 });
    // The first process has read the old version when the second indexes the new one.
    let overtaken = false;
    const slow = {
      ...first.workspace,
      library: async () => ({
        ...first.library,
        documentsSince: async (owner: string, since: number, limit: number) => {
          const changes = await first.library.documentsSince(owner, since, limit);
          if (!overtaken) {
            overtaken = true;
            await second.library.putDocument("ada", { path: "a.md", content: "lions", at: 2 });
            await refreshDocuments(second.workspace);
          }
          return changes;
        },
      }),
    };
    await refreshDocuments(slow);
    expect(await finds(second.workspace, "lion")).toEqual(["a.md"]);
    expect(await finds(second.workspace, "zebra")).toEqual([]);
  });

  it("shows, after any changes in any order, what a new index would show", async () => {
    const step = fc.oneof(
      fc.record({
        is: fc.constant("put" as const),
        path: fc.integer({ min: 0, max: 4 }),
        text: fc.constantFrom("# A\n\nzebras\n", "lions\n", "", `# B\n\n${long("tigers")}${long("bears")}`),
      }),
      fc.record({
        is: fc.constant("move" as const),
        path: fc.integer({ min: 0, max: 4 }),
        to: fc.constantFrom("x.md", ".env", "y/z.md"),
      }),
      fc.record({ is: fc.constant("remove" as const), path: fc.integer({ min: 0, max: 4 }) }),
      fc.constant({ is: "refresh" as const }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const workspace = await openWorkspace(folder({}), { owner: "ada" });
        const library = await workspace.library();
        let at = 1;
        for (const each of steps) {
          if (each.is === "refresh") await refreshDocuments(workspace);
          else if (each.is === "put")
            await library.putDocument("ada", { path: `${each.path}.md`, content: each.text, at: at++ });
          else {
            const stored = await library.document("ada", `${each.path}.md`);
            if (stored && each.is === "remove") await library.removeDocument("ada", stored.id, at++);
            else if (stored && each.is === "move")
              await library.moveDocument("ada", stored.id, each.to, at++).catch(conflict);
          }
        }
        await refreshDocuments(workspace);
        const followed = await shown(workspace);
        await workspace.rebuild();
        await refreshDocuments(workspace);
        expect(followed).toEqual(await shown(workspace));
        await workspace.close();
      }),
      { numRuns: 12 },
    );
  });
});

async function failing(): Promise<never> {
  throw new Error("gone");
}

function conflict(error: unknown): void {
  expect(error).toMatchObject({ code: "conflict" });
}
