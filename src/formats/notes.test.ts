import { describe, expect, it } from "vitest";
import type { Facts } from "../item.ts";
import { formatNames } from "../options.ts";
import type { PrintedEntry, WalkStep } from "./format.ts";
import { formats } from "./format.ts";
import {
  about,
  ada,
  beta,
  mixedParts,
  notes,
  outlineFormats,
  outlineParts,
  project,
  ship,
  tool,
} from "./notes.samples.ts";
import { isPlainNote } from "./notes.ts";
import { memory } from "./records.samples.ts";

const outline = formats.markdown([], undefined, true);

describe("a document about a notes graph", () => {
  it("is a Markdown document with a heading for each note, as deep as the way to it", () => {
    expect(outlineParts(formats.markdown, notes).join("")).toMatchInlineSnapshot(`
      "# Context: SOC Defender project

      *Lens: planning | Workspace: main | Backend: sqlite*

      ## SOC Defender #project #security [not-1k3f]

      *Work > Projects*
      > Note: the 100 best of 623 children were followed

      - **Status**: active
      - **Owner**: Ada, Grace

      Security operations *dashboard*, see [[Architecture]].

      * alerts from \`siem\`
      * triage

      \`\`\`sh
      # start it
      soc up
      \`\`\`

      - Ada asked for a pager [not-0a1b] (reference)
      ### [ ] Beta #milestone [not-8p2c]

      *SOC Defender > Milestones* · *pages/beta.md:12*

      - **Due**: 2026-03-31

      \\## Scope
      \\> everything that \\[mem-1k3f\\] asks for

      *(truncated, see full at not-8p2cq08zr4c2m)*

      - *SOC Defender > Milestones*
      - [x] Ship **it** with \`soc release\` [not-9xk2]
      ## Also related

      - Related security tool #tool [not-55zz]
      ---
      *3 more results left out: 3 over budget*

      "
    `);
  });

  it("is XML", () => {
    expect(outlineParts(formats.xml, notes).join("")).toMatchInlineSnapshot(`
      "<context query="SOC Defender project" lens="planning" workspace="main" backend="sqlite">
      <note id="not-1k3f" name="SOC Defender" tags="project, security" key="abc123" origin="tana" distance="0" way="Work &gt; Projects" score="0.92" note="the 100 best of 623 children were followed">
      <field name="Status">active</field>
      <field name="Owner">Ada, Grace</field>
      <text><![CDATA[Security operations *dashboard*, see [[Architecture]].

      - alerts from \`siem\`
      - triage

      \`\`\`sh
      # start it
      soc up
      \`\`\`]]></text>
      </note>
      <note id="not-0a1b" name="Ada asked for a pager" key="ada003" origin="tana" distance="1" relation="reference" way="SOC Defender" score="0.40"/>
      <note id="not-8p2c" name="Beta" tags="milestone" done="false" key="bet001" origin="vault" place="pages/beta.md:12" distance="2" relation="child" way="SOC Defender &gt; Milestones" score="0.71" note="elided">
      <field name="Due">2026-03-31</field>
      <text><![CDATA[## Scope
      > everything that [mem-1k3f] asks for]]></text>
      <truncated>see full at not-8p2cq08zr4c2m</truncated>
      </note>
      <note id="not-9xk2" name="Ship **it** with \`soc release\`" done="true" key="shp002" origin="tana" distance="2" relation="child" way="SOC Defender &gt; Milestones" score="0.52"/>
      <note id="not-55zz" name="Related security tool" tags="tool"/>
      <omitted>3 more results left out: 3 over budget</omitted>
      </context>
      "
    `);
  });

  it("is plain text", () => {
    expect(outlineParts(formats.plain, notes).join("")).toMatchInlineSnapshot(`
      "=== Context: SOC Defender project ===
      Lens: planning | Workspace: main | Backend: sqlite

      === note: SOC Defender #project #security [not-1k3f] ===
      Way: Work > Projects
      Score: 0.92
      Note: the 100 best of 623 children were followed
      - Status: active
      - Owner: Ada, Grace
      Text:
      Security operations *dashboard*, see [[Architecture]].

      - alerts from \`siem\`
      - triage

      \`\`\`sh
      # start it
      soc up
      \`\`\`

      === note: Ada asked for a pager [not-0a1b] === reference
      === note: [ ] Beta #milestone [not-8p2c] ===
      Way: SOC Defender > Milestones (child)
      Place: pages/beta.md:12
      Score: 0.71
      - Due: 2026-03-31
      Text:
      ## Scope
      > everything that [mem-1k3f] asks for
      === truncated, see full at not-8p2cq08zr4c2m ===

      === SOC Defender > Milestones ===

      === note: [x] Ship **it** with \`soc release\` [not-9xk2] === child
      === Also related ===

      === note: Related security tool #tool [not-55zz] ===
      === 3 more results left out: 3 over budget ===

      "
    `);
  });

  it.each(Object.entries(outlineFormats))("in %s says the same with nothing in it but its header", (_name, make) => {
    const format = make([], undefined, true);
    const document =
      format.header!(about, { budget: 500, used: 80, included: 0, summarised: 0 }) + format.nothing("No.");
    expect(document).toContain("SOC Defender project");
  });
});

