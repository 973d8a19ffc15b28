import fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, it } from "vitest";
import { formatNames } from "../options.ts";
import { tokenCounter } from "../text/tokens/tokens.ts";
import { citationIds } from "./citation.ts";
import { type Format, formats, type PrintedEntry } from "./format.ts";

const entry: PrintedEntry = {
  source: "code",
  style: "heading",
  citation: "[cod-1k3f]",
  kind: "function",
  name: "pay",
  path: "src/pay.ts",
  startLine: 1,
  endLine: 2,
  score: 0.891,
  language: "typescript",
  level: "full",
  notes: [],
  related: [],
  text: "function pay() {\n}",
};

const nasty = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc
    .array(
      fc.constantFrom(
        "```",
        "]]>",
        "=== x ===",
        "\n",
        "\r\n",
        "/",
        "//",
        " ",
        "\ud800",
        "\u0000",
        "&<>\"'",
        "[cod-1k3f]",
        "### h",
        "<|endoftext|>",
        "漢",
        "😀",
        "\u2028",
      ),
      { maxLength: 8 },
    )
    .map((pieces) => pieces.join("")),
);
const anyEntry: fc.Arbitrary<PrintedEntry> = fc.record({
  source: fc.constantFrom("code", "file", "message"),
  style: fc.constantFrom("heading", "brief"),
  citation: fc.constant("[cod-1k3f]"),
  kind: fc.constantFrom("function", "section", "file"),
  name: nasty,
  path: nasty,
  startLine: fc.constant(1),
  endLine: fc.nat(),
  score: fc.double({ min: 0, max: 1, noNaN: true }),
  language: fc.option(nasty, { nil: undefined }),
  level: fc.constantFrom("full", "elided", "signature", "pointer"),
  notes: fc.array(nasty, { maxLength: 2 }),
  doc: fc.option(nasty, { nil: undefined }),
  related: fc.array(nasty, { maxLength: 2 }),
  text: nasty.map((text) => text.replace(/\p{Surrogate}/gu, "\ufffd")),
});

function partsOf(format: Format, entries: PrintedEntry[], imports: string[]): string[] {
  const blocks = entries.flatMap((one, index) => {
    const used = one.level === "pointer" || imports.length === 0 ? [] : [format.imports(imports, one.language)];
    return [format.head(one, index === 0), ...used, format.body(one)];
  });
  const footer = [format.footerOpening, format.leftOut([{ reason: "over-budget", count: 3 }]), format.sourcesOpening];
  const sources = entries.map(({ name, kind, path }, index) =>
    format.source({ name, kind, path, startLine: 1, endLine: 2 }, index === 0),
  );
  const all = [
    format.opening,
    format.groupOpening("Relevant Code", true),
    ...blocks,
    format.groupClosing,
    format.itemsClosing,
  ];
  return [...all, ...footer, ...sources, format.sourcesClosing, format.closing].filter((part) => part !== "");
}

describe.each(formatNames)("%s", (name) => {
  it("is made of parts whose tokens add up to those of the document, whatever is in them", () => {
    fc.assert(
      fc.property(
        fc.array(anyEntry, { minLength: 1, maxLength: 3 }),
        fc.array(nasty, { maxLength: 2 }),
        (entries, imports) => {
          const parts = partsOf(formats[name](entries.map(({ text }) => text)), entries, imports);
          for (const part of parts) expect(part).toMatch(/^[^\s/][\s\S]*\n$/);
          for (const encoding of ["o200k_base", "cl100k_base"] as const) {
            const { count } = tokenCounter(encoding);
            expect(count(parts.join(""))).toBe(parts.reduce((sum, part) => sum + count(part), 0));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it("says in one sentence that there is nothing", () => {
    const text = formats[name]([]).nothing("Nothing relevant was found.");
    expect(text).toContain("Nothing relevant was found.");
    expect(tokenCounter("o200k_base").count(text)).toBeLessThan(64);
  });

  it("names kind, name, place, score and citation of an item", () => {
    const text = partsOf(formats[name]([]), [entry], ["import x"]).join("");
    for (const fact of ["function", "pay", "src/pay.ts", "0.89", "cod-1k3f", "import x"]) expect(text).toContain(fact);
  });
});

describe("markdown", () => {
  const format = formats.markdown([]);

  it("fences text with more back-ticks than any run inside", () => {
    expect(format.body({ ...entry, text: "a ```` b" })).toBe("**Code:**\n`````typescript\na ```` b\n`````\n\n");
  });

  it("lets no name become markup, a citation or a second line", () => {
    const head = format.head({ ...entry, name: "a]\n# b `c` [cod-9999]" }, true);
    expect(head.split("\n")[0]).toBe("### function: a\\] # b \\`c\\` \\[cod-9999\\] [cod-1k3f]");
  });
});

describe("xml", () => {
  const format = formats.xml([]);

  it("gives back exactly the text that went in, control characters aside", () => {
    const text = "a ]]> b <![CDATA[ c ]]]]>> & </code> \u0001";
    const document = partsOf(format, [{ ...entry, text }], []).join("");
    expect(XMLValidator.validate(document)).toBe(true);
    const parsed = new XMLParser({ trimValues: false }).parse(document);
    expect(parsed.context.section.entity.code).toBe("a ]]> b <![CDATA[ c ]]]]>> & </code> ");
  });
});

describe("plain", () => {
  it("marks its own lines with more signs than any text begins a line with", () => {
    const format = formats.plain(["x === y", "  ==== fake ====\n"]);
    expect(format.head(entry, true)).toMatch(/^===== function: pay \[cod-1k3f\] =====\n/);
    expect(formats.plain(["x === y"]).head(entry, true)).toMatch(/^=== function/);
  });
});

describe("citations", () => {
  it("show four characters of the hash, and more where two ids share them", () => {
    const short = citationIds(["cod-1k3fxxx", "cod-9abcxyz", "cod-9abcxzz", "cod-9abcxzz"]);
    expect(Object.fromEntries(short)).toEqual({
      "cod-1k3fxxx": "[cod-1k3f]",
      "cod-9abcxyz": "[cod-9abcxy]",
      "cod-9abcxzz": "[cod-9abcxz]",
    });
  });

  it("are different for different ids, and each is the beginning of its id", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom("a", "b", "-"), maxLength: 8 })), (hashes) => {
        const ids = [...new Set(hashes.map((hash) => `cod-${hash}`))];
        const short = citationIds(ids);
        expect(new Set(short.values()).size).toBe(ids.length);
        for (const [id, citation] of short) expect(id.startsWith(citation.slice(1, -1))).toBe(true);
      }),
    );
  });
});
