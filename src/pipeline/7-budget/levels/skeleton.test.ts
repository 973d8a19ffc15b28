import { describe, expect, it } from "vitest";
import { evidence } from "../../../../tests/pipeline/evidence.ts";
import type { Unique } from "../../unique.ts";
import { isSkeleton } from "./skeleton.ts";

const lines = [
  "/** Sails to an island. */",
  "@Traced",
  "public void sail(Island island)",
  "{",
  ...Array.from({ length: 60 }, (_, i) => `    step${i}(island);`),
  "}",
];
const sail = (piece: Partial<Unique> = {}): Unique => ({
  ...evidence({
    path: "Sail.java",
    name: "sail",
    kind: "method",
    item: { language: "java", signature: "public void sail(Island island)" },
    text: lines.join("\n"),
  }),
  ...piece,
});
const upTo = (end: number) => [...Array(end).keys(), lines.length - 1];

describe("a cut of code", () => {
  it("is a skeleton where it has the declaration, comments, decorators and brackets alone", () => {
    expect(isSkeleton(sail(), lines, upTo(4), true)).toBe(true);
    expect(isSkeleton(sail(), lines, upTo(6), true)).toBe(false);
    expect(isSkeleton(sail(), lines, [1, 2, 3, lines.length - 1])).toBe(true);
  });

  it("is none where nothing that does something is left out, as below a folded comment", () => {
    const short = ["// one", "// two", "type Sail = string;", "}"];
    expect(isSkeleton(sail(), short, [0, 2, 3])).toBe(false);
  });

  it("is none of what was asked for", () => {
    expect(isSkeleton(sail({ lead: true }), lines, upTo(4))).toBe(false);
    expect(isSkeleton(sail({ askedLine: 3 }), lines, upTo(4))).toBe(false);
    expect(isSkeleton(sail({ signals: { named: 1 } }), lines, upTo(4))).toBe(false);
  });

  it("tells with one line of hundreds, and with a comment only where that was chosen", () => {
    const long = [...lines.slice(0, 4), ...Array.from({ length: 400 }, (_, i) => `    step${i}(island);`), "}"];
    expect(isSkeleton(sail(), long, [2, 3, 200])).toBe(false);
    expect(isSkeleton(sail(), long, [0, 2, 3], true)).toBe(true);
    expect(isSkeleton(sail(), long, [0, 2, 3])).toBe(false);
  });

  it("is the head of a class without fields, whose methods are items of their own", () => {
    const head = ["public class Sail {", "  private Wind wind;", "  private Island island;", "  private int speed;"];
    const all = [...head, ...lines, "}"];
    const unique = sail({ outline: true });
    unique.item.signature = "public class Sail";
    expect(isSkeleton(unique, all, [0, all.length - 1])).toBe(true);
    expect(isSkeleton(unique, all, [0, 1, 2, 3, all.length - 1])).toBe(false);
  });
});