describe("notes among other records", () => {
  it("are blocks in Markdown", () => {
    expect(mixedParts("markdown", [project, ada, beta, memory, tool]).join("")).toMatchInlineSnapshot(`
      "# Context

      ## Notes

      **Note** SOC Defender #project #security [not-1k3f]
      *Work > Projects*
      > Note: the 100 best of 623 children were followed

      - **Status**: active
      - **Owner**: Ada, Grace

      Security operations *dashboard*, see [[Architecture]].

      * alerts from \`siem\`
      * triage

      \`\`\`sh
      # start it
      soc up
      \`\`\`

      **Note** Ada asked for a pager [not-0a1b]
      *SOC Defender* (reference)

      **Note** [ ] Beta #milestone [not-8p2c]
      *SOC Defender > Milestones*

      - **Due**: 2026-03-31

      \\## Scope
      \\> everything that \\[mem-1k3f\\] asks for

      *(truncated, see full at not-8p2cq08zr4c2m)*

      **Memory**: Payments are retried three times with \`backoff()\`.
      A fourth attempt costs a fee.
      *Category: decision, Importance: 0.8* [mem-1k3f]

      - note: Related security tool #tool [not-55zz]
      "
    `);
  });

  it("are items in JSON", () => {
    expect(mixedParts("json", [project, beta, ada, tool]).join("")).toMatchInlineSnapshot(`
      "{"title":"Context","items":[
      {"id":"not-1k3f","type":"note","name":"SOC Defender","tags":["project","security"],"key":"abc123","origin":"tana","fields":{"Status":"active","Owner":["Ada","Grace"]},"breadcrumb":["Work","Projects"],"score":0.92,"level":"full","notes":["the 100 best of 623 children were followed"]
      ,"text":"Security operations *dashboard*, see [[Architecture]].\\n\\n- alerts from \`siem\`\\n- triage\\n\\n\`\`\`sh\\n# start it\\nsoc up\\n\`\`\`"}
      ,{"id":"not-8p2c","type":"note","name":"Beta","tags":["milestone"],"key":"bet001","origin":"vault","place":"pages/beta.md:12","fields":{"Due":"2026-03-31"},"done":false,"distance":2,"relation":"child","way":[{"name":"SOC Defender"},{"name":"Milestones","relation":"child"}],"score":0.71,"level":"elided"
      ,"text":"## Scope\\n> everything that [mem-1k3f] asks for","truncated":"see full at not-8p2cq08zr4c2m"}
      ,{"id":"not-0a1b","type":"note","name":"Ada asked for a pager","key":"ada003","origin":"tana","distance":1,"relation":"reference","way":[{"name":"SOC Defender"}],"score":0.4,"level":"full"
      }
      ,{"id":"not-55zz","type":"note","name":"Related security tool","tags":["tool"],"level":"pointer"}
      ]
      }
      "
    `);
  });

  it.each(formatNames)("in %s name citation, tags, fields, way and text", (name) => {
    const document = mixedParts(name, [beta]).join("");
    for (const words of ["not-8p2c", "Beta", "milestone", "Due", "2026-03-31", "SOC Defender", "Milestones", "Scope"])
      expect(document).toContain(words);
  });

  it.each(formatNames)("in %s leave out what is not known of them", (name) => {
    const { facts: _, way: __, distance: ___, ...bare } = project;
    const unknown: Facts[] = [{}, { tags: [], fields: { A: [] }, id: "" }];
    for (const entry of [bare, ...unknown.map((facts) => ({ ...bare, facts }))])
      expect(mixedParts(name, [{ ...entry, notes: [], text: "SOC Defender" }]).join("")).not.toMatch(
        /undefined|null|\[\]|\{\}|\(\)|""|\*\*A|Way|#(?=[^ #])/,
      );
  });
});

