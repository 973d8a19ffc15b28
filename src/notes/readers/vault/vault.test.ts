import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { folder } from "../../../../tests/workspace.ts";
import type { Note } from "../../../note.ts";
import { batchSize } from "../reader.ts";
import { flavourOf } from "./flavour.ts";
import { vault } from "./vault.ts";

const fixtures = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..", "..", "fixtures", "notes");

type Read = { notes: Note[]; warnings: string[]; batches: number };

async function readAll(root: string, sheets?: string[]): Promise<Read> {
  const warnings: string[] = [];
  const notes: Note[] = [];
  let batches = 0;
  const names = sheets ?? (await vault.list(root)).map(({ name }) => name);
  for await (const batch of vault.read(root, names, { warn: (sentence) => warnings.push(sentence) })) {
    for (const note of batch.notes) expect(note.place!.path).toBe(batch.sheet);
    notes.push(...batch.notes);
    batches++;
  }
  return { notes, warnings, batches };
}

/** Every note as a line, indented below what it stands in. */
function tree(notes: Note[], path: string): string[] {
  const depths = new Map<string, number>();
  return notes
    .filter(({ place }) => place!.path === path)
    .map(({ key, parent, name, done, place }) => {
      const depth = parent === undefined ? 0 : depths.get(parent)! + 1;
      depths.set(key, depth);
      return `${"  ".repeat(depth)}${done === undefined ? "" : done ? "[x] " : "[ ] "}${name} :${place!.line}`;
    });
}

/** What each note leads to, by the names of what is there; `?` before what is not. */
function leadsTo(notes: Note[], from: Note): string[] {
  const named = (alias: string): string[] => {
    const matches = notes.filter(({ aliases }) => aliases?.includes(alias));
    return matches.length > 0 ? matches.map(({ name }) => name) : [`?${alias}`];
  };
  return from.references.flatMap(named);
}

function called(notes: Note[], name: string): Note {
  const matches = notes.filter((note) => note.name === name);
  expect(matches.map(({ key }) => key)).toHaveLength(1);
  return matches[0]!;
}

const fieldsOf = (note: Note) =>
  Object.fromEntries(
    note.fields.map(({ name, type, values }) => [
      name,
      [type, ...values.map(({ text, note: target }) => (target ? `${text} -> ${target}` : text))],
    ]),
  );

