import { describe, expect, it } from "vitest";
import { code } from "./code.ts";
import { changedSignals, withWeights } from "./weights.ts";

describe("a workspace's own weights", () => {
  it("multiply the recipe's, for every shape of query, and leave the rest as it is", () => {
    const own = withWeights(code, { files: { path: 2 }, items: { similar: 0 } });
    for (const length of ["question", "report"] as const) {
      expect(own.fileSignals[length]).toEqual({ ...code.fileSignals[length], path: code.fileSignals[length].path * 2 });
    }
    for (const shape of ["question", "issue", "identifier", "path", "stack-trace"] as const) {
      expect(own.signals[shape]).toEqual({ ...code.signals[shape], similar: 0 });
    }
    expect({ ...own, fileSignals: code.fileSignals, signals: code.signals }).toEqual(code);
  });

  it("change nothing where there are none", () => {
    expect(withWeights(code, undefined)).toBe(code);
    expect(withWeights(code, { files: {}, items: { text: 1 } })).toBe(code);
    expect(changedSignals({ files: { path: 1, text: 2 } })).toEqual([{ table: "files", signal: "text", factor: 2 }]);
  });
});
