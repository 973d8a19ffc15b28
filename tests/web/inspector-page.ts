import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import type { Running } from "../http/http-server.ts";

/** A browser of the system for the tests of a file, and what it takes to look at the inspector with it. */
export type Visitor = {
  /** A page of the inspector: `memory?kind=drafts`. */
  visit(running: Running, address: string, options?: VisitOptions): Promise<VisitedPage>;
};

export type VisitOptions = { width?: number; height?: number; dark?: boolean };

/** `problems`: everything that went wrong in it, and every request that left the server. */
export type VisitedPage = { page: Page; problems: string[] };

const executable = process.env.CHROMIUM ?? "/usr/bin/chromium";

export function useBrowser(): Visitor {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executable, args: ["--no-sandbox", "--disable-gpu"] });
  });
  afterAll(() => browser?.close());
  return {
    async visit(running, address, { width = 1280, height = 900, dark = false } = {}) {
      const page = await browser.newPage({
        viewport: { width, height },
        colorScheme: dark ? "dark" : "light",
      });
      const problems: string[] = [];
      page.on("console", (message) => {
        // A key that is refused, or an item that is gone, is no fault of the page.
        if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) problems.push(message.text());
      });
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("dialog", (dialog) => {
        problems.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on("request", (request) => {
        if (!request.url().startsWith(running.url)) problems.push(`left the server: ${request.url()}`);
      });
      await page.goto(`${running.url}/#/${address}`);
      return { page, problems };
    },
  };
}

type Violation = { id: string; impact: string; nodes: { html: string }[] };

/** Nothing that axe calls serious is wrong with what is shown. The policy of the page lets in no script: it is run by the browser itself. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: Violation[] }>("axe.run()");
  const found = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  expect(found).toEqual([]);
}
