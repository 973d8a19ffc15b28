import { describe, expect, it } from "vitest";
import { evidence } from "../../../../tests/pipeline/evidence.ts";
import { shortLevels } from "./print-levels.ts";

describe("the signature of a class with merged methods", () => {
  const text = [
    "class Files:",
    "    def __init__(",
    "        self,",
    "        directory: str,",
    "    ) -> None:",
    "        self.directory = directory",
    "        self.checked = False",
    "        self.found = {}",
    "",
    '    """',
    "    Where it looks.",
    '    """',
    "    def lookup(self, path: str) -> str:",
    "        self.check()",
    "        return self.found[path]",
    "",
    "    def check(self):",
    "        self.checked = True",
  ].join("\n");
  const files = evidence({
    path: "files.py",
    kind: "class",
    name: "Files",
    text,
    item: { language: "python", signature: "class Files:" },
  });
  const signature = (focus?: { startLine: number; endLine: number }[]) =>
    shortLevels({ ...files, ...(focus ? { focus } : {}) })[0]!.text.split("\n");

  it("has the declaration of each with all its lines, and a mark for every gap", () => {
    expect(
      signature([
        { startLine: 2, endLine: 8 },
        { startLine: 13, endLine: 15 },
      ]),
    ).toEqual([
      "class Files:",
      "    def __init__(",
      "        self,",
      "        directory: str,",
      "    ) -> None:",
      "        # ... 7 lines",
      "    def lookup(self, path: str) -> str:",
      "        # ... 5 lines",
    ]);
  });

  it("leaves out a method whose declaration is too long to be shown whole", () => {
    const parameters = Array.from({ length: 30 }, (_, i) => `    p${i}: number,`);
    const lines = ["class Shop {", "  sell(", ...parameters, "  ) {", "    run();", "  }", "}"];
    const shop = evidence({
      path: "shop.ts",
      kind: "class",
      text: lines.join("\n"),
      item: { language: "typescript", signature: "class Shop" },
    });
    const [level] = shortLevels({ ...shop, focus: [{ startLine: 2, endLine: 35 }] });
    expect(level!.text).toBe("class Shop {");
  });

  it("is the declaration alone without such methods", () => {
    expect(signature()).toEqual(["class Files:"]);
  });
});
