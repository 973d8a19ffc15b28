import { expect, it } from "vitest";
import type { LibraryStore, MessageBlock, MessageChange } from "../library.ts";
import { oddTexts, say, talk, textsOf } from "./library.samples.ts";

export function threadCases(store: () => LibraryStore): void {
  const titles = async (query: { query?: string; deleted?: boolean; limit?: number; offset?: number } = {}) =>
    (await store().threads("me", { limit: 100, ...query })).threads.map((thread) => thread.title);
  const create = (title: string, at = 1000) => store().createThread("me", { title, at });

  it("are made empty, and renamed", async () => {
    const thread = await create("Plans");
    expect(thread).toEqual({
      id: expect.stringMatching(/^thr-[0-9a-z]{13}$/),
      title: "Plans",
      created: 1000,
      changed: 1000,
      messages: 0,
    });
    expect(await store().thread("me", thread.id)).toEqual(thread);
    const renamed = await store().changeThread("me", thread.id, { title: "Old plans", at: 2000 });
    expect(renamed).toEqual({ ...thread, title: "Old plans", changed: 2000 });
    expect(await store().changeThread("me", thread.id, { at: 1500 })).toEqual(renamed);
    expect(await titles({ query: "OLD PL" })).toEqual(["Old plans"]);
    await expect(store().changeThread("me", "thr-x", { at: 1 })).rejects.toMatchObject({ code: "not-found" });
    await expect(store().createThread("me", { title: "", branchedAt: "msg-x", at: 1 })).rejects.toMatchObject({
      code: "bad-input",
    });
  });

  it("are listed by last activity, found by part of a title, page by page", async () => {
    const first = await create("Über Katzen", 1000);
    await create("Hunde", 3000);
    await create("katzenfutter 100%", 2000);
    await store().addMessages("me", first.id, [say("x", { at: 4000 }), say("y", { at: 500 })]);
    expect(await titles()).toEqual(["Über Katzen", "Hunde", "katzenfutter 100%"]);
    expect(await titles({ query: "KATZEN" })).toEqual(["Über Katzen", "katzenfutter 100%"]);
    expect(await titles({ query: "über" })).toEqual(["Über Katzen"]);
    expect(await titles({ query: "u\u0308ber" })).toEqual(["Über Katzen"]);
    expect(await titles({ query: "0%" })).toEqual(["katzenfutter 100%"]);
    expect(await titles({ query: "_" })).toEqual([]);
    expect(await store().threads("me", { query: "katzen", limit: 1, offset: 1 })).toMatchObject({
      threads: [{ title: "katzenfutter 100%" }],
      total: 2,
    });
  });

  it("go with all messages when deleted, and come back with them", async () => {
    const { id, messages } = await talk(store(), "me", "a b c");
    const before = await store().thread("me", id);
    const ids = messages.map((message) => message.id);
    expect(await store().removeThread("me", id, 5000)).toBe(true);
    expect(await store().removeThread("me", id, 6000)).toBe(false);
    expect(await store().thread("me", id)).toBeUndefined();
    expect(await store().thread("me", id, { deleted: true })).toEqual({ ...before, deleted: 5000 });
    expect([await titles(), await titles({ deleted: true })]).toEqual([[], ["a b c"]]);
    expect(await store().messages("me", id, { last: 9 })).toEqual([]);
    expect(await store().messagesById("me", ids)).toEqual([]);
    await expect(store().addMessages("me", id, [say("d")])).rejects.toMatchObject({ code: "not-found" });
    await expect(store().changeThread("me", id, { at: 1 })).rejects.toMatchObject({ code: "not-found" });
    const revision = await store().revision("me");
    expect(await store().restoreThread("me", id)).toBe(true);
    expect(await store().restoreThread("me", id)).toBe(false);
    expect(await store().thread("me", id)).toEqual(before);
    expect(await store().messagesById("me", ids)).toEqual(messages);
    const changes = await store().messagesSince("me", revision, 9);
    expect(changes.map(({ message, deleted }) => [message.id, deleted])).toEqual(ids.map((id) => [id, false]));
  });

  it("are purged for good, and only indexes learn which messages there were", async () => {
    const one = await talk(store(), "me", "a b");
    const two = await talk(store(), "me", "c");
    await store().addReference("me", one.id, { kind: "item", target: "x", source: "user-added", priority: 1, at: 1 });
    await store().removeThread("me", two.id, 7);
    const revision = await store().revision("me");
    expect(await store().purgeThread("me", [one.id, "thr-x", two.id])).toBe(true);
    expect(await store().purgeThread("me", [one.id, two.id])).toBe(false);
    expect(await store().restoreThread("me", two.id)).toBe(false);
    expect(await store().thread("me", one.id, { deleted: true })).toBeUndefined();
    expect(await titles({ deleted: true })).toEqual([]);
    expect(await store().references("me", one.id)).toEqual([]);
    const changes = await store().messagesSince("me", revision, 9);
    expect(changes.map(({ message, deleted }) => [message.id, message.thread, message.number, deleted])).toEqual(
      [...one.messages, ...two.messages].map(({ id, thread, number }) => [id, thread, number, true]),
    );
    expect(changes.flatMap(({ message }) => message.blocks)).toEqual([]);
    expect(await store().counts("me")).toEqual({ documents: 0, threads: 0, messages: 0, usage: 0 });
  });
}

