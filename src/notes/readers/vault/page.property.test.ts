import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../tests/seed.ts";
import type { Note } from "../../../note.ts";
import { splitLines } from "../../../text/lines.ts";
import { flavours, type VaultSettings } from "./flavour.ts";
import { readPage } from "./page.ts";

const settings = fc
  .constantFrom(...flavours)
  .map((flavour): VaultSettings => ({ flavour, listProperties: flavour === "logseq" ? ["people"] : [] }));

/** Text made of what means something: every mark, in every order. */
// biome-ignore format: one long table
const marks = [
  "# ", "## ", "- ", "* ", "1. ", "> ", "- [ ] ", "- [x] ", "\t", "  ", "\n", "\n\n", "\r\n", "\r", "---\n", "...\n",
  "===\n", "```", "~~~", "`", "``", "[[", "]]", "[", "]", "(", ")", "((", "))", "{{embed ", "}}", "|", "\\", "\\|",
  "!", "#tag", "#a/b", "key:: ", "[key:: ", "(key:: ", "::", "id:: ", "alias:: ", "tags:: ", "title:: ", "key: ",
  "aliases: ", '"', "'", "[a, ", "{", "}", "%%", "<!--", "-->", "$$", "#+BEGIN_NOTE", "#+END_NOTE", "#+BEGIN_SRC",
  "#+END_SRC", ":LOGBOOK:", ":PROPERTIES:", ":END:", "TODO ", "DONE ", "[#A] ", "SCHEDULED: <2024-01-31 Wed>",
  " ^id", "^id", "word", "Ünï", "😀", "http://a.b/#c", "x.md", "../x.md", "6500c1a4-0000-4000-8000-000000000001",
  "2024-01-31", "\u2028", "\ufeff", "\0", "\ud800",
];
const markup = fc.array(fc.constantFrom(...marks), { maxLength: 60 }).map((parts) => parts.join(""));
const text = fc.oneof(markup, fc.string({ unit: "binary", maxLength: 200 }));
const path = fc.constantFrom(
  "a.md",
  "pages/a___b.md",
  "journals/2024_01_31.md",
  "x/%E0%A4.md",
  "deep/er/Ünï%2F.MD",
  "#.md",
  "...md",
);

describe("reading any page", () => {
  it("never throws, and yields a tree of notes with keys of their own", () => {
    fc.assert(
      fc.property(text, path, settings, (content, name, how) => {
        const notes = readPage(name, content, 5, how);
        expectTree(notes, name);
        const lines = splitLines(content).length;
        for (const { place } of notes) {
          expect(place!.line).toBeGreaterThanOrEqual(1);
          expect(place!.line).toBeLessThanOrEqual(Math.max(1, lines));
        }
        for (const { name: title } of notes) expect(title).not.toMatch(/\n/);
      }),
      { numRuns: runs(1_500, 500) },
    );
  });

  it("is the same however its lines end", () => {
    fc.assert(
      fc.property(markup, settings, (content, how) => {
        const plain = content.replaceAll("\r", "");
        expect(readPage("a.md", plain.replaceAll("\n", "\r\n"), 5, how)).toEqual(readPage("a.md", plain, 5, how));
      }),
    );
  });
});

/** Lines with words of their own, so that a lost word is a lost line. `$`: a word. */
// biome-ignore format: one long table
const shapes = [
  "$", "# $", "### $ ##", "- $", "* $", "  - $", "\t- $", "    - $ $", "1. $", "- [ ] $", "  - [x] $", "\t* [ ] $",
  "> $", "| $ | $ |", "    $", "  $", "$ ^id$", "^id$", "- $ ^id$", "- ", "-", "", "", "\t", "```", "  ```js",
  "- ```", "~~~", "===", "---", "***", "$$", "$ $$ $", "<!-- $", "$ -->", "<!-- $ -->", "%% $", "%%", "$ %% $ %%",
  "`$", "`$` $", "[[$]]", "[[$|$]]", "![[$]]", "[$]($.md)", "[[$#$]] $", "#$ $", "#$/$", "$:: $", "- $:: $",
  "$ [$:: $] $", "$ [$:: $]", "($:: [[$]])", "#+BEGIN_NOTE", "#+END_NOTE", "#+BEGIN_SRC $", "#+END_SRC", "- TODO $",
  "- DOING [#A] $", "- ## $", "{{embed [[$]]}} $", "((6500c1a4-0000-4000-8000-000000000001)) $", "[[$", "$]] [$",
  ":LOGBOOK: $",
];
const page = fc.array(fc.constantFrom(...shapes), { maxLength: 25 }).map((chosen) => {
  let count = 0;
  // Not a frontmatter: comments in it are nobody's text.
  return ["first", ...chosen].map((shape) => shape.replace(/\$(?!\$)(?<!\$\$)/g, () => `w${count++}w`)).join("\n");
});

describe("what a page says", () => {
  it("is in one of its notes, down to the last word", () => {
    fc.assert(
      fc.property(page, settings, (content, how) => {
        const json = JSON.stringify(readPage("a.md", content, 5, how));
        const lost = (content.match(/w\d+w/g) ?? []).filter((word) => !json.includes(word));
        expect({ content, lost }).toEqual({ content, lost: [] });
      }),
      { numRuns: runs(1_500, 500) },
    );
  });

  it("is only once in names and texts", () => {
    fc.assert(
      fc.property(page, settings, (content, how) => {
        const shown = readPage("a.md", content, 5, how).flatMap(({ name, text: below = "" }) => [name, below]);
        const words = shown.join("\n").match(/w\d+w/g) ?? [];
        expect(words.length).toBe(new Set(words).size);
      }),
      { numRuns: runs(800, 270) },
    );
  });

  it("stands where its place says", () => {
    fc.assert(
      fc.property(page, settings, (content, how) => {
        const lines = splitLines(content);
        for (const { name, text: below = "", parent, place } of readPage("a.md", content, 5, how)) {
          const [word] = `${name} ${below}`.match(/w\d+w/) ?? [];
          if (parent === undefined || word === undefined) continue;
          const at = lines.findIndex((line) => line.includes(word)) + 1;
          expect(place!.line).toBeLessThanOrEqual(at);
          // The first line of a block may be a property, or a bullet without text.
          const bare = /::|^\s*-\s*$/.test(lines[place!.line - 1]!);
          if (name.includes(word) && !bare && !name.startsWith("first")) expect(place!.line).toBe(at);
        }
      }),
      { numRuns: runs(1_500, 500) },
    );
  });
});

function expectTree(notes: Note[], path: string): void {
  const seen = new Set<string>();
  const orders = new Map<string, number>();
  for (const note of notes) {
    expect(seen.has(note.key)).toBe(false);
    if (note.parent === undefined) expect(note.key).toBe(path);
    else {
      expect(seen.has(note.parent)).toBe(true);
      expect(note.order).toBe(orders.get(note.parent) ?? 0);
      orders.set(note.parent, note.order! + 1);
    }
    seen.add(note.key);
  }
  expect(notes[0]?.parent).toBeUndefined();
}
