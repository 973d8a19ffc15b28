import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growth } from "../../../../tests/project/growth.ts";
import type { Note } from "../../../note.ts";
import { addDoc, emptyDocs } from "./docs.ts";
import { notesOf } from "./notes.ts";

type Doc = { id: string; props: Record<string, unknown>; children?: unknown };

const fixture = join(import.meta.dirname, "../../../../fixtures/notes/tana/workspace.json");
const real = (JSON.parse(readFileSync(fixture, "utf8")) as { docs: Doc[] }).docs;

function read(docs: unknown[]): Note[] {
  const collected = emptyDocs();
  for (const doc of docs) addDoc(collected, doc);
  return [...notesOf(collected, true).notes];
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

/** What is wrong with notes: nothing. One expectation for all, because there are many of them. */
function faults(notes: Note[]): string[] {
  const keys = new Set(notes.map(({ key }) => key));
  const parents = new Map(notes.map(({ key, parent }) => [key, parent]));
  const problems = keys.size === notes.length ? [] : ["a key comes twice"];
  for (const { key, name, parent, references, tags, inherited, fields, created, changed } of notes) {
    const claims: [string, boolean][] = [
      ["key", typeof key === "string" && key !== "" && !key.startsWith("SYS_")],
      ["name", typeof name === "string" && !/[\n\r]/.test(name)],
      ["parent", parent === undefined || keys.has(parent)],
      ["reference to itself", !references.includes(key)],
      ["tags", [...tags, ...(inherited ?? [])].every((tag) => /\S/.test(tag))],
      ["fields", fields.every((field) => field.name !== "" && field.values.length > 0)],
      ["values", fields.every(({ values }) => values.every(({ note }) => note === undefined || keys.has(note)))],
      ["times", [created, changed].every((time) => time === undefined || time > 0)],
    ];
    for (const [claim, holds] of claims) if (!holds) problems.push(`${key}: ${claim}`);
    let steps = 0;
    for (let above = parent; above !== undefined && steps <= notes.length; above = parents.get(above)) steps++;
    if (steps > notes.length) problems.push(`${key}: parents in a circle`);
  }
  return problems;
}

describe("an export in which anything may be wrong", () => {
  it("is read without failing: every key once, every parent there, no circle of parents", () => {
    fc.assert(
      fc.property(mutated, (docs) => {
        expect(faults(read(docs))).toEqual([]);
      }),
      { numRuns: 150 },
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
    expect(growth(read, docs(500), docs(6_000))).toBeLessThan(36);
  });
});
