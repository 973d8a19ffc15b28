import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { mentionsIn } from "../../chat/mention-targets.ts";
import { importThread, mentions, putDocument, references, say, thread, threads } from "../../index.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import { importThread as importing } from "./import-thread.ts";
import { thread as threading } from "./thread.ts";

const other = { owner: "him" };

async function desk() {
  const path = folder({});
  const create = async (title: string) => (await thread({ step: "create", title, path })).thread;
  const talk = (id: string, text: string, more: Partial<Parameters<typeof say>[0]> = {}) =>
    say({ thread: id, text, path, ...more });
  const texts = async (id: string, more: { from?: number; limit?: number } = {}) =>
    (await thread({ step: "show", thread: id, path, ...more })).messages!.map(({ text }) => text);
  return { path, create, talk, texts };
}

describe("threads", () => {
  it("hold what was said, in order", async () => {
    const { path, create, talk, texts } = await desk();
    const { id } = await create("Release plan");
    await talk(id, "When?", { speaker: "Ann", at: "2026-01-31T10:00:00Z", session: "day 1", id: "m1" });
    const { thread: after, messages } = await talk(id, "On Monday.", { role: "assistant" });
    expect(after).toMatchObject({ id, title: "Release plan", messages: 2 });
    expect(messages[0]).toMatchObject({ number: 2, role: "assistant", text: "On Monday." });
    expect(await texts(id)).toEqual(["When?", "On Monday."]);
    const shown = await thread({ step: "show", thread: "release PLAN", path });
    expect(shown.messages![0]).toMatchObject({
      speaker: "Ann",
      at: "2026-01-31T10:00:00.000Z",
      session: "day 1",
      given: "m1",
    });
    expect(threading.text!(shown, { step: "show" } as never, false)).toContain("1. Ann (user)  2026-01-31 10:00");
  });

  it("take content as it is sent to models, and several messages at once", async () => {
    const { path, create, talk, texts } = await desk();
    const { id } = await create("Tools");
    const blocks = JSON.stringify([{ type: "tool_use", id: "t", name: "read", input: { path: "a" } }]);
    await talk(id, "Let me see.", { role: "assistant", blocks });
    await say({ thread: id, path, messages: '{"role":"tool","content":"ok"}\n{"role":"user","content":"Thanks"}\n' });
    expect(await texts(id)).toEqual(['Let me see.\nread({"path":"a"})', "ok", "Thanks"]);
    expect(await texts(id, { from: 2, limit: 1 })).toEqual(["ok"]);
    expect(await texts(id, { limit: 1 })).toEqual(["Thanks"]);
    expect(await texts(id, { limit: 0 })).toEqual([]);
  });

  it("replace a message whose id comes again", async () => {
    const { create, talk, texts } = await desk();
    const { id } = await create("Edits");
    await talk(id, "fist", { id: "m1" });
    await talk(id, "second");
    await talk(id, "first", { id: "m1" });
    expect(await texts(id)).toEqual(["first", "second"]);
  });

  it.each([
    [{ text: "" }, /needs text/],
    [{}, /needs text/],
    [{ blocks: "{" }, /takes JSON/],
    [{ blocks: "[]" }, /needs text/],
    [{ blocks: "[".repeat(10_000) + "]".repeat(10_000) }, /nested too deep/],
    [{ text: "x", at: "soon" }, /at takes a date/],
    [{ messages: '{"role":"user","content":"good"}\nbad\n' }, /line 2: it is no JSON/],
    [{ messages: "" }, /has no message/],
    [{ messages: "[]", text: "x" }, /goes without text/],
    [
      { messages: '{"thread":"a","role":"user","content":"x"}\n{"thread":"b","role":"user","content":"y"}' },
      /several threads/,
    ],
  ])("refuse %j", async (input, why) => {
    const { path, create, texts } = await desk();
    const { id } = await create("Empty");
    await expect(say({ thread: id, path, ...input })).rejects.toThrow(why);
    expect(await texts(id)).toEqual([]);
  });

  it("branch after a message, and go their own way from there", async () => {
    const { path, create, talk, texts } = await desk();
    const { id } = await create("Main");
    const sent = [];
    for (const text of ["one", "two", "three"]) sent.push((await talk(id, text)).messages[0]!);
    const branch = (await thread({ step: "branch", thread: id, message: "2", path })).thread;
    expect(branch).toMatchObject({ title: "Main (branch)", parent: id, branchedAt: sent[1]!.id, messages: 2 });
    await talk(branch.id, "other");
    expect(await texts(branch.id)).toEqual(["one", "two", "other"]);
    expect(await texts(id)).toEqual(["one", "two", "three"]);
    const again = (await thread({ step: "branch", thread: branch.id, message: sent[0]!.id, title: "Deep", path }))
      .thread;
    expect(await texts(again.id)).toEqual(["one"]);
    for (const message of [sent[2]!.id, "9", "0", "msg-0000000000000", "x"]) {
      await expect(thread({ step: "branch", thread: branch.id, message, path })).rejects.toMatchObject({
        code: "not-found",
      });
    }
  });

  it("are renamed, deleted and restored", async () => {
    const { path, create, talk, texts } = await desk();
    const { id } = await create("Old");
    await talk(id, "kept");
    const renamed = await thread({ step: "rename", thread: "old", title: " New \n name ", path });
    expect(renamed).toMatchObject({ before: "Old", thread: { id, title: "New name" } });
    await thread({ step: "delete", thread: id, path });
    await expect(texts(id)).rejects.toThrow(/deleted; dossier thread restore/);
    await expect(talk(id, "x")).rejects.toMatchObject({ code: "not-found" });
    expect((await threads({ path, deleted: true })).threads).toMatchObject([{ id }]);
    await thread({ step: "restore", thread: "New name", path });
    expect(await texts(id)).toEqual(["kept"]);
    await expect(thread({ step: "restore", thread: id, path })).rejects.toThrow(/not deleted/);
    expect((await thread({ step: "delete", thread: id, purge: true, path })).purged).toBe(true);
    await expect(thread({ step: "restore", thread: id, path })).rejects.toMatchObject({ code: "not-found" });
  });

  it("are listed by their last message, found by a part of the title or shown by id", async () => {
    const { path, create, talk } = await desk();
    const [first, second] = [await create("Release plan"), await create("Plan B")];
    await talk(first.id, "hello");
    const titles = async (input: Partial<Parameters<typeof threads>[0]>) =>
      (await threads({ path, ...input })).threads.map(({ title }) => title);
    expect((await titles({})).sort()).toEqual(["Plan B", "Release plan"]);
    expect(await titles({ query: "PLAN b" })).toEqual(["Plan B"]);
    expect(await titles({ query: "100%" })).toEqual([]);
    expect(await titles({ limit: 1, offset: 2 })).toEqual([]);
    const one = await threads({ path, query: first.id, messages: 5 });
    expect(one).toMatchObject({ total: 1, threads: [{ id: first.id }], messages: [{ text: "hello" }] });
    expect(await titles({ query: second.id.slice(0, 12) })).toEqual(["Plan B"]);
  });

  it("say which one is meant, or nearly", async () => {
    const { path, create } = await desk();
    await create("Release plan");
    await create("Twice");
    await create("Twice");
    await expect(thread({ step: "show", thread: "Relase plan", path })).rejects.toThrow(
      /Did you mean "Release plan"\?/,
    );
    await expect(thread({ step: "show", thread: "Twice", path })).rejects.toThrow(/could be any of thr-/);
    await expect(thread({ step: "create", path })).rejects.toThrow(/also needs title/);
    await expect(thread({ step: "create", title: "x", thread: "y", path })).rejects.toThrow(/takes no thread/);
  });

  it("of one owner are nowhere for another", async () => {
    const { path, create, talk, texts } = await desk();
    const { id } = await create("Hers");
    const { messages } = await talk(id, "secret");
    const { thread: his } = await thread({ step: "create", title: "His", path }, other);
    for (const input of [
      { step: "show" as const },
      { step: "rename" as const, title: "x" },
      { step: "branch" as const },
      { step: "delete" as const, purge: true },
    ]) {
      for (const reference of [id, "Hers", id.slice(0, 10)]) {
        await expect(thread({ ...input, thread: reference, path }, other)).rejects.toMatchObject({ code: "not-found" });
      }
    }
    await expect(say({ thread: id, text: "x", path }, other)).rejects.toMatchObject({ code: "not-found" });
    await expect(
      thread({ step: "branch", thread: his.id, message: messages[0]!.id, path }, other),
    ).rejects.toMatchObject({ code: "not-found" });
    expect((await threads({ path }, other)).threads.map(({ title }) => title)).toEqual(["His"]);
    expect(await texts(id)).toEqual(["secret"]);
  });
});

