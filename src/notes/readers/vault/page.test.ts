import { describe, expect, it } from "vitest";
import { growth } from "../../../../tests/project/growth.ts";
import type { Note } from "../../../note.ts";
import type { Flavour } from "./flavour.ts";
import { readPage } from "./page.ts";

function read(text: string, flavour: Flavour = "obsidian", path = "Folder/Page.md"): Note[] {
  return readPage(path, text, undefined, { flavour, listProperties: [] });
}

/** Name and text of every note, indented below what it stands in. */
function outline(notes: Note[]): string[] {
  const depths = new Map<string, number>();
  return notes.map(({ key, parent, name, text, done }) => {
    const depth = parent === undefined ? 0 : depths.get(parent)! + 1;
    depths.set(key, depth);
    const box = done === undefined ? "" : done ? "[x] " : "[ ] ";
    return `${"  ".repeat(depth)}${box}${name}${text === undefined ? "" : ` | ${text.replaceAll("\n", "⏎")}`}`;
  });
}

describe("headings", () => {
  it("hold what stands below them, whatever levels are left out", () => {
    expect(outline(read("top\n# A\na\n### B\nb\n## C ##\nc\n# C#\n#\n#notaheading"))).toEqual([
      "Page | top",
      "  A | a",
      "    B | b",
      "    C | c",
      "  C#",
      "   | #notaheading",
    ]);
  });

  it("may be underlined, and a rule is none", () => {
    expect(outline(read("One\n===\na\n\nTwo\n---\nb\n\n---\n\nc\nd\n---"))).toEqual([
      "Page",
      "  One | a",
      "    Two | b⏎⏎---⏎⏎c⏎d⏎---",
    ]);
  });

  it("are the page itself where they repeat its name", () => {
    expect(outline(read("# Page\n\ntext\n\n## Part"))).toEqual(["Page | text", "  Part"]);
    expect(read("# Page\n")[0]!.aliases).toContain("[[folder/page#page]]");
    expect(outline(read("# Other\n\ntext"))).toEqual(["Page", "  Other | text"]);
    expect(outline(read("before\n# Page"))).toEqual(["Page | before", "  Page"]);
  });

  it("show their links by name", () => {
    const [, note] = read("## On [[A/B|b]], [[C#D]] and [e](F.md) ![[g.png]] `[[h]]`");
    expect(note).toMatchObject({
      name: "On b, C > D and e ![[g.png]] `[[h]]`",
      references: ["[[a/b]]", "[[c#d]]", "[[c]]", "[[folder/f]]", "[[f]]"],
    });
  });
});

describe("lists in Markdown", () => {
  it("are text, but for tasks and what holds them", () => {
    const text = "- a\n  - b\n- c\n  - d\n    - [ ] e\n      more\n\n      and more\n  - f\n- g\n\nafter";
    expect(outline(read(text))).toEqual([
      "Page | - a⏎  - b⏎- g⏎⏎after",
      "  c | - f",
      "    d",
      "      [ ] e | more⏎⏎and more",
    ]);
  });

  it("have tasks of every state, numbered and nested", () => {
    expect(outline(read("* [x] a\n1. [X] b\n\t- [/] c\n+ [ ]\n- [ ] d\nlazy\n\nnew"))).toEqual([
      "Page | new",
      "  [x] a",
      "  [x] b",
      "    [ ] c",
      "  [ ] d | lazy",
    ]);
  });

  it("have code that no mark in it breaks", () => {
    expect(outline(read("- [ ] a\n  ```\n  - [ ] b\n  # c\n  ```\n- [ ] d"))).toEqual([
      "Page",
      "  [ ] a | ```⏎- [ ] b⏎# c⏎```",
      "  [ ] d",
    ]);
  });
});

describe("named blocks", () => {
  it("are paragraphs, list items and what stands above the name", () => {
    const text =
      "one\ntwo ^p1\n\nthree\n\n- a ^i1\n- b\n  c ^i2\n\n> quote\n> more\n\n^q1\n\n| t |\n^t1\n\n## Head ^h1";
    const notes = read(text);
    expect(outline(notes)).toEqual([
      "Page | three",
      "  one | two",
      "  a",
      "  b | c",
      "   | > quote⏎> more",
      "   | | t |",
      "  Head",
    ]);
    const ids = notes.flatMap(({ aliases = [] }) => aliases.filter((alias) => alias.startsWith("[[page^")));
    expect(ids).toEqual(["p1", "i1", "i2", "q1", "t1", "h1"].map((id) => `[[page^${id}]]`));
  });

  it("are not powers, nor a name with nothing above it", () => {
    expect(outline(read("^alone"))).toEqual(["Page | ^alone"]);
    expect(outline(read("2^10 and x ^not an id"))).toEqual(["Page | 2^10 and x ^not an id"]);
  });
});

