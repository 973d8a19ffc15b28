import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growth } from "../../../../tests/project/growth.ts";
import { oneLine } from "../../../text/one-line.ts";
import { attribute, fenced, firstLine, image, inlineMarkdown, withoutOuterEmphasis } from "./html.ts";

/** Control characters, separators and letters alike. */
const anyText = fc.array(fc.nat(0x2fff)).map((codes) => String.fromCharCode(...codes));

describe("the HTML of names", () => {
  it.each([
    ["plain", "plain"],
    ["<b>bold</b> and <i>italic</i> and <code>x &lt; y</code>", "**bold** and *italic* and `x < y`"],
    [
      "<strong>a</strong> <em>b</em> <del>c</del> <strike>d</strike> <mark>e</mark> <u>f</u>",
      "**a** *b* ~~c~~ ~~d~~ ==e== f",
    ],
    ['<a href="https://x.example/?a=1&amp;b=2">here</a>', "[here](https://x.example/?a=1&b=2)"],
    ["one<br>two<br/>three", "one\ntwo\nthree"],
    [
      "Fish &amp; chips &quot;here&quot; &#39;there&#39; &#x2014; &nbsp;&unknown;",
      "Fish & chips \"here\" 'there' —  &unknown;",
    ],
    ["&amp;lt;b&amp;gt;", "&lt;b&gt;"],
    ["&lt;b&gt;not bold&lt;/b&gt;", "<b>not bold</b>"],
    ["Map<Key, Value> and a < b > c", "Map<Key, Value> and a < b > c"],
    ["<b></b>nothing<i><b></b></i>", "nothing"],
    ["<b>never closed", "**never closed**"],
    ["closed</b> never opened", "closed never opened"],
    ["an end <", "an end <"],
    ["<b", "<b"],
    ['<img alt="pier" src="https://x.example/p.jpg">', "![pier](https://x.example/p.jpg)"],
    ['<span style="color:red">red</span>', "red"],
  ])("reads %s as %s", (html, markdown) => {
    expect(inlineMarkdown(html)).toBe(markdown);
  });

  it("asks for the text of references, and does not read that text as HTML", () => {
    const html = "Ask <span data-inlineref-node=\"a&amp;b\">inner</span>, <span data-inlineref-node='c'></span>!";
    const references: string[] = [];
    const markdown = inlineMarkdown(html, (inside, inner) => {
      references.push(`${attribute(inside, "data-inlineref-node")}:${inner}`);
      return "<b>Anna</b> &amp;";
    });
    expect(references).toEqual(["a&b:inner", "c:"]);
    expect(markdown).toBe("Ask <b>Anna</b> &amp;, <b>Anna</b> &amp;!");
  });

  it("reads any text without failing, and text without markup as it is", () => {
    const piece = fc.constantFrom(
      "<b>",
      "</b>",
      "<a href=",
      "<span data-inlineref-node=",
      ">",
      "<",
      '"',
      "&amp;",
      "&#0;",
      "x",
      "</span>",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), (pieces) => {
        expect(typeof inlineMarkdown(pieces.join(""))).toBe("string");
      }),
    );
    fc.assert(
      fc.property(
        fc.string().map((text) => text.replace(/[<&]/g, "")),
        (text) => {
          expect(inlineMarkdown(text)).toBe(text);
        },
      ),
    );
  });

  it.each(["<b>", "<", "<b>x</i>", '<span data-inlineref-node="a">', "<span>", "<a href='x'>", "&amp"])(
    "takes time in proportion to a name full of %s",
    (piece) => {
      expect(growth((name) => inlineMarkdown(name), piece.repeat(1_000), piece.repeat(12_000))).toBeLessThan(50);
    },
  );
});

describe("names and blocks", () => {
  it("separates the first line from what follows", () => {
    expect(firstLine("  one\ttwo  three \r\n\r\n rest\r\nmore ")).toEqual({
      name: "one two three",
      rest: "rest\nmore",
    });
    expect(firstLine("a\u0000b\u007fc")).toEqual({ name: "a b c", rest: "" });
    expect(firstLine("")).toEqual({ name: "", rest: "" });
    fc.assert(
      fc.property(anyText, (text) => {
        const { name } = firstLine(text);
        expect(name).toBe(oneLine(name));
        expect(name).not.toMatch(/[\n\r\u2028\u2029\u0000-\u001f]/);
      }),
    );
  });

  it("drops emphasis around a whole name only", () => {
    expect(withoutOuterEmphasis("**Lantern**")).toBe("Lantern");
    expect(withoutOuterEmphasis("*Lantern*")).toBe("Lantern");
    expect(withoutOuterEmphasis("**a** and **b**")).toBe("**a** and **b**");
    expect(withoutOuterEmphasis("~~gone~~")).toBe("~~gone~~");
    expect(withoutOuterEmphasis("**")).toBe("**");
  });

  it("fences code so that nothing in it closes the fence", () => {
    expect(fenced("a\n```\nb\n", "js")).toBe("````js\na\n```\nb\n````");
    expect(fenced("x", "no language\n")).toBe("```\nx\n```");
  });

  it("keeps no link that runs something, only what it is called", () => {
    for (const target of [
      "javascript:alert(1)",
      " JavaScript:alert(1)",
      "java&#10;script:alert(1)",
      "data:text/html,x",
    ]) {
      expect(inlineMarkdown(`<a href="${target}">press</a>`)).not.toMatch(/script|data:/i);
      expect(inlineMarkdown(`<a href="${target}">press</a>`)).toContain("press");
    }
    expect(inlineMarkdown('<a href="https://x.example">press</a>')).toBe("[press](https://x.example)");
  });

  it("shows images by their address", () => {
    expect(image("[a]", "https://x.example/(1).png")).toBe("![a](<https://x.example/(1).png>)");
    expect(image("a", "data:image/png;base64,AAAA")).toBe("");
    expect(image("a", "javascript:alert(1)")).toBe("");
  });
});