describe("a vault of Obsidian", () => {
  const root = join(fixtures, "obsidian");

  it("is listed without what the tool keeps for itself", async () => {
    expect(await flavourOf(root)).toBe("obsidian");
    expect((await vault.list(root)).map(({ name }) => name)).toEqual([
      "Daily/2024-01-31.md",
      "Landing.md",
      "People/Ada Lovelace.md",
      "People/Grace Hopper.md",
      "Projects/Apollo.md",
    ]);
  });

  it("has pages, headings, tasks and named blocks as notes, each with its line", async () => {
    const { notes, warnings } = await readAll(root);
    expect(warnings).toEqual([]);
    expect(tree(notes, "Projects/Apollo.md")).toEqual([
      "Apollo :1",
      "  Milestones :27",
      "    [x] Choose a site with Ada :29",
      "    [ ] Build the lander :30",
      "      [ ] Order the legs :31",
      "    Budget :35",
      "      Costs are estimated. :37",
    ]);
    expect(tree(notes, "People/Grace Hopper.md")).toEqual([
      "Grace Hopper :1",
      "  Tools :3",
      "    [ ] Buy a compiler :4",
    ]);
    expect(tree(notes, "Landing.md")).toEqual(["Landing :1", "  Landing :1", "  Risks :6"]);
  });

  it("keeps text as it is on disk, without what became a note or a field", async () => {
    const { notes } = await readAll(root);
    expect(called(notes, "Apollo").text).toBe(
      "The plan to land, see [[Landing#Risks|the risks]] and ![[diagram.png]]. Not a link: `[[Code]]`. #planning/2024",
    );
    expect(called(notes, "Build the lander").text).toBe("- four of them");
    expect(called(notes, "Milestones").text).toBe(
      "- A plain point with a [relative link](../People/Ada%20Lovelace.md#Work)",
    );
    expect(called(notes, "Budget").text).toBe(
      '%%\nHidden [[Secret]].\n%%\n\n```js\nconst notALink = "[[Nowhere]]";\n```',
    );
  });

  it("has frontmatter and inline fields with their types", async () => {
    const { notes } = await readAll(root);
    const apollo = called(notes, "Apollo");
    expect(fieldsOf(apollo)).toEqual({
      status: ["text", "active"],
      due: ["date", "2024-07-20"],
      budget: ["number", "25.4"],
      approved: ["checkbox", "true"],
      lead: ["reference", "Ada Lovelace -> [[ada lovelace]]"],
      team: ["reference", "Grace -> [[grace hopper]]", "Ada Lovelace -> [[ada lovelace]]"],
      "contact.mail": ["email", "apollo@example.org"],
      "contact.site": ["url", "https://example.org/apollo"],
      created: ["date", "2024-01-02"],
      updated: ["date", "2024-02-01"],
      location: ["text", "Houston"],
      aliases: ["text", "Moonshot", "Apollo programme"],
    });
    expect(apollo).toMatchObject({
      tags: ["project", "area/space", "planning/2024"],
      inherited: ["area", "planning"],
      created: Date.UTC(2024, 0, 2),
      changed: Date.UTC(2024, 1, 1),
    });
    expect(fieldsOf(called(notes, "Choose a site with Ada"))).toEqual({
      owner: ["reference", "Grace Hopper -> [[grace hopper]]"],
    });
    expect(fieldsOf(called(notes, "Build the lander"))).toEqual({ due: ["date", "2024-06-30"] });
  });

  it("finds what links mean: pages, headings, blocks, other names, relative paths", async () => {
    const { notes } = await readAll(root);
    const from = (name: string) => leadsTo(notes, called(notes, name));
    expect(from("Apollo")).toEqual(["Risks", "Landing"]);
    expect(from("Choose a site with Ada")).toEqual(["Ada Lovelace"]);
    expect(from("Milestones")).toEqual(["Work", "Ada Lovelace"]);
    expect(from("Ada Lovelace")).toEqual(["Costs are estimated.", "Apollo"]);
    expect(from("Work")).toEqual(["Landing", "Grace Hopper"]);
    expect(from("Grace Hopper")).toEqual(["Apollo", "2024-01-31"]);
    expect(from("2024-01-31")).toEqual(["Grace Hopper", "Milestones", "Apollo"]);
    expect(from("Risks")).toEqual(["Ada Lovelace", "Risks", "Landing"]);
    expect(from("Budget")).toEqual([]);
  });

  it.each([
    ["Obsidian", ".obsidian/app.json", "a.md"],
    ["Logseq", "logseq/config.edn", "pages/a.md"],
  ])("keeps no link that runs something, of %s", async (_application, settings, path) => {
    const page = [
      "source:: [home](javascript:alert(1))",
      "",
      "- [ ] Press [here](javascript:alert(2)) twice",
      "- See <a href='javascript:alert(3)'>this</a> and [that](https://x.example)",
      "- In code `[a](javascript:x)` it is none",
    ].join("\n");
    const { notes } = await readAll(folder({ [settings]: "{}", [path]: page }));
    const all = JSON.stringify(notes);
    expect(all).not.toMatch(/javascript:alert/);
    for (const expected of ["home", "here", "this", "https://x.example", "`[a](javascript:x)`"])
      expect(all).toContain(expected);
  });

  it("reads a file alone as it reads it among the others", async () => {
    const { notes } = await readAll(root);
    const alone = await readAll(root, ["Projects/Apollo.md"]);
    expect(alone.notes).toEqual(notes.filter(({ place }) => place!.path === "Projects/Apollo.md"));
  });
});

