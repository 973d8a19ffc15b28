import { describe, expect, it } from "vitest";
import { asSentence } from "./as-sentence.ts";

describe("a message as a sentence", () => {
  it("ends in a full stop, once", () => {
    expect(["no such file", "Gone.", "Really?", "no such file\n"].map(asSentence)).toEqual([
      "no such file.",
      "Gone.",
      "Really?",
      "no such file.",
    ]);
  });

  it("is one line that does not steer the terminal", () => {
    expect(asSentence("fatal:\r\n\tnot a repository\u2028\u001b[31m\u009b1m")).toBe("fatal: not a repository [31m 1m.");
  });

  it("keeps the blanks of a path", () => {
    expect(asSentence('There is no "/tmp/a  b"')).toBe('There is no "/tmp/a  b".');
  });
});
