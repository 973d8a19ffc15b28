import { describe, expect, it } from "vitest";
import type { SkipReason } from "../../tree/reasons.ts";
import { leftOutSentence } from "./left-out.ts";

const sentence = (...skipped: [string, SkipReason][]) => leftOutSentence(new Map(skipped));

describe("the sentence about what was left out", () => {
  it("names the path, the reason and the option that helps", () => {
    expect(sentence(["big.md", "too-large"])).toBe(
      "Not read: big.md (larger than the size limit); dossier index --max-file-bytes raises the limit.",
    );
  });

  it("names no option for formats whose limit it does not raise", () => {
    expect(sentence(["big.txt", "too-large"])).toBe(
      "Not read: big.txt (larger than the size limit); a .txt file is read up to 524 kB.",
    );
  });

  it("counts many paths, those of the most common reason first", () => {
    expect(sentence(["x.min.js", "minified"], ["a.png", "binary"], ["b.png", "binary"], ["c.png", "binary"])).toBe(
      "Not read: 3 paths (not text), x.min.js (minified: lines too long to read).",
    );
  });

  it("is absent where nothing was left out, and for what is read as notes", () => {
    expect(sentence(["tana.json", "notes"])).toBeUndefined();
  });
});
