import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assembleContext, tanaContext } from "../src/index.ts";
import { call } from "../src/operations/core/call.ts";
import { allOperations } from "../src/operations/core/registry.ts";
import { openWorkspace, type Workspace } from "../src/workspace/workspace.ts";
import { idOf, noteOf, writeNotes } from "./notes/notes-workspace.ts";
import { experienceRecord, longAgo, memoryRecord } from "./sample-records.ts";

const operations = (await allOperations()).filter(({ onlyOn }) => onlyOn === undefined);

/** A word that only one owner has ever written down. */
const secret = "zanzibarium";

const records = [
  memoryRecord("hers", `The ${secret} cache is kept for an hour.`, { tags: [secret] }),
  {
    id: "dra-hers",
    type: "draft" as const,
    created: longAgo,
    changed: longAgo,
    body: { content: `We decided to keep ${secret}.`, category: "decision", said: "user" },
  },
  experienceRecord("hers", { goal: `make ${secret} faster`, hypothesis: `${secret} is slow`, domain: "debugging" }),
  {
    id: "val-hers",
    type: "value" as const,
    created: longAgo,
    changed: longAgo,
    body: {
      text: `Measure ${secret} first.`,
      axis: "full",
      members: ["exp-hers"],
      distance: 0.1,
      threshold: 0.2,
      validatedAt: longAgo,
      state: "valid",
    },
  },
];

/** What she keeps in the library; its ids are made when it is stored. */
const ids = { document: "", thread: "", message: "", event: "", given: "7f1c2a9e-hers" };

async function fillLibrary(workspace: Workspace): Promise<void> {
  const library = await workspace.library();
  const put = { path: "notes/plan.md", content: `The plan of ${secret}.`, at: longAgo };
  ids.document = (await library.putDocument("her", put)).id;
  ids.thread = (await library.createThread("her", { title: `Plan of ${secret}`, at: longAgo })).id;
  const text = `When is ${secret} due?`;
  const turn = { id: ids.given, role: "user" as const, blocks: [{ type: "text" as const, text }], at: longAgo };
  ids.message = (await library.addMessages("her", ids.thread, [turn]))[0]!.id;
  ids.event = (await library.recordUsage("her", [{ item: ids.message, kind: "useful", at: longAgo }]))[0]!.id;
}

/** What another owner might try for each operation; ids are known to him, as ids may be. */
const tries = (): Record<string, Record<string, unknown>[]> => ({
  context: [{ query: secret }, { query: "hernote" }, { query: "plan", lens: "general", minScore: 0 }],
  search: [{ query: secret }, { query: secret, sources: ["memory", "experience", "value"], minScore: 0 }],
  index: [{}],
  status: [{}],
  why: [{ query: secret, item: "mem-hers" }],
  item: [{ item: "mem-hers" }],
  open: [
    { targets: ["mem-hers", "exp-hers", "val-hers"] },
    { targets: [ids.document, ids.thread, ids.message, "notes/plan.md", idOf("hernote")] },
    { targets: [secret], show: "references" },
  ],
  verify: [{ bundle: bundleOf("mem-hers") }],
  diff: [{ a: '{"items":[{"id":"mem-hers"}]}', b: '{"items":[]}' }],
  model: [{}],
  eval: [
    { list: true },
    {
      cases: `{"query":"plan","expect":["${ids.document}","notes/plan.md","mem-hers"]}`,
      kinds: ["own", "note", "thread"],
    },
  ],
  eval_history: [{}],
  files: [{}, { under: "notes" }],
  whoami: [{}],
  graph: [{ query: secret }, { query: "mem-hers" }, { query: idOf("hernote") }, { query: ids.message }],
  tana_context: [{ query: "hernote" }, { query: "plan" }, { query: idOf("hernote"), format: "json" }],
  notes: [{}, { query: "hernote" }, { query: "plan" }],
  lenses: [{}],
  workspaces: [{}],
  context_query: [{ query: secret }],
  prime_context: [
    { message: "plan" },
    { message: "what does @plan.md say?", references: [ids.document, ids.thread, ids.message] },
    { message: "plan", thread: ids.thread },
    { message: "plan", thread: ids.thread, before: ids.message },
  ],
  context_stats: [{}],
  assemble_context: [{ query: secret, minScore: 0 }],
  get_premortem_context: [{ domain: "debugging" }],
  remember: [{ content: "The cache is kept for an hour." }],
  memories: [{}, { query: secret }, { deleted: true }],
  memory: [{}, { step: "accept" }, { step: "drop", ids: ["dra-hers"] }],
  capture: [{ log: '{"role":"user","content":"Always run the linter before a commit."}' }],
  edit: [{ id: "mem-hers", importance: 1 }],
  forget: [{ ids: ["mem-hers"] }, { ids: ["exp-hers"], purge: true }],
  restore: [{ ids: ["mem-hers"] }, { id: "mem-hers" }],
  export: [{}],
  import: [{ lines: '{"content":"mine"}' }, { file: '{"content":"mine"}' }],
  documents: [{}, { deleted: true }, { under: "notes" }],
  put_document: [{ document: "notes/hers.md", content: "his" }],
  put_documents: [{ documents: '[{"document":"notes/hers.md","content":"his"}]' }],
  get_document: [{ document: "notes/plan.md" }, { document: ids.document }],
  move_document: [{ document: ids.document, to: "his.md" }],
  delete_document: [{ documents: [ids.document], purge: true }, { documents: ["notes/plan.md"] }],
  restore_document: [{ documents: [ids.document] }],
  threads: [{}, { query: "plan" }, { query: ids.thread, messages: 10 }],
  thread: [
    { step: "show", thread: ids.thread },
    { step: "branch", thread: ids.thread },
    { step: "delete", thread: ids.thread, purge: true },
  ],
  say: [{ thread: ids.thread, text: "his" }],
  import_thread: [
    { file: '{"role":"user","content":"his"}', thread: ids.thread },
    { file: `{"id":"${ids.given}","role":"user","content":"his"}` },
  ],
  references: [
    { step: "list", thread: ids.thread },
    { step: "add", thread: ids.thread, target: ids.document },
  ],
  mentions: [{}, { prefix: "plan" }, { prefix: secret.slice(0, 5) }],
  feedback: [{ item: ids.message, useful: true }, { item: "mem-hers", useful: false }, { undo: [ids.event] }],
  cited: [{ reply: `[${ids.message}] [mem-hers]`, given: [ids.message, "mem-hers"] }],
  experience: [{ step: "show", id: "exp-hers" }, { step: "active" }],
  experiences: [{}, { query: secret }, { deleted: true }],
  clusters: [{}],
  value: [
    { step: "show", id: "val-hers" },
    { verb: "show", id: "val-hers" },
  ],
  values: [{}, { query: secret }, { deleted: true }],
  history: [{ target: "a.md" }],
  authors: [{}],
  churn: [{}],
  doctor: [{}],
});

