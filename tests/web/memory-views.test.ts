import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plant } from "../../src/learned/cluster/planted.samples.ts";
import { post, type RunningServer, start } from "../http/http-server.ts";
import { longAgo, memoryRecord } from "../sample-records.ts";
import { hasBrowser, titled } from "./browser.ts";
import { expectAccessible, inspectorPages } from "./inspector-page.ts";

const value = {
  text: "Measure before changing a pool.",
  axis: "full",
  members: ["exp-one"],
  distance: 0.1,
  threshold: 0.2,
  validatedAt: longAgo,
  state: "valid",
};

describe.skipIf(!hasBrowser)(titled("the inspector"), () => {
  let running: RunningServer;
  let thread: string;
  const visit = inspectorPages();
  const say = async <Answer>(operation: string, input: object) =>
    (await post(`${running.url}/v1/${operation}`, input)).json as unknown as Answer;
  const kept = async (input: object) =>
    (await say<{ memories: { content: string }[] }>("memories", input)).memories.map(({ content }) => content);

  beforeAll(async () => {
    running = await start({ files: { "a.md": "# A\n\nNothing of importance.\n" }, settings: { rate: 0 } });
    const records = await running.workspace.records();
    await records.write("local", [
      memoryRecord("cents", "Amounts are kept in cents.", { tags: ["money"], pinned: true }),
      memoryRecord("friday", "The books close on Friday.", { category: "workflow", scope: "billing/**" }),
      memoryRecord("bank", "Rates come from the bank."),
      ...plant({ topics: 3, perTopic: 12, unrelated: 4 }).map(({ id, created, experience }) => ({
        id,
        type: "experience" as const,
        created,
        changed: created,
        body: experience,
      })),
      { id: "val-pool", type: "value" as const, created: longAgo, changed: longAgo, body: value },
    ]);
    const log =
      '{"role":"user","content":"Always round once, at the end."}\n{"role":"user","content":"We decided to use SQLite for the store."}\n';
    await say("capture", { log });
    await say("put_document", { document: "guides/closing.md", content: "# Closing\n\nThe books close on Friday.\n" });
    ({
      thread: { id: thread },
    } = await say<{ thread: { id: string } }>("thread", { step: "create", title: "Closing the books" }));
    for (const [role, text] of [
      ["user", "When do the books close?"],
      ["assistant", "On Friday."],
      ["user", "And what happens on Monday, after the books close?"],
    ])
      await say("say", { thread, role, text });
  });
  afterAll(() => running.close());

  it("edits a memory, and takes that back", async () => {
    const { page, problems } = await visit(running, "memory");
    const card = page.locator(".record", { hasText: "Rates come from the bank." });
    await card.getByRole("button", { name: "Edit" }).click();
    const form = page.locator(".record-form");
    await form.getByLabel("What it says").fill("Rates come from the central bank.");
    await form.getByLabel("Tags, with commas").fill("rates, bank");
    await form.getByLabel("Kind").selectOption("decision");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("The memory was changed.").waitFor();
    expect(await kept({})).toContain("Rates come from the central bank.");
    await page.locator(".record", { hasText: "central bank" }).getByText("#rates").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Taken back.").waitFor();
    expect(await kept({})).toContain("Rates come from the bank.");
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });

  it("shows what is pinned and where a memory holds, and finds by a question", async () => {
    const { page, problems } = await visit(running, "memory");
    await page.locator(".record", { hasText: "cents" }).getByText("pinned").waitFor();
    await page.locator(".record", { hasText: "Friday" }).getByText("in billing/**").waitFor();
    await page.getByLabel("Pinned only").check();
    await expect.poll(() => page.locator(".record").count()).toBe(1);
    await page.getByLabel("Pinned only").uncheck();
    await page.getByRole("searchbox", { name: "Find memories" }).fill("when do the books close");
    await page.locator(".record").first().getByText("score").waitFor();
    expect(await page.locator(".record-text").first().textContent()).toBe("The books close on Friday.");
    expect(problems).toEqual([]);
  });

  it("forgets with undo, and restores what was forgotten", async () => {
    const { page, problems } = await visit(running, "memory");
    const card = page.locator(".record", { hasText: "The books close on Friday." });
    await card.getByRole("button", { name: "Forget" }).click();
    await page.getByText("The memory is forgotten.").waitFor();
    await expect.poll(() => card.count()).toBe(0);
    await page.getByRole("button", { name: "Undo" }).click();
    await card.waitFor();
    await card.getByRole("button", { name: "Forget" }).click();
    await expect.poll(() => card.count()).toBe(0);
    await page.getByLabel("Which are shown").selectOption("forgotten");
    await card.getByRole("button", { name: "Restore" }).click();
    await page.getByText("The memory is back.").waitFor();
    expect(await kept({})).toContain("The books close on Friday.");
    expect(problems).toEqual([]);
  });

  it("remembers something new", async () => {
    const { page, problems } = await visit(running, "memory");
    await page.getByRole("button", { name: "Remember something" }).click();
    await page.getByLabel("What it says").fill("Holidays move the closing to Thursday.");
    await page.getByRole("button", { name: "Remember", exact: true }).click();
    await page.locator(".record-text", { hasText: "Thursday" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Taken back.").waitFor();
    expect(await kept({})).not.toContain("Holidays move the closing to Thursday.");
    expect(problems).toEqual([]);
  });

  it("accepts a draft and drops another", async () => {
    const { page, problems } = await visit(running, "memory?kind=drafts");
    const accepted = page.locator(".record", { hasText: "Always round once" });
    await accepted.getByRole("button", { name: "Accept", exact: true }).click();
    await page.getByText("1 memory remembered.").waitFor();
    await expect.poll(() => accepted.count()).toBe(0);
    expect(await kept({})).toContain("Always round once, at the end.");
    await expectAccessible(page);
    await page.locator(".record").getByRole("button", { name: "Drop" }).click();
    await page.getByText("No drafts wait").waitFor();
    await page.getByRole("tab", { name: "Decided on" }).click();
    await page.locator(".record", { hasText: "SQLite" }).getByRole("button", { name: "Restore" }).click();
    await page.getByText("The draft waits again.").waitFor();
    await page.getByRole("tab", { name: "Waiting" }).click();
    await page.locator(".record", { hasText: "SQLite" }).getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("What it says").fill("Sessions are kept in SQLite.");
    await page.getByRole("button", { name: "Accept so" }).click();
    await page.getByText("1 memory remembered.").waitFor();
    expect(await kept({})).toContain("Sessions are kept in SQLite.");
    expect(problems).toEqual([]);
  });

  it("tells what was tried, forgets experiences and values, and restores them", async () => {
    const { page, problems } = await visit(running, "memory?kind=experiences");
    const first = page.locator(".record").first();
    await first.getByText("What was tried").click();
    await first.getByText("Hypothesis").waitFor();
    const id = await first.locator(".record-id").textContent();
    await expectAccessible(page);
    await first.getByRole("button", { name: "Forget" }).click();
    await page.getByText("The experience is forgotten.").waitFor();
    await page.getByLabel("Which are shown").selectOption("forgotten");
    await page.locator(".record", { hasText: id! }).getByRole("button", { name: "Restore" }).click();
    await page.getByText("The experience is back.").waitFor();
    await page.getByRole("tab", { name: "Values" }).click();
    const principle = page.locator(".record", { hasText: "Measure before changing a pool." });
    await principle.getByRole("button", { name: "Forget" }).click();
    await page.getByText("The value is forgotten.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await principle.waitFor();
    expect(problems).toEqual([]);
  });

  it("adds to an experience what it lacks, and resolves one that is open", async () => {
    await say("experience", {
      step: "start",
      domain: "debugging",
      strategy: "read-the-error",
      goal: "the ledger balances",
      hypothesis: "a cent is lost",
      action: "sum by hand",
      prediction: "the sums differ",
    });
    const { page, problems } = await visit(running, "memory?kind=experiences");
    const open = page.locator(".record", { hasText: "the ledger balances" });
    await open.getByRole("button", { name: "Add a note" }).click();
    await open.getByLabel("Note").fill("seen on Friday only");
    await open.getByRole("button", { name: "Save" }).click();
    await page.getByText(/^Noted: exp-/).waitFor();
    await open.getByRole("button", { name: "Resolve" }).click();
    await expectAccessible(page);
    await open.getByLabel("How it ended").selectOption("confirmed");
    await open.getByLabel("What happened").fill("a cent was lost in rounding");
    await open.getByRole("button", { name: "Save" }).click();
    await open.getByText("confirmed").waitFor();
    await open.getByRole("button", { name: "Add what it lacks" }).click();
    await open.getByLabel("What worked").fill("Round once, at the end");
    await open.getByRole("button", { name: "Save" }).click();
    await page.getByText(/^Amended: exp-/).waitFor();
    await open.getByText("What was tried").click();
    for (const text of ["seen on Friday only", "a cent was lost in rounding", "Round once, at the end"])
      await open.getByText(text).waitFor();
    await say("forget", { ids: [(await open.locator(".record-id").textContent())!] });
    expect(problems).toEqual([]);
  });

  it("words what a cluster teaches, keeps it as a value, and rewords it", async () => {
    const { page, problems } = await visit(running, "memory?kind=clusters");
    await page.getByRole("button", { name: "Word what they teach" }).click();
    const text = await page.getByLabel("What they teach").inputValue();
    expect(text).not.toBe("");
    await page.getByLabel("What they teach").fill("Bananas are yellow.");
    await page.getByRole("button", { name: "Keep as a value" }).click();
    await page.getByText(/away from the cluster's centroid/).waitFor();
    await page.getByLabel("What they teach").fill(text);
    await page.getByRole("button", { name: "Keep as a value" }).click();
    await page.getByText("Kept as a value.").waitFor();
    await page.getByRole("tab", { name: "Values" }).click();
    const principle = page.locator(".record", { hasText: text });
    await principle.getByRole("button", { name: "Reword" }).click();
    await page.getByLabel("What it says").fill(`In short: ${text}`);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The value was reworded.").waitFor();
    await page.locator(".record-text", { hasText: `In short: ${text}` }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Taken back.").waitFor();
    await expect.poll(() => page.locator(".record-text", { hasText: "In short" }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it("pages through more than fit on one page", async () => {
    const { page } = await visit(running, "memory?kind=experiences");
    await expect.poll(() => page.locator(".record").count()).toBe(20);
    await page.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => page.locator(".record").count()).toBe(40);
    expect(await page.getByRole("button", { name: "Show more" }).count()).toBe(0);
  });

  it("draws clusters, and tells the members of the one that is pressed", async () => {
    const { page, problems } = await visit(running, "memory?kind=clusters");
    const circles = page.getByRole("group", { name: "Clusters of experiences" }).getByRole("button");
    await expect.poll(() => circles.count()).toBeGreaterThan(1);
    await circles.nth(1).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => circles.nth(1).getAttribute("aria-pressed")).toBe("true");
    const name = (await circles.nth(1).getAttribute("aria-label"))!.split(":")[0]!;
    await page.getByRole("region", { name: "Members" }).getByRole("heading", { name }).waitFor();
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });

  it("shows a thread with the context of a turn, made of what was said before it, and takes feedback back", async () => {
    const { page, problems } = await visit(running, "threads");
    await page.getByRole("button", { name: /Closing the books/ }).click();
    const messages = page.locator(".message");
    await expect.poll(() => messages.count()).toBe(3);
    await messages.nth(2).getByRole("button", { name: "Context of this turn" }).click();
    const turn = page.getByRole("region", { name: "Context of message 3" });
    await turn.getByText("guides/closing.md", { exact: true }).waitFor();
    await turn.getByText("Made anew: contexts are not kept.").waitFor();
    expect(await turn.locator(".turn-items").textContent()).toContain("On Friday.");
    await turn.getByRole("button", { name: "guides/closing.md was useful" }).click();
    await turn.getByText(/Usage 0\.00 → /).waitFor();
    await turn.getByRole("button", { name: "guides/closing.md was useful" }).click();
    await expect.poll(() => turn.getByText(/Usage/).count()).toBe(0);
    await expectAccessible(page);
    await messages.nth(0).getByRole("button", { name: "Context of this turn" }).click();
    const first = page.getByRole("region", { name: "Context of message 1" });
    await first.getByText("0 said before").waitFor();
    expect(problems).toEqual([]);
  });

  it("marks what the reply to a turn really cited", async () => {
    const { thread: made } = await say<{ thread: { id: string } }>("thread", { step: "create", title: "Cited" });
    const message = "When do the books close?";
    const { citations } = await say<{ citations: { id: string; path?: string }[] }>("prime_context", {
      thread: made.id,
      message,
    });
    const { id } = citations.find(({ path }) => path === "guides/closing.md")!;
    await say("say", { thread: made.id, role: "user", text: message });
    await say("say", { thread: made.id, role: "assistant", text: `On Friday ${id}.` });
    const { page, problems } = await visit(running, `threads?thread=${made.id}`);
    await page.getByRole("button", { name: "Context of this turn" }).click();
    const turn = page.getByRole("region", { name: "Context of message 1" });
    await turn.getByRole("listitem").filter({ hasText: "guides/closing.md" }).getByText("cited in the reply").waitFor();
    expect(await turn.getByText("cited in the reply").count()).toBe(1);
    await say("thread", { step: "delete", thread: made.id });
    expect(problems).toEqual([]);
  });

  it("deletes a thread with undo", async () => {
    const { page, problems } = await visit(running, `threads?thread=${thread}`);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("The thread is deleted.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: /Closing the books/ }).waitFor();
    expect(problems).toEqual([]);
  });
});
