import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bearer, post, type RunningServer, start } from "../http/http-server.ts";
import { idOf, noteOf, writeNotes } from "../notes/notes-workspace.ts";
import { memoryRecord } from "../sample-records.ts";
import { hasBrowser, titled } from "./browser.ts";
import { expectAccessible, inspectorPages } from "./inspector-page.ts";

describe.skipIf(!hasBrowser)(titled("with keys, the inspector"), () => {
  let running: RunningServer;
  let secrets: Record<"read" | "write" | "other", string>;
  const visit = inspectorPages();
  beforeAll(async () => {
    running = await start({ files: { "a.md": "# A\n" }, settings: { rate: 0 } });
    secrets = {
      read: await running.key("ada", "read"),
      write: await running.key("ada", "write"),
      other: await running.key("bob", "read"),
    };
    const records = await running.workspace.records();
    await records.write("ada", [memoryRecord("hers", "Ada closes the ledger on Friday.")]);
    await records.write("bob", [memoryRecord("his", "Bob opens it on Monday.")]);
    await post(`${running.url}/v1/thread`, { step: "create", title: "Ledger" }, bearer(secrets.write));
  });
  afterAll(() => running.close());

  const enter = async (page: Awaited<ReturnType<typeof visit>>["page"], secret: string) => {
    await page.getByLabel("Key").fill(secret);
    await page.getByRole("button", { name: "Use this key" }).click();
  };

  it("asks for one, shows only its owner's data, and offers what its scope allows", async () => {
    const { page, problems } = await visit(running, "memory");
    await page.getByRole("heading", { name: "A key is needed" }).waitFor();
    await expectAccessible(page);
    await enter(page, secrets.read);
    await page.getByText("Ada closes the ledger on Friday.").waitFor();
    await page.locator(".caller", { hasText: "ada" }).getByText("read").waitFor();
    expect(await page.getByText("Bob opens it").count()).toBe(0);
    for (const name of ["Edit", "Forget", "Pin", "Remember something"])
      expect(await page.getByRole("button", { name, exact: true }).count()).toBe(0);
    for (const view of ["Workspace", "Eval"]) {
      await page.getByRole("link", { name: view, exact: true }).click();
      await page.getByRole("heading", { name: view, level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      expect(await page.getByRole("button", { name: /Bring up to date|Index this folder|Measure now/ }).count()).toBe(
        0,
      );
    }
    // Where the folder lies is told to nobody who does not run the machine.
    expect(await page.content()).not.toContain(running.root);
    expect(problems).toEqual([]);
  });

  it("offers to change what a key of the scope write may change", async () => {
    const { page, problems } = await visit(running, "memory");
    await enter(page, secrets.write);
    await page.getByText("Ada closes the ledger on Friday.").waitFor();
    await page.getByRole("button", { name: "Edit" }).waitFor();
    expect(await page.evaluate("[localStorage.length, sessionStorage.length]")).toEqual([0, 0]);
    expect(problems).toEqual([]);
  });

  it("says that a key was revoked meanwhile, and goes on with another one where it was", async () => {
    const { page } = await visit(running, "memory");
    const secret = await running.key("ada", "write");
    await enter(page, secret);
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("What it says").fill("Ada closes the ledger on Thursday.");
    const { id } = (await running.keys.list("ada")).find(({ hint }) => secret.startsWith(hint))!;
    await running.keys.revoke(id, Date.now());
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("This key was revoked.").waitFor();
    await enter(page, secrets.write);
    // What was typed is still there.
    await expect.poll(() => page.getByLabel("What it says").inputValue()).toBe("Ada closes the ledger on Thursday.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The memory was changed.").waitFor();
  });
});

const markup = '<img src=x onerror="window.attacked=1"><script>window.attacked=1</script>';
const link = "[x](javascript:window.attacked=1)";
const hostile = `${markup} ${link} "><svg onload=window.attacked=1>`;

describe.skipIf(!hasBrowser)(titled("what is written to attack the inspector"), () => {
  let running: RunningServer;
  let thread: string;
  const visit = inspectorPages();
  beforeAll(async () => {
    running = await start({
      files: {
        "src/<img src=x onerror=attacked()>.ts": `/** ${hostile} */\nexport function steal(): string {\n  return ${JSON.stringify(hostile)};\n}\n`,
        [`${"<svg onload=attacked=1>"}.md`]: `# ${hostile}\n\n${hostile}\n`,
      },
      settings: { rate: 0 },
    });
    await post(`${running.url}/v1/index`, {});
    const records = await running.workspace.records();
    await records.write("local", [
      memoryRecord("bad", hostile, { tags: [hostile.slice(0, 50)], scope: hostile.slice(0, 60) }),
    ]);
    await writeNotes(running.workspace, [
      noteOf("bad", hostile, { tags: [hostile], references: ["other"] }),
      noteOf("other", hostile),
    ]);
    await post(`${running.url}/v1/capture`, {
      log: `${JSON.stringify({ role: "user", content: `Always use ${hostile}.` })}\n`,
    });
    const made = await post(`${running.url}/v1/thread`, { step: "create", title: hostile });
    thread = (made.json as unknown as { thread: { id: string } }).thread.id;
    await post(`${running.url}/v1/put_document`, { document: `${link}.md`, content: hostile });
    await post(`${running.url}/v1/say`, { thread, text: hostile, speaker: hostile.slice(0, 80) });
  });
  afterAll(() => running.close());

  it.each([
    "workspace",
    "graph?node=steal",
    `graph?query=${encodeURIComponent(hostile)}`,
    "memory",
    "memory?kind=drafts",
    "memory?kind=experiences",
    `memory?find=${encodeURIComponent(hostile)}`,
    "threads",
    "eval",
  ])("runs nothing in %s", async (address) => {
    const { page, problems } = await visit(running, address);
    await page.waitForLoadState("networkidle");
    expect(await page.evaluate("window.attacked")).toBeUndefined();
    expect(await page.locator("main img, main script, main a[href^=javascript]").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it("is shown as the text that it is", async () => {
    const { page, problems } = await visit(running, "memory");
    await page.getByText(hostile).waitFor();
    await page.goto(`${running.url}/#/threads?thread=${thread}`);
    await page.reload();
    await page.getByRole("button", { name: "Context of this turn" }).click();
    await page.getByText("Made anew").waitFor();
    await page.locator(".message-text", { hasText: hostile }).waitFor();
    await page.goto(`${running.url}/#/graph?node=${idOf("bad")}`);
    await page.reload();
    await page.getByRole("heading", { name: hostile.slice(0, 60) }).waitFor();
    expect(await page.evaluate("window.attacked")).toBeUndefined();
    expect(problems).toEqual([]);
  });

  it("comes with a policy that would not run it either", async () => {
    const { headers } = await (await import("../http/http-server.ts")).ask(`${running.url}/`);
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
  });
});
