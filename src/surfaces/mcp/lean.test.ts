import { describe, expect, it } from "vitest";
import { lean, leftOut } from "./lean.ts";

describe("the data of an answer", () => {
  it("is without what its document says, at the top and in lists", () => {
    const data = {
      markdown: "the document",
      items: [{ id: "mem-1", content: "the same again", relevance: 1, because: { text: 1 } }],
      dropped: [],
      bundle: "bun-1",
    };
    expect(lean("assemble_context", data)).toEqual({
      markdown: "the document",
      items: [{ id: "mem-1", relevance: 1 }],
      bundle: "bun-1",
    });
    expect(leftOut("assemble_context")).toContain("dropped");
    expect(leftOut("assemble_context")).not.toContain("items");
  });

  it("is all there is where no document is beside it", () => {
    const data = { memories: [{ content: "kept" }] };
    expect(lean("memories", data)).toEqual(data);
    expect(lean("constructor", data)).toEqual(data);
  });
});
