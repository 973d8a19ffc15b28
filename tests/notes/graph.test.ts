import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { context, tanaContext, verify, why } from "../../src/index.ts";
import type { Note } from "../../src/note.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { folder } from "../workspace.ts";
import { apollo, day, idOf, longAgo, noteOf, notesWorkspace } from "./notes-workspace.ts";

type Input = Parameters<typeof tanaContext>[0];

function ask(workspace: Workspace, input: Input) {
  return tanaContext({ path: workspace.root, ...input }, { workspace });
}

async function ids(workspace: Workspace, input: Input): Promise<string[]> {
  const { nodes, overflow } = await ask(workspace, input);
  return [...nodes, ...overflow].map(({ id }) => id);
}

describe("finding the source", () => {
  it("takes what is an id for one by looking it up, whatever it looks like", async () => {
    const { workspace } = await notesWorkspace([...apollo, noteOf("planning", "Quarterly plan")]);
    const byId = await ask(workspace, { query: "planning" });
    expect(byId.nodes[0]).toMatchObject({ id: "planning", distance: 0, score: 1, path: [] });
    const topic = await ask(workspace, { query: "negative amounts" });
    expect(topic.nodes[0]?.id).toBe("risk");
  });

  it("finds a note by its citation", async () => {
    const { workspace } = await notesWorkspace(apollo);
    const { nodes } = await ask(workspace, { query: `[${idOf("ledger")}]` });
    expect(nodes[0]?.id).toBe("ledger");
  });

  it("blends several notes: what is near to both comes before what is near to one", async () => {
    const { workspace } = await notesWorkspace(apollo);
    const { nodes } = await ask(workspace, { query: "project Apollo and person Grace Hopper", depth: 1 });
    const order = nodes.map(({ id }) => id);
    expect(new Set(order.slice(0, 2))).toEqual(new Set(["apollo", "grace"]));
    expect(order[2]).toBe("meeting");
    expect(order).toContain("press");
  });

  it("says which words no note has when nothing is about it, and names notes", async () => {
    const { workspace } = await notesWorkspace(apollo);
    const { nodes, overflow, text, warnings } = await ask(workspace, { query: "quantum chromodynamics" });
    expect(nodes).toEqual([]);
    expect(text).toContain("Nothing here matches. Not in this workspace: quantum, chromodynamics.");
    expect(warnings).toContain("Nothing here matches. Not in this workspace: quantum, chromodynamics.");
    expect(overflow.length).toBeGreaterThan(0);
    expect(countTokens(text)).toBeLessThanOrEqual(150);
  });

  it("names the notes that a misspelt name may mean", async () => {
    const { workspace } = await notesWorkspace(apollo);
    const { overflow } = await ask(workspace, { query: "Apolo" });
    expect(overflow.map(({ name }) => name).join()).toContain("Apollo");
  });
});

