import { expect, it } from "vitest";
import { folder } from "../../../tests/workspace.ts";
import { context } from "../../index.ts";
import { extract } from "../extract.ts";

type Source = { code?: string; text?: string; output?: string };

/** As Jupyter writes it: one space of indentation, a line of the file for each line of a cell. */
function notebook(cells: Source[]): string {
  const parts = cells.map(({ code, text, output }) => ({
    cell_type: code === undefined ? "markdown" : "code",
    ...(code !== undefined && { execution_count: null }),
    metadata: {},
    ...(code !== undefined && {
      outputs: output === undefined ? [] : [{ data: { source: output.split("\n") }, output_type: "display_data" }],
    }),
    source: (code ?? text)!.split(/(?<=\n)/),
  }));
  return `${JSON.stringify({ cells: parts, metadata: {}, nbformat: 4, nbformat_minor: 5 }, undefined, 1)}\n`;
}

async function units(text: string) {
  const { kind, units } = await extract("guide.ipynb", text);
  const lines = text.split("\n");
  return {
    kind,
    units: units.map(({ qualified, startLine, endLine, own }) => ({
      qualified,
      first: lines[startLine - 1]!.trim(),
      last: lines[endLine - 1]!.trim(),
      ...own,
    })),
  };
}

it("reads a notebook as a document: sections by the headings of its text, with the code below them", async () => {
  const text = notebook([
    { text: '# Error bars\n\nThey show "spread".' },
    { code: "# not a heading\nplot(errorbar='sd')" },
    { text: "Confidence\n----------\nIntervals." },
  ]);
  expect(await units(text)).toEqual({
    kind: "document",
    units: [
      {
        qualified: "Error bars",
        first: '"# Error bars\\n",',
        last: "\"plot(errorbar='sd')\"",
        comment: expect.stringContaining('They show "spread".'),
        string: "",
        code: "# not a heading\nplot(errorbar='sd')",
      },
      {
        qualified: "Error bars > Confidence",
        first: '"Confidence\\n",',
        last: '"Intervals."',
        comment: "Confidence\n----------\nIntervals.",
        string: "",
        code: "",
      },
    ],
  });
});

it("searches no outputs, and a section ends before one", async () => {
  const output = Array.from({ length: 40 }, (_, i) => `iVBORw0KGgo${i}`).join("\n");
  const text = notebook([{ text: "# Plot" }, { code: "draw()", output }, { code: "again()" }]);
  const { units: found } = await units(text);
  expect(found.map(({ qualified, first, last }) => [qualified, first, last])).toEqual([
    ["Plot", '"# Plot"', '"# Plot"'],
    ["Plot > Plot", '"draw()"', '"again()"'],
  ]);
  expect(JSON.stringify(found)).not.toContain("iVBOR");
});

it("takes a cell of one string, and a broken one as it stands", async () => {
  const text =
    '{\n "cells": [\n  {\n   "cell_type": "markdown",\n   "source": "# Whole"\n  },\n  {\n   "cell_type": "markdown",\n   "source": [\n    "# Broken \\x",\n    "text"\n   ]\n  }\n ]\n}\n';
  const { units: found } = await units(text);
  expect(found.map(({ qualified }) => qualified)).toEqual(["Whole"]);
  expect(found[0]!.comment).toContain("Broken");
});

it("is configuration where it is not written line by line", async () => {
  const text = JSON.stringify({ cells: [{ cell_type: "markdown", source: ["# Title"] }] });
  expect(await extract("guide.ipynb", text)).toMatchObject({ kind: "config", units: [] });
  expect(await extract("guide.ipynb", "")).toMatchObject({ units: [] });
});

it("prints the text of cells with its own lines, and no output, image or metadata", async () => {
  const image = `iVBORw0KGgo${"A".repeat(60)}`;
  const text = notebook([
    { text: "# Accuracy of the model\n\nOn data that was held out." },
    { code: "def accuracy(model):\n    return model.score()", output: image },
    { code: "print(accuracy(model))", output: "0.93 of all" },
  ]);
  const path = folder({ "guide.ipynb": text });
  for (const query of ["how accurate is the model on held out data", "guide.ipynb"]) {
    const { items } = await context({ query, path });
    const shown = items.flatMap((item) => item.text.split("\n"));
    if (query === "guide.ipynb") expect(shown).toContain('    "def accuracy(model):\\n",');
    expect(shown.length).toBeGreaterThan(2);
    expect(shown.filter((line) => /iVBOR|0\.93|metadata|cell_type|outputs/.test(line))).toEqual([]);
    for (const line of shown) expect(line.includes("...") || text.split("\n").includes(line)).toBe(true);
  }
});
