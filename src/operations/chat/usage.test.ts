import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cited, feedback, putDocument, remember, say, search, thread } from "../../index.ts";
import { refreshDocuments } from "../../indexing/library/documents.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import { cited as citing } from "./cited.ts";
import { feedback as feedingBack } from "./feedback.ts";

const other = { owner: "him" };

// Indexed once: most of the time of these tests would go by with that.
const path = mkdtempSync(join(tmpdir(), "dossier-usage-"));
let file: string;

beforeAll(async () => {
  writeFileSync(join(path, "a.md"), "# Zebra\n\nStripes.\n");
  file = (await search({ query: "Zebra", path, minScore: 0 })).results[0]!.id;
});
afterAll(() => rmSync(path, { recursive: true, force: true }));

let facts = 0;

/** A message and a memory that nobody has spoken of yet. */
async function desk() {
  const { thread: created } = await thread({ step: "create", title: "T", path });
  const { messages } = await say({ thread: created.id, text: "A thought about zebras", path });
  const { memory } = await remember({ content: `Zebra number ${++facts} is striped`, path, force: true });
  return { message: messages[0]!.id, memory: memory!.id };
}

describe("feedback", () => {
  it("counts, says what it changed, and can be taken back", async () => {
    const { message } = await desk();
    const first = await feedback({ item: `[${message}]`, useful: true, path });
    expect(first).toMatchObject({ kind: "useful", change: { item: message, before: 0 }, undone: 0 });
    expect(first.change!.after).toBeCloseTo(0.3, 5);
    const text = feedingBack.text!(first, {} as never, false);
    expect(text).toContain("usage 0.00 -> 0.30");
    expect(text).toContain(`dossier feedback --undo ${first.event}`);
    const bad = await feedback({ item: message, useful: false, path });
    expect(bad.change!.after).toBeCloseTo(0, 5);
    expect(await feedback({ undo: [first.event!, bad.event!, bad.event!], path })).toEqual({
      repeated: false,
      undone: 2,
    });
    expect((await feedback({ item: message, useful: true, path })).change!.before).toBe(0);
  });

  it("lets only the last word in a context count", async () => {
    const { memory } = await desk();
    const say = (useful: boolean) => feedback({ item: memory, useful, context: "reply-1", path });
    const first = await say(true);
    expect(await say(true)).toMatchObject({
      repeated: true,
      event: first.event,
      change: { before: first.change!.after },
    });
    const changed = await say(false);
    expect(changed).toMatchObject({ undone: 1, repeated: false, change: { after: 0 } });
    expect((await feedback({ item: memory, useful: true, context: "reply-2", path })).change!.after).toBeCloseTo(0, 5);
  });

  it("is about items that are there, and events of one's own", async () => {
    const { message, memory } = await desk();
    const { event } = await feedback({ item: file, useful: true, path });
    for (const item of ["chk-0000000000000", "nonsense", "mem-", "msg-%", "[]"]) {
      await expect(feedback({ item, useful: true, path })).rejects.toMatchObject({ code: "not-found" });
    }
    for (const item of [message, memory, file]) {
      await expect(feedback({ item, useful: true, path }, other)).rejects.toMatchObject({ code: "not-found" });
    }
    await expect(feedback({ undo: [event!], path }, other)).rejects.toMatchObject({ code: "not-found" });
    await expect(feedback({ undo: ["use-0000000000000"], path })).rejects.toThrow(/no event "use-0000000000000"/);
    await expect(feedback({ item: file, path })).rejects.toThrow(/also needs useful/);
    await expect(feedback({ path })).rejects.toThrow(/also needs item and useful/);
    await expect(feedback({ undo: ["x"], useful: true, path })).rejects.toThrow(/undo goes without useful/);
    expect(await feedback({ undo: [event!], path })).toMatchObject({ undone: 1 });
  });
});

