import { describe, expect, it } from "vitest";
import { findZones } from "./verbatim-zones.ts";

/** A letter for each line: `.` text, `b` begins, `v` verbatim, `t` begins text, `h` held. */
function zones(lines: string[], outline = false): string {
  return [...findZones(lines, 0, outline).of].map((zone) => ".bvth"[zone]).join("");
}

describe("what is not read as text", () => {
  it("is fenced code, up to a fence as long as the first", () => {
    expect(zones(["a", "```js", "# b", "```", "c"])).toBe(".bvv.");
    expect(zones(["````", "```", "````", "c"])).toBe("bvv.");
    expect(zones(["~~~", "```", "~~~", "c"])).toBe("bvv.");
    expect(zones(["- ```", "  x", "  ```", "- y"])).toBe("bvv.");
    expect(zones(["> ```", "> x", "> ```", "y"])).toBe("bvv.");
    expect(zones(["a ``` b", "```x``` y", "c"])).toBe("...");
  });

  it("goes on to the end where no fence closes it, but not in Logseq", () => {
    expect(zones(["```", "a", "b"])).toBe("bvv");
    expect(zones(["- ```", "- a", "- b"], true)).toBe("...");
  });

  it("is mathematics between dollars", () => {
    expect(zones(["$$", "- a", "$$", "b"])).toBe("bvv.");
    expect(zones(["$$ a $$", "b", "$$", "c"])).toBe("....");
  });

  it("is a comment over several lines, and what is beside it is not", () => {
    const result = findZones(["a <!-- b", "# c", "d --> e", "f"], 0, false);
    expect([...result.of]).toEqual([0, 2, 4, 0]);
    expect(result.visible).toEqual(
      new Map([
        [0, { from: 0, to: 2 }],
        [2, { from: 5, to: 7 }],
      ]),
    );
    expect(zones(["%%", "a", "%%", "b"])).toBe(".vh.");
    expect(zones(["%%", "a", "%%", "b"], true)).toBe("....");
    expect(zones(["<!-- a", "b"])).toBe("..");
    expect(zones(["`<!--` a", "b -->"])).toBe("..");
    expect(zones(["<!-- a", "b --> c <!-- d", "e", "f -->", "g"])).toBe(".hvh.");
  });

  it("is a block of Logseq: as code, or as text without bullets", () => {
    expect(zones(["- #+BEGIN_SRC clojure", "  - a", "  #+END_SRC", "- b"], true)).toBe("bvv.");
    expect(zones(["- #+begin_note", "  - a", "  #+END_NOTE", "- b"], true)).toBe("thh.");
    expect(zones(["- #+BEGIN_NOTE", "- a"], true)).toBe("..");
    expect(zones(["#+BEGIN_NOTE", "a", "#+END_NOTE"])).toBe("...");
  });
});
