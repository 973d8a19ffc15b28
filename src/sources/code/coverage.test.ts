import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitLines } from "../../text/lines.ts";
import { extract } from "../extract.ts";
import type { Extraction } from "./extraction.ts";

const folder = fileURLToPath(new URL("../../../fixtures/languages/", import.meta.url));
const samples = readdirSync(folder)
  .filter((name) => name !== "expected")
  .map((name) => ({ name, text: readFileSync(folder + name, "utf8") }));

describe("every line that is not blank and no import", () => {
  it.each(samples)("of $name lies in some unit", async ({ name, text }) => {
    expect(uncovered(text, await extract(name, text))).toEqual([]);
  });

  it("lies in some unit whatever happens to the text, units inside their parents and inside the file", async () => {
    const change = fc.record({
      kind: fc.constantFrom("cut", "drop", "double", "insert"),
      at: fc.nat(),
      count: fc.integer({ min: 1, max: 12 }),
      text: fc.constantFrom("{", "}", "(", '"', "*/", "/*", "\n\n", "x = 1\n", "  end\n", "def f():\n", "'''", ";"),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...samples),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        async ({ name, text }, changes) => {
          const changed = changes.reduce(applied, text);
          const extraction = await extract(name, changed);
          expect(uncovered(changed, extraction)).toEqual([]);
          expectNested(changed, extraction);
        },
      ),
      { numRuns: 300 },
    );
  });
});

function applied(text: string, change: { kind: string; at: number; count: number; text: string }): string {
  const lines = text.split("\n");
  const line = change.at % (lines.length + 1);
  const some = lines.slice(line, line + change.count);
  if (change.kind === "cut") return text.slice(0, change.at % (text.length + 1));
  if (change.kind === "drop") lines.splice(line, change.count);
  else if (change.kind === "double") lines.splice(line, 0, ...some);
  else lines.splice(line, 0, change.text);
  return lines.join("\n");
}

function uncovered(text: string, { kind, units, imports }: Extraction): string[] {
  if (kind !== "file") return [];
  const lines = splitLines(text);
  const covered = new Set<number>();
  for (const { startLine, endLine } of [...units, ...imports])
    for (let line = startLine; line <= endLine; line++) covered.add(line);
  return lines.flatMap((line, index) =>
    line.trim() === "" || covered.has(index + 1) ? [] : [`${index + 1}: ${line}`],
  );
}

function expectNested(text: string, { kind, units }: Extraction): void {
  const last = Math.max(1, splitLines(text).length);
  for (const [index, unit] of units.entries()) {
    expect([1 <= unit.startLine, unit.startLine <= unit.endLine, unit.endLine <= last]).toEqual([true, true, true]);
    if (unit.parent === undefined || kind !== "file") continue;
    const parent = units[unit.parent]!;
    expect(unit.parent).toBeLessThan(index);
    expect([parent.startLine <= unit.startLine, unit.endLine <= parent.endLine]).toEqual([true, true]);
  }
}
