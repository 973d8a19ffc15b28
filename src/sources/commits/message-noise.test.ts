import { describe, expect, it } from "vitest";
import { tellingLines } from "./message-noise.ts";

const told = (message: string) => {
  const lines = message.split("\n");
  return tellingLines(lines).map((index) => lines[index]);
};

describe("lines of a commit's message that tell something", () => {
  it("are not trailers, robots' lines or bare steps of a squash", () => {
    const message = [
      "Change concat dims to be Hashable (#6121)",
      "",
      "* Change concat dims to be Hashable",
      "",
      "* Update xarray/core/concat.py",
      "",
      "Co-authored-by: A B <a@example.org>",
      "",
      "* typos",
      "",
      "* [pre-commit.ci] auto fixes from pre-commit.com hooks",
      "",
      "for more information, see https://pre-commit.ci",
      "",
      "* Keep strings, since a tuple is a name too",
      "",
      "---------",
      "",
      "Signed-off-by: A B <a@example.org>",
    ].join("\n");
    expect(told(message)).toEqual([
      "Change concat dims to be Hashable (#6121)",
      "",
      "* Change concat dims to be Hashable",
      "",
      "* Keep strings, since a tuple is a name too",
    ]);
  });

  it("are all of them in a message without such lines, and the subject always", () => {
    for (const message of [
      "typos",
      "Update a.py\n\nIt was wrong.",
      "* typos\n* Update a.py",
      "Fix it\n\n* fix tests that hid the bug\n\n* b",
    ])
      expect(told(message)).toEqual(message.split("\n"));
  });

  it("are all of them where only one would be hidden", () => {
    const message = "Fix it\n\nIt was wrong.\n\nSigned-off-by: A <a@example.org>";
    expect(told(message)).toEqual(message.split("\n"));
  });
});