describe("walking", () => {
  it("keeps the shortest distance and the way there", async () => {
    const { workspace } = await notesWorkspace(apollo);
    const { nodes } = await ask(workspace, { query: "apollo", depth: 3 });
    const press = nodes.find(({ id }) => id === "press");
    expect(press).toMatchObject({
      distance: 3,
      path: [
        { name: "Apollo", type: "child" },
        { name: "Milestones", type: "child" },
        { name: "Launch", type: "child" },
      ],
    });
    const ada = nodes.find(({ id }) => id === "ada");
    expect(ada).toMatchObject({ distance: 1, path: [{ name: "Apollo", type: "field" }] });
    // Two ways of two steps lead to Grace's node; through the meeting is the only one.
    expect(nodes.find(({ id }) => id === "grace")?.distance).toBe(2);
  });

  it("goes no further than asked, nor than the lens allows", async () => {
    const chain = Array.from({ length: 8 }, (_, i) =>
      noteOf(`n${i}`, `step ${i}`, i === 0 ? {} : { parent: `n${i - 1}` }),
    );
    const { workspace } = await notesWorkspace(chain);
    const furthest = async (input: Input) =>
      Math.max(...(await ask(workspace, input)).nodes.map((node) => node.distance));
    expect(await furthest({ query: "n0", depth: 1 })).toBe(1);
    expect(await furthest({ query: "n0" })).toBe(2);
    expect(await furthest({ query: "n0", depth: 5 })).toBe(3);
    expect(await furthest({ query: "n0", depth: 5, lens: "planning" })).toBe(4);
    await expect(ask(workspace, { query: "n0", depth: 0 })).rejects.toThrow(/depth/);
    await expect(ask(workspace, { query: "n0", depth: 6 })).rejects.toThrow(/depth/);
    await expect(
      context({ query: "n0", path: workspace.root, lens: "general", depth: 0 }, { workspace }),
    ).rejects.toThrow("In a notes graph the depth is from 1 to 5, not 0.");
  });

  it("follows only the relations of its lens", async () => {
    const { workspace } = await notesWorkspace(apollo);
    const writing = await ids(workspace, { query: "apollo", lens: "writing", depth: 1 });
    expect(new Set(writing)).toEqual(new Set(["apollo", "milestones", "risk", "meeting"]));
    const coding = await ids(workspace, { query: "apollo", lens: "coding", depth: 1 });
    expect(new Set(coding)).toEqual(new Set(["apollo", "ada", "meeting"]));
  });

  it("leaves out tags, also inherited ones, and does not walk through what it leaves out", async () => {
    const { workspace } = await notesWorkspace(apollo);
    const all = await ids(workspace, { query: "apollo", depth: 3, lens: "planning" });
    expect(all).toEqual(expect.arrayContaining(["beta", "launch", "press"]));
    const without = await ids(workspace, { query: "apollo", depth: 3, lens: "planning", excludeTag: ["Task"] });
    expect(without).not.toContain("beta");
    expect(without).not.toContain("launch");
    expect(without).not.toContain("press");
  });

  it("leaves out what is older than asked", async () => {
    const { workspace } = await notesWorkspace(apollo);
    expect(await ids(workspace, { query: "home", depth: 1 })).toContain("garden");
    const recent = await ids(workspace, {
      query: "home",
      depth: 1,
      newerThan: new Date(longAgo - day).toISOString().slice(0, 10),
    });
    expect(recent).toContain("apollo");
    expect(recent).not.toContain("garden");
    await expect(ask(workspace, { query: "home", newerThan: "soon" })).rejects.toThrow(/takes a date/);
  });

  it("samples the best of many children, and says so", async () => {
    const many = Array.from({ length: 623 }, (_, i) =>
      noteOf(`c${i}`, i === 600 ? "The zeppelin lands" : `entry number ${i}`, { parent: "list", order: i }),
    );
    const { workspace } = await notesWorkspace([noteOf("list", "Zeppelin log"), ...many]);
    const { text, nodes, overflow } = await ask(workspace, { query: "list", depth: 1, maxTokens: 8000 });
    expect(text).toContain("the 100 best of 623 children were followed");
    expect([...nodes, ...overflow].length).toBeLessThanOrEqual(101);
    expect([...nodes, ...overflow].map(({ id }) => id)).toContain("c600");
  });

  it("survives cycles, dangling references, empty names and nesting 10,000 deep", async () => {
    const deep = Array.from({ length: 10_000 }, (_, i) =>
      noteOf(`d${i}`, `deep ${i}`, i === 0 ? {} : { parent: `d${i - 1}` }),
    );
    const { workspace } = await notesWorkspace([
      ...deep,
      noteOf("a", "First of a circle", { parent: "b", references: ["b", "nowhere"] }),
      noteOf("b", "Second of a circle", { parent: "a", references: ["a"] }),
      noteOf("self", "Owns itself", { parent: "self", references: ["self"] }),
      noteOf("empty", "", { parent: "a" }),
    ]);
    expect(new Set(await ids(workspace, { query: "a", depth: 3 }))).toEqual(new Set(["a", "b", "empty"]));
    expect(await ids(workspace, { query: "self" })).toEqual(["self"]);
    const bottom = await ask(workspace, { query: "d9999", depth: 3 });
    expect(bottom.nodes.map(({ id }) => id)).toContain("d9997");
  });
});