describe("import_thread", () => {
  const chat = [
    { role: "user", content: "When do we deploy?", timestamp: "2026-01-31T10:00:00Z" },
    { role: "assistant", content: "On Monday.", timestamp: "2026-01-31T10:00:05Z" },
    { role: "user", content: "ok" },
    { role: "user", content: "ok" },
  ];
  const lines = (values: unknown[]) => values.map((each) => JSON.stringify(each)).join("\n");

  it("reads a transcript once, however often it is read", async () => {
    const { path, texts } = await desk();
    const first = await importThread({ file: lines(chat), path });
    expect(first.threads).toMatchObject([{ title: "When do we deploy?", added: 4, updated: 0, unchanged: 0 }]);
    const { thread: id } = first.threads[0]!;
    await thread({ step: "rename", thread: id!, title: "Deploying", path });
    const again = await importThread({ file: JSON.stringify(chat), path });
    expect(again.threads).toEqual([{ thread: id, title: "Deploying", added: 0, updated: 0, unchanged: 4 }]);
    const grown = await importThread({ file: lines([...chat, { role: "assistant", content: "Fine" }]), path });
    expect(grown.threads).toMatchObject([{ thread: id, added: 1, unchanged: 4 }]);
    expect(await texts(id!)).toEqual(["When do we deploy?", "On Monday.", "ok", "ok", "Fine"]);
    expect((await threads({ path })).total).toBe(1);
  });

  it("tells conversations apart that begin alike, and those that count their messages alike", async () => {
    const { path } = await desk();
    const hi = { role: "user", content: "hi" };
    await importThread({ file: lines([hi, { role: "assistant", content: "A" }]), path });
    await importThread({ file: lines([hi, { role: "assistant", content: "B" }]), path });
    await importThread({
      file: lines([
        { id: 1, ...hi },
        { id: 2, role: "user", content: "C" },
      ]),
      path,
    });
    await importThread({
      file: lines([
        { id: 1, ...hi },
        { id: 2, role: "user", content: "D" },
      ]),
      path,
    });
    const { threads: all } = await threads({ path });
    expect(all.map(({ messages }) => messages)).toEqual([2, 2, 2, 2]);
  });

  it("brings what was changed under its own id up to date", async () => {
    const { path, texts } = await desk();
    const message = (text: string) => ({ id: "0b9c2f4e-1111-2222-3333-444455556666", role: "user", content: text });
    const { threads: imported } = await importThread({ file: lines([message("draft")]), path });
    const again = await importThread({ file: lines([message("final")]), path });
    expect(again.threads).toMatchObject([{ thread: imported[0]!.thread, added: 0, updated: 1 }]);
    expect(await texts(imported[0]!.thread!)).toEqual(["final"]);
  });

  it("reads several threads of a file, also when they all begin with the same message", async () => {
    const { path } = await desk();
    const system = { role: "system", content: "Be brief." };
    const file = lines([1, 2, 3].map((n) => ({ messages: [system, { role: "user", content: `question ${n}` }] })));
    const read = await importThread({ file, path });
    expect(read.threads.map(({ title }) => title)).toEqual(["question 1", "question 2", "question 3"]);
    const again = await importThread({ file, path });
    expect(again.threads.map(({ thread: id }) => id)).toEqual(read.threads.map(({ thread: id }) => id));
    expect(again.threads.every(({ added, updated }) => added + updated === 0)).toBe(true);
    const keyed = lines([
      { thread_id: "a", role: "user", content: "A" },
      { thread_id: "b", role: "user", content: "B" },
    ]);
    expect((await importThread({ file: keyed, path })).threads).toHaveLength(2);
    await expect(importThread({ file: keyed, path, title: "Both" })).rejects.toThrow(/holds 2 threads/);
  });

  it("keeps good lines and reports bad ones", async () => {
    const { path } = await desk();
    const file = `${lines(chat.slice(0, 2))}\n{broken\n${JSON.stringify({ role: "user", content: "last", timestamp: "someday" })}`;
    const read = await importThread({ file, path });
    expect(read).toMatchObject({ bad: 1, messages: 4, errors: [{ where: "line 3" }], threads: [{ added: 3 }] });
    expect(read.warnings.join()).toMatch(/time of 1 message/);
    expect(importing.exit!(read)).toBe(1);
    expect(importing.text!(read, {} as never, false)).toMatch(/^line 3: it is no JSON\n(.|\n)*3 added, 1 bad\.$/);
  });

  it("writes nothing on trial, and says what it would do", async () => {
    const { path } = await desk();
    const trial = await importThread({ file: lines(chat), path, dryRun: true });
    expect(trial.threads).toEqual([{ title: "When do we deploy?", added: 4, updated: 0, unchanged: 0 }]);
    expect((await threads({ path })).total).toBe(0);
    expect(await importThread({ file: "", path })).toMatchObject({
      threads: [],
      messages: 0,
      warnings: [/no messages/],
    });
  });

  it("appends to a thread that is named", async () => {
    const { path, create, talk, texts } = await desk();
    const { id } = await create("Here");
    await talk(id, "before");
    await importThread({ file: lines(chat), path, thread: "Here" });
    await importThread({ file: lines(chat), path, thread: id });
    expect(await texts(id)).toEqual(["before", "When do we deploy?", "On Monday.", "ok", "ok"]);
  });

  it("does not find what another owner has read", async () => {
    const { path } = await desk();
    const hers = await importThread({ file: lines(chat), path });
    const his = await importThread({ file: lines(chat), path }, other);
    expect(his.threads).toMatchObject([{ added: 4 }]);
    expect(his.threads[0]!.thread).not.toBe(hers.threads[0]!.thread);
  });

  it("adds nothing the second time, whatever the file holds, as lines or as a list", async () => {
    const { path } = await desk();
    const message = fc.record(
      {
        role: fc.constantFrom("user", "assistant", "tool"),
        content: fc.oneof(fc.constantFrom("hi", "ok", "yes"), fc.string({ minLength: 1, maxLength: 5 })),
        id: fc.constantFrom("1", "2", "0b9c2f4e-1111-2222-3333-444455556666"),
        thread: fc.constantFrom("a", "b"),
        timestamp: fc.integer({ min: 0, max: 4_000_000_000 }),
      },
      { requiredKeys: ["role", "content"] },
    );
    type Line = ReturnType<typeof message.generate>["value"];
    const opening: Line = { role: "user", content: "yes", id: "2" };
    // The first conversation is the beginning of the second one.
    const beginAlike: Line[] = [
      { ...opening, thread: "b", timestamp: 24 },
      { ...opening, thread: "a" },
      { role: "user", content: "?", thread: "a", timestamp: 3999999999 },
      { role: "user", content: ". ", thread: "a", timestamp: 2777967736 },
      { role: "user", content: "6", id: "0b9c2f4e-1111-2222-3333-444455556666", timestamp: 2893170670 },
      {
        role: "assistant",
        content: "hi",
        id: "0b9c2f4e-1111-2222-3333-444455556666",
        thread: "a",
        timestamp: 3687612643,
      },
    ];
    const sameWithAndWithoutTime: Line[] = [
      { ...opening, thread: "a" },
      { ...opening, thread: "b", timestamp: 24 },
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 6 }), async (messages) => {
        await importThread({ file: lines(messages), path });
        const { total } = await threads({ path });
        const again = await importThread({ file: JSON.stringify(messages), path });
        expect(again.threads.map(({ added, updated }) => added + updated)).toEqual(again.threads.map(() => 0));
        expect((await threads({ path })).total).toBe(total);
      }),
      { numRuns: 15, examples: [[beginAlike], [sameWithAndWithoutTime]] },
    );
  });

  it("reads ten thousand messages in one go", async () => {
    const { path } = await desk();
    const file = lines(Array.from({ length: 10_000 }, (_, i) => ({ role: "user", content: `message ${i}` })));
    expect((await importThread({ file, path })).threads).toMatchObject([{ added: 10_000 }]);
    expect((await importThread({ file, path })).threads).toMatchObject([{ added: 0, unchanged: 10_000 }]);
  });
});

