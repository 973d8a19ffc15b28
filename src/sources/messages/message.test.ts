import { describe, expect, it, onTestFinished } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { refreshMessages } from "../../indexing/library/messages.ts";
import type { NewMessage } from "../../stores/library.ts";
import { analyseQuery } from "../../text/analysis/query.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";
import { message } from "./message.ts";

const strategies = ["text"];

async function opened(owner = "ann", root = folder({ "a.txt": "a" })): Promise<Workspace> {
  const workspace = await openWorkspace(root, { owner });
  onTestFinished(() => workspace.close());
  return workspace;
}

function says(speaker: string, text: string, more: Partial<NewMessage> = {}): NewMessage {
  return { role: "user", speaker, blocks: [{ type: "text", text }], at: 1_700_000_000_000, ...more };
}

async function thread(workspace: Workspace, title: string, ...messages: NewMessage[]) {
  const library = await workspace.library();
  const { id } = await library.createThread(workspace.owner, { title, at: 1 });
  const stored = messages.length > 0 ? await library.addMessages(workspace.owner, id, messages) : [];
  await refreshMessages(workspace);
  return { id, stored };
}

async function find(workspace: Workspace, question: string, id?: string) {
  const search = { limit: 20, filter: {}, strategies, ...(id === undefined ? {} : { thread: id }) };
  return message.find(analyseQuery(question), search, workspace);
}

const filler = (count: number) => Array.from({ length: count }, (_, i) => says("Bo", `Something else, number ${i}.`));

describe("messages as a source", () => {
  it("finds a reply by the question that it answers", async () => {
    const workspace = await opened();
    const { id, stored } = await thread(
      workspace,
      "Travels",
      ...filler(30),
      says("Cy", "Where did you buy that pottery?"),
      says("Bo", "In Lisbon, near the river."),
      ...filler(30),
    );
    const candidates = await find(workspace, "Where was the pottery bought?", id);
    const matched = candidates.filter(({ signals }) => signals.matched).map(({ item }) => item.id);
    expect(matched.slice(0, 2).sort()).toEqual([stored[30]!.id, stored[31]!.id].sort());
    expect(candidates.every(({ item }) => item.source === "message" && item.kind === "message")).toBe(true);
    const item = candidates.find((each) => each.item.id === stored[31]!.id)!.item;
    expect(item.qualifiedName).toBe(`message::${id}/32`);
    expect(item.name).toBe("Bo: In Lisbon, near the river.");
  });

  it("always brings the latest ten of the thread, the newest first of them", async () => {
    const workspace = await opened();
    const { id, stored } = await thread(workspace, "Long", ...filler(25));
    const candidates = await find(workspace, "unrelated words", id);
    const byPlace = candidates.sort((a, b) => b.signals.recent! - a.signals.recent!).map(({ item }) => item.id);
    expect(byPlace).toEqual(
      stored
        .slice(-10)
        .reverse()
        .map((each) => each.id),
    );
    expect(candidates[0]!.signals.recent).toBe(1);
  });

  it("stays inside the thread at hand, and looks everywhere without one", async () => {
    const workspace = await opened();
    const one = await thread(workspace, "One", says("Bo", "The harbour is closed."));
    const other = await thread(workspace, "Other", says("Bo", "The harbour is open."));
    const ids = async (id?: string) => (await find(workspace, "harbour", id)).map(({ item }) => item.id);
    expect(await ids(one.id)).toEqual([one.stored[0]!.id]);
    expect((await ids()).sort()).toEqual([one.stored[0]!.id, other.stored[0]!.id].sort());
    expect(await ids("thr-unknown")).toEqual([]);
  });

  it("shows a branch what its parent said before, and nothing of what it said after", async () => {
    const workspace = await opened();
    const library = await workspace.library();
    const parent = await thread(workspace, "Parent", ...filler(3), says("Bo", "The harbour is closed."), ...filler(2));
    const branch = await library.createThread(workspace.owner, {
      title: "Branch",
      parent: parent.id,
      branchedAt: parent.stored[4]!.id,
      at: 2,
    });
    const own = await library.addMessages(workspace.owner, branch.id, [says("Cy", "Which harbour?")]);
    const after = await library.addMessages(workspace.owner, parent.id, [says("Bo", "The harbour opens again.")]);
    await refreshMessages(workspace);
    const inBranch = (await find(workspace, "harbour", branch.id)).map(({ item }) => item.id);
    expect(inBranch).toEqual(expect.arrayContaining([parent.stored[3]!.id, own[0]!.id]));
    expect(inBranch).not.toContain(after[0]!.id);
    const inParent = (await find(workspace, "harbour", parent.id)).map(({ item }) => item.id);
    expect(inParent).toEqual(expect.arrayContaining([parent.stored[3]!.id, after[0]!.id]));
    expect(inParent).not.toContain(own[0]!.id);
  });

  it("shows one owner nothing of another's, not even by the thread's id", async () => {
    const root = folder({ "a.txt": "a" });
    const ann = await opened("ann", root);
    const bob = await opened("bob", root);
    const hers = await thread(ann, "Hers", says("Ann", "The harbour is closed."));
    await thread(bob, "His", says("Bob", "Nothing here."));
    await refreshMessages(bob);
    expect(await find(bob, "harbour", hers.id)).toEqual([]);
    expect(await find(bob, "harbour")).toEqual([]);
    const { item } = (await find(ann, "harbour"))[0]!;
    expect((await message.read!([item], bob)).size).toBe(0);
    expect((await message.read!([item], ann)).size).toBe(1);
  });

  it("is empty where nothing was ever said", async () => {
    const workspace = await opened();
    await refreshMessages(workspace);
    expect(await find(workspace, "anything")).toEqual([]);
    expect(await find(workspace, "anything", "thr-1")).toEqual([]);
  });
});

describe("what is printed of a message", () => {
  it("is who says what, and the question before a short reply", async () => {
    const workspace = await opened();
    const at = Date.UTC(2024, 4, 1);
    const { id, stored } = await thread(
      workspace,
      "Dinner",
      says("Ann", "What shall we cook?", { session: "1" }),
      says("Bo", "Lentils.", { session: "1", at }),
      says("Bo", `I mean ${"really ".repeat(40)}lentils.`, { session: "1" }),
      says("Ann", "Who brings bread?", { session: "1" }),
      says("Bo", "Good morning.", { session: "2" }),
    );
    const items = await workspace.store.shelf("message").items(
      workspace.owner,
      stored.map((each) => each.id),
    );
    const read = await message.read!(items, workspace);
    expect(read.get(stored[1]!.id)).toEqual({
      lines: ["Ann: What shall we cook?", "Bo: Lentils."],
      facts: {
        id: stored[1]!.id,
        thread: id,
        thread_title: "Dinner",
        number: 2,
        role: "user",
        speaker: "Bo",
        timestamp: "2024-05-01T00:00:00.000Z",
        session: "1",
        answers: stored[0]!.id,
      },
    });
    // Long enough to stand alone; another day; a question itself.
    for (const alone of [2, 4, 3]) expect(read.get(stored[alone]!.id)!.facts.answers).toBeUndefined();
  });

  it("is absent once its thread is deleted", async () => {
    const workspace = await opened();
    const { id, stored } = await thread(workspace, "Gone", says("Bo", "The harbour is closed."));
    const items = await workspace.store.shelf("message").items(workspace.owner, [stored[0]!.id]);
    await (await workspace.library()).removeThread(workspace.owner, id, 5);
    expect((await message.read!(items, workspace)).size).toBe(0);
    expect(await find(workspace, "harbour", id)).toEqual([]);
  });
});