export function messageCases(store: () => LibraryStore): void {
  it("come back as they were written", async () => {
    const { id } = await store().createThread("me", { title: "t", at: 1 });
    const blocks: MessageBlock[] = [
      { type: "text", text: "Hello" },
      { type: "tool_call", id: "c1", name: "search", input: { query: "x", deep: [1, null, { a: true }] } },
      { type: "tool_result", id: "c1", text: "found", error: true },
      { type: "image", description: "a cat" },
      { type: "other", value: [{ any: "thing" }, null, 1.5] },
    ];
    const stored = await store().addMessages("me", id, [
      { id: "app-1", role: "assistant", speaker: "Ann", session: "day 1", blocks, at: 77 },
      { role: "tool", blocks: [], at: 78 },
    ]);
    expect(stored).toEqual([
      {
        ...{ id: expect.stringMatching(/^msg-[0-9a-z]{13}$/), given: "app-1", thread: id, number: 1 },
        ...{ role: "assistant", speaker: "Ann", session: "day 1", blocks, at: 77 },
      },
      { id: expect.stringMatching(/^msg-/), thread: id, number: 2, role: "tool", blocks: [], at: 78 },
    ]);
    expect(await store().messages("me", id, { last: 5 })).toEqual(stored);
    expect(await store().messagesById("me", [stored[1]!.id, "msg-x", stored[0]!.id, stored[1]!.id])).toEqual([
      stored[1],
      stored[0],
    ]);
    expect(await store().addMessages("me", id, [])).toEqual([]);
  });

  it("keep every character, and ten thousand blocks", async () => {
    const { id } = await store().createThread("me", { title: oddTexts[4]!, at: 1 });
    expect((await store().thread("me", id))?.title).toBe(oddTexts[4]);
    const odd = oddTexts.map((text) => say(text, { id: text, speaker: text, session: text }));
    const many = Array.from({ length: 10_000 }, (_, i) => ({ type: "text" as const, text: `block ${i}` }));
    await store().addMessages("me", id, [...odd, { role: "user", blocks: many, at: 1 }]);
    const messages = await store().messages("me", id, { from: 1, limit: 100 });
    expect(messages.slice(0, -1)).toMatchObject(odd.map(({ id, ...rest }) => ({ ...rest, given: id })));
    expect(messages.at(-1)!.blocks).toEqual(many);
  });

  it("are read from the end or from a number on", async () => {
    const { id } = await talk(store(), "me", "a b c d e f");
    const read = async (range: Parameters<LibraryStore["messages"]>[2]) =>
      textsOf(await store().messages("me", id, range));
    expect(await read({ last: 2 })).toBe("e f");
    expect(await read({ last: 99 })).toBe("a b c d e f");
    expect(await read({ last: 0 })).toBe("");
    expect(await read({ from: 3, limit: 2 })).toBe("c d");
    expect(await read({ from: -5, limit: 1 })).toBe("a");
    expect(await read({ from: 7, limit: 9 })).toBe("");
    expect(await read({ from: 1, limit: -1 })).toBe("");
    expect(await store().messages("me", "thr-x", { last: 9 })).toEqual([]);
  });

  it("are replaced in their place by the application's id or by ours; the same again changes nothing", async () => {
    const { id } = await store().createThread("me", { title: "t", at: 1 });
    const first = await store().addMessages("me", id, [say("a", { id: "1" }), say("b"), say("c", { id: "3" })]);
    const revision = await store().revision("me");
    expect(await store().addMessages("me", id, [say("a", { id: "1" }), say("c", { id: "3" })])).toEqual([
      first[0],
      first[2],
    ]);
    expect(await store().revision("me")).toBe(revision);
    expect(await store().messagesSince("me", revision - 3, 9)).toMatchObject([
      { revision: 2 },
      { revision: 3 },
      { revision: 4 },
    ]);
    const changed = await store().addMessages("me", id, [
      say("A", { id: "1", role: "system" }),
      say("c", { id: "3" }),
      say("B", { id: first[1]!.id }),
      say("d", { id: "4" }),
      say("D", { id: "4" }),
    ]);
    expect(changed).toMatchObject([
      { id: first[0]!.id, given: "1", number: 1, role: "system" },
      first[2]!,
      { id: first[1]!.id, number: 2 },
      { given: "4", number: 4 },
      { given: "4", number: 4 },
    ]);
    expect(changed[3]).toEqual(changed[4]);
    expect(textsOf(await store().messages("me", id, { last: 9 }))).toBe("A B c D");
    expect(await store().revision("me")).toBe(revision + 3);
    const other = await talk(store(), "me", "x");
    await store().addMessages("me", other.id, [say("y", { id: "1" }), say("z", { id: first[0]!.id })]);
    expect(textsOf(await store().messages("me", id, { last: 9 }))).toBe("A B c D");
    expect(textsOf(await store().messages("me", other.id, { last: 9 }))).toBe("x y z");
  });

  it("are written all or none", async () => {
    const { id } = await talk(store(), "me", "a");
    const before = await store().revision("me");
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const bad = { role: "user" as const, blocks: [{ type: "other" as const, value: circular }], at: 1 };
    await expect(store().addMessages("me", id, [say("b"), bad, say("c")])).rejects.toThrow();
    await expect(store().addMessages("me", "thr-x", [say("b")])).rejects.toMatchObject({ code: "not-found" });
    expect(textsOf(await store().messages("me", id, { last: 9 }))).toBe("a");
    expect(await store().revision("me")).toBe(before);
  });

  it("tell an index what changed, in order, each once, page by page", async () => {
    const one = await talk(store(), "me", "a b c d e");
    const two = await talk(store(), "me", "f g");
    await store().putDocument("me", { path: "p", content: "c", at: 1 });
    await store().addMessages("me", one.id, [say("B", { id: one.messages[1]!.id })]);
    await store().removeThread("me", two.id, 9);
    const changes: MessageChange[] = [];
    for (let revision = 0; ; ) {
      const page = await store().messagesSince("me", revision, 3);
      if (page.length === 0) break;
      expect(page.length).toBeLessThanOrEqual(3);
      expect(page[0]!.revision).toBeGreaterThan(revision);
      changes.push(...page);
      revision = page.at(-1)!.revision;
    }
    expect(textsOf(changes.map(({ message }) => message))).toBe("a c d e B  ");
    expect(changes.map(({ deleted }) => deleted)).toEqual([false, false, false, false, false, true, true]);
    const revisions = [...changes, ...(await store().documentsSince("me", 0, 9))].map(({ revision }) => revision);
    expect(new Set(revisions).size).toBe(8);
    expect(await store().messagesSince("me", await store().revision("me"), 3)).toEqual([]);
  });
}