describe("fields in Markdown", () => {
  it("are lines, list items without anything below, and parts of lines", () => {
    const [page] = read(
      "Due Date:: 2024-01-31\n- **rating**:: 9\n- kept:: yes\n  - below\ntext [by:: [[Ada]]] and (x:: 1)\n`code:: no`",
    );
    expect(page!.text).toBe("- kept:: yes\n  - below\ntext [by:: [[Ada]]] and (x:: 1)\n`code:: no`");
    expect(page!.fields).toEqual([
      { name: "Due Date", type: "date", values: [{ text: "2024-01-31" }] },
      { name: "rating", type: "number", values: [{ text: "9" }] },
      { name: "kept", type: "text", values: [{ text: "yes" }] },
      { name: "by", type: "reference", values: [{ text: "Ada", note: "[[ada]]" }] },
      { name: "x", type: "number", values: [{ text: "1" }] },
    ]);
    expect(page!.references).toEqual([]);
  });

  it("are not in code, and not every pair of colons", () => {
    const text =
      "std::vector is fast\nf :: Int -> Int\n```\na:: b\n```\nthis is much too long for the name of any field:: x";
    expect(read(text)[0]).toMatchObject({ fields: [], text });
  });

  it("said twice are one field with both values", () => {
    const [page] = read("---\nwho: [[Ada]]\nwho2: x\n---\nWho:: [[Grace]]");
    expect(page!.fields[0]).toEqual({
      name: "who",
      type: "reference",
      values: [
        { text: "Ada", note: "[[ada]]" },
        { text: "Grace", note: "[[grace]]" },
      ],
    });
  });
});

describe("links in Markdown", () => {
  it("lead to parts of the page itself and to files beside it", () => {
    const refs = (text: string, flavour: Flavour = "markdown") => read(text, flavour)[0]!.references;
    expect(refs("[[#A b]] [[#^c]] [x](#a-b)")).toEqual(["[[folder/page#ab]]", "[[folder/page]]", "[[folder/page^c]]"]);
    expect(refs("[x](../Up.md) [y](./In.markdown#S) [z](/Top.md) [w](../../../Out.md)")).toEqual([
      ...["[[up]]", "[[folder/in#s]]", "[[folder/in]]", "[[top]]", "[[out]]"],
    ]);
    expect(refs("[[../Up|u]] [[./In]] [[Any.md]]")).toEqual(["[[up]]", "[[folder/in]]", "[[any]]"]);
    expect(refs("[a](https://b.c/d.md) [e](f.png) [[g.pdf]] ![[h.canvas]] [i](mailto:j@k.md) [l](100%.md)")).toEqual([
      "[[folder/100%]]",
    ]);
    expect(refs("[[Version 1.2]] [[a.b.c]]", "obsidian")).toEqual(["[[version 1.2]]", "[[a.b.c]]"]);
  });

  it("are not hidden in comments", () => {
    const [page] = read("a [[B]] %% [[C]]\n[[D]]\n[[E]] %% [[F]] <!-- [[G]] --> [[H]]");
    expect(page!.references).toEqual(["[[b]]", "[[f]]", "[[h]]"]);
    expect(page!.text).toContain("[[D]]");
  });
});

describe("bullets of Logseq", () => {
  const logseq = (text: string) => read(text, "logseq", "pages/Page.md");

  it("stand in what is indented less, by whatever characters", () => {
    expect(outline(logseq("- a\n    - b\n      - c\n     - d\n- e\n\t- f"))).toEqual([
      ...["Page", "  a", "    b", "      c", "      d", "  e", "    f"],
    ]);
  });

  it("have the lines up to the next one", () => {
    expect(outline(logseq("pre\n- a\n  b\n\n    c\nd\n\t- e\n\t  1. f\n\t  * g\n# Head\n- h"))).toEqual([
      "Page | pre",
      "  a | b⏎⏎  c⏎d",
      "    e | 1. f⏎* g",
      "  Head",
      "    h",
    ]);
  });

  it("may begin with properties, code or nothing", () => {
    const notes = logseq(
      "- id:: 6500c1a4-0000-4000-8000-00000000000A\n  text\n- ```\n  - x\n  ```\n-\n  late\n- \n-\n\t- child\n- key:: v",
    );
    expect(outline(notes)).toEqual(["Page", "  text", "   | ```⏎- x⏎```", "  late", "  ", "    child", "  "]);
    expect(notes[1]!.aliases).toEqual([
      "((6500c1a4-0000-4000-8000-00000000000a))",
      "6500c1a4-0000-4000-8000-00000000000a",
    ]);
    expect(notes.at(-1)!.fields).toEqual([{ name: "key", type: "text", values: [{ text: "v" }] }]);
  });

  it("say how a task stands", () => {
    const notes = logseq("- DOING a\n- [#B] b\n- CANCELED c\n- TODOx d\n- [ ] e\n- ## TODO f");
    expect(outline(notes)).toEqual(["Page", "  [ ] a", "  b", "  [x] c", "  TODOx d", "  [ ] e", "  [ ] f"]);
    expect(notes.flatMap(({ fields }) => fields.map(({ name, values }) => `${name} ${values[0]!.text}`))).toEqual([
      ...["status DOING", "priority B", "status CANCELED"],
    ]);
  });

  it("keep a title and other names that are not the page's as fields", () => {
    const notes = logseq("title:: T\n\n- x\n  title:: other\n  alias:: y");
    expect(notes.map(({ name, fields }) => [name, fields.map((field) => field.name)])).toEqual([
      ["T", []],
      ["x", ["title", "alias"]],
    ]);
  });

  it("have properties in the way of Org, and their own times", () => {
    const notes = logseq(
      "- a\n  :PROPERTIES:\n  :who: [[Ada]]\n  :END:\n  created-at:: 1600000000000\n  updated-at:: 1700000000000",
    );
    expect(notes[1]).toMatchObject({
      created: 1600000000000,
      changed: 1700000000000,
      fields: [{ name: "who", values: [{ text: "Ada", note: "[[ada]]" }] }],
    });
  });

  it("have mixed values as text that mentions", () => {
    const [page] = logseq("platforms:: [[All]] except [[Web]]\nquoted:: `[[Code]]`\nempty::");
    expect(page!.fields).toEqual([
      { name: "platforms", type: "text", values: [{ text: "[[All]] except [[Web]]" }] },
      { name: "quoted", type: "text", values: [{ text: "`[[Code]]`" }] },
    ]);
    expect(page!.references).toEqual(["[[all]]", "[[web]]"]);
  });
});

