import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { context, notes, tanaContext } from "../../src/index.ts";
import type { NoteField } from "../../src/note.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { folder } from "../workspace.ts";
import { noteOf, notesWorkspace } from "./notes-workspace.ts";

type Input = Partial<Parameters<typeof tanaContext>[0]>;

function ask(workspace: Workspace, input: Input) {
  return tanaContext({ path: workspace.root, ...input }, { workspace });
}

const due = (text: string): NoteField => ({ name: "Due", type: "date", values: [{ text }] });
const status = (text: string): NoteField => ({ name: "Status", type: "options", values: [{ text }] });

const plans = [
  noteOf("apollo", "Apollo", { tags: ["project"], text: "Moves billing to the new ledger." }),
  noteOf("parts", "Order parts", { parent: "apollo", tags: ["task"], fields: [status("open"), due("2026-11-30")] }),
  noteOf("harbour", "Call the harbour", {
    parent: "apollo",
    tags: ["task"],
    fields: [status("done"), due("2026-11-01")],
  }),
  noteOf("press", "Write the announcement", { tags: ["task"], fields: [status("open"), due("2026-10-05")] }),
  noteOf("beta", "Beta", { tags: ["milestone"], inherited: ["task"], fields: [status("Open"), due("2027-01-15")] }),
  noteOf("someday", "Learn to sail", { tags: ["task"], fields: [status("open"), due("some day")] }),
  noteOf("undated", "Tidy up", { tags: ["task"], fields: [status("open")] }),
  noteOf("detail", "Ask for the yellow ones", { parent: "parts" }),
  noteOf("ada", "Ada", { tags: ["person"] }),
];

const ids = ({ nodes }: { nodes: { id: string; distance: number }[] }) =>
  nodes.filter(({ distance }) => distance === 0).map(({ id }) => id);