describe("cited", () => {
  it("finds what a reply cites, counts each once, and tells how to take it back", async () => {
    const { message, memory } = await desk();
    const reply = `Zebras [${memory}] have stripes [${file.slice(0, 10)}, ${message}] [${memory}].`;
    const read = await cited({ reply, path });
    expect(read.cited.map(({ item, times }) => [item, times])).toEqual([
      [memory, 2],
      [file, 1],
      [message, 1],
    ]);
    for (const { before, after } of read.cited) {
      expect(before).toBe(0);
      expect(after).toBeCloseTo(0.1, 5);
    }
    expect(read.unresolved).toEqual([]);
    const events = read.cited.map(({ event }) => event);
    expect(citing.text!(read, {} as never, false)).toContain(`dossier feedback --undo ${events.join(",")}`);
    expect(await feedback({ undo: events, path })).toMatchObject({ undone: 3 });
    expect((await cited({ reply, path })).cited.map(({ before }) => before)).toEqual([0, 0, 0]);
  });

  it("takes the reply as a text, in place of a file", async () => {
    const { memory } = await desk();
    expect((await cited({ text: `Striped [${memory}].`, path })).cited).toMatchObject([{ item: memory, times: 1 }]);
    await expect(cited({ path })).rejects.toThrow(/cited needs reply or text\.$/);
    await expect(cited({ reply: "a", text: "b", path })).rejects.toThrow(/reply or text, not both/);
  });

  it("resolves pieces of documents and documents themselves", async () => {
    const { document } = await putDocument({ document: "notes/plan.md", content: "# Plan\n\nOn Monday.\n", path });
    const workspace = await openWorkspace(path);
    await refreshDocuments(workspace);
    const [chunk] = await workspace.store.shelf("document").itemsByPrefix("local", "chk-", 1);
    await workspace.close();
    const read = await cited({ reply: `Monday [${chunk!.id.slice(0, 12)}] [${document.id}]`, path });
    expect(read.cited.map(({ item }) => item)).toEqual([chunk!.id, document.id]);
    const foreign = await cited({ reply: `[${chunk!.id}] [${document.id}]`, path }, other);
    expect(foreign.unresolved.map(({ reason }) => reason)).toEqual(["unknown", "unknown"]);
  });

  it("counts a reply once for its context", async () => {
    const { memory } = await desk();
    const reply = `Striped [${memory}].`;
    const first = await cited({ reply, context: "c1", path });
    const again = await cited({ reply, context: "c1", path });
    expect(again.cited[0]).toMatchObject({ repeated: true, event: first.cited[0]!.event });
    expect(again.cited[0]!.after).toBe(again.cited[0]!.before);
    expect((await cited({ reply, context: "c2", path })).cited[0]!.after).toBeCloseTo(0.2, 3);
  });

  it("reports what it cannot resolve, and what was not given", async () => {
    const { memory } = await desk();
    const prefix = file.slice(0, 4);
    const read = await cited({
      reply: `[${memory}] [mem-zzzzzzz] [${prefix}0] [${prefix}${file[4]}]`,
      given: [memory],
      path,
    });
    expect(read.cited.map(({ item }) => item)).toEqual([memory]);
    expect(read.unresolved.map(({ reason }) => reason)).toContain("unknown");
    const foreign = await cited({ reply: `[${file}]`, given: [`[${memory}]`], path });
    expect(foreign).toMatchObject({ cited: [], unresolved: [{ citation: file, reason: "not-given" }] });
    expect(citing.text!(foreign, {} as never, false)).toMatch(/was not counted: it was not among what was given/);
    expect(citing.text!(await cited({ reply: "Nothing [1].", path }), {} as never, false)).toBe(
      "The reply cites nothing.",
    );
  });

  it("leaves a beginning that several items have alone, unless only one of them was given", async () => {
    const ids: string[] = [];
    // Thirty-seven ids and thirty-six characters: two of them begin alike.
    for (let i = 0; i < 37; i++) {
      ids.push((await remember({ content: `Fact number ${i} about ${i * 7}`, path, force: true })).memory!.id);
    }
    const twin = ids.find((id) => ids.some((each) => each !== id && each[4] === id[4]))!;
    const reply = `[${twin.slice(0, 5)}]`;
    expect(await cited({ reply, path })).toMatchObject({ cited: [], unresolved: [{ reason: "ambiguous" }] });
    expect((await cited({ reply, given: [twin], path })).cited).toMatchObject([{ item: twin }]);
  });

  it("knows nothing of another owner's items", async () => {
    const { message, memory } = await desk();
    const read = await cited(
      { reply: `[${message}] [${memory}] [${file}]`, given: [message, memory, file], path },
      other,
    );
    expect(read.cited).toEqual([]);
    expect(read.unresolved.map(({ reason }) => reason)).toEqual(["unknown", "unknown", "unknown"]);
  });
});
