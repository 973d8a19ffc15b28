import axe from "axe-core";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { answered, hasBrowser, pages, type RunningService, service, shop, titled } from "./browser.ts";

const visit = pages();
let shopService: RunningService;
beforeAll(async () => {
  if (hasBrowser) shopService = await service(shop);
});

const question = "query=book+a+payment+in+cents";
const views = ["ask", "budget", "why", "text", "compare"];

type Violation = { id: string; impact: string; nodes: { html: string }[] };

/** What axe finds that keeps people out. */
async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate<Violation[]>("axe.run().then(({ violations }) => violations)");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

describe.skipIf(!hasBrowser)(titled("the inspector for everyone"), () => {
  it.each(views)("has no serious barrier in %s, light and dark", async (view) => {
    // The page's own policy would refuse axe as any foreign script.
    const { page } = await visit(`${shopService.url}/#/${view}?${question}`, { bypassCSP: true });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await answered(page);
      await page.waitForTimeout(300);
      expect(await barriers(page)).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: null });
  });

  it("is dark where the system is, and light where one says so", async () => {
    const { page } = await visit(`${shopService.url}/#/ask`, { colorScheme: "dark" });
    const background = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    expect(await background()).toBe("rgb(20, 23, 28)");
    await page.getByLabel("Colours").selectOption("light");
    expect(await background()).toBe("rgb(255, 255, 255)");
    await page.reload();
    await page.getByLabel("Colours").waitFor();
    expect(await background()).toBe("rgb(255, 255, 255)");
  });

  it("is used by keyboard alone", async () => {
    const { page } = await visit(`${shopService.url}/#/ask`);
    await page.getByRole("textbox", { name: "Question" }).waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("/");
    await page.keyboard.type("book a payment in cents");
    await answered(page);
    // Out of the text, where letters are commands.
    await page.keyboard.press("Escape");
    await page.keyboard.press("2");
    await page.getByRole("slider", { name: "Budget" }).focus();
    const before = await answered(page);
    for (let press = 0; press < 40; press++) await page.keyboard.press("ArrowLeft");
    await expect.poll(() => answered(page)).not.toBe(before);
    await page.getByRole("button", { name: /^Pin / }).first().focus();
    await page.keyboard.press("Space");
    await expect.poll(() => page.url()).toContain("pin=");
    await page.keyboard.press("3");
    await page.getByRole("tab", { name: /^In the document/ }).focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => page.url()).toContain("list=left-out");
  });

  it.each(views)("fits a window 390 pixels wide: %s", async (view) => {
    const { page } = await visit(`${shopService.url}/#/${view}?${question}`, { viewport: { width: 390, height: 800 } });
    await answered(page);
    await page.waitForTimeout(300);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    await page.getByRole("button", { name: new RegExp(`^${view}`, "i") }).click();
    await page.getByRole("link", { name: "Workspace" }).click();
    await page.getByRole("heading", { level: 1, name: "Workspace" }).waitFor();
  });
});
