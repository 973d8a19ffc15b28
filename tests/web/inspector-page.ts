import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { RunningServer } from "../http/http-server.ts";
import { pages } from "./browser.ts";

/** The inspector over a server of this process: what is in its stores can be written and read beside the page. */
export type InspectorPage = {
  page: Page;
  /** Everything that went wrong in it, and every request that left the server. */
  problems: string[];
};

export type PageOptions = { width?: number; height?: number; dark?: boolean };

/** Opens a view with its state: `memory?kind=drafts`. */
export function inspectorPages(): (
  running: RunningServer,
  address: string,
  options?: PageOptions,
) => Promise<InspectorPage> {
  const open = pages();
  return async (running, address, { width = 1280, height = 900, dark = false } = {}) => {
    const { page, errors } = await open(`${running.url}/#/${address}`, {
      viewport: { width, height },
      colorScheme: dark ? "dark" : "light",
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(running.url)) errors.push(`left the server: ${request.url()}`);
    });
    return { page, problems: errors };
  };
}

type Violation = { id: string; impact: string; nodes: { html: string }[] };

/**
 * Nothing that axe calls serious is wrong with what is shown. The policy of the page lets in no script: the browser
 * itself runs it.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<{ violations: Violation[] }>("axe.run()");
  const grave = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  expect(grave).toEqual([]);
}
