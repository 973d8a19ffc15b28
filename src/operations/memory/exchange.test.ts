import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { anyRecord } from "../../learned/records.samples.ts";
import type { RecordWrite } from "../../stores/records.ts";
import { openDatabase } from "../../stores/sqlite/engine/driver.ts";
import { openWorkspace } from "../../workspace/workspace.ts";
import { call } from "../core/call.ts";
import { exportRecords } from "./export.ts";
import { importRecords } from "./import.ts";

const exported = async (path: string, more: object = {}, owner?: string) =>
  (await call(exportRecords, { path, ...more }, { owner })).output;
const imported = async (path: string, file: string, more: object = {}, options: object = {}) =>
  (await call(importRecords, { path, file, ...more }, options)).output;

async function filled(path: string, records: RecordWrite[], owner?: string): Promise<void> {
  const workspace = await openWorkspace(path, { owner });
  await (await workspace.records()).write(workspace.owner, records);
  await workspace.close();
}

const memory = (id: string, content: string, changed = 1000): RecordWrite => ({
  id: `mem-${id}`,
  type: "memory",
  created: 1000,
  changed,
  body: { content, category: "fact", importance: 0.5, tags: [] },
});
it("exports what can be read where a record is damaged, and says so", async () => {
  const root = folder({});
  await filled(root, [memory("a", "Ropes are oiled."), memory("b", "Sails are dried."), memory("c", "Anchors rust.")]);
  const database = await openDatabase(join(root, ".dossier", "memory.db"));
  database.execute("UPDATE records SET body = '{' WHERE id = 'mem-b'");
  database.close();
  const { counts, lines, warnings } = await exported(root);
  expect(counts.memory).toBe(2);
  expect(lines).toContain("Anchors rust.");
  expect(warnings).toEqual([expect.stringMatching(/^Not all that was written down can be read: .*memory\.db/)]);
});

const line = (id: string, content: string, changed: string) =>
  JSON.stringify({ type: "memory", id: `mem-${id}`, created: "2020-01-01", changed, content });
const attempt = { hypothesis: "h", action: "a", prediction: "p", strategy: "research-first" };
const experience = (id: string, more: object = {}): RecordWrite => ({
  id: `exp-${id}`,
  type: "experience",
  created: 1000,
  changed: 1000,
  body: {
    session: "default",
    domain: "testing",
    goal: "g",
    ...attempt,
    history: [],
    iterations: 1,
    notes: [],
    ...more,
  },
});

describe("export and import", () => {
  it("give the same bytes after a journey through an empty workspace, whatever was written down", async () => {
    const [here, there] = [folder({}), folder({})];
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(anyRecord, { selector: ({ id }) => id, maxLength: 12 }), async (records) => {
        const owner = `owner-${run++}`;
        await filled(here, records, owner);
        const first = await exported(here, {}, owner);
        expect(first.records).toBe(records.length);
        const report = await imported(there, first.lines, {}, { owner });
        expect({ bad: report.errors, kept: report.kept }).toEqual({ bad: [], kept: [] });
        expect((await exported(there, {}, owner)).lines).toBe(first.lines);
        expect(await imported(there, first.lines, {}, { owner })).toMatchObject({
          unchanged: records.length,
          updated: 0,
        });
      }),
      { numRuns: 15 },
    );
  });

  it("export what is asked for, oldest first, and never what was forgotten", async () => {
    const path = folder({});
    await filled(path, [
      { ...memory("b", "second"), created: 2000 },
      memory("c", "first, by id"),
      memory("a", "first"),
      memory("gone", "forgotten"),
      experience("e", { tier: "gold" }),
    ]);
    const workspace = await openWorkspace(path);
    await (await workspace.records()).remove("local", "mem-gone");
    await workspace.close();
    const all = await exported(path);
    const ids = (lines: string) =>
      lines
        .trimEnd()
        .split("\n")
        .slice(1)
        .map((each) => (JSON.parse(each) as { id: string }).id);
    expect(ids(all.lines)).toEqual(["mem-a", "mem-c", "mem-b", "exp-e"]);
    expect(all.lines.split("\n")[0]).toBe('{"dossier":"records","version":1}');
    expect(all).toMatchObject({ records: 4, counts: { memory: 3, experience: 1, value: 0 } });
    expect(ids((await exported(path, { types: ["experience"] })).lines)).toEqual(["exp-e"]);
    expect((await exported(folder({}))).lines).toBe('{"dossier":"records","version":1}\n');
  });

  it("keep one owner's records from another", async () => {
    const path = folder({});
    await filled(path, [memory("a", "of ann")], "ann");
    expect((await exported(path, {}, "bob")).records).toBe(0);
    await imported(path, line("a", "of bob", "2030-01-01"), {}, { owner: "bob" });
    expect((await exported(path, {}, "ann")).lines).toContain("of ann");
    expect((await exported(path, {}, "bob")).lines).toContain("of bob");
  });
});

