import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kernelModule } from "../../../scripts/build-kernel.ts";
import { stemmerTables } from "../../text/analysis/stem.ts";
import { fields, type TermField } from "../../text/analysis/terms.ts";
import { listCounter, openTermCounter, type TermCounter } from "./term-counter.ts";

type Part = { text: string; field: TermField; inFile: boolean };

function counts(counter: TermCounter, path: string, items: Part[][]) {
  counter.add(path, "path", true);
  counter.keepPath();
  const packed = items.map((parts) => {
    counter.beginItem();
    for (const { text, field, inFile } of parts) counter.add(text, field, inFile);
    return counter.packItem();
  });
  return [...packed, counter.packFile()].map(({ terms, length }) => `${length} ${Buffer.from(terms).toString("hex")}`);
}

/** Kernel and JavaScript count the same. */
function expectSame(path: string, items: Part[][]): void {
  const size = items.flat().reduce((sum, { text }) => sum + text.length, path.length);
  const counter = openTermCounter(size * 4);
  const counted = counts(counter, path, items);
  expect(counter.isFull).toBe(false);
  expect(counted).toEqual(counts(listCounter(), path, items));
}

const letters = fc.string({ unit: fc.constantFrom(..."aeiouybdglnrst"), minLength: 1, maxLength: 6 });
const endings = [...stemmerTables.step2, ...stemmerTables.step3, ...stemmerTables.step4].map(([ending]) => ending);
const suffix = fc.constantFrom(
  ...endings,
  "",
  "s",
  "sses",
  "ies",
  "ied",
  "eed",
  "eedly",
  "ed",
  "edly",
  "ing",
  "ingly",
  "y",
  "e",
  "ll",
);
const irregular = [...Object.entries(stemmerTables.irregular).flat(), ...stemmerTables.kept];
const prefix = fc.constantFrom("", "", "", "gener", "commun", "arsen");
const word = fc.oneof(
  fc.tuple(prefix, letters, suffix).map((parts) => parts.join("")),
  fc.constantFrom(
    ...irregular,
    "the",
    "yourselves",
    "can't",
    "it's",
    "they're",
    "rock'n'roll",
    "a",
    "Z",
    "7",
    "42",
    "x1",
  ),
);
const shapes: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.slice(0, 1).toUpperCase() + text.slice(1),
];
const name = fc
  .array(
    fc.tuple(word, fc.constantFrom(...shapes), fc.constantFrom("", "", "_", "__", "$", ".", "-", "'", "2", "10")),
    {
      maxLength: 6,
    },
  )
  .map((parts) => parts.map(([text, shape, joint]) => shape(text) + joint).join(""));
const text = fc
  .array(fc.oneof(name, fc.string(), fc.string({ unit: "binary" })), { maxLength: 12 })
  .map((names) => names.join(" "));
const part = fc.record({ text, field: fc.constantFrom(...fields), inFile: fc.boolean() });

describe("counting terms", () => {
  it("gives the same in WebAssembly and in JavaScript", () => {
    fc.assert(fc.property(name, fc.array(fc.array(part, { maxLength: 5 }), { maxLength: 5 }), expectSame), {
      numRuns: 500,
    });
  });

  it("is exact at the borders: long words, names and terms, frequencies, empty text", () => {
    const part = (text: string): Part => ({ text, field: "code", inFile: true });
    for (const size of [1, 63, 64, 65, 99, 100, 101, 199, 200, 201, 5000]) {
      expectSame("a/b", [[part("a".repeat(size)), part("aB".repeat(size)), part("a.b'".repeat(size) + "c")]]);
      expectSame("a/b", [[part("word ".repeat(size)), part(`${"_".repeat(size)}x$${"_".repeat(size)}.y`)], []]);
    }
    expectSame("", []);
  });

  it("goes on when the words no longer fit its cache", () => {
    const words = Array.from({ length: 60_000 }, (_, index) => `word${index.toString(36)}Number${index % 7}`);
    const items = [words.slice(0, 30_000), words.slice(30_000), words.slice(0, 30_000)];
    expectSame(
      "many.txt",
      items.map((some) => [{ text: some.join(" "), field: "doc", inFile: true }]),
    );
  });

  it("says when there is no room", () => {
    const counter = openTermCounter(10);
    counter.add("aB.".repeat(9000), "code", true);
    expect(counter.isFull).toBe(true);
  });

  it("is made from the kernel's source as it stands", async () => {
    const folder = new URL("./", import.meta.url);
    const source = await readFile(new URL("term-counter.wat", folder), "utf8");
    const compiled = await kernelModule(source, "term-counter", "termCounterBytes");
    expect(await readFile(new URL("kernel.ts", folder), "utf8")).toBe(compiled);
  });
});
