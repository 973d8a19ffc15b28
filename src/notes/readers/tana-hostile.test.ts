import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growth } from "../../../tests/growth.ts";
import type { Note } from "../../note.ts";
import { addDoc, emptyDocs } from "./tana-docs.ts";
import { notesOf } from "./tana-notes.ts";

type Doc = { id: string; props: Record<string, unknown>; children?: unknown };

const fixture = join(import.meta.dirname, "../../../fixtures/notes/tana/workspace.json");
const real = (JSON.parse(readFileSync(fixture, "utf8")) as { docs: Doc[] }).docs;

function read(docs: unknown[]): Note[] {
  const kept = emptyDocs();
  for (const doc of docs) addDoc(kept, doc);
  return [...notesOf(kept).notes];
}

const ids = [
  ...real.map(({ id }) => id),
  "SYS_A13",
  "SYS_T01",
  "SYS_T02",
  "SYS_V03",
  "nowhere00001",
  "constructor",
  "__proto__",
];
const someId = fc.constantFrom(...ids);
const wrong = fc.oneof(
  fc.jsonValue(),
  someId,
  fc.array(someId, { maxLength: 4 }),
  fc.array(someId, { maxLength: 4 }).map((list) => JSON.stringify(list)),
  fc.constantFrom("[", "[1", "<span data-inlineref-node=", "<b>", "\u0000", "\ud800", Number.MAX_VALUE, -1),
  someId.map((id) => `<span data-inlineref-node="${id}"></span>`),
);
const place = fc.constantFrom(
  "children",
  "modifiedTs",
  "props",
  "id",
  ...["name", "description", "created", "_ownerId", "_metaNodeId", "_docType", "_done"].map((key) => `props.${key}`),
);
const docType = fc.constantFrom("tuple", "metanode", "attrDef", "tagDef", "search", "codeblock", "toString");
const mutation = fc.record({
  at: fc.nat(real.length - 1),
  place,
  value: fc.oneof(wrong, docType),
  kind: fc.constantFrom("change", "change", "remove", "repeat"),
});

/** The docs of the fixture with some of them changed, removed or repeated. */
const mutated = fc.array(mutation, { minLength: 1, maxLength: 25 }).map((mutations) => {
  const docs = structuredClone(real) as unknown[];
  for (const { at, place: where, value, kind } of mutations) {
    if (kind === "remove") docs[at] = value;
    else if (kind === "repeat") docs.push(docs[at]);
    else {
      const doc = docs[at];
      const [first, second] = where.split(".") as [string, string?];
      if (typeof doc !== "object" || doc === null) continue;
      const target = second === undefined ? doc : (doc as Doc).props;
      if (typeof target === "object" && target !== null) Reflect.set(target, second ?? first, value);
    }
  }
  return docs;
});

function isSound(notes: Note[]): void {
  const keys = new Set(notes.map(({ key }) => key));
  expect(keys.size).toBe(notes.length);
  const parents = new Map(notes.map(({ key, parent }) => [key, parent]));
  for (const note of notes) {
    expect(typeof note.key).toBe("string");
    expect(note.key).not.toMatch(/^SYS_/);
    expect(typeof note.name).toBe("string");
    expect(note.name).not.toMatch(/[\n\r]/);
    expect(note.parent === undefined || keys.has(note.parent)).toBe(true);
    expect(note.references).not.toContain(note.key);
    for (const tag of [...note.tags, ...(note.inherited ?? [])]) expect(tag).toMatch(/\S/);
    for (const { name, values } of note.fields) {
      expect(name).not.toBe("");
      expect(values.length).toBeGreaterThan(0);
      for (const { note: key } of values) expect(key === undefined || keys.has(key)).toBe(true);
    }
    for (const time of [note.created, note.changed]) expect(time === undefined || time > 0).toBe(true);
    let above = note.parent;
    for (let steps = 0; above !== undefined; steps++) {
      expect(steps).toBeLessThan(notes.length);
      above = parents.get(above);
    }
  }
}

describe("an export in which anything may be wrong", () => {
  it("is read without failing: every key once, every parent there, no circle of parents", () => {
    fc.assert(
      fc.property(mutated, (docs) => isSound(read(docs))),
      { numRuns: 400 },
    );
  });

  it("yields the same notes in whatever order the docs come", () => {
    const byKey = (notes: Note[]) => [...notes].sort((one, other) => (one.key < other.key ? -1 : 1));
    const expected = byKey(read(real));
    fc.assert(
      fc.property(fc.shuffledSubarray(real, { minLength: real.length }), (docs) => {
        expect(byKey(read(docs))).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  it("loses no other note when one doc is bad", () => {
    const keys = read(real).map(({ key }) => key);
    const leaf = ["meetNotes001", "inboxCallBck", "valOffer0001"];
    fc.assert(
      fc.property(fc.constantFrom(...leaf), wrong, (id, value) => {
        const docs = real.map((doc) =>
          doc.id === id ? { ...doc, props: { ...doc.props, name: value, description: value } } : doc,
        );
        const left = read(docs).map(({ key }) => key);
        expect(keys.filter((key) => key !== id && !left.includes(key))).toEqual([]);
      }),
    );
  });
});

describe("time", () => {
  const chain = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      id: `n${at}`,
      props: { _ownerId: `n${at - 1}`, name: `<span data-inlineref-node="n${at + 1}"></span> ${at}` },
      children: [`n${at + 1}`],
    }));
  const star = (count: number) => [
    { id: "hub", props: { name: "Hub" }, children: Array.from({ length: count }, (_, at) => `n${at}`) },
    ...Array.from({ length: count }, (_, at) => ({
      id: `n${at}`,
      props: { _ownerId: "hub", name: `N ${at}` },
      children: ["hub"],
    })),
  ];
  const tuples = (count: number) => [
    { id: "field", props: { _docType: "attrDef", name: "Field" } },
    { id: "hub", props: { name: "Hub" }, children: Array.from({ length: count }, (_, at) => `t${at}`) },
    ...Array.from({ length: count }, (_, at) => ({
      id: `t${at}`,
      props: { _docType: "tuple", _ownerId: at % 2 ? `t${at - 1}` : "hub" },
      children: ["field", `v${at}`],
    })),
    ...Array.from({ length: count }, (_, at) => ({ id: `v${at}`, props: { _ownerId: `t${at}`, name: `V ${at}` } })),
  ];

  it.each([
    ["deep nesting", chain],
    ["one note with all others below it", star],
    ["one note with all fields", tuples],
  ])("grows with the number of docs, for %s", (_, docs) => {
    expect(growth(read, docs(1_000), docs(12_000))).toBeLessThan(36);
  });
});
