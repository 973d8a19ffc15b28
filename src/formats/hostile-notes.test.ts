import fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, it } from "vitest";
import { runs } from "../../tests/seed.ts";
import type { Header } from "../document.ts";
import { type Facts, linkKinds } from "../item.ts";
import { formatNames } from "../options.ts";
import { tokenCounter } from "../text/tokens/tokens.ts";
import { headingText, wellFormed } from "./characters.ts";
import { formats, type PrintedEntry, type WalkStep } from "./format.ts";
import { neutralName } from "./markdown/escape-markdown.ts";
import { blockLines } from "./markdown/markdown-blocks.samples.ts";
import { about, ada, mixedParts, outlineFormats, outlineParts, project } from "./notes.samples.ts";
import { isPlainNote, noteFields, noteText } from "./notes.ts";

/** Names, texts, tags and fields that try to be more than text in every format. */

const pieces = [
  ...`# ## > - + * ** _ __ \`\`\` \`\` \` ~~~ ~~ --- === ==== | |---|---| :-: < <b> <!-- --> </note> </text> <?x ]]> &lt; &#91; [ ] [x]: [x] ![ \\ \\\\ 1. 2) / // . ," } { ], #tag [[page]] [[ ((uuid))`.split(
    " ",
  ),
  ..."word https://example.com www.example.com [mem-0000] [not-0000] [[not-0000]] \\[not-0000] 漢 😀 \u2028 \u0085 \v \r \u0000 \u001b[31m \ufeff \u200b \ud800 \udc00 <|endoftext|> __proto__".split(
    " ",
  ),
  "## Fake [not-0000]",
  "**Note** fake [not-0000]",
  "*A > B* (child, score: 1.00)",
  "> Note: fake",
  "- **Status**: fake",
  "- fake [not-0000]",
  "=== note: fake [not-0000] ===",
  "```\n",
  "\n```js\n",
  "\n~~~\n",
  "- ```\n",
  "\n- ",
  "\n  * ",
  " ",
  "    ",
  "\t",
  "\n",
  "\n\n",
  "\r\n",
];
const nasty = fc.oneof(
  { weight: 5, arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((some) => some.join("")) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
);

const facts: fc.Arbitrary<Facts> = fc.record(
  {
    id: nasty,
    origin: nasty,
    tags: fc.array(nasty, { maxLength: 3 }),
    fields: fc.dictionary(nasty, fc.array(nasty, { maxLength: 3 }), { maxKeys: 3 }),
    done: fc.boolean(),
    place: nasty,
    breadcrumb: fc.array(nasty, { maxLength: 2 }),
    relation: fc.constantFrom("child", "parent", "reference", "field"),
  },
  { requiredKeys: [] },
);
const step: fc.Arbitrary<WalkStep> = fc.record(
  { id: nasty, name: nasty, relation: fc.constantFrom(...linkKinds) },
  { requiredKeys: ["id", "name"] },
);

const anyNote: fc.Arbitrary<PrintedEntry> = fc
  .record({
    facts,
    way: fc.array(step, { maxLength: 3 }),
    name: nasty,
    level: fc.constantFrom("full", "full", "full", "elided", "pointer"),
    notes: fc.array(
      nasty.map((note) => `the ${note.replaceAll("[", "(")} best`),
      { maxLength: 2 },
    ),
    rest: fc.option(nasty, { nil: undefined }),
    text: fc.oneof(
      nasty,
      fc.tuple(nasty, nasty, nasty).map((some) => some.join("\n")),
    ),
    score: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ rest, text, ...entry }) => ({
    ...project,
    ...entry,
    distance: entry.way.length,
    ...(rest === undefined || entry.level !== "elided" ? {} : { rest }),
    text: entry.level === "pointer" ? "" : text,
  }));
/** Each with a citation of its own, pointers last. */
const anyNotes = fc
  .array(anyNote, { minLength: 1, maxLength: 3 })
  .map((some) => some.map((entry, index) => ({ ...entry, citation: `[not-1k3${index}]` })))
  .map((some) => [...some].sort((a, b) => Number(a.level === "pointer") - Number(b.level === "pointer")));
const anyHeader: fc.Arbitrary<Header> = fc.record({
  query: fc.oneof(nasty, fc.string({ unit: "grapheme", minLength: 100, maxLength: 400 })),
  workspace: nasty,
  lens: nasty,
  backend: nasty,
  assembledAt: fc.constant(about.assembledAt),
});

