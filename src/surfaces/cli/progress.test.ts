import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { line, progressLine } from "./progress.ts";

function screen(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  return { written, isTTY, columns, write: (text: string) => written.push(text) };
}

describe("the progress line", () => {
  it("is silent in a pipe and when asked to be", () => {
    const pipe = screen(false);
    progressLine(pipe, false).report({ stage: "parsing", done: 1, total: 2 });
    const quiet = screen(true);
    progressLine(quiet, true).report({ stage: "parsing", done: 1, total: 2 });
    expect([...pipe.written, ...quiet.written]).toEqual([]);
  });

  it("is redrawn at most ten times a second, and at once for a new stage", () => {
    const terminal = screen(true);
    let time = 0;
    const bar = progressLine(terminal, false, () => time);
    for (; time < 1000; time++) bar.report({ stage: "parsing", done: time, total: 1000 });
    expect(terminal.written.length).toBe(10);
    bar.report({ stage: "writing", done: 0, total: 5 });
    expect(terminal.written.length).toBe(11);
  });

  it("shows stage, percent, counts, rate and the time left", () => {
    expect(line({ stage: "parsing", done: 500, total: 2000 }, 250, 100)).toBe(
      "parsing  25% ██████░░░░░░░░░░░░░░░░░░ 500/2,000 250/s 6.0 s left",
    );
  });

  it("never exceeds the width and never breaks the line", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.nat(),
        fc.option(fc.nat(), { nil: undefined }),
        fc.integer({ min: 8, max: 200 }),
        (stage, done, total, width) => {
          expect(line({ stage, done, total }, 10, width).length).toBeLessThanOrEqual(width);
        },
      ),
    );
  });

  it("leaves nothing behind", () => {
    const terminal = screen(true);
    const bar = progressLine(terminal, false);
    bar.report({ stage: "parsing", done: 1, total: 2 });
    bar.clear();
    bar.clear();
    expect(terminal.written.at(-1)).toBe("\r\u001b[K");
    expect(terminal.written.length).toBe(2);
  });

  it("prints a watcher's news as lines, in a pipe too", () => {
    const pipe = screen(false);
    progressLine(pipe, false).report({ stage: "watching", done: 0, detail: "2 files indexed" });
    expect(pipe.written).toEqual(["2 files indexed\n"]);
  });
});
