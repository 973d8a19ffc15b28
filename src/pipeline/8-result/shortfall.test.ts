import { describe, expect, it } from "vitest";
import { evidence, requestFor } from "../../../tests/pipeline/evidence.ts";
import type { Dropped, DropReason } from "../../document.ts";
import type { Level } from "../../item.ts";
import { code } from "../../recipes/code.ts";
import { analyseQuery } from "../../text/analysis/query.ts";
import { dedupe } from "../6-dedupe/dedupe.ts";
import { fitBudget } from "../7-budget/fit-budget.ts";
import { render } from "./result.ts";
import { shortfall } from "./shortfall.ts";

const shown = (name: string, level: Level) => ({
  unique: evidence({ path: `src/${name}.ts`, name, text: "x" }),
  printLevel: { level, text: "", imports: [], utility: 1 },
});

const dropped = (reason: DropReason, count: number): Dropped[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `cod-${reason}${i}`,
    title: "x",
    source: "code",
    score: 0.1,
    reason,
  }));

describe("what a document leaves out, in a sentence", () => {
  it("names what is shortened and counts what is left out by reason", () => {
    const kept = [shown("parse", "elided"), shown("read", "full"), shown("walk", "signature")];
    expect(shortfall(kept, [...dropped("below-score", 7), ...dropped("over-budget", 2)], true)).toBe(
      "2 of 3 items are shortened (parse, walk); 9 more were left out: 2 over budget, 7 less relevant.",
    );
  });

  it("tells what is only named from what is shortened", () => {
    const kept = [shown("parse", "elided"), shown("walk", "pointer")];
    expect(shortfall(kept, [], true)).toBe("1 of 2 items is shortened (parse); 1 is only named (walk).");
    expect(shortfall(kept.slice(1), [], true)).toBe("1 of 1 item is only named (walk).");
  });

  it("names a few and counts the others", () => {
    const kept = ["a", "b", "c", "d", "e"].map((name) => shown(name, "elided"));
    expect(shortfall(kept, [], true)).toBe("5 of 5 items are shortened (a, b, c and 2 more).");
  });

  it("keeps a name on one line, however long", () => {
    expect(shortfall([shown(`${"long ".repeat(40)}\nname`, "elided")], [], true)).toMatch(
      /^1 of 1 item is shortened \([^\n]{1,40}\)\.$/,
    );
  });

  it("is short where nothing is missing", () => {
    expect(shortfall([shown("parse", "full")], [], true)).toBe("Everything that was found is here.");
    expect(shortfall([], [], true)).toBe("Nothing was found.");
    expect(shortfall([], dropped("unreadable", 1), true)).toBe("1 was left out: 1 unreadable.");
  });

  it("takes signatures for all there is where only they were asked for", () => {
    expect(shortfall([shown("parse", "signature")], [], false)).toBe("Everything that was found is here.");
  });

  it("is part of every result's summary", () => {
    const request = requestFor({ maxTokens: 200, fill: true });
    const long = (name: string) =>
      evidence({
        path: `src/${name}.ts`,
        name,
        text: [
          `export function ${name}() {`,
          ...Array.from({ length: 80 }, (_, i) => `  ${name}Step${i}();`),
          "}",
        ].join("\n"),
      });
    const { unique, duplicates } = dedupe(["parse", "print", "walk"].map(long));
    const run = { confidence: 1, stats: { found: {}, milliseconds: {} }, filesRead: 3, warnings: [] };
    const fit = fitBudget(unique, duplicates, request, analyseQuery(request.query), code.look);
    const { summary, items } = render(fit, request, code, run);
    expect(items[0]!.level).toBe("elided");
    expect(summary.sentence).toMatch(/^1 of \d items? is shortened \(parse\); .*\.$/);
  });
});
