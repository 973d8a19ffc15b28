import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../tests/seed.ts";
import { splitLines } from "../../text/lines.ts";
import { extract } from "../extract.ts";
import { itemsOf } from "../itemize.ts";
import type { Extraction } from "./extraction.ts";
import { extractGeneric } from "./generic.ts";
import { longestParsed } from "./parser.ts";

const folder = fileURLToPath(new URL("../../../fixtures/languages/", import.meta.url));
const samples = readdirSync(folder)
  .filter((name) => name !== "expected")
  .map((name) => ({ name, text: readFileSync(folder + name, "utf8") }));

const sample = fc.constantFrom(...samples);
const noise = fc.stringMatching(/^[(){}[\]<>"'`#/\\*:;=,.@$%&|!?\-\n\t a-zA-Z0-9é漢😀]{0,40}$/u);

describe("whatever the text", () => {
  it("a cut file yields units inside the file, children inside parents, ids unique", async () => {
    await fc.assert(
      fc.asyncProperty(sample, fc.double({ min: 0, max: 1, noNaN: true }), async ({ name, text }, share) => {
        const cut = text.slice(0, Math.floor(text.length * share));
        expectSound(name, cut, await extract(name, cut));
      }),
      { numRuns: runs(150, 50) },
    );
  });

  it("a file with noise written into it is still read soundly", async () => {
    await fc.assert(
      fc.asyncProperty(
        sample,
        fc.array(fc.tuple(fc.nat(), noise), { minLength: 1, maxLength: 4 }),
        async ({ name, text }, edits) => {
          let edited = text;
          for (const [place, inserted] of edits) {
            const at = place % (edited.length + 1);
            edited = edited.slice(0, at) + inserted + edited.slice(at + (place % 7));
          }
          expectSound(name, edited, await extract(name, edited));
        },
      ),
      { numRuns: runs(150, 50) },
    );
  });

  it("lines that end in carriage returns change no unit", async () => {
    for (const { name, text } of samples) {
      const unix = await extract(name, text);
      const windows = await extract(name, text.replaceAll("\n", "\r\n"));
      const spans = ({ units }: Extraction) =>
        units.map(({ kind, qualified, startLine, endLine }) => `${kind} ${qualified} ${startLine}-${endLine}`);
      expect([name, ...spans(windows)]).toEqual([name, ...spans(unix)]);
    }
  });

  it("blank lines and white space between the lines make no unit blank", async () => {
    const blanks = fc.array(fc.tuple(fc.nat(), fc.constantFrom("\n", "\n\n\n", "   \n", "\t\n \n")), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        sample,
        fc.nat(),
        fc.integer({ min: 1, max: 40 }),
        blanks,
        async ({ name, text }, from, count, inserted) => {
          const all = text.split("\n");
          const some = all.slice(from % all.length, (from % all.length) + count);
          for (const [place, blank] of inserted) some.splice(place % (some.length + 1), 0, blank);
          const part = some.join("\n");
          expectSound(name, part, await extract(name, part));
        },
      ),
      { numRuns: runs(150, 50) },
    );
  });

  it("nothing at all is a file without units", async () => {
    for (const { name } of samples) expect((await extract(name, "")).units).toEqual([]);
  });
});

describe("text no grammar can take", () => {
  it("is read line by line when it is too large", async () => {
    const text = `def first():\n    return 1\n\n${"# filler\n".repeat(longestParsed / 9)}\ndef last():\n    return 2\n`;
    expect(await declared("large.py", text)).toEqual(["first", "last"]);
  });

  it("is read line by line when a terminal's colours stand between its words", async () => {
    const text = "int f(int a) {\n  return a;\n}\n".repeat(50);
    const coloured = text.replace(/\w+/g, (word) => `\x1b[38;2;249;38;114m${word}\x1b[0m`);
    expect((await extract("a.c", coloured)).units).toEqual(extractGeneric("c", coloured).units);
    const oneString = text.replace("return a", 'puts("\x1b[31mred\x1b[0m")');
    expect(await declared("a.c", oneString)).toHaveLength(50);
  });

  it("is read line by line when it nests too deep, and the next file by its grammar again", async () => {
    const deep = `function first() {\n  return 1;\n}\nx = ${"[".repeat(100_000)}`;
    expect(await declared("deep.js", deep)).toEqual(["first"]);
    expect(await declared("next.js", "const f = () => 1;")).toEqual(["f"]);
  });

  it("may nest without brackets, or have more siblings than can be told apart in time", async () => {
    for (const [path, text] of [
      ["deep.hs", `first = 1\n\nx = ${"case a of ".repeat(10_000)}`],
      ["long.ml", `let first = 1\n\nlet x = ${"a; ".repeat(20_000)}`],
    ] as const)
      expectSound(path, text, await extract(path, text));
  });

  it("may end where a grammar's own scanner looks for more: in an annotation without a line end", async () => {
    for (const last of ['@Named("seller"', "@Named", "var open = 1\n    @Named(", "var open = 1\n    @Named(x)"])
      expect(await declared("Cut.kt", `class First\n\n${last}`)).toContain("First");
  });

  it("may make the parser itself give up: the file is read line by line and the next by its grammar", async () => {
    const endless = `class First {\n}\n\nx = a${"<a".repeat(10_000)}`;
    expect(await declared("Endless.java", endless)).toEqual(["First"]);
    expect(await declared("Next.java", "class Next {\n  int one() { return 1; }\n}\n")).toEqual(["Next", "Next.one"]);
  });
});

async function declared(path: string, text: string): Promise<string[]> {
  const { units } = await extract(path, text);
  return units.filter(({ kind }) => kind !== "block").map(({ qualified }) => qualified);
}

function expectSound(path: string, text: string, extraction: Extraction): void {
  const lines = splitLines(text);
  const last = Math.max(1, lines.length);
  const nests = extraction.kind === "file";
  extraction.units.forEach((unit, index) => {
    expect(unit.name).not.toBe("");
    expect(unit.startLine).toBeGreaterThanOrEqual(1);
    expect(unit.endLine).toBeGreaterThanOrEqual(unit.startLine);
    expect(unit.endLine).toBeLessThanOrEqual(last);
    // A blank unit would be printed as an empty block.
    expect(
      lines
        .slice(unit.startLine - 1, unit.endLine)
        .join("")
        .trim(),
      `${unit.kind} ${unit.name}`,
    ).not.toBe("");
    if (unit.signature !== undefined) expect(text.includes(unit.signature)).toBe(true);
    if (unit.parent === undefined) return;
    expect(unit.parent).toBeLessThan(index);
    const parent = extraction.units[unit.parent]!;
    if (nests) expect([parent.startLine <= unit.startLine, unit.endLine <= parent.endLine]).toEqual([true, true]);
  });
  for (const { startLine, endLine } of extraction.imports) {
    expect(1 <= startLine && startLine <= endLine && endLine <= last).toBe(true);
  }
  const ids = itemsOf(path, extraction, lines, 0).map((item) => item.id);
  expect(new Set(ids).size).toBe(ids.length);
}
