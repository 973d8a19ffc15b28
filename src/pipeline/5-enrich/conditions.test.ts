import { describe, expect, it } from "vitest";
import { conditionOf } from "./conditions.ts";

const header = [
  "#ifndef SHOP_H",
  "#define SHOP_H",
  "int any(void);",
  "#ifdef _WIN32  // Windows",
  "int open(void);",
  "#elif defined(__APPLE__)",
  "int open(void);",
  "#else",
  "int open(void);",
  "#endif",
  "int last(void);",
  "#endif",
];

describe("the condition of a definition", () => {
  it("is that of its branch, and none in the guard of a header", () => {
    const conditions = header.map((_, index) => conditionOf(header, "c", index + 1));
    expect([conditions[2], conditions[4], conditions[6], conditions[8], conditions[10]]).toEqual([
      undefined,
      "under #ifdef _WIN32",
      "under #elif defined(__APPLE__)",
      "under #else of #elif defined(__APPLE__)",
      undefined,
    ]);
  });

  it("is all that its directive says, on however many lines, and cut between words", () => {
    const lines = ["#if \\", "    defined(A) && \\", "    !defined(B) /* not B */", "int a;", "#endif"];
    expect(conditionOf(lines, "c", 4)).toBe("under #if defined(A) && !defined(B)");
    const names = Array.from({ length: 12 }, (_, i) => `defined(NAME_${i})`).join(" || ");
    expect(conditionOf([`#if ${names}`, "int a;", "#endif"], "c", 2)).toMatch(/^under #if defined\(NAME_0\).*\|\| …$/);
  });

  it("is none where # begins a comment", () => {
    expect(conditionOf(["#if x", "def f(): pass", "#endif"], "python", 2)).toBe(undefined);
  });
});