const documents: [name: string, parts: (entries: readonly PrintedEntry[], header?: Header) => string[]][] = [
  ...Object.entries(outlineFormats).map(([name, make]): (typeof documents)[number] => [
    `a graph in ${name}`,
    (entries, header) => outlineParts(make, entries, header),
  ]),
  ...formatNames.map((name): (typeof documents)[number] => [
    `other records in ${name}`,
    (entries) => mixedParts(name, entries),
  ]),
];

describe.each(documents)("notes of %s", (_name, partsOf) => {
  it("are made of parts whose tokens add up to those of the document", () => {
    fc.assert(
      fc.property(anyNotes, anyHeader, (entries, header) => {
        const parts = partsOf(entries, header);
        for (const part of parts) expect(part).toMatch(/^[^\s/][\s\S]*\n$/);
        for (const encoding of ["o200k_base", "cl100k_base"] as const) {
          const { count } = tokenCounter(encoding);
          expect(count(parts.join(""))).toBe(parts.reduce((sum, part) => sum + count(part), 0));
        }
      }),
      { numRuns: runs(150, 50) },
    );
  });

  it("may have a name, a text or a field of a hundred thousand characters", () => {
    for (const sign of ["`", "<a", "[not-", "\ud800", "=", "- ", "~~~\n", "x\n", " "]) {
      const long = sign.repeat(100_000 / sign.length);
      const fields = { [long]: [long] };
      const steps = [{ id: long, name: long }];
      for (const entry of [
        { ...ada, name: long, text: long },
        { ...project, name: long, text: `${long}\n${long}`, way: steps },
        { ...project, facts: { id: long, tags: [long], fields, breadcrumb: [long] }, level: "elided" as const },
      ])
        expect(partsOf([entry]).join("")).not.toContain("undefined");
    }
  });
});

/** What of a line tells which one of ours it is. A field has no citation, a note has one. */
function shape(line: string): string {
  return (
    /^(?:#+ |> Note: the|- \*\*(?=.*\*\*: )(?!.* \[not-1k3f\](?: \(|$))|- note: |- |\*\*Note\*\* |\*\(truncated|\*)/.exec(
      line,
    )?.[0] ?? `text: ${line}`
  );
}

describe("notes in Markdown", () => {
  const below = (entry: PrintedEntry) => [
    ...entry.notes.map(() => "> Note: the"),
    ...noteFields(entry).map(() => "- **"),
    ...(entry.rest === undefined ? [] : ["*(truncated"]),
  ];
  const way = ({ way = [], facts }: PrintedEntry) =>
    way.length > 0 || (facts?.breadcrumb as string[])?.length ? ["*"] : [];
  const standing = (entry: PrintedEntry) =>
    way(entry).length > 0 || neutralName(String(entry.facts?.place ?? "")) ? ["*"] : [];

  it("begin no block but those of the format, under headings of their own", () => {
    const format = formats.markdown([], undefined, true);
    fc.assert(
      fc.property(anyNote, (entry) => {
        const shapes = blockLines(format.head(entry, false)).map(shape);
        if (entry.level === "pointer" || isPlainNote(entry)) expect(shapes).toEqual(["- "]);
        else {
          const signs = "#".repeat(Math.min(3, 2 + entry.distance!));
          expect(shapes).toEqual([`${signs} `, ...standing(entry), ...below(entry)]);
        }
        expect(blockLines(format.place!(entry.way!)).map(shape)).toHaveLength(1);
        expect(blockLines(format.place!(entry.way!, true)).map(shape)).toHaveLength(1);
      }),
      { numRuns: runs(1_000, 330) },
    );
  });

  it("begin no block but those of the format among other records", () => {
    const format = formats.markdown([]);
    fc.assert(
      fc.property(anyNote, (entry) => {
        const shapes = blockLines(format.head(entry, false)).map(shape);
        expect(shapes).toEqual(
          entry.level === "pointer" ? ["- note: "] : ["**Note** ", ...way(entry), ...below(entry)],
        );
      }),
      { numRuns: runs(500, 170) },
    );
  });

  it("cite nothing but what the document cites, in code neither", () => {
    fc.assert(
      fc.property(anyNotes, anyHeader, (entries, header) => {
        for (const document of [outlineParts(formats.markdown, entries, header), mixedParts("markdown", entries)]) {
          const cited = document.join("").match(/(?<!\\)\[\s*[a-z]{3}-\w{4,}\s*\]/g) ?? [];
          expect(cited).toEqual(entries.map(({ citation }) => citation));
        }
      }),
      { numRuns: runs(500, 170) },
    );
  });

  it("have a header of at most two hundred tokens, whatever was asked", () => {
    const units = fc.constantFrom("binary" as const, "grapheme" as const);
    const long = fc.oneof(
      units.chain((unit) => fc.string({ unit, minLength: 200, maxLength: 300 })),
      fc.constantFrom("[", "&", "*`", "𒀀", "👩‍👩‍👧‍👦", "~!", "ﷺ", "x", "Ω").map((sign) => sign.repeat(1000)),
    );
    const headers = fc.record({
      query: long,
      workspace: long,
      lens: long,
      backend: long,
      assembledAt: fc.constant(""),
    });
    const use = { budget: 4000, used: 4000, included: 1, summarised: 1 };
    fc.assert(
      fc.property(headers, (header) => {
        for (const encoding of ["o200k_base", "cl100k_base"] as const) {
          const text = formats.markdown([], undefined, true).header!(header, use);
          expect(tokenCounter(encoding).count(text)).toBeLessThanOrEqual(200);
          expect(blockLines(text)).toHaveLength(2);
        }
      }),
      { numRuns: runs(300, 100) },
    );
  });
});

