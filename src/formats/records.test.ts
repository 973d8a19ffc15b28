import { describe, expect, it } from "vitest";
import type { Facts } from "../item.ts";
import { formatNames } from "../options.ts";
import { formats, type PrintedEntry } from "./format.ts";
import {
  document as chunk,
  code,
  commit,
  documentOf,
  experience,
  memory,
  message,
  partsOf,
  sections,
  shortExperience,
  shortMemory,
  value,
} from "./records.samples.ts";

const extension = { markdown: "md", xml: "xml", plain: "txt", json: "json" } as const;

describe.each(formatNames)("a briefing in %s", (name) => {
  const texts = sections.flatMap(([, entries]) => entries.map(({ text }) => text));
  const document = partsOf(formats[name](texts, "Context"), sections).join("");

  it("reads as it always did", async () => {
    await expect(document).toMatchFileSnapshot(`../../tests/golden/briefing.${extension[name]}`);
  });

  it("says what it is, what it holds, and what it left out", () => {
    for (const words of ["Context", "13 items from 5 sources", "Experiences", "renamed to src/payments/client.py"])
      expect(document).toContain(words);
    expect(document).toMatch(/3 more results|"over-budget":3/);
  });

  it("cites every piece once", () => {
    const cited = sections.flatMap(([, entries]) => entries.map(({ citation }) => citation.slice(1, -1)));
    const mark = { markdown: ["[", "]"], plain: ["[", "]"], xml: ['id="', '"'], json: ['"id":"', '"'] }[name];
    for (const id of cited) {
      const occurrences = document.split(mark[0]! + id + mark[1]!).length - 1;
      // The second memory's note names the first.
      expect([id, occurrences]).toEqual([id, id === "mem-1k3f" && mark[0] === "[" ? 2 : 1]);
    }
  });

  it("leaves out what is not known of a record", () => {
    const none: Facts = { category: "", importance: Number.NaN, author: "", files_changed: [], tags: [] };
    for (const { facts: _, ...unknown } of [memory, experience, value, commit, chunk, message]) {
      const bare: PrintedEntry[] = [unknown, { ...unknown, facts: {} }, { ...unknown, facts: none }];
      for (const entry of bare)
        expect(documentOf(name, [{ ...entry, text: "words" }])).not.toMatch(
          /undefined|NaN|\(\)|Category|Importance|Files|\bby\b|[:,] (?=[,*\n])|[a-z]=""/,
        );
    }
  });

  it("names a few of the files of a commit that touched thousands", () => {
    const files_changed = Array.from({ length: 5000 }, (_, i) => `src/file${i}.ts`);
    const document = documentOf(name, [{ ...commit, facts: { ...commit.facts, files_changed } }]);
    expect(document).toContain("src/file1.ts");
    expect(document).toMatch(/and 49\d\d more|"more":\{"files_changed":4980\}/);
    expect(document.length).toBeLessThan(2000);
  });

  it("shows a record at level pointer by kind, name and citation, without a path", () => {
    const pointer = { ...commit, level: "pointer" as const, path: "commit:1a2b3c4", text: "" };
    const part = formats[name]([]).head(pointer, true);
    for (const words of ["commit", pointer.name, "com-1a2b"]) expect(part).toContain(words);
    expect(part).not.toContain("commit:1a2b3c4");
    expect(part.trimEnd()).not.toContain("\n");
    expect(formats[name]([]).body(pointer)).toBe("");
  });

  it("prints the short form of a record as its text, citation and notes, without its facts", () => {
    for (const entry of [shortMemory, shortExperience]) {
      const part = formats[name]([entry.text]).head(entry, true) + formats[name]([entry.text]).body(entry);
      for (const words of [
        entry.citation.slice(1, -1),
        entry.text.slice(2, 14),
        ...entry.notes.map(() => "contradicts"),
      ])
        expect(part).toContain(words);
      expect(part).not.toMatch(/[Cc]ategory|[Ii]mportance|debugging|read-the-error/);
      expect(part.length).toBeLessThan(entry.text.length + 130);
    }
  });

  it("prints a record in the same way whatever the style of code is", () => {
    for (const entry of [memory, experience, value, commit, chunk, message])
      expect(documentOf(name, [{ ...entry, style: "heading" }])).toBe(documentOf(name, [entry]));
  });
});

describe("markdown", () => {
  const format = formats.markdown([]);

  it("says of a chunk where it stands, and of a message who said it when; lists, tables and code stay", () => {
    expect((format.head(chunk, true) + format.body(chunk)).split("\n").slice(0, 7)).toEqual([
      "**Document** docs/payments.md > Payments > Refunds, part 2/7 [chk-5d6e]",
      "",
      "\\## Refunds",
      "",
      "A refund is a charge with a minus:",
      "",
      "* it needs the *receipt*",
    ]);
    expect(format.head(message, true) + format.body(message)).toBe(
      "**Message** 2026-03-02 in Payment retries [msg-3c4d]\n\nGrace: How often do we retry?\nAda: three times, see the code:\n```py\nretry(3)\n```\n\n",
    );
  });

  it("gives code its kind, name and place in one line, and signature and doc in a fence", () => {
    expect(format.head(code, true) + format.body(code)).toBe(
      [
        "**function** `charge` in `src/payments/client.py:12-40` [cod-9xk2]",
        "```python",
        "# Charges a card and retries when the provider is busy.",
        "def charge(card: str, cents: int) -> Receipt:",
        "```",
        "",
        "",
      ].join("\n"),
    );
  });

  it("makes a list of the labelled lines of an experience, and keeps the others with their label", () => {
    const text = "Goal: a: b\nstill the goal\n- more of it\nNot A Label Because It Is Too Long: x\nWhat worked: `c`";
    expect(
      format
        .head({ ...experience, text }, true)
        .split("\n")
        .slice(1, -2),
    ).toEqual([
      "- **Goal**: a: b",
      "  still the goal",
      "  \\- more of it",
      "  Not A Label Because It Is Too Long: x",
      "- **What worked**: `c`",
    ]);
  });

  it("makes one line of a list of a short record, which begins no block and cites nothing by itself", () => {
    expect(format.head(shortMemory, true) + format.body(shortMemory)).toBe(
      "- \\# Retries wait \\<b>one\\</b> second, see \\[mem-9z9z\\]. [mem-2s2s] (contradicts the older mem-0x0x)\n\n",
    );
  });

  it("names all files of a commit, or two and the number of the others", () => {
    const files = (...files_changed: string[]) =>
      /\*Files: (.*)\*/.exec(format.head({ ...commit, facts: { files_changed } }, true))?.[1];
    expect(files("a")).toBe("a");
    expect(files("a", "b", "c")).toBe("a, b, c");
    expect(files("a", "b", "c", "d")).toBe("a, b, and 2 more");
    expect(files()).toBeUndefined();
  });
});
