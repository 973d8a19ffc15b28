import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutPart, withPart } from "./json-edit.ts";
import { type JsonNode, lineAndColumn, nodeAt, readJson } from "./parse-json.ts";

function node(text: string): JsonNode {
  const read = readJson(text);
  if ("fault" in read) throw new Error(`${read.fault.what} at ${read.fault.offset}: ${text}`);
  return read;
}

function fault(text: string): string {
  const read = readJson(text);
  if (!("fault" in read)) return "none";
  const { line, column } = lineAndColumn(text, read.fault.offset);
  return `${line}:${column} ${read.fault.what}`;
}

const key = fc.string({ maxLength: 8 });
const { tree: anyJson } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(key, tie("tree"), { maxKeys: 4 }),
  ),
}));

/** What may stand between two parts of a JSON text that a person wrote. */
const gap = fc.oneof(
  fc.constantFrom("", " ", "\n", "\r\n", "\n  ", "\t", "\n\n    "),
  fc.constantFrom("// said, {the} [user]\n", '  // " quote\r\n', "/* one */", "\n/* two\n lines */ \n"),
);

/** A list of objects, written in one of many ways. */
const anyList = fc
  .record({
    values: fc.array(anyJson, { maxLength: 5 }),
    gaps: fc.array(gap, { minLength: 20, maxLength: 20 }),
    trailing: fc.boolean(),
    pretty: fc.constantFrom(undefined, 2, "\t"),
  })
  .map(({ values, gaps, trailing, pretty }) => {
    let next = 0;
    const blank = () => gaps[next++ % gaps.length]!;
    const parts = values.map((value, at) => {
      const comma = at < values.length - 1 || trailing ? `${blank()},` : "";
      return `${blank()}${JSON.stringify(value, null, pretty)}${comma}`;
    });
    return { values, text: `${blank()}[${parts.join("")}${blank()}]${blank()}` };
  });

describe("JSON written by people", () => {
  it("means what JSON.parse says it means", () => {
    fc.assert(
      fc.property(anyJson, fc.constantFrom(undefined, 2, "\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(node(text).value).toEqual(JSON.parse(text));
      }),
    );
  });

  it("is refused where JSON.parse refuses it, unless for a comment or a last comma", () => {
    fc.assert(
      fc.property(anyJson, fc.nat(), fc.constantFrom("", '"', "}", "]", ":", "x", "\\", "\u0000"), (value, at, put) => {
        const whole = JSON.stringify(value);
        const position = at % whole.length;
        const text = whole.slice(0, position) + put + whole.slice(position + 1);
        fc.pre(!text.includes("//") && !text.includes("/*") && !/,\s*[\]}]/.test(text));
        let parsed: { value: unknown } | undefined;
        try {
          parsed = { value: JSON.parse(text) };
        } catch {
          parsed = undefined;
        }
        const read = readJson(text);
        if (parsed && "fault" in read) expect(read.fault.what).toMatch(/twice/);
        else if (parsed) expect(read).toMatchObject({ value: parsed.value });
        else expect(read).toHaveProperty("fault");
      }),
      { numRuns: 500 },
    );
  });

  it("may have comments, last commas and a byte order mark", () => {
    expect(node('\ufeff// mine\n{ "a": [1, /* two */ 2,], // "b": 3\n}').value).toEqual({ a: [1, 2] });
  });

  it.each([
    ["", "1:1 is empty"],
    [" // nothing", "1:12 is empty"],
    ["{", "1:2 ends where a key in double quotes should be"],
    ['{"a": 1,\n "a": 2}', '2:2 has the key "a" twice'],
    ['{"a" 1}', "1:6 lacks a colon"],
    ['{\n  "a": }', "2:8 lacks a value"],
    ["{a: 1}", "1:2 lacks a key in double quotes"],
    ['{"a": 1 "b": 2}', "1:9 lacks a comma or }"],
    ['["a\n"]', "1:2 has a text without a closing quote"],
    ['["\\x"]', "1:2 has a text with a control character or an unknown escape"],
    ["[1] 2", "1:5 goes on after its end"],
    ["[01]", "1:3 lacks a comma or ]"],
    ["/* a", "1:1 has a comment without an end"],
    ["[".repeat(1_000_000), "1:102 is nested more than 100 deep"],
  ])("%# is refused at the place that is wrong", (text, expected) => {
    expect(fault(text)).toBe(expected);
  });

  it("keeps names that objects are born with", () => {
    const { value } = node('{"__proto__": {"x": 1}, "constructor": 2}');
    expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it("knows where everything is", () => {
    const text = '{\n  "a": [\n    { "b": true }\n  ]\n}';
    const { start, end } = nodeAt(node(text), ["a", 0, "b"]);
    expect(text.slice(start, end)).toBe("true");
    expect(lineAndColumn(text, start)).toEqual({ line: 3, column: 12 });
    expect(nodeAt(node(text), ["a", 0, "missing"]).start).toBe(text.indexOf("{ "));
  });
});

describe("a change to such a text", () => {
  const remarks = (text: string) => text.match(/said, \{the\}|" quote|\/\* one \*\/|two\n lines/g) ?? [];

  it("adds to any list and loses nothing", () => {
    fc.assert(
      fc.property(anyList, anyJson, ({ text, values }, added) => {
        const changed = withPart(text, node(text), added);
        expect(node(changed).value).toEqual(JSON.parse(JSON.stringify([...values, added])));
        expect(remarks(changed)).toEqual(expect.arrayContaining(remarks(text)));
      }),
    );
  });

  it("takes one out of any list and leaves the others", () => {
    fc.assert(
      fc.property(anyList, fc.nat(), ({ text, values }, at) => {
        fc.pre(values.length > 0);
        const position = at % values.length;
        const changed = withoutPart(text, node(text), position);
        expect(node(changed).value).toEqual(JSON.parse(JSON.stringify(values.toSpliced(position, 1))));
      }),
      { numRuns: 300 },
    );
  });

  it("leaves a strict text strict", () => {
    const text = '{\n\t"notes": [\n\t\t{ "name": "a" },\n\t\t{ "name": "b" }\n\t]\n}\n';
    const list = (from: string) => nodeAt(node(from), ["notes"]);
    const added = withPart(text, list(text), { name: "c" });
    expect(added).toBe(
      '{\n\t"notes": [\n\t\t{ "name": "a" },\n\t\t{ "name": "b" },\n\t\t{\n\t\t\t"name": "c"\n\t\t}\n\t]\n}\n',
    );
    expect(withoutPart(added, list(added), 2)).toBe(text);
    expect(withoutPart(text, list(text), 0)).toBe('{\n\t"notes": [\n\t\t{ "name": "b" }\n\t]\n}\n');
    expect(JSON.parse(withPart("{}", node("{}"), [], "notes"))).toEqual({ notes: [] });
  });

  it("keeps remarks with what they are about", () => {
    const text = "[\n  1, // one\n  2 // two\n  // the end\n]";
    expect(withPart(text, node(text), 3)).toBe("[\n  1, // one\n  2, // two\n  // the end\n  3\n]");
    expect(withoutPart(text, node(text), 1)).toBe("[\n  1 // one\n  // the end\n]");
    expect(withoutPart(text, node(text), 0)).toBe("[\n  2 // two\n  // the end\n]");
  });

  it("keeps the line ends of the text", () => {
    const text = "[\r\n  1\r\n]\r\n";
    expect(withPart(text, node(text), { a: 1 })).toBe('[\r\n  1,\r\n  {\r\n    "a": 1\r\n  }\r\n]\r\n');
  });
});
