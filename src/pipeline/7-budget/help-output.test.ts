import { expect, it } from "vitest";
import type { Unique } from "../unique.ts";
import { isHelpOutput, withHelpOutputLater } from "./help-output.ts";

function section(name: string, score: number, text: string): Unique {
  const item = { source: "file", kind: "section", name };
  return { item, score, signals: {}, lines: text.split("\n") } as unknown as Unique;
}

const help = section(
  "long-help",
  0.66,
  Array.from(
    { length: 12 },
    (_, i) => `  -${String.fromCharCode(97 + i)}, --option-${i} <value>\n      Sets it.\n`,
  ).join("\n"),
);
const guide = section("Using another pager", 0.65, "Set the pager:\n\n- `show --pager=less`\n- or `PAGER`\n");
const unlike = section("Colours", 0.4, "Colours of the terminal.");

it("knows a help output by its lines", () => {
  expect([help, guide, unlike].map(isHelpOutput)).toEqual([true, false, false]);
});

it("puts what tells of the subject before a help output, unless it is much worse", () => {
  expect(withHelpOutputLater([help, guide, unlike])).toEqual([guide, help, unlike]);
  expect(withHelpOutputLater([help, unlike])).toEqual([help, unlike]);
  const named = { ...help, signals: { named: 1 } };
  expect(withHelpOutputLater([named, guide])).toEqual([named, guide]);
});