describe("references", () => {
  it("are documents, folders, threads and items, the most important first", async () => {
    const { path, create, talk } = await desk();
    const { id } = await create("Main");
    const side = await create("Side plan");
    const { document } = await putDocument({ document: "notes/plan.md", content: "x", path });
    const { messages } = await talk(side.id, "a thought");
    const add = (target: string, more: object = {}) => references({ step: "add", thread: id, target, path, ...more });
    await add("notes/plan.md");
    await add("notes/", { priority: 0.9, source: "agent-added" });
    await add("side PLAN", { priority: 0.1 });
    const { added } = await add(messages[0]!.id, { priority: 1 });
    expect(added).toMatchObject({ kind: "item", target: messages[0]!.id });
    const list = (await references({ thread: id, path })).references;
    expect(list.map(({ kind, label, priority, source }) => [kind, label, priority, source])).toEqual([
      ["item", "user: a thought", 1, "user-added"],
      ["folder", "notes/", 0.9, "agent-added"],
      ["document", "notes/plan.md", 0.5, "user-added"],
      ["thread", "Side plan", 0.1, "user-added"],
    ]);
    expect((await add(document.id, { priority: 0.95 })).references).toHaveLength(4);
    await references({ step: "remove", thread: id, target: "notes/plan.md", path });
    const { removed } = await references({ step: "remove", thread: id, target: added!.id, path });
    expect(removed).toMatchObject({ id: added!.id });
    expect((await references({ thread: id, path })).references.map(({ kind }) => kind)).toEqual(["folder", "thread"]);
  });

  it("are inherited by branches, and removed where they belong", async () => {
    const { path, create } = await desk();
    const { id } = await create("Main");
    await putDocument({ document: "a.md", content: "x", path });
    await references({ step: "add", thread: id, target: "a.md", path });
    const branch = (await thread({ step: "branch", thread: id, path })).thread;
    expect((await references({ thread: branch.id, path })).references).toMatchObject([{ source: "inherited" }]);
    await expect(references({ step: "remove", thread: branch.id, target: "a.md", path })).rejects.toThrow(
      /remove it there/,
    );
  });

  it("name nothing that is not there, or is another owner's", async () => {
    const { path, create } = await desk();
    const { id } = await create("Main");
    const { document } = await putDocument({ document: "notes/plan.md", content: "x", path });
    const mine = (await thread({ step: "create", title: "His", path }, other)).thread;
    for (const target of ["nothing.md", "nowhere/", "thr-0000000000000", "msg-0000000000000", "../x", "cod-1", "/"]) {
      await expect(references({ step: "add", thread: id, target, path })).rejects.toMatchObject({
        code: expect.stringMatching(/not-found|bad-input/),
      });
    }
    for (const target of [document.id, "notes/plan.md", "notes/", id]) {
      await expect(references({ step: "add", thread: mine.id, target, path }, other)).rejects.toMatchObject({
        code: "not-found",
      });
    }
    await expect(references({ thread: id, path }, other)).rejects.toMatchObject({ code: "not-found" });
    await expect(references({ step: "list", thread: id, target: "x", path })).rejects.toThrow(/takes no target/);
  });
});

