import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { relations } from "../note.ts";
import { tokenCounter } from "../text/tokens/tokens.ts";
import type { PrintedEntry } from "./format.ts";
import { contextDocument } from "./json/graph-document.ts";
import { about, ada, beta, notes, outlineParts, project, tool } from "./notes.samples.ts";

const shape = z.strictObject({
  meta: z.strictObject({
    query: z.string(),
    workspace: z.string(),
    lens: z.string(),
    tokens: z.strictObject({
      budget: z.number(),
      used: z.number(),
      utilization: z.number(),
      nodesIncluded: z.number(),
      nodesSummarized: z.number(),
    }),
    assembledAt: z.iso.datetime(),
    backend: z.string(),
  }),
  nodes: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      content: z.string(),
      tags: z.array(z.string()),
      fields: z.record(z.string(), z.union([z.string(), z.array(z.string()).min(2)])).optional(),
      score: z.number().min(0).max(1),
      distance: z.number().int(),
      path: z.array(z.strictObject({ id: z.string(), name: z.string(), type: z.enum(relations) })),
    }),
  ),
  overflow: z.array(z.strictObject({ id: z.string(), name: z.string(), tags: z.array(z.string()), score: z.number() })),
});

const documentOf = (entries: readonly PrintedEntry[]) => outlineParts(contextDocument, entries).join("");

