import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { tanaContext } from "../src/index.ts";
import type { Workspace } from "../src/workspace.ts";
import { noteOf, notesWorkspace } from "./notes.ts";

type Input = Parameters<typeof tanaContext>[0];

function ask(workspace: Workspace, input: Input) {
  return tanaContext({ path: workspace.root, ...input }, { workspace });
}

describe("a long note that is asked for", () => {
  const sentences = Array.from(
    { length: 240 },
    (_, i) => `Paragraph ${i} of the handbook says how step ${i} is done here.`,
  );
  const long = noteOf("handbook", "Handbook", { text: sentences.join("\n\n") });
  const backlinks = Array.from({ length: 60 }, (_, i) =>
    noteOf(`b${i}`, `Meeting ${i} about the handbook`, {
      text: `In meeting ${i} we went through the handbook once more and changed a few of its many rules.`,
      references: ["handbook"],
    }),
  );

  it("comes first and is whole where it fits, before any of its backlinks", async () => {
    const { workspace } = await notesWorkspace([long, ...backlinks]);
    for (const format of ["markdown", "json"] as const) {
      const { nodes, text, meta } = await ask(workspace, { query: "Handbook", maxTokens: 8000, format });
      expect(nodes[0]).toMatchObject({ id: "handbook", score: 1 });
      expect(text).toContain("Paragraph 239 of the handbook");
      expect(text.indexOf("Paragraph 0 ")).toBeLessThan(text.indexOf("In meeting"));
      expect(nodes.length).toBeGreaterThan(1);
      expect(countTokens(text)).toBe(meta.tokens.used);
    }
  });

  it("is cut to fit where it does not, and still comes first", async () => {
    const { workspace } = await notesWorkspace([long, ...backlinks]);
    for (const maxTokens of [600, 1000, 2000, 4000]) {
      const { nodes, text, meta } = await ask(workspace, { query: "handbook", maxTokens });
      expect(nodes[0]?.id).toBe("handbook");
      expect(text).toContain("Paragraph 0 of the handbook");
      expect(text.indexOf("Paragraph 0 ")).toBeLessThan(text.search(/Meeting \d/) >>> 0);
      // Most of the room is its own.
      expect(countTokens(nodes[0]!.content)).toBeGreaterThan(maxTokens / 2);
      expect(meta.tokens.used).toBeLessThanOrEqual(maxTokens);
    }
  });
});