describe("mentions", () => {
  it("are completed from documents, folders and threads, misspelt ones too", async () => {
    const { path, create } = await desk();
    for (const document of ["settings.json", "notes/setup guide.md", "notes/knowledge.md"]) {
      await putDocument({ document, content: "x", path });
    }
    await create("Set up the release");
    const offered = async (prefix: string, more: object = {}) =>
      (await mentions({ prefix, path, ...more })).mentions.map(({ mention }) => mention);
    expect((await offered("@set")).sort()).toEqual([
      '@"Set up the release"',
      '@"notes/setup guide.md"',
      "@settings.json",
    ]);
    expect(await offered("@knowlege")).toEqual(["@notes/knowledge.md"]);
    expect((await offered("notes"))[0]).toBe("@notes/");
    expect(await offered("set", { kinds: ["thread"] })).toEqual(['@"Set up the release"']);
    expect(await offered("", { limit: 1 })).toHaveLength(1);
    expect((await mentions({ prefix: "set", path }, other)).mentions).toEqual([]);
  });

  it("mean what there is now", async () => {
    const { path, create } = await desk();
    const { document } = await putDocument({ document: "notes/plan.md", content: "x", path });
    const { id } = await create("Release plan");
    const workspace = await openWorkspace(path);
    const library = await workspace.library();
    const text = 'See @plan.md, @notes/ and @release-plan, not @Override, ann@plan.md or @"Plan Z".';
    const read = await mentionsIn(library, "local", text);
    expect(read.found.map(({ kind, target }) => [kind, target])).toEqual([
      ["document", document.id],
      ["folder", "notes"],
      ["thread", id],
    ]);
    expect(read.missing.map(({ name }) => name)).toEqual(["Plan Z"]);
    await create("plan");
    expect((await mentionsIn(library, "local", "@plan @plan.md")).found.map(({ kind }) => kind)).toEqual([
      "thread",
      "document",
    ]);
    expect(await mentionsIn(library, "him", text)).toMatchObject({ found: [] });
    await library.moveDocument("local", document.id, "plan-b.md", 1);
    expect((await mentionsIn(library, "local", "@plan-b.md @plan.md")).found.map(({ label }) => label)).toEqual([
      "plan-b.md",
    ]);
    await library.removeDocument("local", document.id, 2);
    expect((await mentionsIn(library, "local", "@plan-b.md")).found).toEqual([]);
    await workspace.close();
  });
});
