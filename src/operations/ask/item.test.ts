import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { folder, git } from "../../../tests/workspace.ts";
import { shelfOfId } from "../../stores/store.ts";
import { openWorkspace, type Workspace } from "../../workspace/workspace.ts";
import { call } from "../core/call.ts";
import { experience } from "../experience/experience.ts";
import { putDocument } from "../library/put-document.ts";
import { say } from "../library/say.ts";
import { thread } from "../library/thread.ts";
import { remember } from "../memory/remember.ts";
import { context } from "./context.ts";
import { item, linesOfFile } from "./item.ts";

const ledger = `import { round } from "./round.ts";

/** Books an amount. */
export function bookAmount(amount: number): number {
  const rounded = round(amount);
  return rounded * 100;
}

export function closeLedger(): void {}
`;

let workspace: Workspace;

beforeEach(async () => {
  const root = folder({ "src/ledger.ts": ledger, "README.md": "# Ledger\n\nBooks amounts.\n" }, { git: true });
  git(root, "add", ".");
  git(root, "commit", "-q", "-m", "Amounts are booked in cents");
  workspace = await openWorkspace(root);
  onTestFinished(() => workspace.close());
});

const open = async (id: string) => (await call(item, { item: id }, { workspace })).output;
const ask = async (query: string, options: object = {}) =>
  (await call(context, { query, minScore: 0, ...options }, { workspace })).output.items;

describe("an item in full", () => {
  it("is a unit of code with the lines that the disk has", async () => {
    const [hit] = await ask("bookAmount", { types: ["function"] });
    const content = await open(hit!.citation.id);
    expect(content).toMatchObject({ id: hit!.id, kind: "function", freshness: "current" });
    const [first, last] = /:(\d+)-(\d+)$/.exec(content.location)!.slice(1).map(Number);
    expect(content.text).toBe(
      ledger
        .split("\n")
        .slice(first! - 1, last)
        .join("\n"),
    );
    expect(content.text).toContain("return rounded * 100;");
  });

  it("is as the disk has it now, also after it moved; of a file that is gone, as it was indexed", async () => {
    const [hit] = await ask("bookAmount", { types: ["function"] });
    const path = join(workspace.root, "src/ledger.ts");
    writeFileSync(path, `// One\n// Two\n${ledger.replace("* 100", "* 1000")}`);
    const moved = await open(hit!.id);
    expect(moved.text).toContain("return rounded * 1000;");
    expect(moved.location).toMatch(/^src\/ledger\.ts:[56]-9$/);
    // Of the item as it is in the index now: a moment later the next look at the disk takes it away.
    const [indexed] = await workspace.store.shelf(shelfOfId(hit!.id)).items(workspace.owner, [hit!.id]);
    rmSync(path);
    expect(await linesOfFile(indexed!, workspace)).toMatchObject({ freshness: "stored", name: "bookAmount" });
  });

  it("is a memory or an experience that was written down a moment ago", async () => {
    const { output } = await call(remember, { content: "Amounts are booked in cents" }, { workspace });
    expect(await open(output.memory!.id)).toMatchObject({ source: "memory", text: "Amounts are booked in cents" });
    const attempt = { domain: "debugging", strategy: "read-the-error", goal: "amounts add up" } as const;
    const start = { step: "start", ...attempt, hypothesis: "rounding", action: "log", prediction: "0.1" } as const;
    const begun = await call(experience, start, { workspace });
    await call(experience, { step: "resolve", status: "confirmed", result: "It was rounding." }, { workspace });
    expect((await open(begun.output.experience!.id)).text).toContain("rounding");
  });

  it("is a commit", async () => {
    const [hit] = await ask("booked in cents", { sources: ["commit"] });
    expect(await open(hit!.id)).toMatchObject({ source: "commit", location: expect.stringMatching(/^commit:/) });
  });

  it("is a document, one of its chunks, or a message", async () => {
    const content = "# Rates\n\nThe rate is three percent.\n";
    const { output } = await call(putDocument, { path: ".", document: "rates.md", content }, { workspace });
    expect(await open(output.document.id)).toMatchObject({ text: content, name: "rates.md" });
    const [chunk] = await ask("rate percent", { sources: ["document"], recipe: "chat" });
    expect((await open(chunk!.id)).text).toContain("three percent");
    const created = await call(thread, { step: "create", title: "Rates" }, { workspace });
    const message = { thread: created.output.thread.id, text: "We keep three percent." };
    const { output: spoken } = await call(say, message, { workspace });
    expect((await open(spoken.messages[0]!.id)).text).toContain("We keep three percent.");
  });

  it("shows no secret", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    writeFileSync(join(workspace.root, "src/token.ts"), `export const token = "${secret}";\n`);
    const [hit] = await ask("token.ts", { paths: ["src/token.ts"] });
    const { text } = await open(hit!.id);
    expect(text).toContain("export const token");
    expect(text).not.toContain(secret);
  });

  it("is refused by name when there is none", async () => {
    for (const id of ["cod-nothing", "mem-0000", "no id at all", "../../../etc/passwd"]) {
      await expect(open(id), id).rejects.toMatchObject({ code: "not-found" });
    }
  });
});