describe("keys", () => {
  it("stay when something is added above", () => {
    const keys = (text: string, flavour: Flavour) => read(text, flavour).map(({ key }) => key);
    const before = keys("# A\n## B\n- [ ] c\n- [ ] c", "markdown");
    expect(before).toEqual(["Folder/Page.md", "Folder/Page.md#B", expect.any(String), `${before[2]}~2`]);
    const after = keys("# A\n## New\n- [ ] d\n## B\n- [ ] c\n- [ ] c", "markdown");
    expect(after).toEqual(expect.arrayContaining(before));
  });

  it("never look like a file's name or another page's part", () => {
    const keys = read("# b.md\n# c#d\n# e\n# e~2\n# e").map(({ key }) => key);
    expect(keys.slice(1).every((key) => !key.endsWith(".md") && key.split("#").length === 2)).toBe(true);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe("pages of any size", () => {
  it("may be nested 10,000 deep", () => {
    const nested = (depth: number, mark: string) =>
      Array.from({ length: depth }, (_, at) => `${" ".repeat(at)}- ${mark}${at}`).join("\n");
    expect(read(nested(10_000, "x"), "logseq")).toHaveLength(10_001);
    expect(read(`${nested(3000, "x")}\n${" ".repeat(3000)}- [ ] y`)).toHaveLength(3002);
    expect(read(nested(1500, "[ ] "))).toHaveLength(1501);
  });

  it("may be one line of 5 MB", () => {
    const line = "some more words [[link]] ".repeat(200_000);
    expect(read(line)[0]!.references).toEqual(["[[link]]"]);
    const [, block] = read(`- ${line}`, "logseq");
    expect(block!.name.length).toBeLessThan(300);
    expect(block!.text).toBe(line.trim());
  });

  it("may have more values, tags and lines than a call has arguments", () => {
    const many = Array.from({ length: 150_000 }, (_, at) => `t${at}`);
    const list = `[${many.join(", ")}]`;
    const [page] = read(
      `---\ntags: ${list}\naliases: ${list}\nlist: ${list}\n---\n${many.join(" #")} ${many.map((at) => `[[${at}]]`).join("\n")}`,
    );
    expect(page!.tags).toHaveLength(150_000);
    expect(page!.references).toHaveLength(150_000);
    expect(page!.fields[0]!.values).toHaveLength(150_000);
    expect(read(`---\nx\n${"@\n".repeat(150_000)}k: |\n${" a\n".repeat(150_000)}---\n`)).toHaveLength(1);
    expect(read(`tags:: ${many.join(", ")}`, "logseq")[0]!.tags).toHaveLength(150_000);
    expect(read(`${many.join("\n")} ^id`)).toHaveLength(2);
  });

  const parts: [Flavour, string][] = [
    ...["# x\n", "- [ ] x\n", "- x\n  - [ ] y\n", "x ^y\n\n", "x\n===\n", "$$\nx\n", "<!--\n"].map(
      (part): [Flavour, string] => ["obsidian", part],
    ),
    ...["- x\n", "```\n", "k:: v\n", ":LOGBOOK:\n", "#+BEGIN_A\n", "- x\n  - y\n"].map((part): [Flavour, string] => [
      "logseq",
      part,
    ]),
  ];
  it.each(parts)("take time in proportion: %s %j", (flavour, part) => {
    const text = (count: number) => part.repeat(count);
    expect(growth((page: string) => read(page, flavour), text(200), text(2000))).toBeLessThan(35);
  });
});
