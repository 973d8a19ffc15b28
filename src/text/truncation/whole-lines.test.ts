import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { elide } from "./elide.ts";
import { lineStructure } from "./line-structure.ts";
import { wholeLines } from "./whole-lines.ts";

/** What is printed when these lines, by a part of their text, are to be kept. */
function shown(text: string, language: string, ...wanted: string[]): string[] {
  const lines = text.split("\n");
  const keep = new Set(wanted.map((part) => lines.findIndex((line) => line.includes(part))));
  const kept = wholeLines(keep, lines, lineStructure(lines, language));
  return elide(lines, (line) => kept.has(line), language).lines;
}

const filler = (count: number, indent: string) => Array.from({ length: count }, (_, i) => `${indent}step_${i}()`);

describe("lines that are kept", () => {
  it("bring the braces below a condition in C#", () => {
    const branch = (type: string) => [
      `        if (value is ${type})`,
      "        {",
      ...filler(4, "            "),
      "        }",
    ];
    const text = ["    void Write(object value)", "    {", ...["long", "ulong", "Date"].flatMap(branch), "    }"].join(
      "\n",
    );
    expect(shown(text, "csharp", "is ulong")).toEqual([
      "    void Write(object value)",
      "    {",
      "        // ... 7 lines",
      "        if (value is ulong)",
      "        {",
      "            // ... 4 lines",
      "        }",
      "        // ... 7 lines",
      "    }",
    ]);
  });

  it("bring all bounds of a head in Rust", () => {
    const text = [
      "impl Server {",
      "    pub fn serve<S, B>(",
      "        &self,",
      "        io: S,",
      "    ) -> Connection<S, B>",
      "    where",
      "        S: Read + Write,",
      "        B: Body + 'static,",
      "    {",
      ...filler(4, "        "),
      "        finish()",
      "    }",
      "",
      "    fn later<T>(self)",
      "    where",
      "        T: Send;",
      ...filler(3, "    "),
      "}",
    ].join("\n");
    const head = text.split("\n").slice(1, 9);
    expect(shown(text, "rust", "finish")).toEqual([
      "impl Server {",
      ...head,
      "        // ... 4 lines",
      "        finish()",
      "    }",
      "    // ... 7 lines",
      "}",
    ]);
    expect(shown(text, "rust", "S: Read").slice(0, 9)).toEqual(["impl Server {", ...head]);
    expect(shown(text, "rust", "fn later").slice(2, 5)).toEqual(text.split("\n").slice(16, 19));
  });

  it("bring the head of a namespace alone, whose body is not indented", () => {
    const text = [
      "namespace db {",
      "class First {",
      ...filler(12, "  "),
      "};",
      "class Second {",
      ...filler(12, "  "),
      "};",
      "}  // namespace db",
    ].join("\n");
    expect(shown(text, "cpp", "namespace db {").filter((line) => /class/.test(line))).toEqual([]);
  });

  it("bring what a constructor sets in C++", () => {
    const text = [
      "Cache::Cache(size_t size)",
      "    : size_(size),",
      "      used_(0)",
      "{",
      ...filler(5, "  "),
      "  reset();",
      "}",
    ].join("\n");
    expect(shown(text, "cpp", "reset")).toEqual([
      ...text.split("\n").slice(0, 4),
      "  // ... 5 lines",
      "  reset();",
      "}",
    ]);
  });

  it("bring the heads and ends of their scopes in Ruby", () => {
    const text = [
      "module Utils",
      "  CODES = {",
      ...Array.from({ length: 12 }, (_, i) => `    ${100 + i} => 'x',`),
      "  }",
      "  def parse(query)",
      ...filler(3, "    "),
      "    if query.empty?",
      ...filler(3, "      "),
      "      raise Missing",
      "    else",
      ...filler(3, "      "),
      "    end",
      "  end",
      "end",
    ].join("\n");
    expect(shown(text, "ruby", "105 =>", "raise")).toEqual([
      "module Utils",
      "  CODES = {",
      "    # ... 5 lines",
      "    105 => 'x',",
      "    # ... 6 lines",
      "  }",
      "  def parse(query)",
      "    # ... 3 lines",
      "    if query.empty?",
      "      # ... 3 lines",
      "      raise Missing",
      "    # ... 4 lines",
      "    end",
      "  end",
      "end",
    ]);
  });

  it("bring the handlers of a try, and all of a short call", () => {
    const text = [
      "def send(self):",
      ...filler(3, "    "),
      "    try:",
      ...filler(3, "        "),
      "        reply = open(",
      "            self.url,",
      "            timeout=3,",
      "        )",
      ...filler(3, "        "),
      "    except OSError:",
      ...filler(3, "        "),
    ].join("\n");
    expect(shown(text, "python", "timeout=3")).toEqual([
      "def send(self):",
      "    # ... 3 lines",
      "    try:",
      "        # ... 3 lines",
      "        reply = open(",
      "            self.url,",
      "            timeout=3,",
      "        )",
      "        # ... 3 lines",
      "    except OSError:",
      "        # ... 3 lines",
    ]);
  });

  it("show a long comment from its beginning to the end of its first paragraph, and what it is about", () => {
    const text = [
      "/**",
      " * Reads a file.",
      " *",
      ...Array.from({ length: 10 }, (_, i) => ` * More of it ${i}.`),
      " */",
      "@Cached",
      "String read(Path path) {",
      ...filler(3, "  "),
      "}",
    ].join("\n");
    expect(shown(text, "java", "More of it 4")).toEqual([
      "/**",
      " * Reads a file.",
      " * ... 11 lines",
      " */",
      "@Cached",
      "String read(Path path) {",
      "  // ... 3 lines",
      "}",
    ]);
  });

  it("say which branch of a condition they are in", () => {
    const text = ["#ifdef _WIN32", ...filler(3, ""), "int open(void);", "#else", ...filler(3, ""), "#endif"].join("\n");
    expect(shown(text, "c", "int open")).toEqual([
      "#ifdef _WIN32",
      "// ... 3 lines",
      "int open(void);",
      "#else",
      "// ... 3 lines",
      "#endif",
    ]);
  });

  it("are not misled by quotes and brackets in regular expressions and heredocs", () => {
    const text = [
      "def parse(text)",
      '  text.index(/(["\\\\])/)',
      "  note = <<~EOS",
      "    it's (not closed",
      "  EOS",
      ...filler(4, "  "),
      "  last(text)",
      ...filler(4, "  "),
      "end",
    ].join("\n");
    expect(shown(text, "ruby", "last(text)")).toEqual([
      "def parse(text)",
      "  # ... 8 lines",
      "  last(text)",
      "  # ... 4 lines",
      "end",
    ]);
  });

  it("show a statement to its end, where no bracket holds it together", () => {
    const text = [
      "void run() {",
      "  bool split = at >= 0",
      "    && list != null",
      "    && open;",
      ...filler(4, "  "),
      "}",
    ].join("\n");
    expect(shown(text, "csharp", "bool split")).toEqual([
      "void run() {",
      "  bool split = at >= 0",
      "    && list != null",
      "    && open;",
      "  // ... 4 lines",
      "}",
    ]);
  });

  it("leave no bracket open, whichever they are", () => {
    const block: fc.Arbitrary<string[]> = fc.letrec<{ block: string[]; line: string[] }>((tie) => ({
      line: fc.constantFrom(["call();"], ["// note", "call();"], ["list(", "  1,", "  2,", ");"]),
      block: fc
        .tuple(
          fc.constantFrom("if (a) {", "run(() => {", "class A {"),
          fc.array(fc.oneof(tie("line"), tie("block")), { maxLength: 6 }),
        )
        .map(([head, inner]) => [
          head,
          ...inner.flat().map((line) => `  ${line}`),
          head.startsWith("run") ? "});" : "}",
        ]),
    })).block;
    fc.assert(
      fc.property(block, fc.array(fc.nat(200), { maxLength: 5 }), (lines, chosen) => {
        const keep = new Set(chosen.map((each) => each % lines.length));
        const kept = wholeLines(keep, lines, lineStructure(lines, "typescript"));
        let depth = 0;
        for (const line of [...kept].sort((a, b) => a - b)) {
          for (const sign of lines[line]!.replace(/\/\/.*/, ""))
            depth += "({".includes(sign) ? 1 : ")}".includes(sign) ? -1 : 0;
          expect(depth).toBeGreaterThanOrEqual(0);
        }
        expect(depth).toBe(0);
      }),
    );
  });
});

describe("a long comment", () => {
  const lines = [
    "/**",
    ...Array.from({ length: 5 }, (_, i) => [` * Sentence ${i}`, " * goes on.", " *"]).flat(),
    " */",
    "class Spy {}",
  ];
  const upTo = (count: number) => {
    const kept = wholeLines(new Set([...lines.keys()].slice(0, count)), lines, lineStructure(lines, "java"));
    return elide(lines, (line) => kept.has(line), "java").lines;
  };

  it("is shown from its beginning to the end of a paragraph, as far as it was chosen, and closed", () => {
    expect(upTo(8)).toContain(" * Sentence 1");
    expect(upTo(8)).not.toContain(" * Sentence 2");
    expect(upTo(8)).toContain(" */");
  });
});
