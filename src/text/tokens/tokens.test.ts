import fc from "fast-check";
import { countTokens as countCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { growth } from "../../../tests/project/growth.ts";
import { runs } from "../../../tests/seed.ts";
import { rememberedCount, tokenCounter } from "./tokens.ts";

const plainText = { disallowedSpecial: new Set<string>() };
const reference = {
  o200k_base: (text: string) => countO200k(text, plainText),
  cl100k_base: (text: string) => countCl100k(text, plainText),
};
const exact = ["o200k_base", "cl100k_base"] as const;

const fragment = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ unit: "binary-ascii", maxLength: 12 }),
  fc.constantFrom("'s", "'LL", "'Re", "'ve", "don't", "I'D", "'ſ", "x'm", "''ll"),
  fc.constantFrom("\n", "\r\n", "\n\n\n", " ", "  ", "\t", " \n ", "\u00a0", "\u3000", "\u2028", "\ufeff", "\u0085"),
  fc.constantFrom("\ud800", "\udc00", "\udfff\ud800", "\ufffd", "\u0000"),
  fc.constantFrom("😀", "👩‍👩‍👧‍👦", "🇩🇪", "✂️", "e\u0301", "\u0301", "\u093f", "नमस्ते", "ǅ", "ʰ", "ªB", "ÀÈ"),
  fc.constantFrom("漢字", "こんにちは", "한국어", "ไทย", "العربية", "Ελλάδα", "ЖЗИ", "名"),
  fc.constantFrom("<|endoftext|>", "<|fim_prefix|>", "<|im_start|>", "```", "]]>", "//", "/", "/*\n", "}\n/\n"),
  fc.constantFrom("getHTTPResponseCode", "snake_case_name", "XMLHttpRequest2", "0x1F", "1234567", "½²٣", "3.14e-10"),
  fc.constantFrom("def f(x: int) -> None:\n    return x\n", "if (a && !b) {\n\t\tc++;\n}\n", "SELECT * FROM t;"),
  fc
    .tuple(
      fc.constantFrom("a", " ", "\n", "=", "漢", "😀", "9", "A", "\t", "é", "\u0301", "/"),
      fc.integer({ min: 2, max: 80 }),
    )
    .map(([character, times]) => character.repeat(times)),
);
const anyText = fc.array(fragment, { maxLength: 6 }).map((fragments) => fragments.join(""));

describe("exact token counts", () => {
  it("are those of gpt-tokenizer on thousands of random texts", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        return exact.every((encoding) => tokenCounter(encoding).count(text) === reference[encoding](text));
      }),
      { numRuns: runs(10_000, 2_000) },
    );
  });

  it.each(exact)("agree with gpt-tokenizer on every single character of the first two planes (%s)", (encoding) => {
    const counter = tokenCounter(encoding);
    const wrong: string[] = [];
    for (let code = 0; code < 0x20000; code += 13) {
      const character = String.fromCodePoint(code);
      for (const text of [character, `a${character}B`, ` ${character}\n${character}'s`]) {
        if (counter.count(text) !== reference[encoding](text)) wrong.push(code.toString(16));
      }
    }
    expect(wrong).toEqual([]);
  });

  it("take special tokens for plain text", () => {
    expect(tokenCounter("o200k_base").count("<|endoftext|>")).toBeGreaterThan(1);
    expect(tokenCounter("cl100k_base").count("<|endoftext|>")).toBeGreaterThan(1);
  });

  it("know the documented examples", () => {
    expect(tokenCounter("o200k_base").count("")).toBe(0);
    expect(tokenCounter("o200k_base").count("hello world")).toBe(2);
    expect(tokenCounter("cl100k_base").count("tiktoken is great!")).toBe(6);
  });

  it("add up over blocks that end in a line end and begin with a visible character other than /", () => {
    const block = anyText.map((text) => `x${text}\n`.replace(/^[\s/\p{M}\p{C}]+/u, ""));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom("#", "[", "a", "漢", "`", "<", "1", "'s", "é"), block), { maxLength: 4 }),
        (blocks) => {
          const texts = blocks.map(([head, tail]) => head + tail);
          for (const encoding of exact) {
            const { count } = tokenCounter(encoding);
            expect(count(texts.join(""))).toBe(texts.reduce((sum, text) => sum + count(text), 0));
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("remembered token counts", () => {
  it("are those of the whole text, whatever lines were counted before", () => {
    const lines = fc.array(fc.tuple(fc.constantFrom("", " ", "\t", "    ", "/", "\r", "x"), anyText), { maxLength: 6 });
    const texts = lines.map((parts) => parts.map(([head, tail]) => head + tail).join("\n"));
    fc.assert(
      fc.property(texts, (text) => {
        for (const encoding of [...exact, "claude"] as const)
          expect(rememberedCount(encoding)(text)).toBe(tokenCounter(encoding).count(text));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("long runs", () => {
  const shapes: Record<string, string> = {
    letter: "a",
    space: " ",
    newline: "\n",
    "line end and space": "\n ",
    han: "漢字",
    emoji: "😀👩‍👧",
    sign: "=",
    "alternating case": "aB",
    "alternating letters": "ab",
    mark: "A\u0301",
    base64: "QUJDa1b2Zz09+/x8",
  };
  it.each(exact)("are counted in near-linear time (%s)", (encoding) => {
    const { count } = tokenCounter(encoding);
    for (const [name, unit] of Object.entries(shapes)) {
      const small = unit.repeat(Math.ceil(8000 / unit.length));
      // Four times the text: 4 when linear, 16 when quadratic.
      expect(growth(count, small, small.repeat(4)), name).toBeLessThan(10);
    }
  });

  it("do not exhaust the stack: a million characters in one piece", () => {
    expect(tokenCounter("o200k_base").count(" ".repeat(1_000_000))).toBeGreaterThan(7_000);
  });
});

describe("the estimate for claude", () => {
  it("is marked as such, is one object per process, and never falls below the o200k count", () => {
    const claude = tokenCounter("claude");
    expect(claude.exact).toBe(false);
    expect(tokenCounter("claude")).toBe(claude);
    fc.assert(
      fc.property(anyText, (text) => {
        const base = tokenCounter("o200k_base").count(text);
        expect(claude.count(text)).toBeGreaterThanOrEqual(base);
        if (base > 0) expect(claude.count(text)).toBeGreaterThan(base);
      }),
      { numRuns: 300 },
    );
  });
});
