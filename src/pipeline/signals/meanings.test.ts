import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Candidate, Item } from "../../item.ts";
import type { Weighed } from "./columns.ts";
import { fused, meaningColumn } from "./meanings.ts";

function candidate(name: string, meaning?: number, more: Partial<Item> = {}): Candidate {
  const item: Item = {
    id: `cod-${name}`,
    source: "code",
    kind: "function",
    name,
    qualifiedName: `a.py::${name}`,
    path: "a.py",
    startLine: 1,
    endLine: 2,
    hash: "",
    ...more,
  };
  return { item, signals: meaning === undefined ? {} : { meaning }, distance: 0 };
}

describe("what a language model says", () => {
  it("is stretched over the candidates; what has no vector yet is neither near nor far", () => {
    const column = meaningColumn(
      [candidate("far", 0.2), candidate("near", 0.8), candidate("new"), candidate("mid", 0.5)],
      [],
    );
    expect(column).toEqual([0, 1, expect.closeTo(0.5), expect.closeTo(0.5)]);
  });

  it("counts less for a test, which only says what others do", () => {
    const test = candidate("test_near", 0.8, { test: true });
    const others = [candidate("far", 0.2), candidate("mid", 0.5)];
    const [ofTest, far, mid] = meaningColumn([test, ...others], [])!;
    expect([far, mid]).toEqual([0, expect.closeTo(0.5)]);
    expect(ofTest).toBeLessThan(mid!);
    expect(meaningColumn([test, candidate("test_far", 0.2, { test: true })], [])).toEqual([1, 0]);
  });

  it("is nothing where no candidate has a vector", () => {
    expect(meaningColumn([candidate("a"), candidate("b")], [])).toBeUndefined();
  });

  it("is said of a file by the nearest of its parts", () => {
    const whole = (path: string) => candidate(path, undefined, { kind: "file", path });
    const parts = [
      candidate("x", 0.3, { path: "a.py" }),
      candidate("y", 0.9, { path: "a.py" }),
      candidate("z", 0.4, { path: "b.py" }),
    ];
    expect(meaningColumn([whole("a.py"), whole("b.py")], parts)).toEqual([1, 0]);
  });

  it("has its share of the weights, and the others what is left, whatever they are", () => {
    const weight = fc.double({ min: 0.01, max: 10, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(weight, { minLength: 1, maxLength: 8 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (weights, share) => {
          const total = weights.reduce((sum, each) => sum + each, 0);
          const signals = weights.map((each, i): Weighed => ({ name: `s${i}`, column: [1], weight: each / total }));
          const all = fused(signals, [1], share);
          expect(all.reduce((sum, each) => sum + each.weight, 0)).toBeCloseTo(1, 9);
          const own = all.find(({ name }) => name === "meaning")?.weight ?? 0;
          expect(own).toBeCloseTo(share, 9);
          all.slice(0, weights.length).forEach((each, i) => {
            expect(each.weight).toBeCloseTo(signals[i]!.weight * (1 - share), 9);
          });
        },
      ),
    );
  });

  it("is all there is where no word was met", () => {
    expect(fused([], [0.5], 0.4)).toEqual([{ name: "meaning", column: [0.5], weight: 1 }]);
    expect(fused([], undefined, 0.4)).toEqual([]);
  });
});
