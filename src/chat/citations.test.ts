import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { citationsIn, formatCitationsForResponse } from "./citations.ts";

const ids = (text: string) => citationsIn(text).map(({ id }) => id);

describe("citations in a reply", () => {
  it.each([
    ["On Monday [msg-9q2z].", ["msg-9q2z"]],
    ["[chk-1k3f][cod-2]", ["chk-1k3f", "cod-2"]],
    ["See [chk-1k3f, mem-2; exp-3-root_cause]", ["chk-1k3f", "mem-2", "exp-3-root_cause"]],
    ["[CHK-1K3F]", ["chk-1k3f"]],
    ["【chk-1k3f】", ["chk-1k3f"]],
    ["[chk-1k3f](https://example.org)", ["chk-1k3f"]],
    ["[ com-1a2b3c4 ]", ["com-1a2b3c4"]],
    ["[chk-1] and again [chk-1]", ["chk-1", "chk-1"]],
    ["chk-1k3f without brackets, [1], [see-below], [x-1], [abc-def] and [chk-]", []],
    ["[ ] a task and [link](x)", []],
  ])("of %j are %j", (text, expected) => expect(ids(text)).toEqual(expected));

  it("lie where they say", () => {
    const text = "One [chk-1, msg-22] two [MEM-3].";
    for (const { id, start, end } of citationsIn(text)) expect(text.slice(start, end).toLowerCase()).toBe(id);
    expect(citationsIn(text)).toHaveLength(3);
  });

  it("are found whatever stands around them", () => {
    const around = fc
      .uint16Array({ maxLength: 40 })
      .map((codes) => String.fromCharCode(...codes))
      .map((text) => text.replace(/[[\]【】]/g, ""));
    const some = fc.array(fc.stringMatching(/^(chk|msg|mem|cod)-[0-9a-z]{1,13}$/), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(around, some, around, (before, citedIds, after) => {
        expect(ids(`${before}[${citedIds.join(", ")}]${after}`)).toEqual(citedIds);
      }),
    );
  });

  it("cost no more in a hostile reply", () => {
    expect(ids(`${"[chk-1 ".repeat(50_000)}`)).toEqual([]);
    expect(ids(`[${"chk-1,".repeat(50_000)}`)).toEqual([]);
    expect(ids("[".repeat(200_000))).toEqual([]);
  });
});

describe("the list of sources", () => {
  const citation = { id: "[chk-1]", source: "notes/plan.md", usedInResponse: true };

  it("names what was used, one in a line", () => {
    const citations = [
      { ...citation, excerpt: "The plan is\nto deploy on Monday and not on any other day of the week" },
      { ...citation, id: "[msg-2]", source: "Release" },
      { ...citation, id: "[chk-3]", usedInResponse: false },
    ];
    expect(formatCitationsForResponse(citations)).toBe(
      "\n\n---\nSources:\n[chk-1]: notes/plan.md - The plan is to deploy on Monday and not on any oth...\n[msg-2]: Release",
    );
  });

  it("is empty when nothing was", () => {
    expect(formatCitationsForResponse([])).toBe("");
    expect(formatCitationsForResponse([{ ...citation, usedInResponse: false }])).toBe("");
  });

  it("cuts no character in two and lets no excerpt begin a line", () => {
    const excerpt = `${"a".repeat(49)}😀b`;
    expect(formatCitationsForResponse([{ ...citation, excerpt }])).toMatch(/a{49}\.\.\.$/);
    expect(
      formatCitationsForResponse([{ ...citation, source: "a\n[chk-9]: b", excerpt: "\n\n" }]).split("\n"),
    ).toHaveLength(5);
  });
});
