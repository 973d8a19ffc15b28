import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { progressReports } from "./progress.ts";

describe("progress", () => {
  it("grows with every notification, whatever is reported, and never passes its total", () => {
    const report = fc.record({
      stage: fc.constantFrom("listing", "indexing", "learning"),
      done: fc.nat(1000),
      total: fc.option(fc.nat(1000), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(report), (reports) => {
        const sent: { progress: number; total?: number }[] = [];
        let time = 0;
        const tell = progressReports(
          (each) => sent.push(each),
          () => (time += 60),
        );
        for (const each of reports) tell(each);
        for (const [index, { progress, total = progress }] of sent.entries()) {
          expect(progress).toBeGreaterThan(sent[index - 1]?.progress ?? 0);
          expect(total).toBeGreaterThanOrEqual(progress);
        }
      }),
    );
  });

  it("is told at the beginning of a stage, at its end, and seldom between", () => {
    const sent: string[] = [];
    let time = 0;
    const tell = progressReports(
      ({ message }) => sent.push(message),
      () => time,
    );
    for (let done = 0; done <= 1000; done++) {
      time += 1;
      tell({ stage: "indexing", done, total: 1000 });
    }
    expect(sent[0]).toBe("indexing 0 of 1000");
    expect(sent.at(-1)).toBe("indexing 1000 of 1000");
    expect(sent.length).toBeLessThan(15);
  });
});
