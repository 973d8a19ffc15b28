import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";
import { contents, desk } from "./memory-drafts.samples.ts";

describe("memories", () => {
  it("lists by kind, labels, importance and time, with an exact total and pages", async () => {
    const { addMemory, memories } = desk();
    await addMemory("One red thing", { category: "fact", importance: 0.2, tags: ["red"] });
    await addMemory("Two red and blue things", { category: "decision", importance: 0.6, tags: ["red", "Blue"] });
    await addMemory("Three blue things", { category: "decision", importance: 0.9, tags: ["blue"] });
    expect(contents(await memories({ category: ["decision"] }))).toHaveLength(2);
    expect(contents(await memories({ tags: ["red", "BLUE"] }))).toEqual(["Two red and blue things"]);
    expect(contents(await memories({ minImportance: 0.6, category: ["decision", "fact"] }))).toHaveLength(2);
    expect(await memories({ minImportance: 0.2, limit: 1, offset: 1 })).toMatchObject({ total: 3, memories: [{}] });
    expect((await memories({ since: "1d" })).total).toBe(3);
    expect((await memories({ until: "1d" })).total).toBe(0);
    expect((await memories({ since: "2020-01-01", until: "2021-01-01" })).total).toBe(0);
    for (const wrong of [{ since: "yesterday" }, { until: "31.12.2020" }, { category: ["idea"] }, { limit: 0 }]) {
      await expect(memories(wrong)).rejects.toMatchObject({ code: "bad-input" });
    }
  });

  it("ranks by a question, within the filters", async () => {
    const { addMemory, memories } = desk();
    const deploy = await addMemory("Deploys go through the staging branch", { tags: ["ops"] });
    const style = await addMemory("The user prefers tabs over spaces in Go files", { tags: ["style"] });
    await addMemory("Invoices are rounded to cents", { tags: ["billing"] });
    const page = await memories({ query: "how do we deploy to staging" });
    expect(page.memories[0]).toMatchObject({ id: deploy, score: expect.any(Number) });
    expect((await memories({ query: "staging deploys", tags: ["style"] })).memories.map(({ id }) => id)).not.toContain(
      deploy,
    );
    expect((await memories({ query: "tabs or spaces", tags: ["style"] })).memories[0]).toMatchObject({ id: style });
    expect(await memories({ query: "staging", tags: ["none"] })).toEqual({ total: 0, memories: [] });
  });

  it("shows the one that an id or a citation names", async () => {
    const { addMemory, memories } = desk();
    const id = await addMemory("Deploys go through the staging branch");
    for (const query of [id, `[${id}]`, id.slice(0, 9), id.toUpperCase()]) {
      expect((await memories({ query })).memories).toMatchObject([{ id }]);
    }
    for (const query of ["[mem-z]", "mem-zzzzzzzzzzzzz"]) {
      await expect(memories({ query })).rejects.toMatchObject({ code: "not-found" });
    }
    const leak = await addMemory("The worker has a mem-leak");
    expect((await memories({ query: "mem-leak" })).memories[0]).toMatchObject({ id: leak, score: expect.any(Number) });
  });

  it("finds forgotten ones by their words", async () => {
    const { addMemory, memories, forget } = desk();
    const id = await addMemory("Deploys go through the staging branch", { tags: ["ops"] });
    await forget([await addMemory("Invoices are rounded")]);
    await forget([id]);
    expect((await memories()).total).toBe(0);
    expect((await memories({ deleted: true })).total).toBe(2);
    expect((await memories({ deleted: true, query: "STAGING deploys" })).memories).toMatchObject([
      { id, forgotten: expect.any(String) },
    ]);
    expect((await memories({ deleted: true, tags: ["ops"] })).total).toBe(1);
  });

  it("writes nothing where nothing was ever remembered", async () => {
    const { memories, path } = desk();
    expect(await memories({ query: "anything" })).toEqual({ total: 0, memories: [] });
    const workspace = await openWorkspace(path);
    expect(workspace.hasRecords()).toBe(false);
    await workspace.close();
  });
});

