import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { post, type RunningServer, start } from "../http/http-server.ts";
import { hasBrowser, titled } from "./browser.ts";
import { expectAccessible, inspectorPages } from "./inspector-page.ts";

const files = {
  "src/cart.ts":
    'import { rate } from "./tax.ts";\n\nexport function total(): number {\n  return sum() * rate();\n}\n\nfunction sum(): number {\n  return 1;\n}\n',
  "src/tax.ts": "/** What is due. */\nexport function rate(): number {\n  return 2;\n}\n",
  "src/pay/pay.ts": 'import { total } from "../cart.ts";\n\nexport function pay(): number {\n  return total();\n}\n',
  "README.md": "# Shop\n\nCards are charged at night.\n",
};

const measurement = (at: string, mean: number) => ({
  owner: "local",
  at,
  version: "0.1.0",
  maxTokens: 4000,
  files: 4,
  weighted: false,
  figures: [
    { kind: "commit", measure: "mrr", cases: 9, dossier: { mean, low: mean - 0.1, high: mean + 0.1 }, bm25: 0.4 },
  ],
});

describe.skipIf(!hasBrowser)(titled("the inspector"), () => {
  let running: RunningServer;
  const visit = inspectorPages();
  beforeAll(async () => {
    running = await start({ files, settings: { rate: 0 } });
    await post(`${running.url}/v1/index`, {});
    const history = [measurement("2026-01-01T10:00:00.000Z", 0.5), measurement("2026-02-01T10:00:00.000Z", 0.625)];
    const lines = history.map((each) => `${JSON.stringify(each)}\n`).join("");
    appendFileSync(join(running.root, ".dossier", "eval-history.jsonl"), lines);
  });
  afterAll(() => running.close());

  it("shows files by tokens, enters folders by click and by keyboard, and keeps the folder in the address", async () => {
    const { page, problems } = await visit(running, "workspace");
    const map = page.locator(".treemap");
    await map.getByRole("button", { name: /^src\/cart\.ts, typescript, \d+ tokens/ }).waitFor();
    expect(await page.locator(".treemap-title").allTextContents()).toContain("src/");
    await map.getByRole("button", { name: /^src\/tax\.ts/ }).click();
    expect(await page.locator(".chosen-file").textContent()).toContain("src/tax.ts");
    // One stop for Tab; arrow keys reach the others.
    expect(await map.locator('[tabindex="0"]').count()).toBe(1);
    await map.locator('[tabindex="0"]').focus();
    await page.keyboard.press("Home");
    const first = await page.evaluate("document.activeElement.getAttribute('aria-label')");
    await page.keyboard.press("ArrowRight");
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).not.toBe(first);
    await page.goto(`${running.url}/#/workspace?folder=src%2Fpay`);
    await page.getByRole("navigation", { name: "Folder" }).waitFor();
    await map.getByRole("button", { name: /^src\/pay\/pay\.ts/ }).waitFor();
    await page.getByRole("navigation", { name: "Folder" }).getByText("all").click();
    await map.getByRole("button", { name: /^README\.md/ }).waitFor();
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });

  it("says that nothing is indexed yet, indexes on demand and follows it", async () => {
    const empty = await start({ files: {}, settings: { rate: 0 } });
    const { page, problems } = await visit(empty, "workspace");
    await page.getByText("Nothing is indexed yet").waitFor();
    await page.getByRole("button", { name: "Index this folder" }).click();
    await page.getByText("Nothing is indexed yet").waitFor();
    await expectAccessible(page);
    expect(problems).toEqual([]);
    await empty.close();
  });

  it("draws what is around an item, and centres it where one clicks", async () => {
    const { page, problems } = await visit(running, "graph?node=total");
    const picture = page.getByRole("group", { name: /What is linked/ });
    await picture.getByRole("button", { name: /^rate, function, src\/tax\.ts/ }).click();
    await page.getByText("Around rate").waitFor();
    expect(new URL(page.url()).hash).toMatch(/node=cod-/);
    const details = page.getByRole("region", { name: "Details of rate" });
    await details.getByText("called by").waitFor();
    expect(await details.locator("pre").textContent()).toContain("export function rate");
    await page.goBack();
    await page.getByText("Around total").waitFor();
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });

  it("follows only the relations that are pressed, and reaches every item by keyboard", async () => {
    const { page, problems } = await visit(running, "graph?query=total&node=total");
    const items = page.getByRole("region", { name: "Items" });
    await items
      .getByRole("button", { name: /cart\.ts/ })
      .first()
      .waitFor();
    const calls = page.getByRole("button", { name: /^calls/ });
    expect(await calls.getAttribute("aria-pressed")).toBe("true");
    await calls.click();
    await expect.poll(() => items.getByRole("button").count()).toBeLessThan(6);
    expect(await calls.getAttribute("aria-pressed")).toBe("false");
    await calls.click();
    await items.getByRole("button", { name: /^code sum/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Around sum").waitFor();
    await page
      .getByRole("group", { name: /What is linked/ })
      .locator('[tabindex="0"]')
      .focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByText("Around sum").count()).toBe(0);
    await page.getByRole("button", { name: "Back to the question" }).click();
    await expect.poll(() => new URL(page.url()).hash).not.toContain("node=");
    expect(problems).toEqual([]);
  });

  it("says so where nothing is linked with what was typed", async () => {
    const { page } = await visit(running, "graph?query=zebra+crossing+zzz");
    await page.getByRole("heading", { name: "Nothing here matches" }).waitFor();
  });

  it("charts what eval came to over time, beside plain BM25", async () => {
    const { page, problems } = await visit(running, "eval");
    await page.getByRole("img", { name: /Reciprocal rank over time: commit 0\.50, 0\.63/ }).waitFor();
    expect(await page.locator(".chart-point").count()).toBe(2);
    expect(await page.getByRole("row").count()).toBe(3);
    await expectAccessible(page);
    expect(problems).toEqual([]);
  });

  it.each(["workspace", "graph?node=total", "memory", "threads", "eval"])(
    "fits a narrow window, dark: %s",
    async (address) => {
      const { page, problems } = await visit(running, address, { width: 390, height: 844, dark: true });
      await page.locator("h1").first().waitFor();
      await page.waitForLoadState("networkidle");
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
      await expectAccessible(page);
      expect(problems).toEqual([]);
    },
  );
});
