import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growth } from "../../../../tests/project/growth.ts";
import { readFrontmatter } from "./frontmatter.ts";

function entries(text: string): Record<string, string[]> | undefined {
  const frontmatter = readFrontmatter(text.split("\n"));
  return (
    frontmatter &&
    Object.fromEntries(frontmatter.entries.map(({ key, values }) => [key, values.map((value) => value.text)]))
  );
}

describe("frontmatter", () => {
  it("has scalars, quoted or not, without comments", () => {
    const text = `---
plain: some words
empty:
nothing: null
number: 4
colon: a:b
url: https://example.org/#part
quoted: "a \\"b\\" \\u00e9\\_#c"
single: 'it''s # here'
"odd key": x
comment: value # said aside
# a comment
---`;
    expect(entries(text)).toEqual({
      plain: ["some words"],
      number: ["4"],
      colon: ["a:b"],
      url: ["https://example.org/#part"],
      quoted: ['a "b" é\u00a0#c'],
      single: ["it's # here"],
      "odd key": ["x"],
      comment: ["value"],
    });
  });

  it("has lists in either form, and keeps maps in them as text", () => {
    const text = `---
flow: [a, "b, c", 'd', [e, f]]
lines: [a,
  b,
  c]
block:
  - a
  - "b: c"
same:
- x
- [[Link]]
links: [[[One]], "[[Two]]"]
maps:
  - name: Ada
    role: lead
  - name: Grace
none: []
---`;
    expect(entries(text)).toEqual({
      flow: ["a", "b, c", "d", "[e, f]"],
      lines: ["a", "b", "c"],
      block: ["a", "b: c"],
      same: ["x", "[[Link]]"],
      links: ["[[One]]", "[[Two]]"],
      maps: ["name: Ada, role: lead", "name: Grace"],
    });
  });

  it("has blocks of text, values over several lines and nested keys", () => {
    const text = `---
literal: |
  one
    two

  three
folded: >-
  one
  two
long: begins here
  and goes on
quoted: "begins
  and ends"
map: { a: 1, b: [2] }
outer:
  inner: x
  deeper:
    innermost: y
after: z
---`;
    expect(entries(text)).toEqual({
      literal: ["one\n  two\n\nthree"],
      folded: ["one two"],
      long: ["begins here and goes on"],
      quoted: ["begins and ends"],
      map: ["{ a: 1, b: [2] }"],
      "outer.inner": ["x"],
      "outer.deeper.innermost": ["y"],
      after: ["z"],
    });
  });

  it("takes a link without quotes for a link", () => {
    expect(entries("---\na: [[Page]]\nb: [[One]], [[Two]]\n---")).toEqual({ a: ["[[Page]]"], b: ["[[One]], [[Two]]"] });
  });

  it("keeps what it does not understand as text", () => {
    expect(entries('---\na: "open\nb: [also\n???\nc: *anchor\n---')).toEqual({
      a: ['"open'],
      b: ["[also ???"],
      c: ["*anchor"],
    });
    const frontmatter = readFrontmatter(["---", "@@@", "a: 1", "---"]);
    expect(frontmatter).toMatchObject({ stray: ["@@@"], end: 4 });
  });

  it("is not two rules with text between them, nor a rule alone", () => {
    expect(readFrontmatter(["---", "just text", "---"])).toBeUndefined();
    expect(readFrontmatter(["---", "a: 1"])).toBeUndefined();
    expect(readFrontmatter(["", "---", "a: 1", "---"])).toBeUndefined();
    expect(readFrontmatter([])).toBeUndefined();
    expect(readFrontmatter(["---", "---"])).toEqual({ entries: [], stray: [], end: 2 });
  });

  it("never throws, and loses no word", () => {
    const part = fc.constantFrom(
      "$: ",
      "$:",
      "- ",
      "  ",
      '"',
      "'",
      "[",
      "]",
      "{",
      "}",
      ", ",
      "|",
      ">",
      "\n",
      "\n",
      "$",
      "[[",
      "]]",
      "\\",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        let count = 0;
        const body = parts.join("").replaceAll("$", () => `w${count++}w`);
        const frontmatter = readFrontmatter(["---", ...body.split("\n"), "---"]);
        if (!frontmatter) return;
        const json = JSON.stringify(frontmatter);
        // A key without a value says nothing.
        const words = (body.match(/w\d+w/g) ?? []).filter((word) => !new RegExp(`${word}[^\\n]*:`).test(body));
        expect(words.filter((word) => !json.includes(word))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it("takes time in proportion, even where nothing is closed", () => {
    const lines = (count: number) => ["---", ...Array.from({ length: count }, () => 'k: ["a'), "---"];
    expect(growth(readFrontmatter, lines(2000), lines(16_000))).toBeLessThan(30);
  });
});