describe("forget and restore", () => {
  it("take several at once, all or none", async () => {
    const { addMemory, forget, restore, memories } = desk();
    const ids = [await addMemory("First thing"), await addMemory("Second matter")];
    const unknown = 'There is no memory, experience or value "mem-000".';
    await expect(forget([...ids, "mem-000"])).rejects.toMatchObject({ code: "not-found", message: unknown });
    expect((await memories()).total).toBe(2);
    expect(await forget([`[${ids[0]}]`, ids[1]!.slice(0, 10), ids[0]!])).toMatchObject({
      forgotten: [{ id: ids[0], title: "First thing" }, { id: ids[1] }],
      purged: false,
    });
    expect((await memories()).total).toBe(0);
    await expect(forget([ids[0]!])).rejects.toThrow("was forgotten; dossier memory restore");
    expect(await restore(ids)).toMatchObject({ restored: [{ id: ids[0] }, { id: ids[1] }] });
    await expect(restore([ids[0]!])).rejects.toThrow("was not forgotten");
    expect((await memories({ query: "second matter" })).memories[0]).toMatchObject({ id: ids[1] });
  });

  it("purge for good, also what was forgotten before", async () => {
    const { addMemory, forget, restore, memories } = desk();
    const [first, second] = [await addMemory("First thing"), await addMemory("Second matter")];
    await forget([first]);
    expect(await forget([first, second], { purge: true })).toMatchObject({ purged: true });
    expect([(await memories()).total, (await memories({ deleted: true })).total]).toEqual([0, 0]);
    for (const id of [first, second]) await expect(restore([id])).rejects.toMatchObject({ code: "not-found" });
    expect((await memories({ query: "first thing" })).total).toBe(0);
  });

  it("purge from every file, the index included", async () => {
    const { addMemory, forget, memories, path } = desk();
    const ids = [];
    for (let i = 0; i < 12; i++) {
      const words = `SECRETWORD${i} lives in room${i}`;
      ids.push(await addMemory(`${words} ${"and so on ".repeat(i * 20)}`, { tags: [`label${i}x`], force: true }));
    }
    await memories({ query: "who lives where" });
    await forget(ids.slice(0, 6), { purge: true });
    const bytes = readdirSync(join(path, ".dossier"))
      .map((name) => readFileSync(join(path, ".dossier", name), "latin1"))
      .join("");
    expect(bytes).toContain("SECRETWORD9 lives");
    const left = [0, 1, 2, 3, 4, 5].filter(
      (i) => bytes.includes(`SECRETWORD${i} lives`) || bytes.includes(`label${i}x`),
    );
    expect(left).toEqual([]);
    expect((await memories({ query: "SECRETWORD9" })).memories[0]).toMatchObject({ id: ids[9] });
  });

  it("list the choices when the beginning of an id is not enough, and say what an id looks like", async () => {
    const { path, forget } = desk();
    const workspace = await openWorkspace(path);
    await write(workspace, ["mem-aa1", "mem-aa2", "mem-a"]);
    await workspace.close();
    await expect(forget(["mem-aa"])).rejects.toThrow(/could be any of mem-aa1 \(text of mem-aa1\), mem-aa2/);
    expect((await forget(["mem-a"])).forgotten).toMatchObject([{ id: "mem-a" }]);
    for (const typed of ["login", "cod-123", "mem-", "%", "../x", ""]) {
      await expect(forget([typed])).rejects.toMatchObject({ code: typed === "" ? "bad-input" : "not-found" });
    }
    await expect(forget([])).rejects.toMatchObject({ code: "bad-input" });
  });
});

async function write(workspace: Workspace, ids: string[]): Promise<void> {
  const records = await workspace.records();
  const body = (id: string) => ({ content: `text of ${id}`, category: "fact", importance: 0.5, tags: [] });
  await records.write(
    workspace.owner,
    ids.map((id) => ({ id, type: "memory", created: 1, changed: 1, body: body(id) })),
  );
}

describe("owners", () => {
  it("never see, are offered, change or bring back each other's memories", async () => {
    const ann = desk(undefined, "ann");
    const bob = desk(ann.path, "bob");
    const id = await ann.addMemory("Deploys go through the staging branch", { tags: ["ops"] });
    expect(await bob.memories()).toEqual({ total: 0, memories: [] });
    expect(await bob.memories({ query: "staging branch" })).toEqual({ total: 0, memories: [] });
    expect(await bob.memories({ query: "staging", tags: ["ops"] })).toEqual({ total: 0, memories: [] });
    await expect(bob.memories({ query: id })).rejects.toMatchObject({ code: "not-found" });
    await expect(bob.edit(id, { importance: 1 })).rejects.toMatchObject({ code: "not-found" });
    await expect(bob.forget([id])).rejects.toMatchObject({ code: "not-found" });
    await expect(bob.forget([id], { purge: true })).rejects.toMatchObject({ code: "not-found" });
    await expect(bob.remember("Something", { supersedes: id })).rejects.toMatchObject({ code: "not-found" });
    expect((await bob.remember("Deploys go through the staging branch")).stored).toBe(true);
    expect(
      (await bob.remember("Deploys go through the production branch")).contradicts.map(({ memory }) => memory.id),
    ).not.toContain(id);
    await ann.forget([id]);
    await expect(bob.restore([id])).rejects.toMatchObject({ code: "not-found" });
    expect((await bob.memories({ deleted: true })).total).toBe(0);
    expect((await ann.memories({ deleted: true })).total).toBe(1);
  });
});
