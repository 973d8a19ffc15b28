import { expect, it } from "vitest";
import { withoutMarks } from "./comments.ts";

it.each([
  ["/** Adds. */", "Adds."],
  ["/**\n * Adds.\n *\n * @param x one\n */", "Adds.\n\n@param x one"],
  ["// one", "one"],
  ["/// one", "one"],
  ["//! one", "one"],
  ["# one", "one"],
  ["-- | one", "one"],
  ['"""One.\n\n    Two.\n        Three.\n    """', "One.\n\nTwo.\n    Three."],
  ["r'''raw'''", "raw"],
  ['/// <summary>Adds to <see cref="Sum"/>.</summary>', "Adds to Sum."],
  ["<#\n.SYNOPSIS\nOne\n#>", ".SYNOPSIS\nOne"],
  ["=begin\none\n=end", "one"],
  ["", ""],
  ["/*", ""],
  ['"', ""],
])("%j says %j", (comment, text) => {
  expect(withoutMarks(comment)).toBe(text);
});
