import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyRecord } from "../records.samples.ts";
import { header, lineOf, ordered, readLine } from "./exchange.ts";

const now = Date.parse("2026-01-31T12:00:00Z");
const read = (value: unknown) => readLine(JSON.stringify(value), now);
const badly = (value: unknown) => (read(value) as { bad?: string }).bad;

describe("lines of records", () => {
  it("say the same when read and written again, to the byte", () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        const line = lineOf({ ...record, revision: 1 });
        expect(line).not.toMatch(/[\n\ud800-\udfff]/u);
        const again = readLine(line, now) as { record: typeof record };
        expect(again.record).toEqual(record);
        expect(lineOf({ ...again.record, revision: 2 })).toBe(line);
      }),
      { numRuns: 300 },
    );
  });

  it("have their keys in one order, whoever wrote them, and lose none that is unknown", () => {
    const body = { later: { b: 1, a: 2 }, tags: ["x"], importance: 1, content: "c", category: "fact" };
    const record = { id: "mem-1", type: "memory" as const, created: 0, changed: 1, revision: 1, body };
    expect(lineOf(record)).toBe(
      '{"type":"memory","id":"mem-1","created":"1970-01-01T00:00:00.000Z","changed":"1970-01-01T00:00:00.001Z",' +
        '"content":"c","category":"fact","importance":1,"tags":["x"],"later":{"b":1,"a":2}}',
    );
    expect(ordered("memory", { tags: "broken", content: "c" })).toEqual({ tags: "broken", content: "c" });
  });

  it("of other tools are memories when they have a content", () => {
    expect(read({ content: "Use tabs" })).toMatchObject({
      record: {
        type: "memory",
        id: expect.stringMatching(/^mem-[0-9a-z]{13}$/),
        created: now,
        changed: now,
        body: { content: "Use tabs", category: "fact", importance: 0.5, tags: [] },
      },
      ignored: [],
    });
    const foreign = read({
      id: 17,
      content: "Use tabs",
      tags: ["style"],
      created: "2020-02-03",
      user: "ann",
      tag: null,
    });
    expect(foreign).toMatchObject({ record: { created: Date.parse("2020-02-03") }, ignored: ["id", "user", "tag"] });
  });

  it("without an id get the same one each time, and another one for another text", () => {
    const idOf = (value: unknown) => (read(value) as { record: { id: string } }).record.id;
    expect(idOf({ content: "a" })).toBe(idOf({ content: "a" }));
    expect(idOf({ content: "a" })).not.toBe(idOf({ content: "b" }));
    expect(idOf({ content: "a" })).not.toBe(idOf({ content: "a", tags: ["t"] }));
    expect(idOf({ content: "a", id: "mem-abc" })).toBe("mem-abc");
  });

  it("that are no records say why", () => {
    expect((readLine("{oops", now) as { bad: string }).bad).toContain("is no JSON");
    for (const other of [[], 5, null, "text"]) expect(badly(other)).toBe("is no JSON object");
    const deep = `{"type":"memory","content":"x","a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    expect(readLine(deep, now)).toEqual({ bad: "is nested more than 50 deep" });
    expect(badly({})).toBe('has neither "type" nor "content"');
    expect(badly({ type: "song" })).toBe("type is not one of memory, experience, value");
    expect(badly({ type: "memory" })).toBe("content is missing");
    expect(badly({ content: 5 })).toBe("content is no string");
    expect(badly({ content: "  \n " })).toBe("content is empty");
    expect(badly({ content: "x".repeat(10_001) })).toBe("content is longer than 10000 characters");
    expect(badly({ content: "x", importance: 2 })).toBe("importance is more than 1");
    expect(badly({ content: "x", importance: -1 })).toBe("importance is less than 0");
    expect(badly({ content: "x", tags: ["a", ""] })).toBe("tags.1 is empty");
    expect(badly({ content: "x", tags: Array.from({ length: 21 }, String) })).toBe("tags has more than 20 entries");
    expect(badly({ content: "x", category: "Fact" })).toMatch(/^category is not one of preference, fact, event,/);
    for (const created of ["yesterday", "2020-13-01", "5", 5, "2020-01-01T10:00"]) {
      expect(badly({ content: "x", created })).toMatch(/^created is no/);
    }
    expect(badly({ type: "memory", id: "exp-1", content: "x" })).toContain("no id of a record of type memory");
    for (const id of ["", "mem-", "mem-ABC", "mem-a b", `mem-${"a".repeat(99)}`, 7]) {
      expect(badly({ type: "memory", id, content: "x" })).toMatch(/^id is /);
    }
    expect(badly({ type: "value", text: "x", axis: "full" })).toBe("members is missing");
    expect(badly({ type: "experience", session: "s", domain: "cooking" })).toMatch(/^domain is not one of debugging,/);
  });

  it("never throw, whatever they hold, but for the header of a newer version", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(Object.keys(readLine(text, now)).length).toBeGreaterThan(0);
      }),
    );
    expect(readLine(header, now)).toEqual({ header: true });
    expect(badly({ dossier: "index" })).toContain("first line");
    expect(() => read({ dossier: "records", version: 2 })).toThrow("newer Dossier");
  });
});
