import { afterEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../stores/sqlite/engine/driver.ts";
import { commit, git, repository, write } from "../../tree/folder.cases.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";
import { updateIndex } from "../files/update.ts";
import { indexContent } from "../index-content.cases.ts";
import { firstLook } from "./first-look.ts";

const opened: Workspace[] = [];
afterEach(async () => {
  for (const workspace of opened.splice(0)) await workspace.close();
});

async function open(root: string): Promise<Workspace> {
  const workspace = await openWorkspace(root);
  opened.push(workspace);
  return workspace;
}

/** A shop of more files than are described for one question, in several languages, with links between them. */
function shop(): Record<string, string> {
  const files: Record<string, string> = {};
  for (let i = 0; i < 160; i++) {
    files[`shop/part_${i}.py`] =
      `from shop.part_${(i + 1) % 160} import helper_${(i + 1) % 160}\n\nclass Part${i}:\n    """Says what part ${i} is."""\n\n    def total(self, value):\n        return helper_${(i + 1) % 160}(value)\n\ndef helper_${i}(value):\n    return value + ${i}\n`;
    if (i % 8 === 0)
      files[`web/view${i}.ts`] = `export function view${i}(note: string): string {\n  return note + ${i};\n}\n`;
    if (i % 20 === 0)
      files[`docs/page${i}.md`] = `# Page ${i}\n\nA note about [a part](../shop/part_${i}.py) and its price.\n`;
  }
  files["shop/basket.py"] =
    'def discount_of(basket):\n    """The discount that a basket gets."""\n    return sum(price.discount for price in basket)\n';
  files["tests/test_basket.py"] =
    "from shop.basket import discount_of\n\ndef test_discount_of():\n    assert discount_of([]) == 0\n";
  return files;
}

const question = { query: "which discount does a basket get?" };

describe("a first look", () => {
  it("indexes what the question is about, and says how much there is", async () => {
    const workspace = await open(repository(shop()));
    const look = (await firstLook(workspace, question))!;
    expect(look.files).toBe(Object.keys(shop()).length);
    expect(look.indexed).toBeLessThan(look.files);
    const { store, owner } = workspace;
    const hits = await store.searchText(owner, { scope: "unit", terms: [{ term: "discount", weight: 1 }], limit: 5 });
    expect(hits.map(({ item }) => item.path)).toContain("shop/basket.py");
  });

  it("leaves nothing as an earlier version described it", async () => {
    const workspace = await open(repository(shop()));
    await updateIndex(workspace);
    const { store, owner } = workspace;
    const earlier = { format: 0, checkedAt: Date.now(), vectorsPending: false, skipped: [] };
    await store.writeMetadata(owner, "indexing", new TextEncoder().encode(JSON.stringify(earlier)));
    expect((await firstLook(workspace, question))!.indexed).toBeLessThan(Object.keys(shop()).length);
    const { files } = await updateIndex(workspace);
    expect(files.indexed).toBe(Object.keys(shop()).length);
    expect((await updateIndex(workspace)).files.indexed).toBe(0);
  });

  it("finds a file that the question names by its path, or by a name defined in it", async () => {
    for (const [query, path] of [
      ["shop/part_77.py", "shop/part_77.py"],
      ["where is `helper_91` defined?", "shop/part_91.py"],
    ] as const) {
      const workspace = await open(repository(shop()));
      await firstLook(workspace, { query });
      const indexed = (await workspace.store.files(workspace.owner)).map((file) => file.path);
      expect(indexed).toContain(path);
    }
  });

  it("looks only where the question does", async () => {
    const workspace = await open(repository(shop()));
    await firstLook(workspace, { query: "what does helper return as value?", paths: ["web/**"] });
    const indexed = (await workspace.store.files(workspace.owner)).map((file) => file.path);
    expect(indexed.every((path) => path.startsWith("web/"))).toBe(true);
  });

  it("is not needed where all is indexed, nor where there is little", async () => {
    const workspace = await open(repository(shop()));
    await updateIndex(workspace);
    expect(await firstLook(workspace, question)).toBeUndefined();
    const small = await open(repository({ "a.py": "def discount():\n    return 1\n" }));
    expect(await firstLook(small, question)).toBeUndefined();
  });

  it("that others never let write is of what they have indexed, and says so", async () => {
    const root = repository(shop());
    const workspace = await open(root);
    await firstLook(workspace, question);
    const before = (await workspace.store.files(workspace.owner)).length;
    const other = await openDatabase(workspace.databasePath);
    other.execute("BEGIN IMMEDIATE");
    try {
      const look = await firstLook(workspace, { query: "shop/part_77.py" }, { patience: 0 });
      expect(look).toMatchObject({ indexed: before, warnings: [expect.stringContaining("locked by another process")] });
    } finally {
      other.execute("ROLLBACK");
      other.close();
    }
  });

  it("adds to what an earlier one found", async () => {
    const workspace = await open(repository(shop()));
    const first = (await firstLook(workspace, { query: "view0 view8" }))!;
    const second = (await firstLook(workspace, question))!;
    expect(second.indexed).toBeGreaterThan(first.indexed);
  });
});

describe("an index", () => {
  it("is the same built at once, completed after first looks, and after a branch switch there and back", async () => {
    const root = repository(shop());
    commit(root);
    const cold = await open(root);
    await updateIndex(cold);
    const expected = await indexContent(cold);
    await cold.close();

    const copy = repository(shop());
    commit(copy);
    const looked = await open(copy);
    await firstLook(looked, question);
    await firstLook(looked, { query: "view0 note" });
    await updateIndex(looked);
    expect(without(await indexContent(looked))).toEqual(without(expected));

    git(copy, "checkout", "-q", "-b", "other");
    const changed = Object.entries(shop()).slice(0, 90);
    write(
      copy,
      Object.fromEntries(changed.map(([path, text]) => [path, `${text}\n${text.replaceAll("value", "amount")}`])),
    );
    write(copy, { "shop/extra.py": "def extra(value):\n    return value\n" });
    commit(copy);
    await updateIndex(looked);
    expect(without(await indexContent(looked))).not.toEqual(without(expected));
    git(copy, "checkout", "-q", "-");
    await updateIndex(looked);
    expect(without(await indexContent(looked))).toEqual(without(expected));
  });
});

/** Two checkouts of the same files have other times. */
function without(content: unknown): unknown {
  return JSON.parse(
    JSON.stringify(content, (key, value) => (key === "modified" || key === "changed" ? undefined : value)),
  );
}
