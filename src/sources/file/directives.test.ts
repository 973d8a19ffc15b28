import { expect, it } from "vitest";
import { extractConfig } from "./config.ts";

const filler = Array.from({ length: 30 }, (_, i) => `# What switch ${i} is for.\nswitch-${i} yes\n`).join("\n");
const text = `# How to start: see the manual.

${filler}
################### MEMORY ###################

# Which keys go first. You can select:
#
# volatile -> those that expire.
# all      -> any.
#
# The default is:
#
# memory-policy none

# Pages in memory.
# More pages are faster.
pages 12
pages-max 20
# Where the log goes.
logfile ""
`;

const unitsOf = (path: string, content: string) => extractConfig(path, content).units;
const shown = (name: string) => {
  const unit = unitsOf("shop.conf", text).find((each) => each.name === name)!;
  return text
    .split("\n")
    .slice(unit.startLine - 1, unit.endLine)
    .join("\n");
};

it("divides a long file of directives: each with the comment above it, called by its key", () => {
  expect(shown("switch-7")).toBe("# What switch 7 is for.\nswitch-7 yes");
  expect(shown("pages")).toBe("# Pages in memory.\n# More pages are faster.\npages 12\npages-max 20");
  expect(shown("logfile")).toBe('# Where the log goes.\nlogfile ""');
});

it("knows a directive that is commented out by the comment that ends in it, and takes no sentence for one", () => {
  expect(shown("memory-policy")).toMatch(/^#+ MEMORY #+\n\n# Which keys go first[\s\S]*# memory-policy none$/);
  const names = unitsOf("shop.conf", text).map(({ name }) => name);
  expect(names).toEqual([...Array.from({ length: 30 }, (_, i) => `switch-${i}`), "memory-policy", "pages", "logfile"]);
});

it("puts the section of an ini file before the key", () => {
  const ini = `[server]\n${filler}\n[client]\n# How long.\ntimeout = 5\n`;
  expect(unitsOf("shop.ini", ini).at(-1)).toMatchObject({ name: "timeout", qualified: "client > timeout" });
});

it("has every line once, in a directive or in the rest of the file", () => {
  const { units, rest } = extractConfig("shop.conf", text);
  const own = [rest, ...units.map((unit) => unit.own)].map(({ comment, code }) => `${comment}\n${code}`).join("\n");
  const written = (content: string) =>
    content
      .split("\n")
      .filter((line) => line.trim() !== "")
      .sort();
  expect(written(own)).toEqual(written(text));
});

it("leaves short files, lists and other formats whole, and bounds what is divided", () => {
  expect(unitsOf("small.conf", "# Port.\nport 1\n")).toEqual([]);
  expect(unitsOf(".gitignore", text)).toEqual([]);
  expect(unitsOf("a.yaml", text)).toEqual([]);
  expect(unitsOf("many.properties", "# x\na.b=1\n\n".repeat(900))).toHaveLength(400);
});
