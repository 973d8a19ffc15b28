import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { pageSize } from "../../sources/messages/message-items.ts";
import type { NewMessage } from "../../stores/library.ts";
import type { Store } from "../../stores/store.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";
import { refreshMessages } from "./messages.ts";

async function opened(root = folder({ "a.txt": "a" })): Promise<Workspace> {
  const workspace = await openWorkspace(root, { owner: "ann" });
  onTestFinished(() => workspace.close());
  return workspace;
}

const says = (text: string, more: Partial<NewMessage> = {}): NewMessage => ({
  role: "user",
  blocks: [{ type: "text", text }],
  at: 1000,
  ...more,
});

/** Everything that the shelf has, for comparing two ways to the same state. */
async function contents({ store, owner }: Workspace): Promise<unknown> {
  const shelf = store.shelf("message");
  const pages = (await shelf.files(owner)).map(({ path }) => path);
  const items = (await Promise.all(pages.map((path) => shelf.itemsOf(owner, path)))).flat();
  const ids = items.map(({ id }) => id);
  const terms = async (scope: "unit" | "file") => {
    const packed = await shelf.terms(owner, scope, ids);
    return ids.map((id) => Buffer.from(packed.get(id)!).toString("base64"));
  };
  const { count, averageLength } = await shelf.termStatistics(owner, "file", []);
  return { pages, items, unit: await terms("unit"), file: await terms("file"), count, averageLength };
}

async function words(workspace: Workspace, term: string): Promise<string[]> {
  const shelf = workspace.store.shelf("message");
  const search = { scope: "file" as const, terms: [{ term, weight: 1 }], limit: 100 };
  return (await shelf.searchText(workspace.owner, search)).map(({ item }) => item.id);
}

/** The same library, indexed from nothing. */
async function anew(workspace: Workspace): Promise<unknown> {
  await workspace.rebuild();
  await refreshMessages(workspace);
  return contents(workspace);
}

/** A workspace whose writes go through `around`. */
function writingBy(workspace: Workspace, around: (write: () => Promise<void>) => Promise<void>): Workspace {
  const store = (inner: Store): Store => ({
    ...inner,
    shelf: (name) => store(inner.shelf(name)),
    write: (owner, change) => around(() => inner.write(owner, change)),
  });
  return { ...workspace, store: store(workspace.store) };
}

/** A workspace that fails at its nth write. */
function failing(workspace: Workspace, nth: number): Workspace {
  let writes = 0;
  return writingBy(workspace, async (write) => {
    if (++writes === nth) throw new Error("The power went out.");
    await write();
  });
}

