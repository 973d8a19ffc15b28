import { expect, it } from "vitest";
import { evidence } from "../../../../tests/pipeline/evidence.ts";
import { folder } from "../../../../tests/workspace.ts";
import { context } from "../../../index.ts";
import { folded } from "./folded.ts";

it("names what a fold hides once, and nothing that is no name", () => {
  const lines = Array.from({ length: 12 }, (_, i) => `line_${i}();`);
  const names = ["comment", "", "parse", "ifdef", "render", "parse", "\u200b"];
  const parts = names.map((name, i) => ({ startLine: 2 + i, endLine: 2 + i, name }));
  const unique = { ...evidence({ path: "a.c", kind: "file", text: lines.join("\n"), item: { language: "c" } }), parts };
  const { text } = folded(unique, lines, new Set([0, 11]), () => [], 1);
  expect(text).toBe("line_0();\n// ... 10 lines: parse, render\nline_11();");
});

it("begins a file that was asked for with lines of it, and tells at the end what is above them", async () => {
  const small = (name: string) => `def ${name}(order):\n    """What ${name} is."""\n    return order.${name}\n`;
  const work = Array.from({ length: 12 }, (_, i) => `    if order.part_${i}:\n        total += order.price(${i})`).join(
    "\n",
  );
  const names = Array.from({ length: 30 }, (_, i) => `field_${i}`);
  const path = folder({
    "shop/orders.py": `import os\n\n\n${names.map(small).join("\n\n")}\n\ndef total_of(order):\n    total = 0\n${work}\n    return total\n`,
  });
  const { items } = await context({ query: "shop/orders.py", path, maxTokens: 400 });
  const lines = items[0]!.text.split("\n");
  expect(lines[0]).toMatch(/^def /);
  expect(lines.at(-1)).toMatch(/^# \.\.\. \d+ lines above/);
});