describe("import", () => {
  it("keeps every good line and names the bad ones by number", async () => {
    const path = folder({});
    const lines = [
      "\ufeff" + '{"content":"one"}',
      "",
      "oops",
      '{"content":"two","x":1}\r',
      '{"content":""}',
      '{"type":"song"}',
    ];
    const report = await imported(path, lines.join("\n"));
    expect(report).toMatchObject({ lines: 5, added: { memory: 2 }, bad: 3 });
    expect(report.errors.map((each) => each.line)).toEqual([3, 5, 6]);
    expect(report.warnings).toEqual(['Fields that memories do not have were left out: "x".']);
    expect(importRecords.exit!(report)).toBe(1);
    expect((await exported(path)).records).toBe(2);
    const worse = await imported(path, Array.from({ length: 30 }, () => "{").join("\n"));
    expect(worse).toMatchObject({ bad: 30, errors: { length: 20 } });
    expect(importRecords.text!(worse, {} as never, false)).toContain("and 10 more bad lines");
    for (const empty of ["", "\n\n", '{"dossier":"records","version":1}\n']) {
      expect(await imported(path, empty)).toMatchObject({ lines: 0, bad: 0, unchanged: 0 });
    }
    await expect(imported(path, '{"dossier":"records","version":9}')).rejects.toMatchObject({ code: "store-newer" });
  });

  it("lets the one that changed later win, or as the rule says", async () => {
    const at = Date.parse("2022-01-01");
    const cases = [
      { rule: "newer", changed: "2023-01-01", expected: "there" },
      { rule: "newer", changed: "2021-01-01", expected: "here" },
      { rule: "newer", changed: "2022-01-01", expected: "here" },
      { rule: "keep", changed: "2023-01-01", expected: "here" },
      { rule: "replace", changed: "2021-01-01", expected: "there" },
    ];
    const path = folder({});
    for (const [i, { rule, changed, expected }] of cases.entries()) {
      await filled(path, [memory(`n${i}`, "here", at)]);
      const report = await imported(path, line(`n${i}`, "there", changed), { onConflict: rule });
      const unchanged = expected === "here" ? [`mem-n${i}`] : [];
      expect(report).toMatchObject({ updated: expected === "there" ? 1 : 0, kept: unchanged, added: { memory: 0 } });
      expect((await exported(path)).lines).toContain(`"mem-n${i}","created":"${expected === "here" ? "1970" : "2020"}`);
    }
  });

  it("does not bring back what was forgotten since, unless it replaces", async () => {
    const path = folder({});
    await filled(path, [memory("a", "text")]);
    const before = (await exported(path)).lines;
    const workspace = await openWorkspace(path);
    await (await workspace.records()).remove("local", "mem-a");
    await workspace.close();
    expect(await imported(path, before)).toMatchObject({ kept: ["mem-a"], added: { memory: 0 } });
    expect((await exported(path)).records).toBe(0);
    expect(await imported(path, before, { onConflict: "replace" })).toMatchObject({ updated: 1 });
    expect((await exported(path)).lines).toBe(before);
  });

  it("takes an id that comes twice by the same rule, in a trial too, and a trial writes nothing", async () => {
    const path = folder({});
    const file = [
      line("a", "old", "2021-01-01"),
      line("a", "new", "2022-01-01"),
      line("a", "older", "2020-06-01"),
    ].join("\n");
    const counts = { added: { memory: 1 }, updated: 1, kept: ["mem-a"] };
    expect(await imported(path, file, { dryRun: true })).toMatchObject({ dryRun: true, ...counts });
    const workspace = await openWorkspace(path);
    expect(workspace.hasRecords()).toBe(false);
    await workspace.close();
    expect(await imported(path, file)).toMatchObject(counts);
    expect((await exported(path)).lines).toContain('"content":"new"');
  });

  it("makes an unresolved experience its session's active one again, unless there is another", async () => {
    const [here, there] = [folder({}), folder({})];
    await filled(here, [experience("one"), experience("two", { session: "other" }), experience("three")]);
    await filled(there, [{ ...experience("four", { session: "other" }), slot: "active:other" }]);
    const report = await imported(there, (await exported(here)).lines);
    expect(report.warnings).toHaveLength(2);
    const workspace = await openWorkspace(there);
    const records = await workspace.records();
    expect((await records.inSlot("local", "active:default"))?.id).toBe("exp-one");
    expect((await records.inSlot("local", "active:other"))?.id).toBe("exp-four");
    await workspace.close();
    expect(await imported(there, (await exported(here)).lines)).toMatchObject({ unchanged: 3, warnings: [] });
  });

  it("goes on where it was interrupted when it is run again", async () => {
    const path = folder({});
    const file = Array.from({ length: 1800 }, (_, i) => `{"content":"memory number ${i}"}`).join("\n");
    const stop = new AbortController();
    const progress = ({ done }: { done: number }) => {
      if (done >= 1000) stop.abort();
    };
    await expect(imported(path, file, {}, { signal: stop.signal, progress })).rejects.toMatchObject({
      name: "AbortError",
    });
    expect((await exported(path)).records).toBe(1000);
    expect(await imported(path, file)).toMatchObject({ added: { memory: 800 }, unchanged: 1000 });
  });
});
