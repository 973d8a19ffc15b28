import { expect, it } from "vitest";
import { extractMarkdown } from "./markdown.ts";

function sections(text: string): string[] {
  return extractMarkdown("docs/guide.md", text).units.map(
    (unit) => `${unit.startLine}-${unit.endLine} ${unit.qualified}`,
  );
}

it("splits at headings of both kinds, each section ending before the next", () => {
  const text = "# Guide\n\nHello.\n\n## Install ##\n\nRun it.\n\nUse\n---\n\nText.\n\n### Deep\nMore.\n";
  expect(sections(text)).toEqual(["1-3 Guide", "5-7 Guide > Install", "9-12 Guide > Use", "14-15 Guide > Use > Deep"]);
});

it("takes no heading from fences, comments, front matter, tables and rules", () => {
  const text =
    "---\ntitle: x\n---\n# Real\n\n```sh\n# not one\n```\n\n<!--\n# nor this\n-->\n\n~~~~\n~~~\n# nor that\n~~~~\n\na | b\n--- | ---\n\n- item\n---\n";
  expect(sections(text)).toEqual(["4-23 x > Real"]);
});

it("names a section by what its heading says, without markup", () => {
  expect(sections("## [`open()`](x.md) and **more** {#open}\n")).toEqual(["1-1 open() and more"]);
});

it("splits a long section at paragraphs into parts that cover it", () => {
  const text = `# Long\n\n${Array.from({ length: 100 }, (_, i) => `Paragraph ${i}\ngoes on.\n`).join("\n")}`;
  const { units } = extractMarkdown("a.md", text);
  expect(units.map((unit) => unit.name)).toEqual(["Long", "Long (2)", "Long (3)"]);
  for (const unit of units) expect(unit.endLine - unit.startLine).toBeLessThan(150);
  const covered = units
    .flatMap((unit) => text.split("\n").slice(unit.startLine - 1, unit.endLine))
    .filter((line) => line !== "");
  expect(covered).toEqual(text.split("\n").filter((line) => line !== ""));
});

it("does not cut inside a fence", () => {
  const text = `# Long\n\n${"Text.\n\n".repeat(30)}\`\`\`\n${"code\n\n".repeat(40)}\`\`\`\n\nEnd of it.\n\n${"More.\n\n".repeat(40)}`;
  const lines = text.split("\n");
  const fenceStart = lines.indexOf("```") + 1;
  const fenceEnd = lines.lastIndexOf("```") + 1;
  for (const { startLine } of extractMarkdown("a.md", text).units)
    expect(startLine > fenceStart && startLine <= fenceEnd).toBe(false);
});

it("keeps links into the workspace and leaves out those that lead elsewhere", () => {
  const { units } = extractMarkdown(
    "a.md",
    "# A\n[b](../b.md#top) [c](https://c.example/) ![d](img/d%20e.png)\n\n[f]: ./f.ts\n[g](#here)\n",
  );
  expect(units[0]?.references.map(({ name }) => name)).toEqual(["../b.md", "img/d e.png", "./f.ts"]);
});

it("says what the document is about: its first paragraph, badges aside", () => {
  expect(extractMarkdown("a.md", "# A\n\n[![b](c)](d)\n\nThis is\nit.\n\nMore.\n").doc).toBe("This is\nit.");
});

it("puts prose and code into different fields", () => {
  const { units } = extractMarkdown("a.md", "# A\nProse.\n```js\nlet x;\n```\n");
  expect(units[0]?.own).toEqual({ comment: "# A\nProse.", string: "", code: "```js\nlet x;\n```" });
});

it("makes a section of a long text before the first heading", () => {
  expect(sections(`${"Intro line.\n".repeat(12)}\n# A\n`)).toEqual(["1-12 guide", "14-14 A"]);
});

it("takes the page's title from its front matter: its sections are below it, and what stands before them is one", () => {
  const text = '---\nlayout: docs\ntitle: "The *Data* Folder"\n---\n\nShort.\n\n## Setup\n\nPut it there.\n';
  expect(sections(text)).toEqual(["6-6 The Data Folder", "8-10 The Data Folder > Setup"]);
  expect(extractMarkdown("a.md", text).title).toBe("The Data Folder");
  expect(sections('+++\ntitle = "Setup"\n+++\n# Setup\n## Linux\n')).toEqual(["4-4 Setup", "5-5 Setup > Linux"]);
  expect(sections("---\ntitle: >\n  folded\n---\n# A\n")).toEqual(["5-5 A"]);
});

it("does not search headings without text of their own and tables of contents", () => {
  const text =
    "# Guide\n\n<!-- written by hand -->\n\n## Contents\n\n* [Install](#install)\n  1. [Linux](#linux)\n\n## Install\n\nRun it.\n\n### Linux\n\n- [Packages](packages.md)\n";
  const searched = extractMarkdown("docs/guide.md", text).units.filter((unit) => !unit.unsearched);
  expect(searched.map(({ name }) => name)).toEqual(["Install", "Linux"]);
});
