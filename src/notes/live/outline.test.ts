import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOutline } from "./outline.ts";

const read = (markdown: string) => readOutline(markdown).map(({ under, ...line }) => ({ ...line, under }));

describe("an outline of the API", () => {
  it("is read line by line: nodes with their ids, fields, values below them, and nodes that are only listed", () => {
    const outline = [
      "- [ ] Paint the hall #Task #Life_Area <!-- node-id: a-9uvcjK_9Xi -->",
      "  - **Priority**: [P3](tana:jUaTC8QrebSg)",
      "  - **Duration**: 90 <!-- node-id: 27iVx7_GUJv_ -->",
      "  - **Topics**:",
      "    - [Colours #topic](tana:Kd8sLmQ1xAbc)",
      "  - [x] Buy a brush <!-- node-id: NJdp_0lCn4wt -->",
      "    - At Anne's",
      "  - [The house #project](tana:hg6UQLfpqB4G)",
      "  - Ask [Ada](tana:persAda00001) first <!-- node-id: trnv67uzbkRs -->",
      "  - *[... 12 more children]*",
      "",
    ].join("\n");
    expect(read(outline)).toEqual([
      { under: -1, id: "a-9uvcjK_9Xi", done: false, text: "Paint the hall", tags: ["Task", "Life_Area"] },
      { under: 0, field: "Priority", text: "[P3](tana:jUaTC8QrebSg)", tags: [] },
      { under: 0, id: "27iVx7_GUJv_", field: "Duration", text: "90", tags: [] },
      { under: 0, field: "Topics", text: "", tags: [] },
      { under: 3, listed: "Kd8sLmQ1xAbc", text: "Colours", tags: ["topic"] },
      { under: 0, id: "NJdp_0lCn4wt", done: true, text: "Buy a brush", tags: [] },
      { under: 5, text: "At Anne's", tags: [] },
      { under: 0, listed: "hg6UQLfpqB4G", text: "The house", tags: ["project"] },
      { under: 0, id: "trnv67uzbkRs", text: "Ask [Ada](tana:persAda00001) first", tags: [] },
    ]);
  });

  it("takes `Name:: value` for a field, and `std::vector` for text", () => {
    expect(read("- Status:: active\n- std::vector\n- **Bold** word\n- see [a::b](tana:x):: no")).toEqual([
      { under: -1, field: "Status", text: "active", tags: [] },
      { under: -1, text: "std::vector", tags: [] },
      { under: -1, text: "**Bold** word", tags: [] },
      { under: -1, text: "see [a::b](tana:x):: no", tags: [] },
    ]);
  });

  it("leaves a number after # in the name", () => {
    expect(read("- Fix #12 <!-- node-id: abc -->")).toEqual([{ under: -1, id: "abc", text: "Fix #12", tags: [] }]);
  });

  it("takes what is no line of an outline for text of the line above, and a heading for the node", () => {
    expect(read("# Title\ncode {\n  more\n- below")).toEqual([
      { under: -1, text: "Title\ncode {\nmore", tags: [] },
      { under: -1, text: "below", tags: [] },
    ]);
  });

  it("does not believe an id that cannot be one", () => {
    expect(read("- A <!-- node-id: ../../x -->")[0]).toEqual({
      under: -1,
      text: "A <!-- node-id: ../../x -->",
      tags: [],
    });
  });

  it("never fails, and every line stands under one before it", () => {
    const piece = fc.constantFrom(
      "- ",
      "  ",
      "\t",
      "**",
      "**: ",
      "::",
      "[",
      "]",
      "](tana:abc)",
      "#t",
      "\n",
      "<!-- node-id: a -->",
      "x",
      "*[...",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const lines = readOutline(pieces.join(""));
        lines.forEach(({ under }, index) => {
          expect(under).toBeLessThan(index);
        });
      }),
    );
  });

  it("reads ten thousand levels and a line of a megabyte", () => {
    const deep = Array.from({ length: 10_000 }, (_, level) => `${" ".repeat(level)}- ${level}`).join("\n");
    expect(readOutline(deep).at(-1)).toEqual({ under: 9998, text: "9999", tags: [] });
    for (const hostile of ["[".repeat(1e6), "](tana:a".repeat(1e5), "#a ".repeat(3e5), "[[a](tana:b)".repeat(1e5)]) {
      expect(readOutline(`- ${hostile}`)).toHaveLength(1);
    }
  });
});
