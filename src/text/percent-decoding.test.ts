import fc from "fast-check";
import { expect, it } from "vitest";
import { percentDecoded } from "./percent-decoding.ts";

it("decodes escapes, and takes a percent sign that is none literally", () => {
  expect(percentDecoded("a%20b%2Fc")).toBe("a b/c");
  for (const text of ["100%", "%zz", "%E4", "50% of %20"]) expect(percentDecoded(text)).toBe(text);
});

it("gives back whatever was encoded", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => percentDecoded(encodeURIComponent(text)) === text));
});
