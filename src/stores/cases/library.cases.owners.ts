import { expect, it } from "vitest";
import type { LibraryStore } from "../library.ts";
import { oddTexts, say, talk } from "./library.samples.ts";

/** Everything of an owner, through every read operation. */
async function snapshot(store: LibraryStore, owner: string, { doc, thread, messages }: OwnedIds) {
  return {
    revisions: [await store.revision(owner), await store.usageRevision(owner)],
    document: await store.document(owner, doc, { deleted: true }),
    infos: await store.documentInfos(owner, [doc]),
    contents: await store.contents(owner, [doc]),
    lists: [
      await store.documents(owner, { limit: 9 }),
      await store.documents(owner, { limit: 9, under: "f", order: "accessed" }),
      await store.documents(owner, { limit: 9, deleted: true }),
      await store.threads(owner, { limit: 9 }),
      await store.threads(owner, { limit: 9, deleted: true, query: "e" }),
    ],
    byPath: await store.document(owner, "f/secret.md", { deleted: true }),
    since: [await store.documentsSince(owner, 0, 9), await store.messagesSince(owner, 0, 9)],
    thread: await store.thread(owner, thread, { deleted: true }),
    messages: [await store.messages(owner, thread, { last: 9 }), await store.messagesById(owner, messages)],
    references: await store.references(owner, thread),
    usage: await store.usage(owner, ["item-1"]),
    counts: await store.counts(owner),
  };
}

type OwnedIds = {
  doc: string;
  gone: string;
  thread: string;
  removed: string;
  messages: string[];
  ref: string;
  use: string;
};

async function fill(store: LibraryStore, owner: string): Promise<OwnedIds> {
  const doc = await store.putDocument(owner, { path: "f/secret.md", content: "secret", at: 1 });
  const deleted = await store.putDocument(owner, { path: "f/gone.md", content: "gone", at: 1 });
  await store.removeDocument(owner, deleted.id, 2);
  const { id: thread, messages } = await talk(store, owner, "secret talk");
  const removed = await talk(store, owner, "removed talk");
  await store.removeThread(owner, removed.id, 2);
  const reference = { kind: "item", target: "t", source: "user-added", priority: 1, at: 1 } as const;
  const ref = await store.addReference(owner, thread, reference);
  const [use] = await store.recordUsage(owner, [{ item: "item-1", kind: "useful", at: 1 }]);
  const ids = messages.map(({ id }) => id);
  return { doc: doc.id, gone: deleted.id, thread, removed: removed.id, messages: ids, ref: ref.id, use: use!.id };
}

export function ownerCases(store: () => LibraryStore): void {
  it("never see or change what another has, whatever they ask for", async () => {
    const ids = await fill(store(), "ann");
    const before = await snapshot(store(), "ann", ids);
    const unknown = { doc: "doc-x", thread: "thr-x", messages: ["msg-x"], gone: "", removed: "", ref: "", use: "" };
    // One who has data of his own, some who never wrote, some whose names are nearly hers.
    await store().putDocument("bob", { path: "mine", content: "mine", at: 1 });
    const bobs = await talk(store(), "bob", "mine");
    for (const owner of ["bob", "ANN", "an", "ann ", "", "ann\u0000", ...oddTexts]) {
      const nothing = await snapshot(store(), owner, unknown);
      expect(await snapshot(store(), owner, ids)).toEqual(nothing);
      const refused = (work: Promise<unknown>) => expect(work).rejects.toMatchObject({ code: "not-found" });
      await refused(store().moveDocument(owner, ids.doc, "stolen", 9));
      await refused(store().changeThread(owner, ids.thread, { title: "stolen", at: 9 }));
      await refused(store().createThread(owner, { title: "branch", parent: ids.thread, at: 9 }));
      await refused(store().addMessages(owner, ids.thread, [say("stolen")]));
      const reference = { kind: "item", target: "stolen", source: "user-added", priority: 1, at: 9 } as const;
      await refused(store().addReference(owner, ids.thread, reference));
      await store().touchDocuments(owner, [ids.doc], 9);
      const answers = [
        await store().removeDocument(owner, ids.doc, 9),
        await store().restoreDocument(owner, ids.gone),
        await store().purgeDocument(owner, [ids.doc, ids.gone]),
        await store().removeThread(owner, ids.thread, 9),
        await store().restoreThread(owner, ids.removed),
        await store().purgeThread(owner, [ids.thread, ids.removed]),
        await store().removeReference(owner, ids.thread, ids.ref),
        await store().undoUsage(owner, [ids.use]),
      ];
      expect(answers).toEqual([false, false, false, false, false, false, false, 0]);
      expect(await snapshot(store(), owner, ids)).toEqual(nothing);
    }
    const branch = { title: "branch", parent: bobs.id, branchedAt: ids.messages[0]!, at: 9 };
    await expect(store().createThread("bob", branch)).rejects.toMatchObject({ code: "not-found" });
    await store().addMessages("bob", bobs.id, [say("stolen", { id: ids.messages[0]! })]);
    expect(await store().removeReference("bob", bobs.id, ids.ref)).toBe(false);
    expect(await snapshot(store(), "ann", ids)).toEqual(before);
  });

  it("have the same paths, ids and items without being in each other's way", async () => {
    for (const owner of [...oddTexts, "ann", "bob"]) {
      const { version } = await store().putDocument(owner, { path: "same", content: owner, at: 1 });
      const thread = await store().createThread(owner, { title: owner, at: 1 });
      await store().addMessages(owner, thread.id, [say(owner, { id: "same" })]);
      await store().recordUsage(owner, [{ item: "same", kind: "cited", at: 1 }]);
      expect(version).toBe(1);
    }
    for (const owner of [...oddTexts, "ann", "bob"]) {
      expect(await store().document(owner, "same")).toMatchObject({ content: owner });
      expect(await store().counts(owner)).toEqual({ documents: 1, threads: 1, messages: 1, usage: 1 });
      expect([await store().revision(owner), await store().usageRevision(owner)]).toEqual([3, 1]);
    }
  });
}
