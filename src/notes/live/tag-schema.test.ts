import { describe, expect, it } from "vitest";
import { readTagSchema } from "./tag-schema.ts";

describe("what the API says of a tag", () => {
  it("is what it inherits from, without markup, and the types of its fields", () => {
    const { above, types } = readTagSchema(
      [
        "# Tag definition: bug (id:b1)",
        "Extends #task (base type) (id:SYS_T100), #▷<i>container option</i> (id:XjZpKbzGNxrE)",
        "## Template Fields",
        "- **Creators** (id:f1):: Options",
        "  - Ada (id:o1)",
        "- **Item Type** (id:f2):: Instance of #type",
        "- **Count** (id:f3):: #Number",
        "- **When** (id:f4):: Date",
        "- **Odd** (id:f5):: Something new",
      ].join("\n"),
    );
    expect(above).toEqual([
      { id: "SYS_T100", name: "task" },
      { id: "XjZpKbzGNxrE", name: "▷container option" },
    ]);
    expect([...types]).toEqual([
      ["creators", "options"],
      ["item type", "reference"],
      ["count", "number"],
      ["when", "date"],
    ]);
  });

  it("is nothing where it says nothing, whatever it says", () => {
    for (const text of [
      "",
      "# x",
      "Extends nobody",
      "Extends #a (id:../..)",
      "Extends ".repeat(50_000),
      "#".repeat(200_000),
    ]) {
      expect(readTagSchema(text)).toEqual({ above: [], types: new Map() });
    }
    expect(readTagSchema(`Extends ${"#a ".repeat(50_000)}`).above).toEqual([]);
  });
});