describe("a graph of Logseq", () => {
  const root = join(fixtures, "logseq");

  it("is listed without copies and what was thrown away", async () => {
    expect(await flavourOf(root)).toBe("logseq");
    expect((await vault.list(root)).map(({ name }) => name)).toEqual([
      "journals/2024_01_31.md",
      "pages/Ada Lovelace.md",
      "pages/Project___Apollo.md",
      "pages/Why%3F.md",
    ]);
  });

  it("has every bullet as a note, with the lines that belong to it", async () => {
    const { notes } = await readAll(root);
    expect(tree(notes, "pages/Project___Apollo.md")).toEqual([
      "Project/Apollo :1",
      "  Plan :8",
      "    [ ] Choose a site with Ada Lovelace #urgent :11",
      "      [x] Ask the expert :17",
      "    An example :19",
      "     :24",
      "  ((6500c1a4-0000-4000-8000-000000000001)) and #space travel :29",
    ]);
    expect(called(notes, "Choose a site with Ada Lovelace #urgent").text).toBe("It must be flat.");
    expect(called(notes, "An example").text).toBe("```clojure\n- not a bullet, and [[Not a link]]\n```\ngoes on");
    expect(called(notes, "").text).toBe("#+BEGIN_NOTE\nHeld by [[Landing]].\n- not a bullet either\n#+END_NOTE");
  });

  it("has properties as fields, tags and other names, and not those that are Logseq's own", async () => {
    const { notes } = await readAll(root);
    const apollo = called(notes, "Project/Apollo");
    expect(fieldsOf(apollo)).toEqual({
      type: ["reference", "Feature -> [[feature]]"],
      crew: ["reference", "Neil -> [[neil]]", "Buzz -> [[buzz]]"],
      platforms: ["reference", "Saturn V -> [[saturn v]]", "Lander -> [[lander]]"],
      description: ["text", "Lands on the moon, see [[Landing]] first"],
      alias: ["text", "Moonshot", "Apollo"],
    });
    expect(apollo.tags).toEqual(["project", "space travel"]);
    expect(apollo.references).toEqual(["[[project]]", "[[space travel]]", "[[landing]]"]);
    expect(apollo.aliases).toEqual(expect.arrayContaining(["[[project/apollo]]", "[[moonshot]]", "[[apollo]]"]));
    expect(fieldsOf(called(notes, "Plan"))).toEqual({});
    const task = called(notes, "Choose a site with Ada Lovelace #urgent");
    expect(fieldsOf(task)).toEqual({ deadline: ["date", "2024-07-20"], priority: ["options", "A"] });
    expect(task.tags).toEqual(["urgent"]);
    expect(fieldsOf(called(notes, "Ask the expert"))).toEqual({});
  });

  it("finds what links mean: titles, other names, blocks, dates, whatever their case", async () => {
    const { notes } = await readAll(root);
    const from = (name: string) => leadsTo(notes, called(notes, name));
    expect(from("Met ada lovelace about moonshot")).toEqual(["Ada, Countess of Lovelace", "Project/Apollo"]);
    expect(from("Works on Project/Apollo, see ((6500c1a4-0000-4000-8000-000000000001))")).toEqual([
      "Project/Apollo",
      "Plan",
    ]);
    expect(from("Because of Jan 31st, 2024")).toEqual(["Jan 31st, 2024"]);
    expect(from("Ask the expert")).toEqual(["Ada, Countess of Lovelace"]);
    expect(from("An example")).toEqual([]);
    expect(called(notes, "Why?").aliases).toContain("[[why?]]");
    expect(called(notes, "Jan 31st, 2024").created).toBe(Date.UTC(2024, 0, 31));
  });
});

