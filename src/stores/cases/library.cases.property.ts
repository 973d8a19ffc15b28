import fc from "fast-check";
import { expect, it } from "vitest";
import type { DocumentInfo, LibraryStore, ThreadInfo } from "../library.ts";
import { NaiveLibrary, Refused, threadInfo } from "./library.cases.model.ts";
import { say, textsOf } from "./library.samples.ts";

const time = fc.integer({ min: 0, max: 6 });
const path = fc.constantFrom("a", "b", "f/a", "f/b", "f/g/😀", "f/g/\ufffd");
const pick = fc.nat({ max: 30 });
const message = fc.record({
  id: fc.option(fc.constantFrom("1", "2"), { nil: undefined }),
  text: fc.constantFrom("x", "y"),
  at: fc.constantFrom(2, 5),
});
const act = <Name extends string>(name: Name) => fc.constant(name);

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record(
      { act: act("put"), path, content: fc.constantFrom("x", "y"), type: fc.constantFrom("t", "u"), at: time },
      { requiredKeys: ["act", "path", "content", "at"] },
    ),
  },
  { weight: 2, arbitrary: fc.record({ act: act("move"), of: pick, path, at: time }) },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constantFrom("removeDocument", "restoreDocument", "touch"), of: pick, at: time }),
  },
  { weight: 3, arbitrary: fc.record({ act: act("create"), of: fc.option(pick), place: fc.option(pick), at: time }) },
  { weight: 5, arbitrary: fc.record({ act: act("add"), of: pick, messages: fc.array(message, { maxLength: 3 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constantFrom("removeThread", "restoreThread", "rename"), of: pick, at: time }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constantFrom("purgeDocument", "purgeThread"), of: pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: act("refer"),
      of: pick,
      target: fc.constantFrom("p", "q"),
      priority: fc.constantFrom(0, 0.5),
      at: time,
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: act("dismiss"), of: pick, target: fc.constantFrom("p", "q") }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: act("use"), items: fc.array(fc.constantFrom("i", "j"), { maxLength: 3 }), at: time }),
  },
  { weight: 1, arbitrary: fc.record({ act: act("undo"), of: pick }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Runs a step on both and compares the answers. */
async function run(store: LibraryStore, owner: string, model: NaiveLibrary, one: Step): Promise<void> {
  const doc = (of: number) => model.documents[of % Math.max(1, model.documents.length)]?.id ?? "doc-x";
  const thr = (of: number) => model.threads[of % Math.max(1, model.threads.length)]?.id ?? "thr-x";
  switch (one.act) {
    case "put": {
      const { act, ...put } = one;
      const info = await store.putDocument(owner, put);
      return expect(plain(info)).toEqual(model.put(put, info.id));
    }
    case "move":
      return same(store.moveDocument(owner, doc(one.of), one.path, one.at).then(plain), () =>
        model.move(doc(one.of), one.path, one.at),
      );
    case "removeDocument":
      return same(store.removeDocument(owner, doc(one.of), one.at), () => model.removeDocument(doc(one.of), one.at));
    case "restoreDocument":
      return same(store.restoreDocument(owner, doc(one.of)), () => model.restoreDocument(doc(one.of)));
    case "purgeDocument":
      return same(store.purgeDocument(owner, doc(one.of)), () => model.purgeDocument(doc(one.of)));
    case "removeThread":
      return same(store.removeThread(owner, thr(one.of), one.at), () => model.removeThread(thr(one.of), one.at));
    case "restoreThread":
      return same(store.restoreThread(owner, thr(one.of)), () => model.restoreThread(thr(one.of)));
    case "purgeThread":
      return same(store.purgeThread(owner, thr(one.of)), () => model.purgeThread(thr(one.of)));
    case "touch":
      await store.touchDocuments(owner, [doc(one.of), "doc-x"], one.at);
      return model.touch([doc(one.of)], one.at);
    case "create": {
      const parent = one.of === null ? undefined : thr(one.of);
      const parentThread = model.threads.find((each) => each.id === parent);
      const has = parentThread ? await store.messages(owner, parentThread.id, { last: 99 }) : [];
      const at = one.place === null || parent === undefined ? undefined : has[one.place % Math.max(1, has.length)];
      const branchedAt = one.place === null || parent === undefined ? undefined : (at?.id ?? "msg-x");
      const thread = { title: `Thread ${model.threads.length}`, parent, branchedAt, at: one.at };
      return store.createThread(owner, thread).then(
        (info) => expect(plainThread(info)).toEqual(model.create(thread, info.id, at?.number)),
        (error) => expect(() => model.create(thread, "", at?.number)).toThrow(error.code),
      );
    }
    case "rename":
      return same(store.changeThread(owner, thr(one.of), { title: `N${one.of}`, at: one.at }).then(plainThread), () =>
        model.rename(thr(one.of), `N${one.of}`, one.at),
      );
    case "add": {
      const messages = one.messages.map(({ id, text, at }) => say(text, { id, at }));
      const added = store.addMessages(owner, thr(one.of), messages).then((all) => all.map(({ number }) => number));
      return same(added, () => model.add(thr(one.of), messages));
    }
    case "refer": {
      const reference = {
        kind: "item",
        target: one.target,
        source: "user-added",
        priority: one.priority,
        at: one.at,
      } as const;
      return same(
        store.addReference(owner, thr(one.of), reference).then(() => undefined),
        () => model.refer(thr(one.of), one.target, one.priority, one.at),
      );
    }
    case "dismiss": {
      const all = await store.references(owner, thr(one.of));
      const reference = all.find(({ target, source }) => target === one.target && source !== "inherited");
      return same(store.removeReference(owner, thr(one.of), reference?.id ?? "ref-x"), () =>
        model.dismiss(thr(one.of), one.target),
      );
    }
    case "use": {
      const events = await store.recordUsage(
        owner,
        one.items.map((item) => ({ item, kind: "cited", at: one.at })),
      );
      model.events.push(...events);
      model.usageRevision += events.length;
      return;
    }
    case "undo": {
      const [removed] = model.events.splice(one.of % Math.max(1, model.events.length), 1);
      expect(await store.undoUsage(owner, [removed?.id ?? "use-x"])).toBe(removed ? 1 : 0);
      model.usageRevision += removed ? 1 : 0;
      return;
    }
  }
}

/** The hash is the engine's own. */
const plain = (info: DocumentInfo): DocumentInfo => ({ ...info, hash: "" });
/** The start of a branch is given by what it shares. */
const plainThread = ({ branchedAt, ...info }: ThreadInfo): ThreadInfo => info;

async function same(answer: Promise<unknown>, expected: () => unknown): Promise<void> {
  let result: unknown;
  try {
    result = expected();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    await expect(answer).rejects.toMatchObject({ code: error.code });
    return;
  }
  expect(await answer).toEqual(result);
}

/** Asks both everything that can be asked. */
async function compareAll(store: LibraryStore, owner: string, model: NaiveLibrary): Promise<void> {
  expect([await store.revision(owner), await store.usageRevision(owner)]).toEqual([
    model.revision,
    model.usageRevision,
  ]);
  const query = { limit: 99 };
  for (const order of ["path", "changed", "accessed"] as const) {
    for (const more of [{}, { under: "f" }, { opened: true }, { deleted: true }, { under: "f/g", deleted: true }]) {
      const { documents, total } = await store.documents(owner, { ...query, order, ...more });
      expect(documents.map(plain)).toEqual(model.list({ ...query, order, ...more }));
      expect(total).toBe(documents.length);
    }
  }
  const byRevision = <Row extends { revision: number }>(rows: Row[]) => rows.sort((a, b) => a.revision - b.revision);
  expect(
    (await store.documentsSince(owner, 0, 99)).map(({ revision, info, content }) => [
      revision,
      info.id,
      info.path,
      content,
    ]),
  ).toEqual(
    byRevision([...model.documents]).map((each) => [
      each.revision,
      each.id,
      each.path,
      each.deleted === undefined ? each.content : undefined,
    ]),
  );
  expect(
    (await store.messagesSince(owner, 0, 999)).map(({ revision, message, deleted }) => [
      revision,
      message.thread,
      message.number,
      deleted,
      textsOf([message]),
    ]),
  ).toEqual(
    byRevision(model.threads.flatMap((thread) => thread.own)).map(({ revision, thread, number, text }) => {
      const deleted = thread.deleted !== undefined;
      return [revision, thread.id, number, deleted, deleted ? "" : text];
    }),
  );
  const living = model.threads.filter((thread) => thread.deleted === undefined);
  const byActivity = living.sort((a, b) => b.changed - a.changed || (a.id < b.id ? -1 : 1)).map(threadInfo);
  expect((await store.threads(owner, query)).threads.map(plainThread)).toEqual(byActivity);
  for (const thread of model.threads) {
    const all = model
      .messages(thread)
      .map(({ thread, number, text, at, given }) => [thread.id, number, text, at, given]);
    const read = async (range: Parameters<LibraryStore["messages"]>[2]) =>
      (await store.messages(owner, thread.id, range)).map((each) => [
        each.thread,
        each.number,
        textsOf([each]),
        each.at,
        each.given,
      ]);
    expect(await read({ last: 999 })).toEqual(all);
    expect(await read({ last: 3 })).toEqual(all.slice(-3));
    expect(await read({ from: 2, limit: 3 })).toEqual(all.filter(([, number]) => (number as number) >= 2).slice(0, 3));
    const references = await store.references(owner, thread.id);
    expect(
      references.map(({ target, priority, source }) => `${target} ${priority} ${source === "inherited"}`).sort(),
    ).toEqual(model.references(thread));
    expect(references.map(({ priority }) => priority)).toEqual(
      references.map(({ priority }) => priority).sort((a, b) => b - a),
    );
  }
  const usage = await store.usage(owner, ["i", "j"]);
  for (const item of ["i", "j"]) {
    const events = model.events.filter((event) => event.item === item).reverse();
    expect((usage.get(item) ?? []).map(({ id }) => id)).toEqual(events.sort((a, b) => b.at - a.at).map(({ id }) => id));
  }
  expect(await store.counts(owner)).toEqual({
    documents: model.list(query).length,
    threads: living.length,
    messages: living.reduce((sum, thread) => sum + thread.own.length, 0),
    usage: model.events.length,
  });
}

export function modelCases(store: () => LibraryStore): void {
  it("gives what a library without indexes gives", async () => {
    let owner = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30, size: "max" }), async (steps) => {
        const model = new NaiveLibrary();
        const name = `owner-${owner++}`;
        for (const one of steps) await run(store(), name, model, one);
        await compareAll(store(), name, model);
      }),
      { numRuns: 40 },
    );
  }, 60_000);
}
