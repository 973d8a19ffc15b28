import { describe, expect, it } from "vitest";
import { changeTags, readTags } from "./tags.ts";

const many = (count: number) => Array.from({ length: count }, (_, i) => `t${i}`);

describe("tags", () => {
  it("are lower case and each there once, in the order given", () => {
    expect(readTags([" Auth", "api", "AUTH", "öl"])).toEqual(["auth", "api", "öl"]);
    expect(readTags(many(20))).toHaveLength(20);
  });

  it("name the limit that they break", () => {
    expect(() => readTags(many(21))).toThrow("21 tags are too many; a memory has at most 20.");
    expect(() => readTags(["x".repeat(61)])).toThrow("61 characters long; at most 60 are kept");
    expect(() => readTags([" "])).toThrow("A tag is empty.");
    expect(() => changeTags(many(20), { add: ["one"] })).toThrow("21 tags are too many");
  });

  it("are added and taken away without regard to case, and those that stay stay as they are", () => {
    expect(changeTags(["API", "old", "x"], { add: ["api", "New"], remove: ["OLD", "none"] })).toEqual([
      "API",
      "x",
      "new",
    ]);
    expect(changeTags(many(20), { add: ["one"], remove: ["t3"] })).toHaveLength(20);
  });
});
