import { describe, expect, it } from "vitest";
import { growth } from "../../../../tests/project/growth.ts";
import { type InlineToken, scanInline } from "./inline.ts";

/** What is found, in the words of the line. */
function tokensIn(text: string, outline = false): string[] {
  return scanInline(text, outline).map(
    (token) => `${token.kind} ${describeToken(token)}: ${text.slice(token.start, token.end)}`,
  );
}

function describeToken(token: InlineToken): string {
  switch (token.kind) {
    case "page":
      return [token.target, ...(token.shown === undefined ? [] : [token.shown])].join(" as ");
    case "block":
      return [token.id.slice(-1), ...(token.shown === undefined ? [] : [token.shown])].join(" as ");
    case "file":
      return `${token.target} as ${token.shown}`;
    case "tag":
      return token.name;
    case "field":
      return `${token.name}=${token.value}`;
  }
}

const uuid = "6500c1a4-0000-4000-8000-000000000001";

describe("links", () => {
  it("are wikilinks, embeds and Markdown links", () => {
    expect(tokensIn("a [[B c]] and ![[D#e|f]]")).toEqual(["page B c: [[B c]]", "page D#e|f: ![[D#e|f]]"]);
    expect(tokensIn('[x](a.md) ![y](b%20c.png) [z](<d e.md> "title") [w](f(g).md)')).toEqual([
      "file a.md as x: [x](a.md)",
      "file b%20c.png as y: ![y](b%20c.png)",
      'file d e.md as z: [z](<d e.md> "title")',
      "file f(g).md as w: [w](f(g).md)",
    ]);
    expect(tokensIn("[loose](my own note.md#part)")).toEqual([
      "file my own note.md#part as loose: [loose](my own note.md#part)",
    ]);
    expect(tokensIn("[ref]: other.md")).toEqual(["file other.md as ref: [ref]: other.md"]);
  });

  it("of Logseq are also blocks, labels, embeds and links within links", () => {
    expect(tokensIn(`((${uuid})) [x](((${uuid}))) {{embed ((${uuid}))}}`, true)).toEqual([
      `block 1: ((${uuid}))`,
      `block 1 as x: [x](((${uuid})))`,
      `block 1: {{embed ((${uuid}))}}`,
    ]);
    expect(tokensIn("[x]([[Page]]) {{embed [[Page]]}} #[[two words]]", true)).toEqual([
      "page Page as x: [x]([[Page]])",
      "page Page: {{embed [[Page]]}}",
      "page two words: #[[two words]]",
    ]);
    expect(tokensIn("[[a [[b]] c]]", true)).toEqual(["page b: [[b]]", "page a [[b]] c: [[a [[b]] c]]"]);
    expect(tokensIn("[[a [[b]] c]]")).toEqual(["page b: [[b]]"]);
    expect(tokensIn(`((${uuid}))`)).toEqual([]);
  });

  it("are not in code, comments, addresses or behind a backslash", () => {
    expect(tokensIn("`[[a]]` ``[[b]] ` #c`` <!-- [[d]] --> %% [[e]] %% \\[[f]]")).toEqual([]);
    expect(tokensIn("https://example.org/[[a]]#b and <https://example.org/#c>")).toEqual([]);
    expect(tokensIn("` [[a]] `` [[b]]")).toEqual(["page a: [[a]]", "page b: [[b]]"]);
    expect(tokensIn("%% [[a]]", true)).toEqual(["page a: [[a]]"]);
  });

  it("are not what only looks like one", () => {
    expect(tokensIn("[[]] [[ ]] [[a] b] [ ] [x] a[1](2 [[open")).toEqual([]);
    expect(tokensIn("[[1]](https://example.org) and [[[a]]]")).toEqual([
      "file https://example.org as [1]: [[1]](https://example.org)",
      "page a: [[a]]",
    ]);
  });
});

describe("tags", () => {
  it("are words behind a hash, nested or not", () => {
    expect(tokensIn("#a, (#b/c) *#d-e_f* #日本 #😀")).toEqual([
      "tag a: #a",
      "tag b/c: #b/c",
      "tag d-e_f: #d-e_f",
      "tag 日本: #日本",
      "tag 😀: #😀",
    ]);
    expect(tokensIn("#1984 a#b ## # #! /#c [#A] #y1984")).toEqual(["tag y1984: #y1984"]);
  });

  it("of Logseq are any page's name", () => {
    expect(tokensIn("#1984 #a.b. #c: #+BEGIN [#A]", true)).toEqual(["tag 1984: #1984", "tag a.b: #a.b", "tag c: #c"]);
  });
});

describe("inline fields", () => {
  it("stand in brackets or parentheses", () => {
    expect(tokensIn("x [due:: 2024-01-31] (who:: [[Ada]] (her)) [by:: [[B]], [[C]]]")).toEqual([
      "field due=2024-01-31: [due:: 2024-01-31]",
      "field who=[[Ada]] (her): (who:: [[Ada]] (her))",
      "field by=[[B]], [[C]]: [by:: [[B]], [[C]]]",
    ]);
    expect(tokensIn("[a:b] (c::d) [:: x] [y::](z)")).toEqual(["file z as y::: [y::](z)"]);
    expect(tokensIn("[due:: x]", true)).toEqual([]);
  });
});

describe("a line of any length", () => {
  const hostile = [
    "[",
    "[[",
    "](",
    "](<",
    "[a](b",
    "`",
    "` `` ",
    "<!--",
    "%%",
    "#a ",
    "(a:: ",
    "[a:: ",
    "[[a ",
    "http://",
    "[x](a.md#",
    "]",
    "[[x]]",
  ];
  for (const part of hostile) {
    it(`takes time in proportion: ${part}`, () => {
      const line = (count: number) => part.repeat(count);
      expect(growth((text: string) => scanInline(text, false), line(2000), line(16_000))).toBeLessThan(24);
    });
  }
});
