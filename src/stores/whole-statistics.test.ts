import { describe, expect, it } from "vitest";
import { asOfWhole } from "./whole-statistics.ts";

describe("statistics of a part as those of the whole", () => {
  const part = {
    units: { count: 100, averageLength: 50, frequencies: new Map([["error", 80]]) },
    files: { count: 10, averageLength: 500, frequencies: new Map([["error", 10]]) },
  };

  it("makes a word that all chosen files have as rare as it is", () => {
    const { units, files } = asOfWhole(part, {
      files: 100,
      bytes: 1000,
      indexedBytes: 100,
      frequencies: new Map([["error", 20]]),
    });
    expect(files).toMatchObject({ count: 100, frequencies: new Map([["error", 20]]) });
    // Eight units in each file that has it.
    expect(units).toMatchObject({ count: 1000, averageLength: 50, frequencies: new Map([["error", 160]]) });
  });

  it("never counts less than there is", () => {
    const whole = { files: 5, bytes: 10, indexedBytes: 100, frequencies: new Map([["error", 1]]) };
    expect(asOfWhole(part, whole)).toEqual(part);
    expect(asOfWhole(part, { ...whole, indexedBytes: 0 })).toEqual(part);
  });
});
