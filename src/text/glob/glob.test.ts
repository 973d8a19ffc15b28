import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { compileGlob, GlobError } from "./glob.ts";

const matching = (glob: string, paths: string[]) => {
  const { matches } = compileGlob(glob);
  return paths.filter(matches);
};

describe("a glob", () => {
  it("matches within a segment with stars and question marks", () => {
    expect(matching("src/*.ts", ["src/a.ts", "src/.ts", "src/b/c.ts"])).toEqual(["src/a.ts", "src/.ts"]);
    expect(matching("a/*", ["a/b", "a", "a/b/c"])).toEqual(["a/b"]);
    expect(matching("?.md", ["a.md", ".md", "ab.md", "😀.md"])).toEqual(["a.md", "😀.md"]);
  });

  it("matches any number of segments with two stars", () => {
    expect(matching("**/a", ["a", "b/a", "b/c/a", "ba"])).toEqual(["a", "b/a", "b/c/a"]);
    expect(matching("a/**", ["a", "a/b", "a/b/c", "ab"])).toEqual(["a", "a/b", "a/b/c"]);
    expect(matching("a/**/b", ["a/b", "a/x/y/b", "a/xb"])).toEqual(["a/b", "a/x/y/b"]);
    expect(matching("a**b", ["ab", "axb", "a/b"])).toEqual(["ab", "axb"]);
  });

  it("chooses between what is in braces, and takes braces without a choice as written", () => {
    expect(matching("*.{ts,{m,c}js}", ["a.ts", "a.mjs", "a.cjs", "a.js"])).toEqual(["a.ts", "a.mjs", "a.cjs"]);
    expect(matching("{src/**,docs}/*.md", ["src/a.md", "src/b/a.md", "docs/a.md"])).toEqual([
      "src/a.md",
      "src/b/a.md",
      "docs/a.md",
    ]);
    expect(matching("{a}", ["a", "{a}"])).toEqual(["{a}"]);
    expect(matching("v{9..11}{a..b}", ["v9a", "v10b", "v11c", "v8a"])).toEqual(["v9a", "v10b"]);
  });

  it("takes one of what is in brackets, or the brackets as they are written", () => {
    expect(matching("[a-c]", ["b", "d", "[a-c]"])).toEqual(["b", "[a-c]"]);
    expect(matching("[!a-c]x", ["bx", "dx", "/x"])).toEqual(["dx"]);
    expect(matching("[[:digit:]_]", ["7", "_", "a"])).toEqual(["7", "_"]);
    expect(matching("app/[id]/(shop)/+page", ["app/[id]/(shop)/+page"])).toHaveLength(1);
  });

  it("takes what is escaped or never closed as written", () => {
    expect(matching("\\*\\{a,b\\}", ["*{a,b}", "xa"])).toEqual(["*{a,b}"]);
    expect(matching("a[b", ["a[b", "ab"])).toEqual(["a[b"]);
    expect(matching("a{b,c", ["a{b,c", "ab"])).toEqual(["a{b,c"]);
  });

  it("repeats what is in marked parentheses", () => {
    expect(matching("@(a|b)c", ["ac", "bc", "c"])).toEqual(["ac", "bc"]);
    expect(matching("?(a|b)c", ["ac", "c", "abc"])).toEqual(["ac", "c"]);
    expect(matching("+(a|b)c", ["abac", "c"])).toEqual(["abac"]);
    expect(matching("*(a|b)c", ["abac", "c", "xc"])).toEqual(["abac", "c"]);
  });

  it("is refused with a reason where it asks too much", () => {
    expect(() => compileGlob("*".repeat(501))).toThrow(GlobError);
    expect(() => compileGlob("{1..99999}")).toThrow(GlobError);
    expect(() => compileGlob("{1..999}".repeat(9))).toThrow(GlobError);
    expect(() => compileGlob("!(a)")).toThrow(GlobError);
  });
});

const word = fc.stringMatching(/^[ab.]{1,3}$/).filter((text) => !/^\.+$/.test(text));
const path = fc.array(word, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("/"));
const within = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("a", "b", ".") },
  fc.constantFrom("*", "?", "[ab]", "[^a]", "[a-b]", "{a,b}", "{a,b.}", "\\a"),
);
const segment = fc.oneof(
  fc.constant("**"),
  fc
    .array(within, { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join(""))
    // No folder of a path is called so.
    .filter((text) => !/^\.+$/.test(text)),
);
const glob = fc
  .array(segment, { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join("/"))
  // Where picomatch is no reference: two stars that are no whole segment are tested above. Behind a bracket or a brace
  // it takes a star or a question mark as a regular expression does, which no shell does. It knows `[^a]`, but not
  // `[!a]`.
  .filter((text) => !/[^/]\*\*|\*\*[^/]|[\]}][*?]/.test(text));

describe("properties of globs", () => {
  it("matches ordinary patterns as picomatch does", () => {
    fc.assert(
      fc.property(glob, fc.array(path, { minLength: 5, maxLength: 10 }), (pattern, paths) => {
        const { matches } = compileGlob(pattern);
        const expected = picomatch(pattern, { dot: true, nonegate: true });
        for (const each of paths) expect([pattern, each, matches(each)]).toEqual([pattern, each, expected(each)]);
      }),
      { numRuns: 2000 },
    );
  });

  it("takes steps in proportion to the path, whatever the pattern", () => {
    const hostile = fc
      .array(fc.constantFrom("*", "?", "**/", "a", "{a,b}", "{*,?}", "[ab]", "+(a|*)", "*(*a|?)", "/"), {
        minLength: 1,
        maxLength: 60,
      })
      .map((parts) => parts.join(""));
    const long = fc.stringMatching(/^[abc/]{0,300}$/);
    fc.assert(
      fc.property(hostile, long, (pattern, each) => {
        const { matches, steps, states } = compileGlob(pattern);
        const before = steps();
        matches(each);
        expect(steps() - before).toBeLessThanOrEqual(each.length * 2 * states);
      }),
    );
  });

  it("never fails in another way than by its own error", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\\{}()[\]!@+*?^:|,.a/-]{0,40}$/), path, (pattern, each) => {
        try {
          compileGlob(pattern).matches(each);
        } catch (error) {
          expect(error).toBeInstanceOf(GlobError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
