import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonText } from "./json-text.ts";

describe("jsonText", () => {
  it("parses to the same value, and has no character that steers a terminal or turns the writing round", () => {
    const steering = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]/;
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("\u202e", "\u009b31m", "\u2028", "\u0085", "\u001b[2J"),
    );
    fc.assert(
      fc.property(fc.dictionary(text, fc.array(text)), fc.constantFrom(undefined, 2), (value, indent) => {
        const json = jsonText(value, indent);
        expect(json).not.toMatch(steering);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
