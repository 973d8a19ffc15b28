import { expect, test } from "vitest";
import { extract } from "./extract.ts";
import { knownLanguages } from "./known-languages.ts";

test.each([
  "a.md",
  "a.rst",
  "a.adoc",
  "a.org",
  "a.tex",
  "a.html",
  "a.txt",
  "a.py",
  "a.json",
  "go.mod",
  "Makefile.am",
  "LICENSE",
  "a.unknown",
])("the language of %s is known", async (path) => {
  expect(knownLanguages).toContain((await extract(path, "a\n")).language);
});
