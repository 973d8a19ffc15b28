import fc from "fast-check";
import { expect, it } from "vitest";
import { documentContent, largestDocument } from "./document-content.ts";

it("keeps any text as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      fc.pre(!text.includes("\0") && !text.includes("\ufffd"));
      expect(documentContent(text)).toBe(text);
    }),
  );
});

it("refuses pictures and programs, whatever they were read as", () => {
  expect(() => documentContent("a\0b")).toThrow(/NUL/);
  const picture = Buffer.from([0x89, 0x50, 0xff, 0xd8, 0xe0, 0x9f, 0xc3, 0x28, 0xfe, 0xfa, 0xf1]).toString("utf8");
  expect(() => documentContent(picture.repeat(20))).toThrow(/not UTF-8/);
  expect(documentContent("An old \ufffd among many letters")).toContain("\ufffd");
});

it("measures bytes, not characters", () => {
  expect(documentContent("x".repeat(largestDocument))).toHaveLength(largestDocument);
  expect(() => documentContent("é".repeat(largestDocument / 2 + 1))).toThrow(/5\.001 MB long; at most 5 MB/);
});

it("puts a whole character in the place of half a one", () => {
  expect(documentContent("a\ud800b")).toBe("a\ufffdb");
});
