import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyse, isStopWord, looksLikeIdentifier, splitIdentifier } from "./analyse.ts";

describe("analyse", () => {
  it.each([
    ["HTTPServer2_fooBar", ["http", "server", "foo", "bar", "httpserver2_foobar"]],
    ["parseQuery", ["pars", "queri", "parsequery"]],
    ["snake_case_name", ["snake", "case", "name", "snake_case_name"]],
    ["__init__", ["init"]],
    ["$scope.$apply", ["scope", "appli", "scope_apply"]],
    ["os.path.join", ["os", "path", "join", "path_join"]],
    ["well-known caches", ["well", "known", "well_known", "cach"]],
    ["The user's tokens don't expire", ["user", "token", "expir"]],
    ["naïve Größen", ["naïve", "größen"]],
    ["ﬁle ＡＢＣ", ["file", "abc"]],
    ["利用者登録", ["利用", "用者", "者登", "登録"]],
    ["字", ["字"]],
    ["API設定file", ["api", "設定", "file"]],
    ["日本語テキスト処理", ["日本", "本語", "語テ", "テキ", "キス", "スト", "ト処", "処理"]],
    ["port 5432", ["port", "5432"]],
    ["", []],
    ["--- *** ...", []],
    ["__.__", []],
  ])("%j -> %j", (text, terms) => {
    expect(analyse(text)).toEqual(terms);
  });

  it("keeps stop words when asked", () => {
    expect(analyse("to be or not to be", { dropStopWords: false })).toEqual(["to", "be", "or", "not", "to", "be"]);
    expect(analyse("to be or not to be")).toEqual(["not"]);
    expect(isStopWord("the")).toBe(true);
    expect(isStopWord("cache")).toBe(false);
  });

  it("finds a name by its parts, however it is written", () => {
    const parts = ["process", "payment"];
    for (const name of ["processPayment", "process_payment", "ProcessPayment", "process-payment", "PROCESS_PAYMENT"]) {
      expect(analyse(name).filter((term) => parts.includes(term))).toEqual(parts);
    }
  });

  it("drops what is too long to be a word", () => {
    expect(analyse(`a ${"x".repeat(65)} ${"aB3".repeat(100)} b1`)).toEqual(["b", "b1"]);
  });

  it("yields terms of letters, digits, marks and underscores only, whatever the text", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "binary" }),
      fc
        .array(
          fc.constantFrom(
            "a",
            "B",
            "_",
            "$",
            ".",
            "-",
            "'",
            "’",
            "1",
            "漢",
            "ー",
            "é",
            " ",
            "ǅ",
            "İ",
            "½",
            "\ud800",
            "𝒜",
          ),
        )
        .map((all) => all.join("")),
    );
    fc.assert(
      fc.property(text, fc.boolean(), (text, dropStopWords) => {
        const good = (term: string) => /^[\p{L}\p{N}\p{M}_]+$/u.test(term) && term === term.toLowerCase();
        expect(analyse(text, { dropStopWords }).filter((term) => !good(term))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it("gives the same terms for a word alone and among others, the first time and again", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme-ascii" }), { maxLength: 5 }), (texts) => {
        const together = analyse(texts.join(" | "));
        expect(together).toEqual(texts.flatMap((text) => analyse(text)));
        expect(analyse(texts.join(" | "))).toEqual(together);
      }),
    );
  });

  it("reads megabytes without a space", () => {
    expect(analyse("b.".repeat(200_000)).length).toBe(200_000);
    expect(analyse("é-".repeat(200_000)).length).toBe(200_000);
    expect(analyse("漢".repeat(100_000)).length).toBe(99_999);
    expect(analyse("a".repeat(1_000_000))).toEqual([]);
  });
});

describe("splitIdentifier", () => {
  it.each([
    ["HTTPServer2_fooBar", ["http", "server", "2", "foo", "bar"]],
    ["getURLForID", ["get", "url", "for", "id"]],
    ["utf8Decode", ["utf", "8", "decode"]],
    ["ÉcoleMaternelle", ["école", "maternelle"]],
    ["___", []],
  ])("%s -> %j", (identifier, parts) => {
    expect(splitIdentifier(identifier)).toEqual(parts);
  });
});

describe("looksLikeIdentifier", () => {
  it("tells names from words", () => {
    for (const name of ["fooBar", "foo_bar", "os.path", "run()", "HTTPServer", "$el"])
      expect(looksLikeIdentifier(name)).toBe(true);
    for (const word of ["word", "Word", "two words", "1.5", ""]) expect(looksLikeIdentifier(word)).toBe(false);
  });
});
