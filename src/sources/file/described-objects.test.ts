import fc from "fast-check";
import { expect, it } from "vitest";
import { extractRestructured } from "./markup.ts";

function sections(text: string): string[] {
  return extractRestructured("docs/config.rst", text).units.map(
    ({ startLine, endLine, qualified }) => `${startLine}-${endLine} ${qualified}`,
  );
}

const page = `Settings
========

All of them.

.. py:data:: DEBUG

    Whether it is on.

.. confval:: max_size
   :default: 3

   How much.

Afterwards.

.. option:: -n, --dry-run

   Does nothing.

Functions
---------

.. function:: raises(type, *, match=None)

   Expects an exception.

.. data:: UNTOLD

.. c:function:: int uv_run(uv_loop_t* loop)

   Runs.
`;

it("are sections of their own, below the section that they are in", () => {
  expect(sections(page)).toEqual([
    "1-4 Settings",
    "6-8 Settings > DEBUG",
    "10-13 Settings > max_size",
    "15-15 Settings (2)",
    "17-19 Settings (2) > -n, --dry-run",
    "21-22 Settings (2) > Functions",
    "24-28 Settings (2) > Functions > raises",
    "30-32 Settings (2) > Functions > uv_run",
  ]);
});

it("leave no written line out and take none twice", () => {
  const line = fc.constantFrom(
    ...[
      "",
      "Text.",
      "   Indented.",
      ".. data:: A",
      ".. confval:: b",
      ".. note::",
      ".. _label:",
      "Title",
      "=====",
      "-----",
    ],
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
      const text = ["Page", "====", ...lines].join("\n");
      const taken = extractRestructured("a.rst", text).units.flatMap(({ startLine, endLine }) =>
        Array.from({ length: endLine - startLine + 1 }, (_, i) => startLine + i),
      );
      expect(new Set(taken).size).toBe(taken.length);
      const written = text.split("\n").flatMap((each, i) => (each.trim() === "" ? [] : [i + 1]));
      expect(written.filter((number) => number >= Math.min(...taken) && !taken.includes(number))).toEqual([]);
    }),
  );
});
