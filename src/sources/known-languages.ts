import { languages } from "./code/languages.ts";
import { configLanguages } from "./file/config.ts";

const documentLanguages = ["markdown", "restructuredtext", "asciidoc", "org", "rdoc", "roff", "latex", "html", "text"];

/** Every language of items, in alphabetical order. */
export const knownLanguages: readonly string[] = [
  ...new Set([...languages.map(({ id }) => id), ...configLanguages, ...documentLanguages]),
].sort();
