import { describe, expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { context } from "../../index.ts";

const tree = {
  "src/lexer.py": [
    ...["setter", "getToken", "choices", "pattern", "min_values", "Bracket"].map(
      (name) => `def ${name}(source):\n    return source\n`,
    ),
    ...["drawBoard", "authenticate", "filenames"].map((name) => `def ${name}(source):\n    return source\n`),
  ].join("\n\n"),
};
const ask = async (query: string) => (await context({ query, path: folder(tree) })).text;

describe("what is named as near to an unknown word", () => {
  it.each(["letter", "invoices", "basket", "unicorn"])("is nothing for %s: other words are no nearer", async (word) => {
    const text = await ask(`${word} zebra`);
    expect(text).toContain(`Not in this workspace: ${word}, zebra.`);
    expect(text).not.toContain("near:");
  });

  it.each([
    ["drawn", "drawBoard"],
    ["autenticate", "authenticate"],
    ["filenmes", "filenames"],
  ])("is what is written nearly as %s, or is a form of it", async (word, name) => {
    expect(await ask(`${word} zebra`)).toMatch(new RegExp(`${word} \\(near: [^)]*${name}`));
  });
});