describe("notes asked for by tags and fields", () => {
  it("are those that meet all of it, in the order that was asked for, counted", async () => {
    const { workspace } = await notesWorkspace(plans);
    const answer = await ask(workspace, { tag: ["task"], field: ["Status=open", "Due<2026-12-01"], sort: "due" });
    expect(ids(answer)).toEqual(["press", "parts"]);
    expect(answer.meta.matches).toEqual({ count: 2, where: "#task, Status=open, Due<2026-12-01, by due" });
    expect(answer.text).toContain("Matches: 2");
    expect(answer.text.indexOf("Write the announcement")).toBeLessThan(answer.text.indexOf("Order parts"));
    // What is no date is told.
    expect(answer.warnings.join(" ")).toContain(
      '1 value of Due cannot be compared with what was asked, such as "some day"',
    );
    expect(ids(await ask(workspace, { tag: ["task"], field: ["Status=open"], sort: "-due" }))).toEqual([
      "beta",
      "parts",
      "press",
      "someday",
      "undated",
    ]);
  });

  it("know every operator", async () => {
    const { workspace } = await notesWorkspace(plans);
    const idsOf = async (...field: string[]) => ids(await ask(workspace, { tag: ["#Task"], field })).sort();
    expect(await idsOf("Status!=open")).toEqual(["harbour"]);
    expect(await idsOf("Due>=2026-11-30")).toEqual(["beta", "parts"]);
    expect(await idsOf("Due>2026-11-30")).toEqual(["beta"]);
    expect(await idsOf("Due<=2026-11-01")).toEqual(["harbour", "press"]);
    expect(await idsOf("Due absent")).toEqual(["undated"]);
    expect(await idsOf("Due present", "Due~day")).toEqual(["someday"]);
    expect(await idsOf("name~order")).toEqual(["parts"]);
  });

  it("bring along what the lens leads to, after all of them", async () => {
    const { workspace } = await notesWorkspace(plans);
    const answer = await ask(workspace, { tag: ["task"], field: ["Due=2026-11-30"], lens: "planning" });
    expect(answer.nodes[0]?.id).toBe("parts");
    const brought = answer.nodes.slice(1);
    expect(brought.map(({ id }) => id)).toEqual(["detail"]);
    expect(brought[0]).toMatchObject({ distance: 1, path: [{ name: "Order parts", type: "child" }] });
    const general = await ask(workspace, { tag: ["task"], field: ["Due=2026-11-30"] });
    expect(general.nodes.map(({ id }) => id)).toContain("apollo");
  });

  it("are narrowed by a topic, and ranked by it unless an order is asked for", async () => {
    const { workspace } = await notesWorkspace(plans);
    expect(ids(await ask(workspace, { query: "apollo", tag: ["task"] })).sort()).toEqual(["harbour", "parts"]);
    expect(ids(await ask(workspace, { query: "apollo", tag: ["task"], sort: "due" }))).toEqual(["harbour", "parts"]);
    const none = await ask(workspace, { query: "zeppelin", tag: ["task"] });
    expect(none.nodes).toEqual([]);
    expect(none.text).toContain('6 notes meet this: #task. None says anything of "zeppelin".');
  });

  it("are named with the closest names where a tag or a field does not exist", async () => {
    const { workspace } = await notesWorkspace(plans);
    const answer = await ask(workspace, { tag: ["tsk"], field: ["Statsu=open"], sort: "deu" });
    expect(answer.nodes).toEqual([]);
    expect(answer.text).toContain("No note meets this");
    const warning = answer.meta.warnings!.join(" ");
    expect(warning).toContain('No note has the tag "tsk". The closest: task.');
    expect(warning).toContain('No note has the field "Statsu". The closest: Status.');
    expect(warning).toContain('No note has the field "deu". The closest: Due.');
    const unsorted = await ask(workspace, { tag: ["task"], sort: "deadlin" });
    expect(ids(unsorted)).toHaveLength(6);
    expect(unsorted.warnings.join()).toContain('No note has the field "deadlin"');
    await expect(ask(workspace, { field: ["=open"] })).rejects.toMatchObject({ code: "bad-input" });
    await expect(ask(workspace, {})).rejects.toMatchObject({ code: "empty-query" });
  });

  it("leave out nothing silently: what has no room is in overflow, and counted", async () => {
    const many = Array.from({ length: 900 }, (_, i) =>
      noteOf(`t${i}`, `Task number ${i}`, {
        tags: ["task"],
        fields: [due(`2026-${1 + (i % 12)}`.replace(/-(\d)$/, "-0$1"))],
      }),
    );
    const { workspace } = await notesWorkspace(many);
    for (const format of ["markdown", "json"] as const) {
      const answer = await ask(workspace, { tag: ["task"], sort: "due", maxTokens: 2000, format });
      expect(answer.meta.matches?.count).toBe(900);
      expect(answer.meta.tokens.nodesIncluded + answer.meta.tokens.nodesSummarized).toBe(900);
      expect(countTokens(answer.text)).toBeLessThanOrEqual(2000);
    }
    const topical = await ask(workspace, { query: "task number", tag: ["task"], maxTokens: 2000 });
    expect(topical.meta.tokens.nodesIncluded + topical.meta.tokens.nodesSummarized).toBe(900);
    const names = await ask(workspace, { tag: ["task"], sort: "due", maxTokens: 2000, overflowFrom: 0 });
    expect(names.overflow.length).toBeGreaterThan(100);
  });

  it("obey what else is left out, and are the same as JSON, in context and in notes", async () => {
    const { workspace, root } = await notesWorkspace(plans);
    const asked = { tag: ["task"], field: ["Status=open"], sort: "due", excludeTag: ["milestone"] };
    const answer = await ask(workspace, asked);
    expect(ids(answer)).toEqual(["press", "parts", "someday", "undated"]);
    const json = await ask(workspace, { ...asked, format: "json" });
    expect(ids(json)).toEqual(ids(answer));
    expect(json.meta.matches).toEqual(answer.meta.matches);
    const whole = await context({ query: "", path: root, ...asked }, { workspace });
    expect(whole.recipe).toBe("graph");
    expect(whole.text).toBe(answer.text);
    const { answer: told } = await notes({ path: root, tag: ["task"], field: ["Status=done"] }, { workspace });
    expect(told?.nodes[0]?.id).toBe("harbour");
  });

  it("are found among huge, cyclic and hostile ones", async () => {
    const fields = Array.from({ length: 10_000 }, (_, i) => ({ name: `F${i}`, values: [{ text: `v${i}` }] }));
    const { workspace } = await notesWorkspace([
      noteOf("wide", "Wide", { tags: ["task"], fields: [...fields, due("2026-11-30")] }),
      noteOf("deep", "Deep", {
        tags: ["task"],
        fields: [due("2026-11-29"), { name: "Novel", values: [{ text: "word ".repeat(400_000) }] }],
      }),
      noteOf("a", "A", {
        tags: ["task"],
        parent: "b",
        references: ["b"],
        fields: [{ name: "Due", values: [{ text: "2026-11-28", note: "b" }] }],
      }),
      noteOf("b", "B", { tags: ["task"], parent: "a", references: ["a"], fields: [due("2026-02-31")] }),
      noteOf("odd", 'Odd "%_\\', { tags: ['ta"g%_\\'], fields: [{ name: 'Fi"eld%_\\', values: [{ text: "x" }] }] }),
      noteOf("umlaut", "Ü", {
        tags: ["ÄRGER"],
        fields: [{ name: "Fällig am", type: "date", values: [{ text: "2026-11-01" }] }],
      }),
    ]);
    const { nodes, overflow, meta } = await ask(workspace, { tag: ["task"], field: ["Due<2026-12-01"], sort: "due" });
    expect(meta.matches?.count).toBe(3);
    // Too long to be printed, and named.
    expect([...nodes, ...overflow].map(({ id }) => id).slice(0, 3)).toEqual(expect.arrayContaining(["a", "deep"]));
    expect([...nodes, ...overflow].map(({ id }) => id)).toContain("wide");
    expect(ids(await ask(workspace, { tag: ['ta"g%_\\'] }))).toEqual(["odd"]);
    expect(ids(await ask(workspace, { field: ["'Fi\"eld%_\\'=x"] }))).toEqual(["odd"]);
    expect(ids(await ask(workspace, { tag: ["ärger"], field: ["fällig am<2026-12-01"] }))).toEqual(["umlaut"]);
  }, 120_000);
});

