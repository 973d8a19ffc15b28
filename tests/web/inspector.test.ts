import { beforeAll, describe, expect, it } from "vitest";
import { answered, hasBrowser, pages, type RunningService, service, shop, titled } from "./browser.ts";

const visit = pages();
let shopService: RunningService;
beforeAll(async () => {
  if (hasBrowser) shopService = await service(shop);
});

const question = "query=book+a+payment+in+cents";
const at = (hash: string) => `${shopService.url}/#/${hash}`;

describe.skipIf(!hasBrowser)(titled("the inspector"), () => {
  it("answers while one types, and keeps the question in the address", async () => {
    const { page, errors, foreign } = await visit(at("ask"));
    await page.getByRole("textbox", { name: "Question" }).fill("book a payment in cents");
    expect(await answered(page)).toMatch(/\d+ items?\s+[\d,]+ of 4,000 tokens/);
    await expect.poll(() => page.url()).toContain("query=book+a+payment+in+cents");
    await page.getByRole("listitem").filter({ hasText: "bookPayment" }).first().waitFor();
    expect([errors, foreign]).toEqual([[], []]);
  });

  it("asks only for the last of what is typed: what was asked before is broken off", async () => {
    const { page } = await visit(at("ask"));
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/v1/context")) asked.push((request.postDataJSON() as { query: string }).query);
    });
    await page.getByRole("textbox", { name: "Question" }).pressSequentially("retry payment", { delay: 5 });
    await answered(page);
    expect(asked.at(-1)).toBe("retry payment");
    expect(asked.length).toBeLessThan("retry payment".length);
  });

  it("has a form of what the service says it takes, and puts each option into the question", async () => {
    const { page } = await visit(at(`ask?${question}`));
    await answered(page);
    await page.getByLabel("Recipe").selectOption("code");
    await page.getByRole("button", { name: "file", exact: true }).click();
    await expect.poll(() => page.url()).toMatch(/recipe=code.*sources=file|sources=file.*recipe=code/);
    await expect.poll(() => answered(page)).toMatch(/items?/);
    await page.getByRole("button", { name: "More options" }).click();
    await page.getByLabel("Truncation").selectOption("head");
    await expect.poll(() => page.url()).toContain("truncation=head");
    await page.getByRole("button", { name: /^Reset 3 changed/ }).click();
    await expect.poll(() => page.url()).not.toContain("truncation");
  });

  it("remembers recent questions", async () => {
    const { page } = await visit(at(`ask?${question}`));
    await answered(page);
    await expect
      .poll(() => page.evaluate("localStorage.getItem('dossier.recent')"), { timeout: 9000 })
      .toContain("cents");
    await page.getByRole("textbox", { name: "Question" }).fill("");
    await page.getByRole("button", { name: "book a payment in cents" }).click();
    await answered(page);
    expect(await page.getByRole("textbox", { name: "Question" }).inputValue()).toBe("book a payment in cents");
  });

  it("shows every token of the budget, and fits the text anew when the budget is dragged", async () => {
    const { page } = await visit(at(`budget?${question}`));
    await answered(page);
    const rows = page.getByRole("region", { name: "Items in the document" }).locator("tbody tr");
    const before = await rows.count();
    const slider = page.getByRole("slider", { name: "Budget" });
    const box = (await slider.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.2, box.y + box.height / 2, { steps: 8 });
    await page.mouse.up();
    await expect.poll(() => rows.count()).toBeLessThan(before);
    await expect.poll(() => page.url()).toMatch(/maxTokens=\d+/);
    const budget = Number(new URL(page.url()).hash.match(/maxTokens=(\d+)/)![1]);
    const summary = await answered(page);
    const [used, asked] = /([\d,]+) of ([\d,]+) tokens/
      .exec(summary)!
      .slice(1)
      .map((text) => Number(text.replace(",", "")));
    expect(asked).toBe(budget);
    expect(used).toBeLessThanOrEqual(budget);
    expect(await page.locator(".segment").count()).toBeGreaterThanOrEqual(await rows.count());
    await page.getByText(/entered, \d+ left with the last change/).waitFor();
  });

  it("pins what was left out, excludes what is there, and prints an item at another level", async () => {
    const { page } = await visit(at(`budget?${question}&maxTokens=600`));
    await answered(page);
    const inside = page.getByRole("region", { name: "Items in the document" });
    const outside = page.getByRole("region", { name: "Items that were left out" });
    const row = outside.locator("tbody tr").filter({ hasText: "bookPayment" }).first();
    const name = (await row.locator(".item-title").textContent())!;
    await row.getByRole("button", { name: /^Pin / }).click();
    await inside
      .getByRole("button", { name: `Pin ${name}`, exact: true })
      .first()
      .waitFor();
    expect(
      await inside
        .getByRole("button", { name: `Pin ${name}`, exact: true })
        .first()
        .getAttribute("aria-pressed"),
    ).toBe("true");
    await inside.getByRole("button", { name: `print ${name} as pointer`, exact: false }).click();
    await inside.getByRole("button", { name: new RegExp(`print ${name} as pointer.*it is so now`) }).waitFor();
    await inside.getByRole("button", { name: `Exclude ${name}`, exact: true }).click();
    await outside.getByRole("button", { name: /^Allow again/ }).waitFor();
    expect(await answered(page)).toMatch(/of 600 tokens/);
    await page.getByRole("button", { name: /Undo 1 decision/ }).click();
    await expect.poll(() => page.url()).not.toContain("exclude");
  });

  it("tells why each item is there, and opens its source with the lines marked", async () => {
    const { page } = await visit(at(`why?${question}`));
    await answered(page);
    const detail = page.getByRole("article");
    await detail.getByText("Signals", { exact: true }).waitFor();
    expect(await detail.locator(".signals tr").count()).toBeGreaterThan(0);
    expect(await detail.locator("code").first().textContent()).toMatch(/^\[[a-z]{3}-\w+\]$/);
    await detail.getByRole("button", { name: "Open the source" }).click();
    await detail.locator(".line.marked").first().waitFor();
    const title = await detail.getByRole("heading", { level: 2 }).textContent();
    expect(await detail.locator(".line.marked").allTextContents()).toEqual(
      expect.arrayContaining([expect.stringContaining(title!)]),
    );
    await detail.getByRole("button", { name: `${title} was useful` }).click();
    await detail.getByText(/^Usage 0\.00 → 0\.\d+/).waitFor();
    await detail.getByRole("button", { name: `${title} was useful` }).click();
    await expect.poll(() => detail.getByText(/^Usage/).count()).toBe(0);
  });

  it("tells why an item was left out, and the budget with which it enters", async () => {
    const { page } = await visit(at(`why?${question}&maxTokens=300&list=left-out`));
    await answered(page);
    await page
      .getByText(/fits with/)
      .first()
      .waitFor();
    const detail = page.getByRole("article");
    await detail.getByText("Enters at").waitFor();
    await detail.getByRole("button", { name: "Use this budget" }).click();
    await expect.poll(() => page.url()).not.toContain("maxTokens=300&");
    await page.getByRole("tab", { name: /^In the document/ }).waitFor();
  });

  it("shows the text in each format, with tokens by section, and finds words in it", async () => {
    const { page } = await visit(at(`text?${question}`));
    await answered(page);
    await page.locator(".line.heading").first().waitFor();
    await page.getByRole("searchbox", { name: "Find in the text" }).fill("bookpayment");
    expect(await page.locator("mark").first().textContent()).toBe("bookPayment");
    await page.getByText(/^1 of \d+$/).waitFor();
    await page.getByRole("tab", { name: "xml" }).click();
    await page.locator(".piece-tag").first().waitFor();
    const total = await page.locator(".sections .total b").textContent();
    expect(await answered(page)).toContain(`${total} of`);
  });

  it("compares two runs: what entered, left and changed", async () => {
    const { page } = await visit(at(`compare?${question}&b.maxTokens=400`));
    await answered(page);
    const left = page.getByRole("region", { name: "Only in the first" });
    await left.getByRole("listitem").first().waitFor();
    await page
      .getByRole("region", { name: "Second run" })
      .getByText(/of 400 tokens/)
      .waitFor();
    await page.getByLabel("Max tokens").fill("");
    await page.getByLabel("Max tokens").blur();
    await page.getByText("Both runs are the same").waitFor();
  });

  it("shows the texts of two runs side by side, marks what differs, and scrolls both", async () => {
    const { page } = await visit(at(`compare?${question}&b.maxTokens=400`));
    const [left, right] = ["first", "second"].map((run) =>
      page.getByRole("region", { name: `Text of the ${run} run` }),
    );
    await left!.locator(".line.removed").first().waitFor();
    await right!.locator(".line.gap").first().waitFor();
    await page.getByRole("button", { name: "The next difference" }).click();
    await page.getByText(/^1 of \d+ places differ/).waitFor();
    await left!.evaluate((pane) => pane.scrollTo({ top: 200 }));
    await expect.poll(() => right!.evaluate((pane) => pane.scrollTop)).toBe(200);
  });

  it.each([
    ["recipe", "code"],
    ["encoding", "claude"],
  ])("compares two runs by %s", async (option, choice) => {
    const { page } = await visit(at(`compare?${question}&b.${option}=${choice}`));
    await page.getByRole("region", { name: "Second run" }).getByText(choice).waitFor();
    await page.getByRole("region", { name: "Both texts" }).waitFor();
  });

  it("goes back to where one was", async () => {
    const { page } = await visit(at(`ask?${question}`));
    await answered(page);
    await page.getByRole("link", { name: "Budget" }).click();
    await page.getByRole("slider", { name: "Budget" }).waitFor();
    await page.goBack();
    await page.getByRole("list", { name: "Items of the answer, best first" }).waitFor();
  });
});
