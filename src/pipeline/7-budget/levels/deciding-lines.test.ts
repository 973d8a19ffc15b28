import { describe, expect, it } from "vitest";
import { lineStructure } from "../../../text/truncation/line-structure.ts";
import { byNearness, nearness, withDecisions, withEnding } from "./deciding-lines.ts";

describe("what comes out of a function in the end", () => {
  const lines = [
    "func (m *Mux) route(w Writer, r *Request) {",
    "\tif h := m.tree.find(r.path); h != nil {",
    "\t\th.serve(w, r)",
    "\t\treturn",
    "\t}",
    "\tm.count(r)",
    "\tif m.notAllowed {",
    "\t\tm.refuse(w, r)",
    "\t} else {",
    "\t\tm.missing(w, r) // the last",
    "\t}",
    "}",
  ];
  const structure = lineStructure(lines, "go");
  const nothing = lines.map(() => 0);

  it("counts half of its heaviest line, whatever words it has; a bracket alone is no end", () => {
    expect(withEnding(nothing.with(1, 2), lines, structure)).toEqual([0, 2, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0]);
  });

  it("keeps what is heavier, and is nothing where nothing is relevant", () => {
    expect(withEnding(nothing.with(9, 4), lines, structure)[9]).toBe(4);
    expect(withEnding(nothing, lines, structure)).toEqual(nothing);
  });
});

describe("lines on which a function decides", () => {
  it("count a little, and comments that speak of conditions do not", () => {
    const lines = [
      "def show(self):",
      "    # if it is there, return it",
      "    if self.os is None:",
      "        return None",
      "    x = 1",
    ];
    const weighed = withDecisions([1, 0, 0, 0, 0], lines, lineStructure(lines, "python"));
    expect(weighed[2]).toBeGreaterThan(0);
    expect(weighed[3]).toBe(weighed[2]);
    expect(weighed[2]).toBeLessThan(weighed[0]!);
    expect([weighed[1], weighed[4]]).toEqual([0, 0]);
  });
});

describe("lines that are near what is relevant", () => {
  it("are worth more where several relevant lines are close", () => {
    const near = nearness([1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1]);
    expect(near[9]).toBeGreaterThan(near[0]!);
    expect(near[10]).toBeGreaterThan(near[1]!);
  });

  it("come first in a cut that grows, then the others in their order", () => {
    const weights = Array.from({ length: 60 }, (_, line) => (line === 40 ? 1 : 0));
    const order = byNearness([...weights.keys()], weights);
    expect(order.slice(0, 5)).toEqual([40, 39, 41, 38, 42]);
    expect(order.slice(-3)).toEqual([57, 58, 59]);
    expect(order[25]).toBe(0);
  });
});
