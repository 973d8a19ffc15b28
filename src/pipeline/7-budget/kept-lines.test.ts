import { describe, expect, it } from "vitest";
import { evidence } from "../../../tests/pipeline/evidence.ts";
import { withoutDoc } from "./kept-lines.ts";

/** What stays of a text without its doc comment, hidden lines as a mark. */
function shown(text: string, signature: string, language: string): string[] | undefined {
  const lines = text.split("\n");
  const keep = withoutDoc(evidence({ path: "a", name: "a", text, item: { signature, language } }), lines);
  return keep && lines.flatMap((line, i) => (keep.has(i) ? [line] : keep.has(i - 1) ? ["…"] : []));
}

describe("a text without its doc comment", () => {
  it("keeps the comment's first paragraph, its end, and all that is code", () => {
    const text = [
      "/**",
      " * Makes an implementation of the interface.",
      " *",
      " * <p>For example:",
      " * <pre>",
      ...Array.from({ length: 8 }, (_, i) => ` *   Api api${i} = shop.create(Api.class);`),
      " * </pre>",
      " * and so on.",
      " */",
      "@Checked",
      "public <T> T create(Class<T> service) {",
      "  return proxy(service); // for it",
      "}",
    ].join("\n");
    expect(shown(text, "public <T> T create(Class<T> service)", "java")).toEqual([
      "/**",
      " * Makes an implementation of the interface.",
      "…",
      " */",
      "@Checked",
      "public <T> T create(Class<T> service) {",
      "  return proxy(service); // for it",
      "}",
    ]);
  });

  it("knows where Python has it", () => {
    const doc = ["    Returns it.", "", ...Array.from({ length: 14 }, (_, i) => `    :param p${i}: what`), '    """'];
    const text = ["def load(self, path):", '    """Loads a file.', ...doc, "    return read(path)"].join("\n");
    expect(shown(text, "def load(self, path)", "python")).toEqual([
      "def load(self, path):",
      '    """Loads a file.',
      "    Returns it.",
      "…",
      '    """',
      "    return read(path)",
    ]);
  });

  it("does not fold a short one, and takes no comment of the body for one", () => {
    const body = Array.from({ length: 12 }, (_, i) => `  // step ${i}`);
    expect(shown(["// Runs.", "function run() {", ...body, "}"].join("\n"), "function run()", "javascript")).toBe(
      undefined,
    );
    expect(shown(["function run() {", ...body, "}"].join("\n"), "function run()", "javascript")).toBe(undefined);
  });

  it("leaves an attribute of Rust above the declaration where it is", () => {
    const doc = Array.from({ length: 17 }, (_, i) => `/// line ${i}`);
    const text = [...doc, "#[derive(Clone)]", "pub struct Path(Arc<str>);"].join("\n");
    expect(shown(text, "pub struct Path(Arc<str>)", "rust")).toEqual([
      ...doc.slice(0, 4),
      "…",
      "#[derive(Clone)]",
      "pub struct Path(Arc<str>);",
    ]);
  });
});
