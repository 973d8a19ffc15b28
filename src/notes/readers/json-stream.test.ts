import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growth } from "../../../tests/project/growth.ts";
import { type Choose, JsonError, scanJson } from "./json-stream.ts";

type Part = { path: string; text: string };

/** Opens the document and the array `docs`, and takes everything else. */
const members: Choose = (path) => (path === "" || path === "docs" ? "open" : "take");

function scan(text: string | Uint8Array, choose: Choose = members, cuts: number[] = []): Part[] {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  const parts: Part[] = [];
  const scanner = scanJson(choose, (path, part) => parts.push({ path, text: part }));
  let from = 0;
  for (const cut of [...cuts].sort((one, other) => one - other)) {
    scanner.write(bytes.subarray(from, cut));
    from = Math.max(from, cut);
  }
  scanner.write(bytes.subarray(from));
  scanner.end();
  return parts;
}

function reason(text: string, choose?: Choose): string {
  try {
    scan(text, choose);
  } catch (error) {
    if (error instanceof JsonError) return error.reason;
    throw error;
  }
  return "no error";
}

/** The document as its parts say it. */
function rebuilt(parts: Part[]): unknown {
  const object: Record<string, unknown> = Object.create(null);
  const docs: unknown[] = [];
  for (const { path, text } of parts) {
    if (path === "docs[]") docs.push(JSON.parse(text));
    else object[path] = JSON.parse(text);
  }
  return Object.assign({}, object, { docs });
}

/** Quotes, escapes, brackets and characters of one to four bytes. */
const text = fc
  .array(fc.constantFrom('"', "\\", "{", "]", ",", "a", "é", "–", "🏔", "\n", "\u0000", "\ud83c"))
  .map((all) => all.join(""));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, false),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(text, tie("value"), { maxKeys: 4 }),
  ),
}));
const blank = fc.stringMatching(/^[ \n\t\r]{0,3}$/);

describe("the JSON scanner", () => {
  it("yields what JSON.parse does, wherever the bytes are cut", () => {
    const key = text.filter((name) => !["docs", "__proto__", "", "docs[]"].includes(name));
    const document = fc.record({
      before: fc.dictionary(key, value, { maxKeys: 4 }),
      docs: fc.array(value, { maxLength: 6 }),
      after: fc.dictionary(key, value, { maxKeys: 4 }),
      spaced: fc.option(fc.nat(4)),
      padding: fc.tuple(blank, blank),
    });
    fc.assert(
      fc.property(
        document,
        fc.array(fc.nat(400), { maxLength: 12 }),
        ({ before, docs, after, spaced, padding }, cuts) => {
          const json =
            padding[0] + JSON.stringify({ ...before, docs, ...after }, null, spaced ?? undefined) + padding[1];
          expect(rebuilt(scan(json, members, cuts))).toEqual(JSON.parse(json));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("yields the same from single bytes", () => {
    const text = '\uFEFF{"name":"Zürich 🏔 \\"\\\\\\u00e9","docs":[1,-2.5e3,"ä\\\\",{"a":[{}]},[],null,true]}';
    const every = [...Buffer.from(text).keys()];
    const parts = scan(text, members, every);
    expect(parts.map((part) => part.text)).toEqual([
      '"Zürich 🏔 \\"\\\\\\u00e9"',
      "1",
      "-2.5e3",
      '"ä\\\\"',
      '{"a":[{}]}',
      "[]",
      "null",
      "true",
    ]);
    expect(parts[0]!.path).toBe("name");
  });

  it("looks only inside what it is told to open, and passes over the rest without keeping it", () => {
    const choose: Choose = (path) => (["", "storeData", "storeData.docs"].includes(path) ? "open" : "skip");
    const text = '{"junk":{"docs":[1]},"storeData":{"docs":[{"id":1}],"x":[[["]"]]]},"n":3}';
    expect(scan(text, choose)).toEqual([]);
    const taking: Choose = (path, begins) => (path === "storeData.docs[]" ? "take" : choose(path, begins));
    expect(scan(text, taking)).toEqual([{ path: "storeData.docs[]", text: '{"id":1}' }]);
  });

  it("hands over what cannot be opened, and a document that is no object", () => {
    expect(scan('{"docs":"[1]"}')).toEqual([{ path: "docs", text: '"[1]"' }]);
    expect(scan(" 12 ")).toEqual([{ path: "", text: "12" }]);
    expect(scan("12")).toEqual([{ path: "", text: "12" }]);
    expect(scan("[1,2]").map(({ path }) => path)).toEqual(["[]", "[]"]);
    expect(scan("{}")).toEqual([]);
  });

  it("notices every cut of a document as truncated", () => {
    const text = '{"a":{"b":"}"},"docs":[{"id":"x\\""},{"id":2}],"n":12.5}';
    for (let end = 1; end < text.length; end++) expect(reason(text.slice(0, end))).toBe("truncated");
    expect(reason(text)).toBe("no error");
    for (const empty of ["", " \n", "\uFEFF"]) expect(reason(empty)).toBe("empty");
  });

  it.each([
    "{docs:[]}",
    '{"docs":[1,]}',
    '{"docs":[,1]}',
    '{"docs":[1 2]}',
    '{"docs" [1]}',
    '{"docs":[]}}',
    '{"docs":[]} {"docs":[]}',
    '{"docs":[nonsense]}',
    '{"docs":[{"a":[}]}]}',
    '{"docs":[{"a":[1}}]}',
    '{"a":1,}',
    '{"docs":[1}',
    "<html>",
    "PK\u0003\u0004",
  ])("refuses %s as malformed", (text) => {
    expect(reason(text)).toBe("malformed");
  });

  it("never takes for JSON what JSON.parse refuses, when everything is handed over and parsed", () => {
    const nearly = fc
      .tuple(fc.json({ maxDepth: 3 }), fc.nat(200), fc.constantFrom("", ",", "]", "}", '"', "{", "[", ":", "1", "\\"))
      .map(([text, at, inserted]) => `{"docs":[${text.slice(0, at)}${inserted}${text.slice(at)}]}`);
    fc.assert(
      fc.property(nearly, (text) => {
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(() => rebuilt(scan(text))).toThrow();
          return;
        }
        // A key that comes twice is handed over twice; nothing else may differ.
        expect(JSON.stringify((rebuilt(scan(text)) as { docs: unknown }).docs)).toBe(
          JSON.stringify((expected as { docs: unknown }).docs),
        );
      }),
      { numRuns: 500 },
    );
  });

  it("passes a hundred thousand levels without recursion", () => {
    const deep = `{"docs":[${"[".repeat(100_000)}${"]".repeat(100_000)}]}`;
    expect(scan(deep)[0]!.text).toHaveLength(200_000);
  });

  it("takes time in proportion to the document", () => {
    const document = (count: number) => Buffer.from(`{"docs":[${Array(count).fill('{"id":"a\\"b","n":[1]}').join()}]}`);
    expect(growth((bytes) => scan(bytes), document(2_000), document(16_000))).toBeLessThan(20);
  });
});