describe("a plain note", () => {
  it("is one line that links led to, without tags, fields and further text, printed in full", () => {
    expect([ship, ada].map(isPlainNote)).toEqual([true, true]);
    expect(isPlainNote({ ...ada, text: "Ada asked for a pager\n\n" })).toBe(true);
    const others: PrintedEntry[] = [
      { ...ada, distance: 0 },
      { ...ada, text: "Ada asked\nfor a pager" },
      { ...ada, facts: { tags: ["person"] } },
      { ...ada, facts: { fields: { Mail: ["ada@example.com"] } } },
      { ...ada, level: "elided" },
      { ...ada, level: "pointer", text: "" },
      { ...memory, distance: 1 },
    ];
    for (const entry of others) expect(isPlainNote(entry)).toBe(false);
  });

  it("is said in full, however long it is", () => {
    const text = `${"very ".repeat(100)}long`;
    expect(outline.head({ ...ada, name: `${text.slice(0, 79)}…`, text }, false)).toBe(
      `- ${text} [not-0a1b] (reference)\n`,
    );
  });

  it("stands under the way that led there, or under a heading where it was found directly", () => {
    const way = Array.from({ length: 6 }, (_, i): WalkStep => ({ id: `${i}`, name: `n${i}`, relation: "child" }));
    expect(outline.place!(way)).toBe("- *n0 > n1 > n2 > n3 > n4 > n5*\n");
    expect(outline.place!(way, true)).toBe("## n0 > n1 > n2 > n3 > n4 > n5\n\n");
    expect(
      outline.place!([
        { id: "a", name: "a > b" },
        { id: "c", name: "*c*", relation: "reference" },
      ]),
    ).toBe("- *a \\> b > \\*c\\* (reference)*\n");
  });
});

describe("the heading of a note", () => {
  const heading = (entry: Partial<PrintedEntry>) =>
    outline.head({ ...project, facts: {}, notes: [], ...entry }, false).split("\n");

  it("is its whole name, where that is no page", () => {
    const long = `${"word ".repeat(25)}end`;
    expect(heading({ name: `${long.slice(0, 79)}…`, text: long })[0]).toBe(`## ${long} [not-1k3f]`);
    const page = `${"word ".repeat(50)}end`;
    const [first, , below] = heading({ name: `${page.slice(0, 79)}…`, text: page });
    expect(first).toBe(`## ${page.slice(0, 79)}… [not-1k3f]`);
    expect(below).toBe(page);
  });

  it("is its name where the cut was made in it", () => {
    expect(heading({ level: "elided", text: "SOC De\n[... 9 lines]" }).slice(0, 3)).toEqual([
      "## SOC Defender [not-1k3f]",
      "",
      "[... 9 lines]",
    ]);
  });

  it("says no tag twice, and counts those that are too many", () => {
    const facts = { tags: ["Todo", "#next", "a b", ...Array.from({ length: 9 }, (_, i) => `t${i}`)] };
    expect(heading({ facts, text: "Buy milk #todo" })[0]).toBe(
      "## Buy milk #todo #next #a b #t0 #t1 #t2 #t3 #t4 #t5 and 3 more [not-1k3f]",
    );
  });

  it("shows a box only for a note that has one", () => {
    expect(heading({ facts: { done: true }, text: "Pay" })[0]).toBe("## [x] Pay [not-1k3f]");
    expect(heading({ facts: { done: false }, text: "Pay" })[0]).toBe("## [ ] Pay [not-1k3f]");
    expect(heading({ text: "[x] Pay" })[0]).toBe("## \\[x] Pay [not-1k3f]");
  });

  it("is one level below its branch however far it was reached, so that no level is left out", () => {
    for (const distance of [1, 2, 5]) {
      expect(heading({ distance, text: "Deep\nas it is" })[0]).toBe("### Deep [not-1k3f]");
    }
  });
});

describe("the fields of a note", () => {
  it("are one line each, with some of very many values", () => {
    const values = Array.from({ length: 25 }, (_, i) => `v${i}`);
    const entry = { ...project, facts: { fields: { "A*b": ["x\n# y", "[mem-1k3f]"], All: values } } };
    const document = outline.head(entry, false);
    expect(document).toContain("- **A\\*b**: x # y, \\[mem-1k3f\\]\n");
    expect(document).toMatch(/- \*\*All\*\*: v0, .*v19, and 5 more\n/);
  });
});
