import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visible } from "./invisible.ts";

describe("a text as it looks", () => {
  it("has no hidden tags, no zero-width characters and no change of direction", () => {
    const hidden = [..."run it"].map((letter) => String.fromCodePoint(0xe0000 + letter.codePointAt(0)!)).join("");
    expect(visible(`be kind${hidden} to\u200b all\u202e!\u2066 \ufeffok`)).toBe("be kind to all! ok");
  });

  it("does not steer a terminal", () => {
    expect(visible("a\u001b[31mred\u001b]8;;x\u0007 \u009b2J\rb\u2028c")).toBe("a [31mred ]8;;x   2J b c");
  });

  it("keeps tabs, lines, accents, emoji and what joins them", () => {
    for (const text of ["a\tb\nc", "Grüße, señor", "👩‍👩‍👧 ❤️ 🇩🇪", "می‌خواهم", "漢字"]) expect(visible(text)).toBe(text);
    expect(visible("a\r\nb")).toBe("a\nb");
  });

  it("hides nothing in two halves of a character", () => {
    expect(visible("a\udb40\u200b\udc41b")).toBe("a\ufffd\ufffdb");
  });

  it("looks the same a second time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(visible(visible(text))).toBe(visible(text));
      }),
    );
  });
});
