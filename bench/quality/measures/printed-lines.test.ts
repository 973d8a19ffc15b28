import { expect, it } from "vitest";
import { printedLines } from "./printed-lines.ts";

const file = [
  "import os",
  "",
  "def first(a):",
  "    if a:",
  "        return None",
  "    b = a + 1",
  "    if b:",
  "        return None",
  "    return b",
  "",
];

it("counts every line of a whole text", () => {
  const text = file.slice(2, 9).join("\n");
  expect(printedLines({ text, startLine: 3, endLine: 9 }, file)).toEqual([3, 4, 5, 6, 7, 8, 9]);
});

it("counts only the lines around a mark, and tells a line from its twin in the gap", () => {
  const text = ["def first(a):", "    # ... 4 lines", "        return None", "    return b"].join("\n");
  expect(printedLines({ text, startLine: 3, endLine: 9 }, file)).toEqual([3, 8, 9]);
});

it("counts nothing for what was cut at the end, nor for what closes it", () => {
  const text = ["def first(a):", "    if a:", "    # ... 5 lines", "    )"].join("\n");
  expect(printedLines({ text, startLine: 3, endLine: 9 }, file)).toEqual([3, 4]);
});

it("goes on after a line that was changed in print, and after a mark without a number", () => {
  const changed = ["def first(a):", "    if [secret]:", "        return None"].join("\n");
  expect(printedLines({ text: changed, startLine: 3, endLine: 9 }, file)).toEqual([3, 5]);
  const short = ["def first(a):", "    # ...", "    return b"].join("\n");
  expect(printedLines({ text: short, startLine: 3, endLine: 9 }, file)).toEqual([3, 9]);
});

it("never leaves the item's own lines", () => {
  expect(printedLines({ text: "import os", startLine: 3, endLine: 9 }, file)).toEqual([]);
  expect(printedLines({ text: "    return b", startLine: 3, endLine: 8 }, file)).toEqual([]);
});

it("finds a signature that is printed without its indentation", () => {
  const lines = ["class A:", "    def first(a):", "        return a"];
  const signature = { text: "def first(a):", startLine: 2, endLine: 3 };
  expect(printedLines(signature, lines)).toEqual([]);
  expect(printedLines(signature, lines, { dedented: true })).toEqual([2]);
});

it("takes a fold that names what it hides for a gap", () => {
  const text = ["def first(a):", "    … 4 lines: b", "        return None"].join("\n");
  expect(printedLines({ text, startLine: 3, endLine: 9 }, file)).toEqual([3, 8]);
});
