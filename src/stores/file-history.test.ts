import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileChanges } from "./commits.ts";
import { addTouches, byAge, newestTouch, type PackedTouch, packTouches, unpackTouches } from "./file-history.ts";

const touch = fc.record<PackedTouch>({
  commit: fc.integer({ min: 1, max: 2 ** 40 }),
  time: fc.integer({ min: -(10 ** 14), max: 8.64e15 }),
  change: fc.constantFrom(...fileChanges, "left"),
  other: fc.integer({ min: 0, max: 2 ** 40 }),
});

describe("packed touches", () => {
  it("come back as they were, newest first", () => {
    fc.assert(
      fc.property(fc.array(touch), (touches) => {
        expect(unpackTouches(packTouches(touches))).toEqual([...touches].sort(byAge));
        expect(newestTouch(packTouches(touches))).toEqual([...touches].sort(byAge)[0]);
      }),
    );
  });

  it("are the same bytes when packed again", () => {
    fc.assert(
      fc.property(fc.array(touch), (touches) => {
        const packed = packTouches(touches);
        expect(packTouches(unpackTouches(packed))).toEqual(packed);
      }),
    );
  });

  it("are the same bytes whether they are packed at once or added, older, newer or mixed", () => {
    const list = fc.uniqueArray(touch, { selector: ({ commit }) => commit, maxLength: 12 });
    const order = fc.constantFrom("newer", "older", "mixed");
    fc.assert(
      fc.property(list, order, fc.nat({ max: 12 }), (touches, how, cut) => {
        const sorted = how === "mixed" ? touches : [...touches].sort(byAge);
        const [first, second] = [sorted.slice(0, cut), sorted.slice(cut)];
        const [existing, added] = how === "older" ? [first, second] : [second, first];
        expect(addTouches(packTouches(existing), added)).toEqual(packTouches(touches));
      }),
    );
  });

  it("take about seven bytes for a usual history", () => {
    const day = 86_400_000;
    const touches = Array.from({ length: 1000 }, (_, i): PackedTouch => {
      return { commit: 50_000 - i * 40, time: 1_700_000_000_000 - i * day, change: "modified", other: 0 };
    });
    expect(packTouches(touches).length / 1000).toBeLessThan(8);
  });

  it("are nothing for nothing", () => {
    expect(packTouches([])).toEqual(new Uint8Array());
    expect(unpackTouches(new Uint8Array())).toEqual([]);
  });
});
