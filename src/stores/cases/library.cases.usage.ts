import { expect, it } from "vitest";
import type { LibraryStore, NewReference, NewUsage } from "../library.ts";
import { oddTexts, say, talk } from "./library.samples.ts";

export function referenceCases(store: () => LibraryStore): void {
  const add = (thread: string, target: string, more: Partial<NewReference> = {}) =>
    store().addReference("me", thread, {
      ...{ kind: "document", target, source: "user-added", priority: 0.5, at: 10 },
      ...more,
    });
  const targets = async (thread: string) => (await store().references("me", thread)).map(({ target }) => target);

  it("come highest priority first, then as they were added", async () => {
    const { id } = await talk(store(), "me", "a");
    const low = await add(id, "doc-1", { priority: 0.1, at: 1 });
    await add(id, "doc-3", { at: 3 });
    await add(id, "doc-2", { at: 2 });
    await add(id, "doc-4", { priority: 1, at: 4, source: "agent-added", kind: "folder" });
    expect(low).toEqual({
      id: expect.stringMatching(/^ref-[0-9a-z]{13}$/),
      ...{ kind: "document", target: "doc-1", source: "user-added", priority: 0.1, added: 1 },
    });
    expect(await targets(id)).toEqual(["doc-4", "doc-2", "doc-3", "doc-1"]);
    expect((await store().references("me", id))[0]).toMatchObject({ kind: "folder", source: "agent-added" });
  });

  it("replace priority and source of the same target, and are told apart by kind", async () => {
    const { id } = await talk(store(), "me", "a");
    const first = await add(id, "x", { at: 1 });
    const repeated = await add(id, "x", { at: 2, priority: 0.9, source: "agent-added" });
    expect(repeated).toEqual({ ...first, priority: 0.9, source: "agent-added" });
    await add(id, "x", { kind: "folder" });
    for (const text of oddTexts) await add(id, text, { kind: "item" });
    expect((await targets(id)).sort()).toEqual(["x", "x", ...oddTexts].sort());
  });

  it("are removed once, from their own thread, and change the revision", async () => {
    const { id } = await talk(store(), "me", "a");
    const other = await talk(store(), "me", "b");
    const before = await store().revision("me");
    const reference = await add(id, "x");
    expect(await store().removeReference("me", other.id, reference.id)).toBe(false);
    expect(await store().removeReference("me", id, reference.id)).toBe(true);
    expect(await store().removeReference("me", id, reference.id)).toBe(false);
    expect(await targets(id)).toEqual([]);
    expect(await store().revision("me")).toBe(before + 2);
    await expect(add("thr-x", "x")).rejects.toMatchObject({ code: "not-found" });
    await store().removeThread("me", id, 1);
    await expect(add(id, "x")).rejects.toMatchObject({ code: "not-found" });
    expect(await store().removeReference("me", id, reference.id)).toBe(false);
  });

  it("are inherited by branches up to where they branched off, the nearest first", async () => {
    const parent = await talk(store(), "me", "a b");
    await add(parent.id, "early", { priority: 0.3, source: "agent-added" });
    await store().addMessages("me", parent.id, [say("c")]);
    await add(parent.id, "late");
    const fullBranch = await talk(store(), "me", "x", { parent: parent.id });
    const partBranch = await talk(store(), "me", "", { parent: parent.id, branchedAt: parent.messages[1]!.id });
    const deep = await talk(store(), "me", "", { parent: fullBranch.id, branchedAt: parent.messages[1]!.id });
    expect(await targets(fullBranch.id)).toEqual(["late", "early"]);
    expect(await store().references("me", partBranch.id)).toMatchObject([
      { target: "early", priority: 0.3, source: "inherited" },
    ]);
    expect(await targets(deep.id)).toEqual(["early"]);
    const empty = await talk(store(), "me", "");
    await add(empty.id, "first of all");
    expect(await targets((await talk(store(), "me", "", { parent: empty.id })).id)).toEqual(["first of all"]);
    const own = await add(fullBranch.id, "early", { priority: 0.9 });
    expect(await store().references("me", fullBranch.id)).toMatchObject([
      { id: own.id, target: "early", source: "user-added" },
      { target: "late", source: "inherited" },
    ]);
    const [inherited] = await store().references("me", partBranch.id);
    expect(await store().removeReference("me", partBranch.id, inherited!.id)).toBe(false);
    await store().removeThread("me", parent.id, 5);
    expect(await targets(fullBranch.id)).toEqual(["early"]);
    expect(await targets(partBranch.id)).toEqual([]);
  });
}

export function usageCases(store: () => LibraryStore): void {
  const event = (item: string, at: number, more: Partial<NewUsage> = {}): NewUsage => ({
    ...{ item, kind: "cited", at },
    ...more,
  });

  it("is told newest first, at most so many for each item", async () => {
    const events = await store().recordUsage("me", [
      event("a", 3, { kind: "useful", context: "ctx-1" }),
      event("b", 1),
      event("a", 5),
      event("a", 3, { kind: "not-useful" }),
    ]);
    expect(events[0]).toEqual({
      id: expect.stringMatching(/^use-[0-9a-z]{13}$/),
      ...{ item: "a", kind: "useful", context: "ctx-1", at: 3 },
    });
    const usage = await store().usage("me", ["a", "x", "b", "a"]);
    expect([...usage]).toEqual([
      ["a", [events[2], events[3], events[0]]],
      ["b", [events[1]]],
    ]);
    expect(await store().usage("me", ["a"], 2)).toEqual(new Map([["a", [events[2], events[3]]]]));
    expect(await store().usage("me", [])).toEqual(new Map());
    expect(await store().counts("me")).toMatchObject({ usage: 4 });
  });

  it("is as it was before once it is undone, and caches learn of both", async () => {
    const remaining = await store().recordUsage("me", [event("a", 3), event("b", 3)]);
    const before = await store().usage("me", ["a", "b"]);
    const revision = await store().usageRevision("me");
    const undone = await store().recordUsage("me", [event("a", 3), event("a", 9, { kind: "useful" }), event("c", 1)]);
    expect(await store().usageRevision("me")).toBeGreaterThan(revision);
    const between = await store().usageRevision("me");
    const ids = undone.map(({ id }) => id);
    expect(await store().undoUsage("me", [...ids, "use-x", ids[0]!])).toBe(3);
    expect(await store().usageRevision("me")).toBeGreaterThan(between);
    expect(await store().usage("me", ["a", "b", "c"])).toEqual(before);
    const after = await store().usageRevision("me");
    expect(await store().undoUsage("me", ids)).toBe(0);
    expect(await store().recordUsage("me", [])).toEqual([]);
    expect(await store().usageRevision("me")).toBe(after);
    await store().undoUsage("me", [remaining[0]!.id]);
    expect([...(await store().usage("me", ["a", "b"])).keys()]).toEqual(["b"]);
  });

  it("keeps every character, and leaves the library's revision alone", async () => {
    await store().recordUsage(
      "me",
      oddTexts.map((text, i) => event(text, i, { context: text })),
    );
    const usage = await store().usage("me", oddTexts);
    expect([...usage.values()].flat().map(({ item, context }) => [item, context])).toEqual(
      oddTexts.map((text) => [text, text]),
    );
    expect(await store().revision("me")).toBe(0);
  });
}
