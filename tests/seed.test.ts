import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyTests } from "../scripts/property-tests.ts";
import { fixedSeed, runs, seedOf } from "./seed.ts";

describe("properties", () => {
  it("draw the same cases at every run, unless a seed is given", () => {
    expect(fc.readConfigureGlobal().seed).toBe(seedOf(process.env.DOSSIER_SEED));
    expect(fc.sample(fc.string(), 20)).toEqual(fc.sample(fc.string(), 20));
    expect([seedOf(undefined), seedOf(""), seedOf("-1401677754")]).toEqual([fixedSeed, fixedSeed, -1401677754]);
    for (const bad of ["soon", "1.5", "4000000000"]) expect(() => seedOf(bad)).toThrow(/DOSSIER_SEED takes/);
  });

  it("keep the number of cases that their test asks for", () => {
    let cases = 0;
    fc.assert(
      fc.property(fc.nat(), () => void cases++),
      { numRuns: 7 },
    );
    expect(cases).toBe(7);
  });

  it("take all of their cases in test:random, and of costly ones the usual number otherwise", () => {
    expect(runs(100, 25)).toBe(process.env.DOSSIER_RUNS === "all" ? 100 : 25);
  });

  it("are found where they stand, also in the case suites that a test imports", () => {
    const files = propertyTests(join(dirname(fileURLToPath(import.meta.url)), ".."));
    expect(files).toEqual(
      expect.arrayContaining(["src/chat/blocks.test.ts", "src/stores/sqlite/engine/store.test.ts"]),
    );
    expect(files).toContain("tests/pipeline/freshness.test.ts");
    expect(files).not.toContain("tests/project/architecture.test.ts");
  });
});