describe("scoring", () => {
  it("adds up distance, similarity and recency with the weights of the design", async () => {
    const { workspace } = await notesWorkspace(apollo);
    const { items } = await context(
      { query: "apollo", path: workspace.root, lens: "writing", depth: 2 },
      { workspace },
    );
    for (const { score, because } of items) {
      const sum = Object.values(because).reduce((total, part) => total + part, 0);
      expect(sum).toBeCloseTo(score, 10);
    }
    const milestones = items.find(({ facts }) => facts?.id === "milestones")!;
    expect(milestones.because.distance).toBeCloseTo(0.4 / 2, 10);
    const meeting = items.find(({ facts }) => facts?.id === "meeting")!;
    // The newest of all that was reached: its recency is whole.
    expect(meeting.because.recency).toBeCloseTo(0.25, 10);
    expect(milestones.because.recency).toBeCloseTo(0.25 * Math.exp(-20 / 30), 10);
  });

  it("raises what has a tag of the lens, by inheritance too", async () => {
    const { workspace } = await notesWorkspace(apollo);
    const scoreOf = async (lens: string, id: string) => {
      const { items } = await context({ query: "milestones", path: workspace.root, lens, depth: 1 }, { workspace });
      return items.find(({ facts }) => facts?.id === id)!;
    };
    const plain = await scoreOf("writing", "beta");
    const raised = await scoreOf("planning", "beta");
    expect(plain.because.lens).toBeUndefined();
    expect(raised.because.lens).toBeGreaterThan(0);
    expect(raised.score).toBeCloseTo(plain.score * 1.25, 10);
  });

  it("is explained by why", async () => {
    const { workspace } = await notesWorkspace(apollo);
    const explanation = await why(
      { query: "apollo", item: idOf("launch"), path: workspace.root, lens: "planning" },
      { workspace },
    );
    expect(explanation).toMatchObject({ outcome: "included", distance: 2 });
    expect(explanation.because).toHaveProperty("distance");
    expect(explanation.because).toHaveProperty("lens");
    expect(explanation.via?.map(({ name }) => name)).toEqual(["Milestones", "Apollo"]);
  });

  it("ranks what is mentioned where the question is spoken of before what is as near and mentioned elsewhere", async () => {
    const { workspace } = await notesWorkspace([
      noteOf("home", "Home"),
      noteOf("talk", "Talk", { parent: "home", order: 0, tags: ["meeting"] }),
      noteOf("a", "Invoices are rounded twice, see", { parent: "talk", order: 0, references: ["half-even"] }),
      noteOf("b", "Rounded invoices differ by a cent, see", { parent: "talk", order: 1, references: ["half-even"] }),
      noteOf("c", "Lunch is at noon, see", { parent: "talk", order: 2, references: ["away"] }),
      noteOf("away", "Away from zero", { parent: "home", order: 1, tags: ["term"] }),
      noteOf("half-even", "To the even neighbour", { parent: "home", order: 2, tags: ["term"] }),
    ]);
    const scores = async (input: Input) => {
      const { nodes, overflow } = await ask(workspace, input);
      return new Map([...nodes, ...overflow].map(({ id, score }) => [id, score]));
    };
    const asked = await scores({ query: "why are invoices rounded twice?", depth: 3 });
    expect(asked.get("half-even")! - asked.get("away")!).toBeGreaterThan(0.05);
    // A lens that follows no references counts no mentions either.
    const planned = await scores({ query: "why are invoices rounded twice?", depth: 3, lens: "planning" });
    expect(planned.has("half-even")).toBe(false);
  });
});

