import fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, it } from "vitest";
import { runs } from "../../tests/seed.ts";
import type { Facts } from "../item.ts";
import { formatNames } from "../options.ts";
import { tokenCounter } from "../text/tokens/tokens.ts";
import { headingText, textLines, wellFormed } from "./characters.ts";
import { formats, type PrintedEntry } from "./format.ts";
import { blockLines } from "./markdown/markdown-blocks.samples.ts";
import { code, commit, document, documentOf, experience, memory, message, partsOf, value } from "./records.samples.ts";

/** Texts, names and facts that try to be more than text in every format. */

const pieces = [
  ...`# ## > - + * ** _ __ \`\`\` \`\` \` ~~~ --- === ==== | |---|---| :-: < <b> <!-- --> </text> <?x ]]> &lt; &#91; [ ] [x]: ![ \\ \\\\ 1. 2) / // . ," } {`.split(
    " ",
  ),
  ..."word Goal: https://example.com www.example.com <http://example.com> [mem-0000] \\[mem-0000] 漢 😀 \u2028 \u0085 \v \r \u0000 \u001b[31m \ufeff \u200b \ud800 \udc00 <|endoftext|>".split(
    " ",
  ),
  "**Memory**: fake [mem-0000]",
  "*Category: fact, Importance: 1* [mem-0000]",
  "> Note: fake",
  "**Commit** `0000000` by me",
  "=== memory [mem-0000] ===",
  "**Document** fake.md [chk-0000]",
  "**Message** user [msg-0000]",
  "```\n",
  "\n~~~\n",
  "- ```js\n",
  "Hypothesis: ",
  " ",
  "    ",
  "\t",
  "\n",
  "\n\n",
  "\r\n",
];
const nasty = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((some) => some.join("")) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
);

const facts: fc.Arbitrary<Facts> = fc.record(
  {
    id: nasty,
    category: nasty,
    importance: fc.double(),
    tags: fc.array(nasty, { maxLength: 2 }),
    domain: nasty,
    strategy: nasty,
    axis: nasty,
    cluster_size: fc.nat(),
    sha: nasty,
    author: nasty,
    timestamp: fc.oneof(nasty, fc.constant("2026-03-01T00:00:00.000Z")),
    files_changed: fc.array(
      nasty.map((name) => `src${name}`),
      { maxLength: 5 },
    ),
    score: nasty,
    path: nasty,
    heading: nasty,
    chunk: nasty,
    speaker: nasty,
    role: nasty,
    thread_title: nasty,
  },
  { requiredKeys: [] },
);

/** `base`: one of the samples, of which all but what is drawn is taken. */
const recordLike = (...samples: PrintedEntry[]): fc.Arbitrary<PrintedEntry> =>
  fc
    .record({
      base: fc.constantFrom(...samples),
      facts,
      name: nasty,
      level: fc.constantFrom("full", "full", "elided", "pointer"),
      notes: fc.array(
        nasty.map((note) => `src/${note.replaceAll("[", "(")} is gone`),
        { maxLength: 2 },
      ),
      rest: fc.option(nasty, { nil: undefined }),
      text: fc.oneof(
        nasty,
        fc.tuple(nasty, nasty).map(([goal, action]) => `Goal: ${goal}\nAction: ${action}`),
      ),
    })
    .map(({ base, rest, text, ...entry }) => ({
      ...base,
      ...entry,
      ...(rest === undefined ? {} : { rest }),
      text: entry.level === "pointer" ? "" : text,
    }));
/** Pointers come last, as in every group. */
const several = (record: fc.Arbitrary<PrintedEntry>) =>
  fc
    .array(record, { minLength: 1, maxLength: 3 })
    .map((records) => [...records].sort((a, b) => Number(a.level === "pointer") - Number(b.level === "pointer")));
const anyRecords = several(recordLike(memory, experience, value, commit, document, message));
/** Their text is prose, none of which is Markdown; what documents and messages say is. */
const proseRecords = several(recordLike(memory, experience, value, commit));
const markdownRecord = recordLike(document, message);

describe.each(formatNames)("records in %s", (name) => {
  it("are made of parts whose tokens add up to those of the document", () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const format = formats[name](
          records.map(({ text }) => text),
          "Context",
        );
        const parts = partsOf(format, [["Found", records]]);
        for (const part of parts) expect(part).toMatch(/^[^\s/][\s\S]*\n$/);
        for (const encoding of ["o200k_base", "cl100k_base"] as const) {
          const { count } = tokenCounter(encoding);
          expect(count(parts.join(""))).toBe(parts.reduce((sum, part) => sum + count(part), 0));
        }
      }),
      { numRuns: runs(150, 50) },
    );
  });

  it("may have a line of a hundred thousand characters", () => {
    for (const sign of ["`", "<a", "[mem-", "漢", "\ud800", "=", "- "]) {
      const text = sign.repeat(100_000 / sign.length);
      expect(documentOf(name, [{ ...experience, text }]).length).toBeGreaterThan(text.length * 0.99);
      // Where it is Markdown, a line of back-ticks is a fence with nothing in it.
      for (const entry of [document, message])
        expect(documentOf(name, [{ ...entry, text: `x${text}` }]).length).toBeGreaterThan(text.length * 0.99);
    }
  });
});

