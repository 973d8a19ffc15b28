import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { givesAway, questionOf } from "./commit-message.ts";

const author = "Ada Lovelace ada@example.org";

describe("the question in a commit message", () => {
  it.each([
    ["Fix session loss when the cookie is refreshed", "Fix session loss when the cookie is refreshed"],
    ["fix(context): panic on nil request (#4645)", "context: panic on nil request"],
    ["feat!: stream large responses (closes #12)", "stream large responses"],
    [
      "Retry failed uploads once\n\nThe server may be busy.\n\nSigned-off-by: Ada <ada@example.org>\nFixes: #77\n",
      "Retry failed uploads once\n\nThe server may be busy.",
    ],
  ])("of %j", (message, question) => {
    expect(questionOf(message, author)).toBe(question);
  });

  it.each([
    "Merge pull request #12 from ada/retry-failed-uploads",
    'Revert "retry failed uploads once"',
    "bump golang.org/x/net to v0.55.0",
    "chore(deps): bump the actions group with 4 updates",
    "fix(deps): bump golang.org/x/net and golang.org/x/text to patched versions",
    "docs(context): align inline comments in the form example",
    "test: cover the retry of failed uploads",
    "Started acceptance of the uploads with more tests.",
    "release version 3.1.3",
    "4.18.2",
    "update dev dependencies",
    "fix typo in error message of uploads",
    "Remove unused variable in upload handler",
    "move and update flake8 config",
    "fix build",
    "",
    "   \n\n  ",
  ])("is none in %j", (message) => {
    expect(questionOf(message, author)).toBeUndefined();
  });

  it("is none of a bot", () => {
    const message = "Retry failed uploads once more before giving up";
    expect(questionOf(message, "dependabot[bot] 49699333+dependabot[bot]@users.noreply.github.com")).toBeUndefined();
    expect(questionOf(message, author)).toBeDefined();
  });

  it("survives any message", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (message) => {
        const question = questionOf(message, author);
        expect(question === undefined || question.length <= 1500).toBe(true);
      }),
      { numRuns: 30 },
    );
    const hostile = `${"fix(".repeat(50_000)}${"#".repeat(50_000)}${" (".repeat(50_000)}${"\n".repeat(50_000)}`;
    expect(() => questionOf(hostile, author)).not.toThrow();
  });

  it("asks nothing when it names the file", () => {
    expect(givesAway("update context.go for readers", ["src/context.go"])).toBe(true);
    expect(givesAway("context: panic on nil request", ["src/context.go"])).toBe(false);
    // A file without an ending is called like a word.
    expect(givesAway("make the release faster", ["Makefile", "make"])).toBe(false);
  });
});