function bundleOf(itemId: string): string {
  const citation = { id: `[${itemId}]`, itemId, path: `memory:${itemId}`, startLine: 1, endLine: 1, hash: "x" };
  return JSON.stringify({ items: [{ name: "x", citation }] });
}

describe("one owner never sees what another wrote down", () => {
  let root: string;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), "dossier-owners-"));
    writeFileSync(join(root, "a.md"), "# A\n\nNothing of importance.\n");
    const workspace = await openWorkspace(root, { owner: "her" });
    await (await workspace.records()).write("her", records);
    const hers = await assembleContext({ query: secret, path: root }, { workspace });
    expect(hers.markdown).toContain(secret);
    await fillLibrary(workspace);
    await writeNotes(workspace, [noteOf("hernote", `The plan of ${secret}`, { tags: [secret] })]);
    expect((await tanaContext({ query: "hernote", path: root }, { workspace })).text).toContain(secret);
    await workspace.close();
  });

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it("is tried with every operation", () => {
    expect(operations.map(({ name }) => name).filter((name) => !(name in tries()))).toEqual([]);
  });

  it.each(operations)("by $name", async (operation) => {
    let answered = 0;
    for (const input of tries()[operation.name]!) {
      let answerText: string;
      try {
        answerText = JSON.stringify(
          (await call(operation, { path: root, ...input } as never, { owner: "him" })).output,
        );
        answered++;
      } catch (error) {
        answerText = String(error);
        // A wrong input would prove nothing.
        if (!/takes no/.test(answerText)) answered++;
      }
      const asked = JSON.stringify(input).includes(secret);
      // What he asked may come back in the answer; what she wrote may not.
      expect(
        asked
          ? answerText
              .replaceAll(`"query":"${secret}"`, "")
              .replaceAll(JSON.stringify(secret), "")
              .replaceAll(`Not in this workspace: ${secret}`, "")
          : answerText,
      ).not.toContain(secret);
    }
    expect(answered).toBeGreaterThan(0);
  });

  it("and nothing of hers is gone afterwards", async () => {
    const workspace = await openWorkspace(root, { owner: "her" });
    const kept = await (await workspace.records()).get("her", ["mem-hers", "exp-hers", "val-hers"]);
    const library = await workspace.library();
    expect(await library.document("her", ids.document)).toMatchObject({ path: "notes/plan.md", version: 1 });
    expect(await library.messages("her", ids.thread, { last: 9 })).toMatchObject([{ id: ids.message }]);
    expect(await library.references("her", ids.thread)).toEqual([]);
    expect((await library.usage("her", [ids.message])).get(ids.message)).toMatchObject([{ id: ids.event }]);
    await workspace.close();
    expect(kept).toHaveLength(3);
    expect(kept.find(({ id }) => id === "mem-hers")!.body).toMatchObject({ importance: 0.5 });
  });
});
