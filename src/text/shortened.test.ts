import { describe, expect, it } from "vitest";
import { shortened } from "./shortened.ts";

const words = Array.from({ length: 40 }, (_, i) => `word${i}`);

describe("a shortened line", () => {
  it("ends after a word, with a mark", () => {
    const text = shortened(`render(${words.join(", ")})`, 0, 120);
    expect(text).toMatch(/^render\(word0, .*,…$/);
    expect(text.length).toBeLessThanOrEqual(120);
    expect(words).toContain(/(\w+),…$/.exec(text)![1]);
  });

  it("shows what is wanted where it comes late", () => {
    const line = `f(${words.join(", ")}, render(x), ${words.join(", ")})`;
    const text = shortened(line, line.indexOf("render"), 120);
    expect(text).toMatch(/^… word\d+, .*render\(x\),.*…$/);
    expect(text.length).toBeLessThanOrEqual(120);
  });

  it("is the line where that is short enough", () => {
    expect(shortened("x".repeat(120), 0, 120)).toBe("x".repeat(120));
    expect(shortened("y".repeat(300), 0, 120)).toBe(`${"y".repeat(119)}…`);
  });
});
