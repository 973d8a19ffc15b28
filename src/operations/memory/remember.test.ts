import { describe, expect, it } from "vitest";
import { openWorkspace } from "../../workspace/workspace.ts";
import { call } from "../core/call.ts";
import { index } from "../index/index-workspace.ts";
import { edit as editOperation } from "./edit.ts";
import { contents, desk, key } from "./memory-drafts.samples.ts";
import { remember as rememberOperation } from "./remember.ts";

describe("remember", () => {
  it("stores what is new with its category, importance and labels", async () => {
    const { remember, memories } = desk();
    const stored = await remember("  Deploys go through staging ", {
      category: "decision",
      importance: 0.9,
      tags: ["Ops", "ops"],
    });
    expect(stored).toMatchObject({
      stored: true,
      memory: {
        id: expect.stringMatching(/^mem-[0-9a-z]{13}$/),
        content: "Deploys go through staging",
        category: "decision",
        importance: 0.9,
        tags: ["ops"],
      },
      duplicates: [],
      contradicts: [],
      warnings: [],
    });
    expect(await memories()).toEqual({ total: 1, memories: [stored.memory] });
    expect((await remember("Another one")).memory).toMatchObject({ category: "fact", importance: 0.5, tags: [] });
  });

  it("offers what says the same instead of storing it twice, and keeps both when told to", async () => {
    const { remember, memories, forget } = desk();
    const { memory } = await remember("Deploys go through the staging branch.");
    const again = await remember("deploys go THROUGH the staging  branch", { category: "decision" });
    expect(again).toMatchObject({ stored: false, duplicates: [{ memory, similarity: 1 }] });
    expect(again.memory).toBeUndefined();
    expect(rememberOperation.exit!(again)).toBe(10);
    expect(again.advice.join("\n")).toContain(`supersedes "${memory!.id}"`);
    expect(again.advice.join("\n")).toContain("force true");
    expect((await memories()).total).toBe(1);
    expect(await remember("deploys go through the staging branch", { force: true })).toMatchObject({
      stored: true,
      duplicates: [{ similarity: 1 }],
    });
    expect((await memories()).total).toBe(2);
    await forget((await memories()).memories.map(({ id }) => id));
    expect((await remember("Deploys go through the staging branch")).stored).toBe(true);
  });

  it("stores once what several remember at the same moment", async () => {
    const { remember, memories } = desk();
    await remember("The harbour opens at six.");
    const all = await Promise.all(Array.from({ length: 6 }, () => remember("Cranes are booked a day before.")));
    expect(all.filter(({ stored }) => stored)).toHaveLength(1);
    for (const { stored, duplicates } of all) expect(stored || duplicates.length === 1).toBe(true);
    expect((await memories()).total).toBe(2);
  });

  it("keeps no words for itself that it no longer says", async () => {
    const { remember, memories, forget, restore, edit } = desk();
    const { memory } = await remember("Cranes are booked a day before.");
    await edit(memory!.id, { content: "The harbour opens at six." });
    const again = await remember("Cranes are booked a day before.");
    expect(again.stored).toBe(true);
    await forget([again.memory!.id]);
    expect((await remember("Cranes are booked a day before.")).stored).toBe(true);
    await restore([again.memory!.id]);
    expect((await memories()).total).toBe(3);
  });

  it("offers a long text that differs in a word, and the very same text even of words that are everywhere", async () => {
    const { remember } = desk();
    const story = Array.from({ length: 50 }, (_, i) => `The build step number${i} writes folder${i}.`).join(" ");
    expect((await remember(story)).stored).toBe(true);
    const again = await remember(story.replace("number25", "no25"));
    expect(again.stored).toBe(false);
    expect(again.duplicates[0]!.similarity).toBeGreaterThanOrEqual(0.9);
    expect((await remember("to be or not to be")).stored).toBe(true);
    expect((await remember("to be or not to be")).stored).toBe(false);
  });

  it("puts one in the place of another, which can be restored", async () => {
    const { remember, memories, restore, addMemory } = desk();
    const old = await addMemory("The API listens on port 8080");
    const replaced = await remember("the API listens on port 8080", { supersedes: `[${old}]` });
    expect(replaced).toMatchObject({ stored: true, memory: { supersedes: old }, superseded: { id: old } });
    expect((await memories()).memories).toEqual([replaced.memory]);
    await restore([old]);
    expect((await memories()).total).toBe(2);
    await expect(remember("Something else", { supersedes: "mem-000" })).rejects.toMatchObject({ code: "not-found" });
    expect((await memories()).total).toBe(2);
  });

  it("stores what contradicts an older one, and says so", async () => {
    const { remember, addMemory, memories } = desk();
    const old = await addMemory("The API server listens on port 8080");
    const newer = await remember("The API server listens on port 9090");
    expect(newer).toMatchObject({ stored: true, contradicts: [{ memory: { id: old }, why: expect.any(String) }] });
    expect(newer.advice).toEqual([`If ${old} is no longer true: the same call with supersedes "${old}"`]);
    expect((await memories()).total).toBe(2);
    // As advised: the same again, and what it replaces.
    const settled = await remember("The API server listens on port 9090", { supersedes: old });
    expect(settled).toMatchObject({ stored: true, memory: { id: newer.memory!.id, supersedes: old } });
    expect((await memories()).memories.map(({ id }) => id)).toEqual([newer.memory!.id]);
  });

  it("says so of one that a clock which was ahead has dated later, too", async () => {
    const { remember, addMemory, path } = desk();
    const ahead = await addMemory("The API server listens on port 8080");
    const workspace = await openWorkspace(path);
    const nextYear = Date.now() + 400 * 86_400_000;
    const records = await workspace.records();
    await records.change(workspace.owner, ahead, (record) => ({ ...record, created: nextYear, changed: nextYear }));
    await workspace.close();
    expect((await remember("The API server listens on port 9090")).contradicts).toMatchObject([
      { memory: { id: ahead } },
    ]);
  });

  it("advises a shell by commands, and an agent by arguments of what it called", async () => {
    const { addMemory, path } = desk();
    const old = await addMemory("The API server listens on port 8080");
    const asShell = (content: string) =>
      call(rememberOperation, { content, path }, { nameOf: (key: string) => `--${key}` });
    const { advice } = (await asShell("The API server listens on port 8080")).output;
    expect(advice).toContain(`To put the new one in its place: add --supersedes ${old}`);
    const newer = (await asShell("The API server listens on port 9090")).output;
    expect(newer.advice).toEqual([
      `If ${old} is no longer true: dossier memory edit ${newer.memory!.id} --supersedes ${old}`,
    ]);
  });

  it("keeps where the names it mentions are defined, and looks again when it is reworded", async () => {
    const { remember, edit, path } = desk();
    await call(index, { path });
    const { memory } = await remember("Call login() from src/login.ts only once");
    expect(memory!.anchors).toContainEqual(expect.objectContaining({ name: "login", path: "src/login.ts" }));
    expect((await edit(memory!.id, { importance: 1 })).after.anchors).toEqual(memory!.anchors);
    expect((await edit(memory!.id, { content: "Call nothing twice" })).after.anchors).toBeUndefined();
  });

  it("refuses what looks like a secret unless forced, and then shows a placeholder", async () => {
    const { remember, memories } = desk();
    for (const args of [[`The token is ${key}`], ["A token", { tags: [key] }]] as const) {
      await expect(remember(...(args as [string]))).rejects.toMatchObject({ code: "looks-secret" });
    }
    expect((await memories()).total).toBe(0);
    const forced = await remember(`The token is ${key}`, { force: true });
    expect(forced.warnings).toHaveLength(1);
    expect(JSON.stringify([forced, await memories()])).not.toContain(key);
    expect(contents(await memories())[0]).toMatch(/^The token is \[secret:/);
  });

  it("refuses what is too long or none of the allowed values, naming the limit or the values", async () => {
    const { remember } = desk();
    const refused = async (content: string, more: object = {}) =>
      remember(content, more).then(
        () => "stored",
        (error: Error & { code: string }) => `${error.code}: ${error.message}`,
      );
    expect(await refused("x".repeat(10_001))).toMatch(/^too-long: .*10,001 characters long; at most 10,000/);
    expect(await refused("x".repeat(10_000))).toBe("stored");
    expect(await refused(" \n ")).toMatch(/^bad-input/);
    expect(await refused("x", { category: "idea" })).toMatch(/^bad-input: .*preference, fact, event/);
    expect(await refused("x", { importance: 1.1 })).toMatch(/^bad-input: .*from 0 to 1/);
    expect(await refused("x", { tags: Array.from({ length: 21 }, (_, i) => `t${i}`) })).toMatch(
      /^too-long: .*at most 20/,
    );
    expect(await refused("x", { tags: ["t".repeat(61)] })).toMatch(/^too-long: .*at most 60/);
  });
});

describe("edit", () => {
  it("changes what is given, leaves the rest, and shows both", async () => {
    const { addMemory, edit, memories } = desk();
    const id = await addMemory("The API listens on port 8080", { tags: ["api", "net"], importance: 0.4 });
    const output = await edit(id, { importance: 0.8, addTags: ["New"], removeTags: ["NET"] });
    expect(output).toMatchObject({
      changed: true,
      before: { importance: 0.4, tags: ["api", "net"] },
      after: { id, content: "The API listens on port 8080", importance: 0.8, tags: ["api", "new"] },
    });
    expect((await memories()).memories).toEqual([output.after]);
    expect((await edit(id, { content: "The API listens on port 8081", tags: [] })).after).toMatchObject({
      content: "The API listens on port 8081",
      tags: [],
      created: output.before.created,
    });
    expect((await memories({ query: "8081" })).memories[0]).toMatchObject({ id });
    expect(await edit(id, { importance: 0.8 })).toMatchObject({ changed: false });
  });

  it("checks as remember does", async () => {
    const { addMemory, edit, memories } = desk();
    const first = await addMemory("The API listens on port 8080");
    const second = await addMemory("Invoices are rounded to cents");
    const same = await edit(second, { content: "the api listens on PORT 8080!" });
    expect(same).toMatchObject({ changed: false, duplicates: [{ memory: { id: first } }] });
    expect(editOperation.exit!(same)).toBe(10);
    expect(contents(await memories())).toContain("Invoices are rounded to cents");
    expect((await edit(first, { content: "The API listens on PORT 8080." })).changed).toBe(true);
    await expect(edit(second, { content: `key ${key}` })).rejects.toMatchObject({ code: "looks-secret" });
    await expect(edit(second, { content: "x".repeat(10_001) })).rejects.toMatchObject({ code: "too-long" });
    await expect(edit(second, {})).rejects.toMatchObject({ code: "bad-input" });
    await expect(edit(second, { tags: ["a"], addTags: ["b"] })).rejects.toMatchObject({ code: "bad-input" });
    await expect(edit(second, { supersedes: second })).rejects.toMatchObject({ code: "bad-input" });
    expect(await edit(second, { supersedes: first })).toMatchObject({ changed: true, after: { supersedes: first } });
    expect((await memories()).memories.map(({ id }) => id)).toEqual([second]);
  });
});