export function branchCases(store: () => LibraryStore): void {
  const read = async (id: string, range: Parameters<LibraryStore["messages"]>[2] = { last: 99 }) =>
    textsOf(await store().messages("me", id, range));

  it("have what their parents had up to where they branched off, and go on numbering from there", async () => {
    const parent = await talk(store(), "me", "a b c d");
    const child = await talk(store(), "me", "x y", { parent: parent.id, branchedAt: parent.messages[1]!.id });
    expect(await store().thread("me", child.id)).toMatchObject({
      parent: parent.id,
      branchedAt: parent.messages[1]!.id,
      messages: 4,
    });
    expect(child.messages.map(({ number }) => number)).toEqual([3, 4]);
    await store().addMessages("me", parent.id, [say("e")]);
    expect([await read(child.id), await read(parent.id)]).toEqual(["a b x y", "a b c d e"]);
    expect(await read(child.id, { last: 3 })).toBe("b x y");
    expect(await read(child.id, { from: 2, limit: 2 })).toBe("b x");
    const threads = (await store().messages("me", child.id, { last: 9 })).map(({ thread }) => thread);
    expect(threads).toEqual([parent.id, parent.id, child.id, child.id]);
    expect(await store().counts("me")).toMatchObject({ threads: 2, messages: 7 });
  });

  it("share everything that there is by then when no message is named", async () => {
    const parent = await talk(store(), "me", "a b");
    const child = await talk(store(), "me", "x", { parent: parent.id });
    await store().addMessages("me", parent.id, [say("c")]);
    expect(await read(child.id)).toBe("a b x");
    expect(await store().thread("me", child.id)).toMatchObject({ branchedAt: parent.messages[1]!.id });
    const empty = await store().createThread("me", { title: "", at: 1 });
    const ofEmpty = await talk(store(), "me", "y", { parent: empty.id });
    expect(await read(ofEmpty.id)).toBe("y");
    expect((await store().thread("me", ofEmpty.id))?.branchedAt).toBeUndefined();
  });

  it("of branches may begin before their parent does", async () => {
    const first = await talk(store(), "me", "a b c");
    await store().addMessages("me", first.id, [say("d", { id: "given" })]);
    const second = await talk(store(), "me", "x y", { parent: first.id, branchedAt: first.messages[2]!.id });
    const third = await talk(store(), "me", "z", { parent: second.id, branchedAt: first.messages[0]!.id });
    expect([await read(second.id), await read(third.id)]).toEqual(["a b c x y", "a z"]);
    const byGiven = await talk(store(), "me", "w", { parent: first.id, branchedAt: "given" });
    expect(await read(byGiven.id)).toBe("a b c d w");
    // Messages that the parent itself does not have cannot be shared.
    for (const branchedAt of ["given", third.messages[0]!.id, "msg-x"]) {
      const branch = store().createThread("me", { title: "", parent: second.id, branchedAt, at: 1 });
      await expect(branch).rejects.toMatchObject({ code: "not-found" });
    }
  });

  it("may be two hundred deep", async () => {
    let { id } = await talk(store(), "me", "m0");
    for (let i = 1; i <= 200; i++) ({ id } = await talk(store(), "me", i % 20 === 0 ? `m${i}` : "", { parent: id }));
    expect(await read(id)).toBe(["m0", ...Array.from({ length: 10 }, (_, i) => `m${(i + 1) * 20}`)].join(" "));
    expect(await read(id, { last: 2 })).toBe("m180 m200");
    expect(await read(id, { from: 3, limit: 2 })).toBe("m40 m60");
  });

  it("stay when a parent is deleted, without what was its own; purging it keeps what lies before", async () => {
    const first = await talk(store(), "me", "a");
    const second = await talk(store(), "me", "b", { parent: first.id });
    const third = await talk(store(), "me", "c", { parent: second.id });
    await store().removeThread("me", second.id, 5);
    expect(await read(third.id)).toBe("a c");
    const fourth = await talk(store(), "me", "d", { parent: third.id });
    await store().restoreThread("me", second.id);
    expect([await read(third.id), await read(fourth.id)]).toEqual(["a b c", "a b c d"]);
    await store().purgeThread("me", second.id);
    expect([await read(third.id), await read(fourth.id)]).toEqual(["a c", "a c d"]);
    expect((await store().messages("me", third.id, { last: 1 }))[0]!.number).toBe(3);
    expect(await store().thread("me", third.id)).toMatchObject({ parent: second.id, messages: 3 });
    await expect(store().createThread("me", { title: "", parent: second.id, at: 1 })).rejects.toMatchObject({
      code: "not-found",
    });
  });
}