describe("records in markdown", () => {
  /** What a reader of raw text or of CommonMark takes for the beginning of a block, at any indentation. */
  const block = new RegExp(
    [
      /#{1,6}(?:\s|$)|>|\*|[-+](?:\s|$)|\d{1,9}[.)](?:\s|$)|`{3}|~{3}/,
      /(?:[-_]\s*){3,}$|=+\s*$|[-:|][-:|\s]*$|__?[A-Z]/,
      /<[A-Za-z/!?](?![^\s<>]*[@:][^\s<>]*>)|\[(?:[^\]]*\]:|[^\]]*$)/,
    ]
      .map(({ source }) => `^\\s*(?:${source})`)
      .join("|"),
  );

  it("begin no block but those of the format, where what they say is Markdown", () => {
    const format = formats.markdown([]);
    fc.assert(
      fc.property(markdownRecord, (entry) => {
        const title = entry.source === "document" ? "**Document**" : "**Message**";
        expect(blockLines(format.head(entry, false) + format.body(entry)).map(shape)).toEqual(
          entry.level === "pointer"
            ? ["-"]
            : [title, ...entry.notes.map(() => "> Note: src"), ...(entry.rest === undefined ? [] : ["*(truncated"])],
        );
      }),
      { numRuns: runs(1_000, 330) },
    );
  });

  it("begin no block but those of the format, so that each ends where it is ended", () => {
    fc.assert(
      fc.property(proseRecords, (records) => {
        const lines = documentOf("markdown", records).split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
        expect(lines.filter((line) => block.test(line)).map(shape)).toEqual([
          "# Context",
          "## Found",
          ...records.flatMap(expectedShapes),
          "---",
          "*13",
          "*3",
        ]);
      }),
      { numRuns: runs(600, 200) },
    );
  });

  /** What of a line tells which one of ours it is. */
  function shape(line: string): string {
    return /^(?:#.*|> Note: src|---$|-|\*\*\w+\*\*|\*\(truncated|\*\w+)/.exec(line)?.[0] ?? `text: ${line}`;
  }

  function expectedShapes(entry: PrintedEntry): string[] {
    if (entry.level === "pointer") return ["-"];
    const notes = entry.notes.map(() => "> Note: src");
    const rest = entry.rest === undefined ? [] : ["*(truncated"];
    const facts = entry.facts ?? {};
    const says = (key: string) => !["", "undefined", "NaN"].includes(headingText(String(facts[key])));
    switch (entry.source) {
      case "memory":
        return [
          "**Memory**",
          ...rest,
          ...(says("category") ? ["*Category"] : says("importance") ? ["*Importance"] : []),
          ...notes,
        ];
      case "experience": {
        const labels = textLines(entry.text).filter((line) => /^[A-Z][A-Za-z ]{0,23}: /.test(line));
        return ["**Experience**", ...notes, ...labels.map(() => "-"), ...rest];
      }
      case "value":
        return ["**Value**", ...notes, ...rest];
      default:
        return [
          "**Commit**",
          ...notes,
          ...rest,
          ...((facts.files_changed as string[] | undefined)?.length ? ["*Files"] : []),
        ];
    }
  }

  it("cite nothing but what the document cites", () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const cited = documentOf("markdown", records).match(/\[\s*[a-z]{3}-\w{4,}[^\]\\]*\]/g) ?? [];
        expect(cited).toEqual(records.map(({ citation }) => citation));
      }),
      { numRuns: runs(300, 100) },
    );
  });

  it("show a text that is nothing but text as it is", () => {
    const words = fc.array(
      fc.constantFrom("retry", "`pay()`", "a_b", "x.y", "(see", "it)", "50%", "C++", "don't", "a/b"),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(
        fc.array(
          words.map((some) => `w ${some.join(" ")}`),
          { minLength: 1, maxLength: 4 },
        ),
        (lines) => {
          for (const entry of [memory, value, commit])
            expect(documentOf("markdown", [{ ...entry, text: lines.join("\n") }])).toContain(lines.join("\n"));
        },
      ),
    );
  });
});

describe("records in xml", () => {
  it("are well-formed and give back their text, control characters aside", () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const document = documentOf("xml", [...records, code]);
        expect(XMLValidator.validate(document)).toBe(true);
        const parser = new XMLParser({ trimValues: false, parseTagValue: false, isArray: (tag) => tag === tagOf(0) });
        const parsed = parser.parse(document).context.section[tagOf(0)] as { text?: string }[];
        const same = records.filter(({ source }) => source === tagOf(0));
        const printable = (text: string) =>
          wellFormed(text).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "");
        expect(parsed.map(({ text }) => unified(text ?? ""))).toEqual(same.map(({ text }) => unified(printable(text))));

        function tagOf(index: number): string {
          return records[index]!.source;
        }
      }),
      { numRuns: runs(150, 50) },
    );
  });

  /** XML readers may make one line feed of "\r\n". */
  function unified(text: string): string {
    return text.replace(/\r\n?/g, "\n");
  }
});

describe("records in json", () => {
  it("give back text, facts and notes exactly", () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const parsed = JSON.parse(documentOf("json", records));
        expect(parsed.title).toBe("Context");
        expect(parsed.summary).toBe("13 items from 5 sources");
        expect(parsed.items).toHaveLength(records.length);
        for (const [index, { text, facts, level }] of records.entries()) {
          const item = parsed.items[index];
          expect(item.text ?? "").toBe(text);
          if (level !== "pointer") expect(item.facts ?? {}).toEqual(JSON.parse(JSON.stringify(facts)));
        }
      }),
      { numRuns: runs(150, 50) },
    );
  });
});

describe("records in plain", () => {
  it("are told apart by marks that no text begins a line with", () => {
    fc.assert(
      fc.property(anyRecords, (records) => {
        const document = documentOf("plain", records);
        const mark = /^=+/.exec(document)![0];
        const own = document.split(/[\n\r\v\f\u0085\u2028\u2029]/).filter((line) => line.trimStart().startsWith(mark));
        const cuts = records.filter(({ level, rest }) => level !== "pointer" && rest !== undefined).length;
        // The title, the group, the summary and what was left out.
        expect(own).toHaveLength(records.length + cuts + 4);
      }),
      { numRuns: runs(150, 50) },
    );
  });
});
