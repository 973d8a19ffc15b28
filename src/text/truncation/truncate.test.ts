import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Encoding, tokenCounter } from "../tokens/tokens.ts";
import { commentMark } from "./comments.ts";
import { type Open, scanLine } from "./structure.ts";
import { syntaxOf } from "./syntax.ts";
import { type TruncationName, truncate } from "./truncate.ts";

const counter = tokenCounter("o200k_base");
const strategies: TruncationName[] = ["signature-first", "bookend", "head"];
const encodings: Encoding[] = ["o200k_base", "cl100k_base", "claude"];
const languages = [
  "python",
  "typescript",
  "go",
  "rust",
  "java",
  "cpp",
  "ruby",
  "markdown",
  "css",
  "html",
  "lua",
  "json",
  "text",
  undefined,
];

function cutTo(maxTokens: number, strategy: TruncationName, language: string, text: string): string | undefined {
  return truncate(text, { maxTokens, strategy, language, counter })?.text;
}

const line = fc.oneof(
  fc.constantFrom(
    "def f(a: int = {}) -> dict[str, int]:",
    "export function f(a: { b: string }): void {",
    "fn f<'a>(x: &'a str) {",
    "class A",
  ),
  fc.constantFrom(
    "  if (a) {",
    "    return `x $" + "{y({ z: 1 })}`;",
    "  }",
    "}",
    "end",
    "  end",
    "  foo({",
    "  })",
    "[",
    "]",
    "{",
    "{{{{",
  ),
  fc.constantFrom(
    '  """',
    "/**",
    " * {",
    " */",
    "/*",
    "*/",
    "# {",
    "// }",
    "<!--",
    "-->",
    "```js",
    "```",
    "~~~~",
    "--[[",
    "]]",
    'r#"{',
  ),
  fc.constantFrom(
    "",
    "",
    "   ",
    "\tx = 1",
    "x = 'it''s {'",
    "re = /[{]/",
    "漢字{",
    "😀".repeat(40),
    "a".repeat(300),
    "/ /".repeat(30),
  ),
  fc.string({ unit: "grapheme", maxLength: 80 }),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const code = fc.array(line, { minLength: 1, maxLength: 60 }).map((lines) => lines.join("\n"));

describe("truncate", () => {
  it("never returns more tokens than asked, whatever the text, language, strategy and encoding", () => {
    const options = fc.record({
      maxTokens: fc.integer({ min: 1, max: 500 }),
      strategy: fc.constantFrom(...strategies),
      language: fc.constantFrom(...languages),
      encoding: fc.constantFrom(...encodings),
      signatureLines: fc.option(fc.integer({ min: 0, max: 70 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(code, options, (text, { encoding, ...rest }) => {
        const own = tokenCounter(encoding);
        const result = truncate(text, { ...rest, counter: own });
        if (result === undefined) {
          expect(own.count(commentMark(rest.language, "...") + (text.endsWith("\n") ? "\n" : ""))).toBeGreaterThan(
            rest.maxTokens,
          );
          return;
        }
        expect(own.count(result.text)).toBeLessThanOrEqual(rest.maxTokens);
        expect(result.cut).toBe(result.text !== text);
        if (own.count(text) <= rest.maxTokens) expect(result.cut).toBe(false);
      }),
      { numRuns: 1500 },
    );
  });

  it("leaves no bracket, comment, string or fence open that it opened", () => {
    const balanced = fc.letrec((tie) => ({
      block: fc
        .tuple(
          fc.array(fc.oneof({ depthSize: "small" }, tie("statement"), tie("block")), { maxLength: 6 }),
          fc.constantFrom("if (x) {", "while (y) {", "call(function () {"),
        )
        .map(([inside, head]) => [
          head,
          ...(inside as string[][]).flat().map((inner) => `  ${inner}`),
          head.startsWith("call") ? "});" : "}",
        ]),
      statement: fc.constantFrom(
        ["a = 1;"],
        ['s = "}";'],
        ["// {"],
        ["/*", " * {", " */"],
        ["t = `line {", "  $" + "{x} }", "`;"],
        ["f([", "  1,", "]);"],
      ),
    })).block as fc.Arbitrary<string[]>;
    fc.assert(
      fc.property(
        balanced,
        fc.integer({ min: 12, max: 120 }),
        fc.constantFrom(...strategies),
        (lines, maxTokens, strategy) => {
          const result = cutTo(maxTokens, strategy, "javascript", lines.join("\n"));
          let open: Open | undefined;
          for (const [i, one] of (result ?? "").split("\n").entries())
            open = scanLine(one, i, open, syntaxOf("javascript"));
          expect(open, result).toBe(undefined);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("returns the text itself when it fits", () => {
    expect(truncate("a\nb\n", { maxTokens: 100, strategy: "head", counter })).toEqual({ text: "a\nb\n", cut: false });
    expect(truncate("", { maxTokens: 0, strategy: "head", counter })).toEqual({ text: "", cut: false });
  });

  it("gives nothing when not even a mark fits, and a mark alone when only that does", () => {
    const text = "verylongidentifiername = 1\n".repeat(20);
    expect(cutTo(1, "head", "python", text)).toBe(undefined);
    expect(cutTo(2, "head", "python", text)).toBe("# ...\n");
  });

  const python = [
    "@decorator",
    "def build(self, request: Request, options: dict[str, int] = {}) -> Response:",
    '    """Build the thing.',
    "",
    "    A long explanation of the matter.",
    '    """',
    "    result = []",
    "    for item in items:",
    "        result.append({",
    '            "a": item,',
    "        })",
    "    if not result:",
    '        raise ValueError("nothing")',
    "    return result",
  ].join("\n");

  it("keeps a Python signature whole, annotations, defaults and decorator included", () => {
    expect(cutTo(36, "signature-first", "python", python)).toBe(
      [...python.split("\n").slice(0, 2), "    # ... 12 lines"].join("\n"),
    );
  });

  it("closes a docstring before it marks the cut", () => {
    expect(cutTo(43, "signature-first", "python", python)).toBe(
      [...python.split("\n").slice(0, 3), '    """', "    # ... 11 lines"].join("\n"),
    );
  });

  it("closes brackets where they were opened, also in Python", () => {
    expect(cutTo(65, "head", "python", python)).toBe(
      [...python.split("\n").slice(0, 9), "            # ... 5 lines", "        })"].join("\n"),
    );
  });

  it("keeps the first and the last lines in bookend, and the end begins at a statement of the same block", () => {
    expect(cutTo(70, "bookend", "python", python)).toBe(
      [...python.split("\n").slice(0, 7), "    # ... 4 lines", ...python.split("\n").slice(11)].join("\n"),
    );
  });

  it("never begins the end with an exception's handler whose statement was cut", () => {
    const body = Array.from({ length: 6 }, (_, i) => `        step_${i}(session, "some words")`);
    const handler = ["    except ValueError as error:", "        log(error)", "    else:", "        commit(session)"];
    const text = [
      "def load(session):",
      "    prepare(session)",
      "    try:",
      ...body,
      ...handler,
      "    return session",
    ].join("\n");
    for (let tokens = 20; tokens < 160; tokens++) {
      const lines = cutTo(tokens, "bookend", "python", text)?.split("\n") ?? [];
      const cut = lines.findIndex((line) => line.includes("cut)"));
      const before = lines.slice(0, Math.max(0, cut)).findLast((line) => /^ {4}\S/.test(line));
      const goesOn = /^ {4}(?:except|else)/.test(lines[cut + 1] ?? "");
      expect([tokens, goesOn && before?.trim() !== "try:"]).toEqual([tokens, false]);
    }
  });

  const typescript = [
    "/**",
    " * Says hello to {everyone} in a friendly way, with a long",
    " * explanation of what it does and when and why it does so.",
    " */",
    "export function hello(names: string[], options: { loud: boolean } = { loud: false }): string {",
    "  const parts = names.map((name) => {",
    '    if (options.loud) return name + "}}}";',
    "    return name;",
    "  });",
    "  // } not a brace",
    '  return parts.join(", ");',
    "}",
  ].join("\n");

  it("closes what is open at fitting indentation, brackets of one line together, and no brace of a string or comment", () => {
    expect(cutTo(91, "head", "typescript", typescript)).toBe(
      [...typescript.split("\n").slice(0, 7), "    // ... 5 lines", "  })", "}"].join("\n"),
    );
  });

  it("prefers the signature over the comment above it", () => {
    expect(cutTo(45, "signature-first", "typescript", typescript)).toBe(
      ["// ... 4 lines", typescript.split("\n")[4], "  // ... 7 lines", "}"].join("\n"),
    );
  });

  it("takes the caller's word for how long the signature is", () => {
    const text = ["a(", "b", ")", ...Array(40).fill("body body body")].join("\n");
    const result = truncate(text, {
      maxTokens: 20,
      strategy: "signature-first",
      counter,
      language: "python",
      signatureLines: 3,
    });
    expect(result!.text.startsWith("a(\nb\n)\n")).toBe(true);
  });

  it("ends blocks that end in a keyword", () => {
    const ruby = [
      "class A",
      "  def run(x)",
      "    if x",
      "      one",
      "      two",
      "    else",
      "      three",
      "    end",
      "    four",
      "  end",
      "end",
    ];
    expect(cutTo(26, "head", "ruby", ruby.join("\n"))).toBe(
      ["class A", "  def run(x)", "    if x", "      # ... 8 lines", "    end", "  end", "end"].join("\n"),
    );
  });

  it("closes a code fence in Markdown", () => {
    const text =
      "# Title\n\nSome text\n\n```js\nlet a = 1;\nlet b = 2;\nlet c = 3;\n```\n\nmore and more and more text\n";
    expect(cutTo(28, "head", "markdown", text)).toBe(
      "# Title\n\nSome text\n\n```js\nlet a = 1;\n```\n<!-- ... 5 lines -->\n",
    );
  });

  it("prints no half of a short line after a whole one", () => {
    const text =
      'def charge(order):\n    """Charges what the order of a customer costs."""\n    total = sum(order)\n    return total\n';
    for (let maxTokens = 12; maxTokens < counter.count(text); maxTokens++) {
      for (const strategy of strategies) {
        const cut = cutTo(maxTokens, strategy, "python", text)!;
        for (const line of cut.split("\n")) if (!line.includes("...")) expect(text.split("\n")).toContain(line);
      }
    }
  });

  it("ends a part of a long line after a word, and marks that it goes on", () => {
    const result = cutTo(
      40,
      "head",
      "markdown",
      `${"Either of them can be used for one command, but not both. ".repeat(20)}\n`,
    );
    expect(result).toMatch(/^Either of .* (?:Either|of|them|can|be|used|for|one|command,|but|not|both\.) …\n/);
  });

  it("cuts one huge line within the line, between characters, and closes its string", () => {
    const result = cutTo(40, "head", "javascript", `const x = "${"😀".repeat(5000)}";`)!;
    expect(result).toMatch(/^const x = "(?:😀)+ …"\n\/\/ \.\.\. 1 line$/u);
    expect(counter.count(result)).toBeGreaterThan(30);
  });

  it.each(strategies)("uses most of the budget when there is text enough (%s)", (strategy) => {
    const text = Array.from({ length: 400 }, (_, i) => `    total = total + values[${i}] * weights[${i}]`).join("\n");
    const result = cutTo(300, strategy, "python", `def f(values):\n${text}\n    return total`)!;
    expect(counter.count(result)).toBeGreaterThan(280);
  });

  it("counts in proportion to what is kept, not to the length of the text", () => {
    const work = (lines: number) => {
      let characters = 0;
      const count = (text: string) => {
        characters += text.length;
        return counter.count(text);
      };
      const text = "    value = compute(value)\n".repeat(lines);
      truncate(text, { maxTokens: 50, strategy: "head", language: "python", counter: { ...counter, count } });
      return characters;
    };
    expect(work(100_000)).toBeLessThan(work(1000) * 2);
  });
});
