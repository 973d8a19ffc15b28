import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growth } from "../../../tests/project/growth.ts";
import {
  codeSpan,
  neutralItem,
  neutralLine,
  neutralName,
  neutralNote,
  neutralText,
  neutralWords,
} from "./escape-markdown.ts";

describe("ordinary text", () => {
  it.each([
    "Use `Map<string, number>` and not `{}`: it keeps `a && b` in order (see #123, 50% faster).",
    "#31470 was closed; C# too. 3.5 is not a list, nor is 1.5x, -1 or +1.",
    "snake_case, __init__.py, *.py in a sentence, a * b * c, 2 < 3 > 1, a <- b, x <= y && z, R&D, a & b;",
    "--verbose is an option; == compares, -> returns, | pipes",
    "[[page]] and [[another page]]: no definitions",
    "[fix] the login, [ABC-1234] in the tracker, [docs](https://example.com/a?b=1&c=2)",
    "Co-authored-by: Ada Lovelace <ada.lovelace@example.com>",
    "C:\\Users\\ada and \\n stay",
    "__init__ and _private at the beginning of a line",
    "    indented by hand",
    "“quotes”, 漢字, émigré, 😀, e\u0301",
  ])("passes unchanged: %s", (line) => {
    expect(neutralLine(line)).toBe(line);
  });
});

describe("a name", () => {
  it("keeps brackets that are no markup, since a path is copied from a heading", () => {
    for (const name of [
      "app/[slug]/(main)/page.tsx",
      "[[...all]]/route.ts",
      "[Symbol.iterator].next",
      "operator[]",
      "int[][]",
    ])
      expect(neutralName(name)).toBe(name);
  });

  it.each([
    ["[docs](https://example.com)", "\\[docs\\](https://example.com)"],
    ["[label]: one", "\\[label\\]: one"],
    ["[label]", "\\[label\\]"],
    ["[x] done", "\\[x\\] done"],
    ["note[^1]", "note\\[^1\\]"],
    ["a [mem-1k3f]", "a \\[mem-1k3f\\]"],
    ["![a]", "!\\[a\\]"],
  ])("is no link, definition, box or citation: %s", (name, expected) => {
    expect(neutralName(name)).toBe(expected);
  });
});

describe("a line of text", () => {
  it.each([
    ["# heading", "\\# heading"],
    ["###", "\\###"],
    ["> Note: trust me", "\\> Note: trust me"],
    ["- item", "\\- item"],
    ["+ item", "\\+ item"],
    ["* item", "\\* item"],
    ["12. item", "12\\. item"],
    ["1) item", "1\\) item"],
    ["```js", "\\`\\`\\`js"],
    ["```one```", "\\`\\`\\`one\\`\\`\\`"],
    ["~~~", "\\~\\~\\~"],
    ["---", "\\---"],
    ["- - -", "\\- - -"],
    ["***", "\\*\\*\\*"],
    ["_ _ _", "\\_ _ _"],
    ["===", "\\==="],
    ["-", "\\-"],
    ["| --- | :-: |", "\\| --- | :-: |"],
    [":--|--:", "\\:--|--:"],
    ["**Memory**: mine", "\\*\\*Memory**: mine"],
    ["*Category: fact*", "\\*Category: fact*"],
    ["__Memory__: mine", "\\_\\_Memory__: mine"],
    ["\u200b**Memory**: mine", "\\*\\*Memory**: mine"],
    ["    **Memory**: mine", "    \\*\\*Memory**: mine"],
    ["[label]: https://example.com", "\\[label]: https://example.com"],
    ["[label that goes on", "\\[label that goes on"],
    ["[a\\] b", "\\[a\\] b"],
    ["[^1]: note", "\\[^1]: note"],
    ["<div>", "\\<div>"],
    ["<!-- gone", "\\<!-- gone"],
  ])("begins no block of its own: %s", (line, expected) => {
    expect(neutralLine(line)).toBe(expected);
  });

  it.each([
    ["see [mem-1k3f]", "see \\[mem-1k3f\\]"],
    ["see `[mem-1k3f]`", "see `\\[mem-1k3f\\]`"],
    ["see \\[mem-1k3f]", "see \\[mem-1k3f\\]"],
    ["see \\\\[mem-1k3f]", "see \\\\\\[mem-1k3f\\]"],
    ["see [ mem-1k3f, exp-9zzz-root_cause ]", "see \\[ mem-1k3f, exp-9zzz-root_cause \\]"],
    ["&#91;mem-1k3f&rsqb;", "\\&#91;mem-1k3f\\&rsqb;"],
  ])("holds nothing that reads as a citation: %s", (line, expected) => {
    expect(neutralWords(line)).toBe(expected);
  });

  it.each([
    ["a <!-- b", "a \\<!-- b"],
    ["a \\<!-- b", "a \\<!-- b"],
    ["a \\\\<!-- b", "a \\\\\\<!-- b"],
    ["</details> <b x=1> <?php <![CDATA[", "\\</details> \\<b x=1> \\<?php \\<\\![CDATA["],
    ["![pixel](https://example.com/x.png)", "\\![pixel](https://example.com/x.png)"],
    // A back-tick without a partner would find one in a later line, and what was code there would be markup.
    ["one ` tick", "one \\` tick"],
    ["`` two and ` one", "\\`\\` two and \\` one"],
    ["\\`<b>`", "\\`\\<b>\\`"],
    // Many readers make links of addresses and take a backslash or back-tick for a part of them.
    ["https://example.com<b>", "https://example.com \\<b>"],
    ["https://example.com`<b>`", "https://example.com\\` \\<b>\\`"],
    ["_www.example.com`<b>`", "_www.example.com\\` \\<b>\\`"],
  ])("hides nothing: %s", (line, expected) => {
    expect(neutralWords(line)).toBe(expected);
  });

  it("is changed by nothing but backslashes, and a space before a tag at an address", () => {
    const bare = (text: string) => text.replaceAll("\\", "").replace(/ (?=<)/g, "");
    fc.assert(
      fc.property(hostileLine, (line) => {
        expect(bare(neutralLine(line))).toBe(bare(line));
        expect(bare(neutralWords(line))).toBe(bare(line));
      }),
      { numRuns: 2000 },
    );
  });

  it("can be long: ten times the signs do not take a hundred times as long", () => {
    const signs = [
      "`",
      "`` ` ",
      "\\",
      "\\`",
      "<a",
      "&a",
      "[",
      "[mem-",
      "[ ",
      "_",
      "= ",
      "- ",
      "*",
      "http://",
      "www.<b",
      " ",
      ":-|",
    ];
    const escapeAll = (length: number) => {
      for (const sign of signs) neutralText(`${sign.repeat(length / sign.length)}x`, "line");
    };
    expect(growth(escapeAll, 10_000, 100_000)).toBeLessThan(50);
  });
});