describe("the index of messages", () => {
  it("makes the turns before an added one find what it says", async () => {
    const workspace = await opened();
    const library = await workspace.library();
    const { id } = await library.createThread("ann", { title: "t", at: 1 });
    const first = await library.addMessages(
      "ann",
      id,
      Array.from({ length: pageSize }, (_, i) => says(`turn ${i}`)),
    );
    await refreshMessages(workspace);
    expect(await words(workspace, "harbour")).toEqual([]);
    const [added] = await library.addMessages("ann", id, [says("the harbour, the harbour, the harbour, the harbour")]);
    await refreshMessages(workspace);
    const before = await words(workspace, "harbour");
    expect(before[0]).toBe(added!.id);
    expect(before.slice(1).sort()).toEqual(
      first
        .slice(-4)
        .map((each) => each.id)
        .sort(),
    );
  });

  it("writes only the pages that an added message touches", async () => {
    const workspace = await opened();
    const library = await workspace.library();
    const { id } = await library.createThread("ann", { title: "t", at: 1 });
    await library.addMessages(
      "ann",
      id,
      Array.from({ length: 300 }, (_, i) => says(`turn ${i}`)),
    );
    await refreshMessages(workspace);
    const sizes: number[] = [];
    const counting = { ...workspace, store: { ...workspace.store, shelf: shelfOf } } as Workspace;
    function shelfOf(name: Parameters<Store["shelf"]>[0]): Store {
      const shelf = workspace.store.shelf(name);
      return {
        ...shelf,
        write: (owner, change) => {
          sizes.push(...change.files.map(({ items }) => items.length));
          return shelf.write(owner, change);
        },
      };
    }
    await library.addMessages("ann", id, [says("one more")]);
    await refreshMessages(counting);
    expect(sizes.reduce((sum, items) => sum + items, 0)).toBeLessThanOrEqual(64);
    sizes.length = 0;
    await refreshMessages(counting);
    expect(sizes).toEqual([]);
  });

  it("follows deleted, restored and purged threads", async () => {
    const workspace = await opened();
    const library = await workspace.library();
    const { id } = await library.createThread("ann", { title: "t", at: 1 });
    const keptThread = await library.createThread("ann", { title: "kept", at: 1 });
    const [message] = await library.addMessages("ann", id, [says("the harbour")]);
    const [other] = await library.addMessages("ann", keptThread.id, [says("a harbour")]);
    await refreshMessages(workspace);
    expect((await words(workspace, "harbour")).sort()).toEqual([message!.id, other!.id].sort());
    await library.removeThread("ann", id, 2);
    await refreshMessages(workspace);
    expect(await words(workspace, "harbour")).toEqual([other!.id]);
    await library.restoreThread("ann", id);
    await refreshMessages(workspace);
    expect((await words(workspace, "harbour")).sort()).toEqual([message!.id, other!.id].sort());
    await library.purgeThread("ann", id);
    await refreshMessages(workspace);
    expect(await words(workspace, "harbour")).toEqual([other!.id]);
  });

  it("goes on where a run was cut short", async () => {
    for (const nth of [2, 3]) {
      const workspace = await opened();
      const library = await workspace.library();
      for (const title of ["one", "two"]) {
        const { id } = await library.createThread("ann", { title, at: 1 });
        await library.addMessages(
          "ann",
          id,
          Array.from({ length: 1100 }, (_, i) => says(`${title} ${i % 50}`)),
        );
      }
      await expect(refreshMessages(failing(workspace, nth))).rejects.toThrow("power");
      await refreshMessages(workspace);
      expect(await contents(workspace)).toEqual(await anew(workspace));
    }
  });

  it("stops when it is told to, and can be taken up again", async () => {
    const workspace = await opened();
    const library = await workspace.library();
    const { id } = await library.createThread("ann", { title: "t", at: 1 });
    await library.addMessages("ann", id, [says("the harbour")]);
    await expect(refreshMessages(workspace, { signal: AbortSignal.abort() })).rejects.toThrow();
    await refreshMessages(workspace);
    expect(await words(workspace, "harbour")).toHaveLength(1);
  });

  it("is filled anew when the library was replaced by another", async () => {
    const root = folder({ "a.txt": "a" });
    const workspace = await opened(root);
    const library = await workspace.library();
    const { id } = await library.createThread("ann", { title: "t", at: 1 });
    await library.addMessages("ann", id, [says("the harbour")]);
    await refreshMessages(workspace);
    const emptied: Workspace = { ...workspace, hasRecords: () => false };
    await refreshMessages(emptied);
    expect(await words(workspace, "harbour")).toEqual([]);
    await refreshMessages(workspace);
    expect(await words(workspace, "harbour")).toHaveLength(1);
  });

  it("is the same for whoever indexes, one after the other or both at once", async () => {
    const root = folder({ "a.txt": "a" });
    const [one, other] = [await opened(root), await opened(root)];
    const library = await one.library();
    const { id } = await library.createThread("ann", { title: "t", at: 1 });
    for (let round = 0; round < 5; round++) {
      await library.addMessages(
        "ann",
        id,
        Array.from({ length: 9 }, (_, i) => says(`round ${round} turn ${i}`)),
      );
      await Promise.all([refreshMessages(one), refreshMessages(other)]);
    }
    await refreshMessages(one);
    const seen = await contents(one);
    expect(await contents(other)).toEqual(seen);
    expect(seen).toMatchObject({ count: 45 });
  });

  it("does not keep an older page that another process put over a newer one", async () => {
    const root = folder({ "a.txt": "a" });
    const [slow, quick] = [await opened(root), await opened(root)];
    const library = await slow.library();
    const { id } = await library.createThread("ann", { title: "t", at: 1 });
    await library.addMessages("ann", id, [says("first")]);
    // The slow one has read the library when a message is added, which the quick one writes first; then the slow one
    // writes what it read and is done before the quick one is.
    let slowIsDone: () => void = () => undefined;
    const slowDone = new Promise<void>((done) => {
      slowIsDone = done;
    });
    let other: Promise<void> | undefined;
    const disturbed = writingBy(slow, async (write) => {
      if (!other) {
        await library.addMessages("ann", id, [says("second")]);
        await new Promise<void>((written) => {
          const pausing = writingBy(quick, async (writeQuick) => {
            await writeQuick();
            written();
            await slowDone;
          });
          other = refreshMessages(pausing);
        });
      }
      await write();
    });
    await refreshMessages(disturbed);
    slowIsDone();
    await other;
    expect(await words(quick, "second")).toHaveLength(2);
    expect(await contents(quick)).toEqual(await anew(quick));
  });

  it("is brought up to date once for requests that come together", async () => {
    const workspace = await opened();
    const library = await workspace.library();
    const { id } = await library.createThread("ann", { title: "t", at: 1 });
    await library.addMessages("ann", id, [says("the harbour")]);
    const before = await workspace.store.shelf("message").revision("ann");
    await Promise.all(Array.from({ length: 8 }, () => refreshMessages(workspace)));
    expect((await workspace.store.shelf("message").revision("ann")) - before).toBe(1);
  });

  it("is after any changes, indexed at any times, what it would be from nothing", async () => {
    type Step =
      | { do: "say"; thread: number; texts: string[]; session?: string }
      | { do: "replace"; thread: number; text: string }
      | { do: "branch" | "remove" | "restore"; thread: number }
      | { do: "refresh" };
    const which = fc.nat({ max: 3 });
    const text = fc.array(fc.constantFrom("harbour", "pottery", "Why", "bread?", "lisbon", "went", ""), {
      maxLength: 5,
    });
    const texts = fc.array(
      text.map((parts) => parts.join(" ")),
      { minLength: 1, maxLength: 40 },
    );
    const session = fc.option(fc.constantFrom("1", "2"), { nil: undefined });
    const step: fc.Arbitrary<Step> = fc.oneof(
      { weight: 5, arbitrary: fc.record({ do: fc.constant("say" as const), thread: which, texts, session }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant("replace" as const), thread: which, text: fc.string() }) },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constantFrom("branch" as const, "remove" as const, "restore" as const),
          thread: which,
        }),
      },
      { weight: 3, arbitrary: fc.record({ do: fc.constant("refresh" as const) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const workspace = await openWorkspace(folder({ "a.txt": "a" }), { owner: "ann" });
        try {
          const library = await workspace.library();
          const threads = [(await library.createThread("ann", { title: "0", at: 1 })).id];
          for (const each of steps) {
            if (each.do === "refresh") {
              await refreshMessages(workspace);
              continue;
            }
            const id = threads[each.thread % threads.length]!;
            const live = (await library.thread("ann", id)) !== undefined;
            if (each.do === "restore") await library.restoreThread("ann", id);
            else if (!live) continue;
            else if (each.do === "remove") await library.removeThread("ann", id, 2);
            else if (each.do === "branch")
              threads.push((await library.createThread("ann", { title: "b", parent: id, at: 3 })).id);
            else if (each.do === "replace") await library.addMessages("ann", id, [says(each.text, { id: "again" })]);
            else if (each.do === "say")
              await library.addMessages(
                "ann",
                id,
                each.texts.map((one) => says(one, { session: each.session })),
              );
          }
          await refreshMessages(workspace);
          const followed = await contents(workspace);
          expect(followed).toEqual(await anew(workspace));
        } finally {
          await workspace.close();
        }
      }),
      { numRuns: 15 },
    );
  });
});