describe("the document", () => {
  it("counts exactly what it prints, in both formats and within any budget", async () => {
    const { workspace } = await notesWorkspace(apollo);
    for (const format of ["markdown", "json"] as const) {
      for (const maxTokens of [...(format === "json" ? [] : [64]), 100, 200, 499, 500, 640, 1000, 4000]) {
        const { text, meta } = await ask(workspace, { query: "apollo", depth: 3, format, maxTokens });
        expect(countTokens(text)).toBe(meta.tokens.used);
        expect(meta.tokens.used).toBeLessThanOrEqual(maxTokens);
      }
    }
  });

  it("says when not even its metadata fits", async () => {
    const { workspace } = await notesWorkspace(apollo);
    await expect(ask(workspace, { query: "apollo", format: "json", maxTokens: 64 })).rejects.toThrow(
      /^The metadata of this document alone takes \d+ tokens, and the budget is 64\.$/,
    );
  });

  it("is the same document as JSON and as a result", async () => {
    const { workspace } = await notesWorkspace(apollo);
    const asked = await ask(workspace, { query: "apollo", format: "json", maxTokens: 700 });
    const { text, warnings: _, links: __, ...result } = asked;
    const printed = JSON.parse(text);
    expect(Object.keys(printed)).toEqual(["meta", "nodes", "overflow"]);
    expect(printed).toEqual(result);
    expect(result.nodes.map(({ score }) => score)).toEqual(
      result.nodes.map(({ score }) => score).sort((a, b) => b - a),
    );
  });

  it("names what has no room, and only names below 500 tokens", async () => {
    const { workspace } = await notesWorkspace(apollo);
    const small = await ask(workspace, { query: "apollo", depth: 3, maxTokens: 400 });
    expect(small.nodes).toEqual([]);
    expect(small.overflow.length).toBeGreaterThan(3);
    expect(small.overflow[0]).toMatchObject({ id: "apollo", name: "Apollo", tags: ["project"] });
    expect(small.warnings).toContain("Below 500 tokens notes are only named; raise the budget to read them.");
  });

  it("says below 500 tokens, in the document and in its metadata, that notes are only named", async () => {
    const { workspace } = await notesWorkspace(apollo);
    for (const format of ["markdown", "json"] as const) {
      for (const maxTokens of format === "json" ? [120, 199, 200, 499] : [64, 120, 199, 200, 499]) {
        const { meta, text, warnings } = await ask(workspace, { query: "apollo", maxTokens, format });
        expect(meta.warnings?.join(), `${format} ${maxTokens}`).toContain("500 tokens");
        expect(text).toContain("500 tokens");
        expect(warnings.join()).toContain("Below 500 tokens");
        expect(meta.tokens.used).toBeLessThanOrEqual(maxTokens);
      }
    }
    expect((await ask(workspace, { query: "apollo", maxTokens: 500 })).meta).not.toHaveProperty("warnings");
  });

  it("shows fields, or only those of the lens", async () => {
    const { workspace } = await notesWorkspace(apollo);
    const fieldsOf = async (input: Partial<Input>) =>
      (await ask(workspace, { query: "apollo", ...input })).nodes.find(({ id }) => id === "apollo")?.fields;
    expect(await fieldsOf({})).toEqual({ Status: "active", Owner: "Ada Lovelace" });
    expect(await fieldsOf({ includeFields: false })).toBeUndefined();
    expect(await fieldsOf({ includeFields: false, lens: "coding" })).toEqual({ Status: "active" });
  });

  it("can be verified later: what was edited since is told", async () => {
    const root = folder({ ".obsidian/app.json": "{}", "Apollo.md": "See [[Ada]].\n", "Ada.md": "Engineer.\n" });
    const bundle = JSON.stringify(await context({ query: "Apollo", path: root, lens: "general" }));
    expect(await verify({ bundle, path: root })).toMatchObject({ ok: true, counts: { same: 2 } });
    writeFileSync(join(root, "Ada.md"), "Engineer of engines.\n");
    expect(await verify({ bundle, path: root })).toMatchObject({ ok: false, counts: { same: 1, changed: 1 } });
    rmSync(join(root, "Ada.md"));
    expect(await verify({ bundle, path: root })).toMatchObject({ ok: false, counts: { same: 1, gone: 1 } });
  });

  it("answers an ordinary question from notes alone as a graph, and from notes beside code as files", async () => {
    const notes = {
      ".obsidian/app.json": "{}",
      "Apollo.md": "# Apollo\n\nMoves billing to the ledger. See [[Ada]].\n",
    };
    const sourcesOf = async (root: string, input: object = {}) => {
      const { items } = await context({ query: "billing ledger", path: root, ...input });
      return new Set(items.map(({ source }) => source));
    };
    expect(await sourcesOf(folder(notes))).toEqual(new Set(["note"]));
    expect(await sourcesOf(folder(notes), { sources: ["file"] })).toEqual(new Set(["file"]));
    const mixed = folder({ ...notes, "src/ledger.ts": "export function billing() {}\n" });
    expect((await sourcesOf(mixed)).has("note")).toBe(false);
    expect(await sourcesOf(mixed, { lens: "general" })).toEqual(new Set(["note"]));
  });

  it("says how to connect notes where none are", async () => {
    const root = folder({ "README.md": "# Nothing\n" });
    const { text, warnings } = await tanaContext({ query: "apollo", path: root });
    expect(text).toContain("dossier notes connect");
    expect(warnings.join()).toContain("No notes are connected to this workspace");
  });

  it("prints every note under the way that explains why it is there", async () => {
    const { workspace } = await notesWorkspace(apollo);
    const { text } = await ask(workspace, { query: "apollo", depth: 3 });
    expect(text).toMatch(/^# Context: apollo\n/);
    expect(text).toContain("Apollo > Milestones");
    expect(text.indexOf("Launch")).toBeLessThan(text.indexOf("Write the announcement"));
  });

  it("never exceeds its budget and always parses, whatever the notes say", async () => {
    const text = fc.string({ unit: "binary", maxLength: 60 });
    const note = fc.record({
      name: text,
      text: fc.option(text, { nil: undefined }),
      tags: fc.array(text, { maxLength: 2 }),
      parent: fc.nat(6),
      fields: fc.array(fc.record({ name: text, values: fc.array(fc.record({ text }), { maxLength: 2 }) }), {
        maxLength: 2,
      }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(note, { minLength: 2, maxLength: 7 }),
        fc.integer({ min: 128, max: 1200 }),
        async (given, maxTokens) => {
          const notes: Note[] = given.map((each, i) =>
            noteOf(`k${i}`, each.name, { ...each, text: each.text, parent: `k${each.parent}` }),
          );
          const { workspace } = await notesWorkspace(notes);
          for (const format of ["markdown", "json"] as const) {
            const document = await ask(workspace, { query: "k0", depth: 3, maxTokens, format });
            expect(document.meta.tokens.used).toBeLessThanOrEqual(maxTokens);
            expect(countTokens(document.text)).toBe(document.meta.tokens.used);
            if (format === "json")
              expect(Object.keys(JSON.parse(document.text))).toEqual(["meta", "nodes", "overflow"]);
          }
          await workspace.close();
        },
      ),
      { numRuns: 25 },
    );
  });
});