describe("a context document", () => {
  it("reads as it always did", () => {
    expect(documentOf(notes)).toMatchInlineSnapshot(`
      "{"meta":{"query":"SOC Defender project","workspace":"main","lens":"planning","tokens":{"budget":4000,"used":3842,"utilization":0.96,"nodesIncluded":4,"nodesSummarized":1},"assembledAt":"2026-02-22T18:30:00.000Z","backend":"sqlite"},"nodes":[
      {"id":"abc123","name":"SOC Defender","content":"# SOC Defender\\n\\n> Note: the 100 best of 623 children were followed\\n\\nSecurity operations *dashboard*, see [[Architecture]].\\n\\n- alerts from \`siem\`\\n- triage\\n\\n\`\`\`sh\\n# start it\\nsoc up\\n\`\`\`","tags":["project","security"],"fields":{"Status":"active","Owner":["Ada","Grace"]},"score":0.9167,"distance":0,"path":[]}
      ,{"id":"ada003","name":"Ada asked for a pager","content":"# Ada asked for a pager","tags":[],"score":0.4,"distance":1,"path":[{"id":"abc123","name":"SOC Defender","type":"reference"}]}
      ,{"id":"bet001","name":"Beta","content":"# [ ] Beta\\n\\n## Scope\\n> everything that [mem-1k3f] asks for\\n\\n*(truncated, see full at not-8p2cq08zr4c2m)*","tags":["milestone"],"fields":{"Due":"2026-03-31"},"score":0.71,"distance":2,"path":[{"id":"abc123","name":"SOC Defender","type":"child"},{"id":"mil777","name":"Milestones","type":"child"}]}
      ,{"id":"shp002","name":"Ship **it** with \`soc release\`","content":"# [x] Ship **it** with \`soc release\`","tags":[],"score":0.52,"distance":2,"path":[{"id":"abc123","name":"SOC Defender","type":"child"},{"id":"mil777","name":"Milestones","type":"child"}]}
      ],"overflow":[
      {"id":"xyz789","name":"Related security tool","tags":["tool"],"score":0.23}
      ]
      }
      "
    `);
  });

  it("has the keys of its shape in their order, and no other", () => {
    const parsed = JSON.parse(documentOf(notes));
    expect(shape.parse(parsed)).toEqual(parsed);
    expect(Object.keys(parsed)).toEqual(Object.keys(shape.shape));
    expect(Object.keys(parsed.meta)).toEqual(Object.keys(shape.shape.meta.shape));
    expect(Object.keys(parsed.meta.tokens)).toEqual(Object.keys(shape.shape.meta.shape.tokens.shape));
    expect(Object.keys(parsed.nodes[0])).toEqual(Object.keys(shape.shape.nodes.element.shape));
    expect(Object.keys(parsed.overflow[0])).toEqual(Object.keys(shape.shape.overflow.element.shape));
  });

  it("is whole with any number of nodes, and with nothing found", () => {
    for (const entries of [[], [project], [tool], [tool, tool], [project, beta]]) {
      const { nodes, overflow } = shape.parse(JSON.parse(documentOf(entries)));
      expect([nodes.length, overflow.length]).toEqual([
        entries.filter(({ level }) => level !== "pointer").length,
        entries.filter(({ level }) => level === "pointer").length,
      ]);
    }
    const format = contextDocument([], undefined, true);
    const header = format.header!(about, { budget: 500, used: 90, included: 0, summarised: 0 });
    const parsed = shape.parse(JSON.parse(header + format.nothing("Nothing was found.")));
    expect(parsed).toMatchObject({
      nodes: [],
      overflow: [],
      meta: { tokens: { utilization: 0.18, nodesIncluded: 0 } },
    });
  });

  it("names every step with the relation that leads on from it, as many as the distance says", () => {
    const way = [
      { id: "a", name: "A" },
      { id: "b", name: "B", relation: "parent" as const },
      { id: "c", name: "C", relation: "field" as const },
    ];
    const entry = { ...ada, way, distance: 3 };
    const [node] = shape.parse(JSON.parse(documentOf([entry]))).nodes;
    expect(node!.path).toEqual([
      { id: "a", name: "A", type: "parent" },
      { id: "b", name: "B", type: "field" },
      { id: "c", name: "C", type: "reference" },
    ]);
    expect(node!.path).toHaveLength(node!.distance);
  });

  it("says in the text of a node what of it is missing", () => {
    const [first, second] = shape.parse(JSON.parse(documentOf([project, beta]))).nodes;
    expect(first!.content).toMatch(/^# SOC Defender\n\n> Note: the 100 best of 623 children were followed\n\nSecurity/);
    expect(second!.content).toMatch(/asks for\n\n\*\(truncated, see full at not-8p2cq08zr4c2m\)\*$/);
  });

  it("gives back any text as it was written, whatever is in it", () => {
    const text = fc.string({ unit: "binary", maxLength: 40 });
    const few = { maxLength: 3, maxKeys: 3 };
    fc.assert(
      fc.property(
        text,
        text,
        fc.array(text, few),
        fc.dictionary(text, fc.array(text, few), few),
        (own, id, tags, fields) => {
          const entry = { ...project, notes: [], text: `SOC Defender\n${own}`, facts: { id, tags, fields } };
          const parsed = shape.parse(JSON.parse(documentOf([entry, { ...tool, facts: { id, tags } }])));
          if (own.trim() !== "") expect(parsed.nodes[0]!.content).toBe(`# SOC Defender\n\n${own}`);
          if (id !== "") expect([parsed.nodes[0]!.id, parsed.overflow[0]!.id]).toEqual([id, id]);
        },
      ),
    );
  });

  it("has a header that takes as many tokens for any use of as many digits, so that it can count itself", () => {
    const { header } = contextDocument([], undefined, true);
    const count = (used: number) =>
      tokenCounter("o200k_base").count(header!(about, { budget: 9000, used, included: 7, summarised: 3 }));
    for (const used of [1001, 4321, 8950, 8999, 9000]) expect(count(used)).toBe(count(1000));
  });

  it("repeats a question, but no page", () => {
    const use = { budget: 4000, used: 1, included: 0, summarised: 0 };
    const { header } = contextDocument([], undefined, true);
    const question = "What did we decide about the retries of payments, and who owns what follows from it? "
      .repeat(4)
      .trim();
    expect(header!({ ...about, query: question }, use)).toContain(JSON.stringify(question));
    const long = header!({ ...about, query: question.repeat(50) }, { ...use, budget: 500 });
    expect(tokenCounter("o200k_base").count(long)).toBeLessThan(200);
  });
});
