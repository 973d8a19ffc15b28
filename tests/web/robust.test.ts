import { beforeAll, describe, expect, it } from "vitest";
import { answered, hasBrowser, pages, type RunningService, service, shop, titled } from "./browser.ts";

const visit = pages();
let shopService: RunningService;
beforeAll(async () => {
  if (hasBrowser) shopService = await service(shop);
});

const question = "query=book+a+payment+in+cents";

describe.skipIf(!hasBrowser)(titled("the inspector when something is wrong"), () => {
  it("says that the server is gone, keeps what is typed, and goes on when it is back", async () => {
    const own = await service(shop);
    const { page } = await visit(`${own.url}/#/ask?${question}`);
    await answered(page);
    await own.stop();
    const box = page.getByRole("textbox", { name: "Question" });
    await box.fill("retry with backoff");
    await page.getByText("The server does not answer.").waitFor();
    expect(await box.inputValue()).toBe("retry with backoff");
    await page.getByRole("listitem").filter({ hasText: "bookPayment" }).first().waitFor();
    await own.start();
    await page.getByText("The server does not answer.").waitFor({ state: "detached" });
    await page.getByRole("listitem").filter({ hasText: "retryPayment" }).first().waitFor();
  });

  it("asks for a key where one is needed, and again when it is revoked, and loses nothing", async () => {
    const own = await service(shop);
    const { page } = await visit(`${own.url}/#/ask?${question}`);
    await answered(page);
    const { secret } = JSON.parse(await own.run("key", "create", "one", "--scope", "read", "--json")) as {
      secret: string;
    };
    const box = page.getByRole("textbox", { name: "Question" });
    await box.fill("refund payment");
    await page.getByRole("heading", { name: "A key is needed" }).waitFor();
    await page.getByLabel("Key").fill("dsr_wrong");
    await page.getByRole("button", { name: "Use this key" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Key").fill(secret);
    await page.getByRole("button", { name: "Use this key" }).click();
    await page.getByRole("listitem").filter({ hasText: "refund_payment" }).first().waitFor();
    expect(await box.inputValue()).toBe("refund payment");
    expect(await page.evaluate("sessionStorage.length + ' ' + (localStorage['dossier.key'] ?? '')")).toBe("0 ");
    await own.run("key", "revoke", "one");
    await box.fill("retry payment");
    await page.getByText("This key was revoked.").waitFor();
    expect(await page.locator("#question").inputValue()).toBe("retry payment");
  });

  it("draws an answer of 100,000 tokens, of which it only draws what is seen", async () => {
    const { page } = await visit(`${shopService.url}/#/ask`);
    const line = "  const value = compute(1, 2);\n";
    const text = `# Long\n\n\`\`\`ts\n${line.repeat(12_000)}\`\`\`\n`;
    await page.route("**/v1/context", async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as { tokens: object };
      await route.fulfill({
        response,
        json: { ...json, text, tokens: { ...json.tokens, budget: 128_000, used: 108_000 } },
      });
    });
    await page.goto(`${shopService.url}/#/text?${question}`);
    expect(await answered(page)).toContain("108,000 of 128,000");
    expect(await page.locator(".line").count()).toBeLessThan(400);
    await page.getByRole("searchbox", { name: "Find in the text" }).fill("compute");
    await page.getByText("1 of 5,000").waitFor();
    await page.locator(".lines").focus();
    await page.keyboard.press("End");
    await page.locator(".line-number", { hasText: /^12004$/ }).waitFor();
  });

  it("lists 2,000 items that were left out, a page at a time", async () => {
    const { page } = await visit(`${shopService.url}/#/ask`);
    await page.route("**/v1/context", async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as object;
      const dropped = Array.from({ length: 2000 }, (_, i) => ({
        id: `cod-${i}`,
        title: `src/far.ts::far${i}`,
        source: "code",
        score: 0.1,
        reason: "over-budget",
      }));
      await route.fulfill({ response, json: { ...json, dropped } });
    });
    await page.goto(`${shopService.url}/#/budget?${question}`);
    expect(await answered(page)).toContain("2,000 left out");
    const rows = page.getByRole("region", { name: "Items that were left out" }).locator("tbody tr");
    expect(await rows.count()).toBe(50);
    await page.getByRole("button", { name: /^Show 200 more of 1,950/ }).click();
    expect(await rows.count()).toBe(250);
  });

  it("says that a workspace is empty, and that one is still being indexed", async () => {
    const empty = await service({});
    const { page } = await visit(`${empty.url}/#/ask?${question}`);
    await page.getByText("This workspace is empty.").waitFor();
    let isIndexing = true;
    await page.route("**/v1/status", async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as object;
      const indexing = isIndexing ? { indexing: { stage: "files", done: 120, total: 3000 } } : {};
      await route.fulfill({ response, json: { ...json, ...indexing } });
    });
    await page.reload();
    await page.getByText("files: 120 of 3,000").waitFor();
    isIndexing = false;
    await page.getByText("files: 120 of 3,000").waitFor({ state: "detached" });
  });

  it("works in a browser that keeps nothing", async () => {
    const { page, errors } = await visit(`${shopService.url}/#/ask`);
    const refuse = `for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, { get() { throw new DOMException("refused", "SecurityError") } })`;
    await page.addInitScript(refuse);
    await page.goto(`${shopService.url}/?again#/ask?${question}`);
    await answered(page);
    await page.getByLabel("Colours").selectOption("dark");
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    expect(errors).toEqual([]);
    // What it runs first cannot be taken back.
    await page.context().close();
  });

  it.each(["#/%", "#/%E0%A4%A?query=%", "#/nosuch"])(
    "shows the first view at an address that names none: %s",
    async (hash) => {
      const { page, errors } = await visit(`${shopService.url}/${hash}`);
      await page.getByRole("textbox", { name: "Question" }).waitFor();
      expect(await page.title()).toBe("Ask · Dossier");
      expect(errors).toEqual([]);
    },
  );

  it("says what is wrong with an input, and answers again when it is right", async () => {
    const { page } = await visit(`${shopService.url}/#/ask?${question}&lens=nosuch&recipe=graph`);
    await page.getByRole("alert").getByText(/lens/i).waitFor();
    await page.getByLabel("Lens").fill("");
    await page.getByLabel("Lens").blur();
    await page.getByLabel("Recipe").selectOption("auto");
    await answered(page);
    expect(await page.getByRole("alert").count()).toBe(0);
  });
});