describe("a question about plans", () => {
  const day = 24 * 60 * 60 * 1000;
  const iso = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10);
  const tasks = [
    noteOf("apollo", "Apollo", { tags: ["project"] }),
    noteOf("late", "Order parts", { parent: "apollo", tags: ["task"], fields: [status("open"), due(iso(-10))] }),
    noteOf("later", "Paint the hull", { tags: ["task"], fields: [status("In progress"), due(iso(-3))] }),
    noteOf("finished", "Call the harbour", { tags: ["task"], fields: [status("Done"), due(iso(-20))] }),
    noteOf("ticked", "Pay the bill", { tags: ["task"], done: true, fields: [due(iso(-5))] }),
    noteOf("soon", "Write the announcement", { tags: ["task"], fields: [due(iso(40))] }),
  ];

  it("is understood by the planning lens, and by one that extends it", async () => {
    const { workspace } = await notesWorkspace(tasks, {
      "dossier.json": JSON.stringify({ lenses: { review: { extends: "planning", maxDepth: 1 } } }),
    });
    for (const lens of ["planning", "review"]) {
      const answer = await ask(workspace, { query: "what is overdue?", lens });
      expect(ids(answer)).toEqual(["late", "later"]);
      expect(answer.meta).toMatchObject({ query: "what is overdue?", matches: { count: 2 } });
    }
    expect(ids(await ask(workspace, { query: "overdue tasks of Apollo", lens: "planning" }))).toEqual(["late"]);
    expect(ids(await ask(workspace, { query: "open tasks", lens: "planning" }))).toEqual(["late", "later", "soon"]);
    expect((await ask(workspace, { query: "what is overdue?" })).meta).not.toHaveProperty("matches");
  });
});

describe("tasks of vaults", () => {
  it("are asked for as those of Tana: boxes, dates, front matter and inline fields of Obsidian", async () => {
    const root = folder({
      ".obsidian/app.json": "{}",
      "Plan.md": [
        ...["---", "status: active", "due: 2026-12-24", "priority: 2", "tags: [project]", "---", ""],
        ...[
          "- [ ] Order parts 📅 2026-11-30",
          "- [x] Call the harbour 📅 2026-11-01",
          "- [ ] Paint the hull [due:: 2026-10-05]",
        ],
      ].join("\n"),
      "Other.md": "---\nstatus: done\npriority: 10\n---\nowner:: [[Ada]]\n",
    });
    const found = async (input: Input) =>
      (await tanaContext({ path: root, ...input })).nodes
        .filter(({ distance }) => distance === 0)
        .map(({ name }) => name);
    expect(await found({ tag: ["task"], field: ["Status=open", "Due<2026-12-01"], sort: "due" })).toEqual([
      "Paint the hull",
      "Order parts",
    ]);
    expect(await found({ field: ["status=active"] })).toEqual(["Plan"]);
    expect(await found({ field: ["priority>2"] })).toEqual(["Other"]);
    expect(await found({ field: ["owner=Ada"] })).toEqual(["Other"]);
    expect(await found({ tag: ["project"], field: ["due=2026-12"] })).toEqual(["Plan"]);
  });

  it("and of Logseq: markers, deadlines and properties", async () => {
    const root = folder({
      "logseq/config.edn": "{}",
      "pages/Plan.md": [
        ...["type:: project", "", "- TODO Order parts", "  DEADLINE: <2026-11-30 Mon>", "- DONE Call the harbour"],
        ...[
          "  DEADLINE: <2026-11-01 Sun>",
          "- DOING Paint the hull",
          "  SCHEDULED: <2026-10-05 Mon>",
          "- due:: [[Dec 24th, 2026]]",
          "  Wrap presents",
        ],
      ].join("\n"),
    });
    const found = async (input: Input) =>
      (await tanaContext({ path: root, ...input })).nodes
        .filter(({ distance }) => distance === 0)
        .map(({ name }) => name);
    expect(await found({ tag: ["task"], field: ["Status=open"], sort: "due" })).toEqual([
      "Order parts",
      "Paint the hull",
    ]);
    expect(await found({ tag: ["task"], field: ["Due<2026-12-01", "Status!=done"] })).toEqual(["Order parts"]);
    expect(await found({ field: ["scheduled<2026-11-01"] })).toEqual(["Paint the hull"]);
    expect(await found({ field: ["due>2026-12-01"] })).toEqual(["Wrap presents"]);
    expect(await found({ field: ["type=project"] })).toEqual(["Plan"]);
  });
});