describe("notes in XML", () => {
  const parser = new XMLParser({
    trimValues: false,
    parseTagValue: false,
    ignoreAttributes: false,
    parseAttributeValue: false,
    attributeNamePrefix: "",
    isArray: (tag) => tag === "note" || tag === "field",
  });
  const printable = (text: string) =>
    wellFormed(text)
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
      .replace(/\r\n?/g, "\n");

  it("are well-formed and give back their text and fields, control characters aside", () => {
    fc.assert(
      fc.property(anyNotes, anyHeader, (entries, header) => {
        const document = outlineParts(formats.xml, entries, header).join("");
        expect(XMLValidator.validate(document)).toBe(true);
        const parsed = parser.parse(document).context.note as { text?: string; id: string; field?: unknown[] }[];
        expect(parsed.map(({ id }) => `[${id}]`)).toEqual(entries.map(({ citation }) => citation));
        for (const [index, entry] of entries.entries()) {
          const { text = "", field = [] } = parsed[index]!;
          if (entry.level === "pointer") continue;
          expect(text.replace(/\r\n?/g, "\n")).toBe(printable(noteText(entry).text));
          expect(field).toHaveLength(noteFields(entry).length);
        }
      }),
      { numRuns: runs(300, 100) },
    );
  });
});

describe("notes in JSON", () => {
  it("give back text, tags and fields exactly", () => {
    fc.assert(
      fc.property(anyNotes, (entries) => {
        const { items } = JSON.parse(mixedParts("json", entries).join(""));
        expect(items).toHaveLength(entries.length);
        for (const [index, entry] of entries.entries()) {
          const { text = "", fields = {} } = items[index];
          if (entry.level === "pointer") continue;
          expect(text).toBe(noteText(entry).text);
          expect(Object.keys(fields)).toHaveLength(new Set(noteFields(entry).map(([name]) => name)).size);
        }
      }),
      { numRuns: runs(200, 70) },
    );
  });
});

describe("notes in plain text", () => {
  it("are told apart by marks that no line of theirs begins with", () => {
    fc.assert(
      fc.property(anyNotes, (entries) => {
        const document = mixedParts("plain", entries).join("");
        const mark = /^=+/.exec(document)![0];
        const own = document.split(/[\n\r\v\f\u0085\u2028\u2029]/).filter((line) => line.trimStart().startsWith(mark));
        const cuts = entries.filter(({ rest }) => rest !== undefined).length;
        // The title and the group.
        expect(own).toHaveLength(entries.length + cuts + 2);
        for (const entry of entries)
          expect(own.filter((line) => line.includes(headingText(entry.citation)))).not.toEqual([]);
      }),
      { numRuns: runs(300, 100) },
    );
  });
});
