import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText, splitLines, utf8Pieces } from "./lines.ts";

describe("splitLines", () => {
  it.each([
    ["", []],
    ["a", ["a"]],
    ["a\n", ["a"]],
    ["a\n\n", ["a", ""]],
    ["\n", [""]],
    ["a\r\nb\r\n", ["a", "b"]],
    ["a\rb\nc", ["a\rb", "c"]],
    ["a\r", ["a\r"]],
    ["a\r\nb\r", ["a", "b\r"]],
    ["a\r\r\n", ["a\r"]],
    ["a\u2028b\u0085c\n", ["a\u2028b\u0085c"]],
  ])("splits %j into %j", (text, lines) => {
    expect(splitLines(text)).toEqual(lines);
  });

  it("gives back the text when the lines are joined by their line ends", () => {
    const text = fc
      .array(fc.constantFrom("a", "\n", "\r", "\r\n", " ", "é"), { maxLength: 30 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (text) => {
        const lines = splitLines(text);
        const joined = lines.join("\n") + (text.endsWith("\n") ? "\n" : "");
        expect(joined).toBe(text.replace(/\r\n/g, "\n"));
      }),
    );
  });
});

describe("decodeText", () => {
  const bytes = (...values: (number | string)[]) =>
    Buffer.concat(values.map((value) => (typeof value === "string" ? Buffer.from(value) : Buffer.of(value))));

  it("reads UTF-8 and drops its byte order mark", () => {
    expect(decodeText(bytes("naïve 漢字 😀"))).toEqual({ text: "naïve 漢字 😀", valid: true });
    expect(decodeText(bytes(0xef, 0xbb, 0xbf, "x"))).toEqual({ text: "x", valid: true });
    expect(decodeText(bytes(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf, "x"))).toEqual({ text: "x", valid: true });
    expect(decodeText(new Uint8Array())).toEqual({ text: "", valid: true });
  });

  it("replaces what is not UTF-8 and says so", () => {
    expect(decodeText(bytes("a", 0xff, "b"))).toEqual({ text: "a\ufffdb", valid: false });
    expect(decodeText(bytes("a", 0xc3))).toEqual({ text: "a\ufffd", valid: false });
  });

  it("reads UTF-16 of both byte orders by its mark", () => {
    const little = Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from("né😀\n", "utf16le")]);
    const big = Buffer.concat([Buffer.of(0xfe, 0xff), Buffer.from("né😀\n", "utf16le").swap16()]);
    expect(decodeText(little)).toEqual({ text: "né😀\n", valid: true });
    expect(decodeText(big)).toEqual({ text: "né😀\n", valid: true });
  });

  it("marks UTF-16 with half a character or half a unit as damaged", () => {
    expect(decodeText(Buffer.of(0xff, 0xfe, 0x41, 0x00, 0x42))).toEqual({ text: "A", valid: false });
    expect(decodeText(Buffer.of(0xff, 0xfe, 0x00, 0xd8))).toEqual({ text: "\ufffd", valid: false });
  });

  it("does not change the bytes it is given", () => {
    const big = Buffer.of(0xfe, 0xff, 0x00, 0x41);
    decodeText(big);
    expect([...big]).toEqual([0xfe, 0xff, 0x00, 0x41]);
  });
});

describe("utf8Pieces", () => {
  it("reads pieces as decodeText reads the whole, wherever it is cut", () => {
    const encodings = { utf8: Buffer.from(""), little: Buffer.of(0xff, 0xfe), big: Buffer.of(0xfe, 0xff) };
    const text = fc.string({ unit: fc.constantFrom("a", "é", "数", "🚢", "\n") });
    const name = fc.constantFrom(...(Object.keys(encodings) as (keyof typeof encodings)[]));
    fc.assert(
      fc.property(text, name, fc.array(fc.integer({ min: 2, max: 9 })), (text, name, sizes) => {
        const units = Buffer.from(text, name === "utf8" ? "utf8" : "utf16le");
        const bytes = Buffer.concat([encodings[name], name === "big" ? units.swap16() : units]);
        const pieces: Uint8Array[] = [];
        const piece = utf8Pieces();
        for (let from = 0; from < bytes.length; ) {
          const size = sizes.shift() ?? 5;
          pieces.push(piece(bytes.subarray(from, from + size)));
          from += size;
        }
        expect(Buffer.concat(pieces).toString("utf8")).toBe(decodeText(bytes).text);
      }),
    );
  });
});