describe("any folder of Markdown", () => {
  it("is known by what lies in it", async () => {
    expect(await flavourOf(folder({ "a/b/c.MD": "x" }))).toBe("markdown");
    expect(await flavourOf(folder({ "pages/a.md": "x", "journals/b.md": "y" }))).toBe("logseq");
    expect(await flavourOf(folder({ "a.md": "x", ".obsidian/app.json": "{}", "logseq/notes.md": "y" }))).toBe(
      "obsidian",
    );
    expect(await flavourOf(folder({ "a.md": "x", ".obsidian/app.json": "{}", "logseq/config.edn": "{}" }))).toBe(
      "logseq",
    );
    expect(await flavourOf(folder({ "a.txt": "x", ".git/b.md": "y", "node_modules/c.md": "z" }))).toBeUndefined();
    const root = folder({ "a.md": "x" });
    expect(await vault.recognises(root)).toBe(true);
    expect(await vault.recognises(join(root, "a.md"))).toBe(false);
    expect(await vault.recognises(join(root, "nowhere"))).toBe(false);
  });

  it("calls a page by its title", async () => {
    const root = folder({
      "docs/getting-started.md": "# Getting started\n\nFirst.\n\n## Install\n\nSecond.\n",
      "docs/titled.md": "---\ntitle: A title\n---\n# Another\n",
      "docs/two.md": "# One\n\n# Two\n",
      "docs/none.md": "See [start](getting-started.md#install), [[A title]] and [home](/docs/two.md).\n",
    });
    const { notes } = await readAll(root);
    expect(tree(notes, "docs/getting-started.md")).toEqual(["Getting started :1", "  Install :5"]);
    expect(tree(notes, "docs/titled.md")).toEqual(["A title :1", "  Another :4"]);
    expect(tree(notes, "docs/two.md")).toEqual(["two :1", "  One :1", "  Two :3"]);
    expect(leadsTo(notes, called(notes, "none"))).toEqual(["Install", "Getting started", "A title", "two"]);
  });

  it("changes the stamp of what changed, and of everything when the settings do", async () => {
    const root = folder({ "pages/a.md": "- x", "pages/b.md": "- y", "logseq/config.edn": "{}" });
    const before = await vault.list(root);
    expect(await vault.list(root)).toEqual(before);
    writeFileSync(join(root, "pages/a.md"), "- z");
    utimesSync(join(root, "pages/a.md"), 1_700_000_000, 1_700_000_000);
    const after = await vault.list(root);
    expect(after.map(({ stamp }, at) => stamp === before[at]!.stamp)).toEqual([false, true]);
    writeFileSync(join(root, "logseq/config.edn"), "{:file/name-format :triple-lowbar}");
    expect((await vault.list(root)).map(({ stamp }, at) => stamp === after[at]!.stamp)).toEqual([false, false]);
  });

  it("takes the time of the file for that of its notes", async () => {
    const root = folder({ "a.md": "# A\n\n## B\n" });
    utimesSync(join(root, "a.md"), 1_700_000_000, 1_700_000_000);
    const { notes } = await readAll(root);
    expect(notes.map(({ changed }) => changed)).toEqual([1_700_000_000_000, 1_700_000_000_000]);
  });

  it("follows no link", async () => {
    const outside = folder({ "secret.md": "outside", "more/deep.md": "outside" });
    const root = folder({ "a.md": "inside", "b.md": "inside too" });
    symlinkSync(join(outside, "secret.md"), join(root, "link.md"));
    symlinkSync(join(outside, "more"), join(root, "more"));
    symlinkSync(root, join(root, "loop"));
    expect((await vault.list(root)).map(({ name }) => name)).toEqual(["a.md", "b.md"]);
    const read = await readAll(root, ["link.md", "more/deep.md", "../x.md", "a.md"]);
    expect(read.notes.map(({ text }) => text)).toEqual(["inside"]);
    expect(read.warnings).toEqual(["3 files could not be read, for example link.md."]);
  });

  it("says what it could not read, and reads the rest", async () => {
    const root = folder({ "a.md": "fine", "big.md": "x".repeat(9 * 1024 * 1024), "empty.md": "" });
    writeFileSync(join(root, "binary.md"), Buffer.from([1, 2, 0, 3, 4, 0, 5]));
    writeFileSync(join(root, "latin.md"), Buffer.from("na\xefve caf\xe9 note\n", "latin1"));
    writeFileSync(join(root, "wide.md"), Buffer.from("\ufeffwide\r\ntext", "utf16le"));
    const { notes, warnings } = await readAll(root);
    expect(notes.map(({ key, text }) => [key, text])).toEqual([
      ["a.md", "fine"],
      ["empty.md", undefined],
      ["latin.md", "na\ufffdve caf\ufffd note"],
      ["wide.md", "wide\ntext"],
    ]);
    expect(warnings).toEqual([
      "big.md is larger than 8 MB and was not read.",
      "binary.md is not text and was not read.",
      "latin.md is not in UTF-8: what is no text in it was replaced.",
    ]);
  });

  it.skipIf(process.getuid?.() === 0 || process.platform === "win32")(
    "warns of folders that may not be read",
    async () => {
      const root = folder({ "a.md": "fine", "closed/b.md": "hidden" });
      chmodSync(join(root, "closed"), 0o000);
      try {
        const { notes, warnings } = await readAll(root);
        expect(notes.map(({ key }) => key)).toEqual(["a.md"]);
        expect(warnings).toEqual(["closed/ could not be read."]);
      } finally {
        chmodSync(join(root, "closed"), 0o755);
      }
    },
  );

  it("yields nothing for a file that has gone since", async () => {
    const root = folder({ "a.md": "fine" });
    expect(await readAll(root, ["gone.md"])).toEqual({ notes: [], warnings: [], batches: 1 });
  });

  it("refuses what is not a folder", async () => {
    const root = folder({ "a.md": "x" });
    await expect(vault.list(join(root, "none"))).rejects.toMatchObject({ code: "not-found" });
    await expect(vault.list(join(root, "a.md"))).rejects.toMatchObject({ code: "bad-input" });
    mkdirSync(join(root, "empty"));
    expect(await vault.list(join(root, "empty"))).toEqual([]);
  });

  it("comes in batches, one file after the other", async () => {
    const root = folder({ "a.md": "# A\n".repeat(2500), "b.md": "x" });
    const sizes: [string, number][] = [];
    for await (const { sheet, notes } of vault.read(root, ["a.md", "b.md"], { warn: () => undefined })) {
      sizes.push([sheet, notes.length]);
    }
    expect(sizes).toEqual([
      ["a.md", batchSize],
      ["a.md", batchSize],
      ["a.md", 501],
      ["b.md", 1],
    ]);
  });

  it("stops when it is told to", async () => {
    const root = folder(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`${at}.md`, "x"])));
    const controller = new AbortController();
    const sheets = (await vault.list(root)).map(({ name }) => name);
    let read = 0;
    const run = async (): Promise<void> => {
      for await (const _ of vault.read(root, sheets, { signal: controller.signal, warn: () => undefined })) {
        if (++read === 5) controller.abort();
      }
    };
    await expect(run()).rejects.toMatchObject({ name: "AbortError" });
    expect(read).toBeLessThan(200);
  });
});