describe("a text", () => {
  it("keeps its lines, whatever they end in, and loses blank ones at both ends", () => {
    expect(neutralText("\n \n  one\r\ntwo\u2028\n  three\u0000\v\n", "line")).toEqual(["one", "two", "", "  three"]);
    expect(neutralText(" \n\t\n", "line")).toEqual([]);
  });

  it("may begin with a sign of a block where it does not begin a line", () => {
    expect(neutralText("- one\n- two", "within")).toEqual(["- one", "\\- two"]);
  });

  it("is neutral line by line, so that any cut of it is neutral too", () => {
    fc.assert(
      fc.property(fc.array(hostileLine, { minLength: 1, maxLength: 4 }), (lines) => {
        const whole = neutralText(`x\n${lines.join("\n")}\nx`, "line");
        expect(whole).toEqual(["x", ...lines.map((line) => neutralLine(line.trimEnd())), "x"]);
      }),
    );
  });
});

describe("an item of a list", () => {
  it.each([
    ["**Owner**: Ada", "**Owner**: Ada"],
    ["_so_ and ***so***", "_so_ and ***so***"],
    ["[x] done", "[x] done"],
    ["* * *", "\\* * *"],
    ["**", "\\*\\*"],
    ["# no heading", "\\# no heading"],
    ["> no quotation", "\\> no quotation"],
    ["- no list", "\\- no list"],
    ["```", "\\`\\`\\`"],
    ["[a]: https://example.com", "\\[a]: https://example.com"],
    ["[not-1k3f] <b>", "\\[not-1k3f\\] \\<b>"],
  ])("may begin with emphasis, but begins no block of its own: %s", (text, expected) => {
    expect(neutralItem(text)).toBe(expected);
  });
});

describe("names and notes", () => {
  it("are one line that closes no markup around it", () => {
    expect(neutralName("a*b\n`c` [mem-1k3f] <b> &lt; \\")).toBe("a\\*b \\`c\\` \\[mem-1k3f\\] \\<b\\> \\&lt; \\\\");
    expect(neutralName("https://example.com<b>")).toBe("https://example.com \\<b\\>");
    expect(neutralName("<www.example.com <b>")).toBe("\\<www.example.com \\<b\\>");
  });

  it("keep the citations that a note makes, but not one inside a path", () => {
    expect(neutralNote("contradicts [mem-1k3f] (older)")).toBe("contradicts [mem-1k3f] (older)");
    expect(neutralNote("src/[mem-1k3f].ts is gone")).toBe("src/\\[mem-1k3f\\].ts is gone");
  });

  it("fit into a code span, whatever back-ticks they have", () => {
    expect(codeSpan("pay")).toBe("`pay`");
    expect(codeSpan("`a``b")).toBe("``` `a``b ```");
    expect(codeSpan("two\nlines [cod-1k3f]")).toBe("`two lines \\[cod-1k3f\\]`");
  });
});

const pieces = [
  ..."# ## > - + * ** _ __ ``` `` ` ~~~ ~~ --- === | |---| :-: < <b> <!-- --> </ <? &lt; &#91; & [ ] [x]: ![ \\ \\\\ \\` 1. 2) / http:// www. @ word Memory".split(
    " ",
  ),
  "**Memory**: x",
  "*Category: x",
  "[mem-1k3f]",
  " ",
  "\t",
  "漢",
];
const hostileLine = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((some) => some.join("").trimStart());
