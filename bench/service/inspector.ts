import { once } from "node:events";
import { existsSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { basename, resolve } from "node:path";
import { chromium, type Page } from "playwright-core";
import { percentile, row } from "../shared/figures.ts";
import { timeCommand } from "../shared/time-command.ts";
import { withCopy } from "../shared/with-copy.ts";
import { writeFigures } from "../shared/write-figures.ts";
import { serve } from "./load.ts";

/**
 * The web inspector over a large repository: `npm run bench -- --inspector --repo ../django`. A question is typed
 * letter by letter, and what counts is the time from a key to the drawn answer without the server's own: the pause for
 * the next letter, the request's way, drawing.
 */
const places = [process.env.CHROMIUM ?? "", "/usr/bin/chromium", "/usr/bin/google-chrome"];
const targets = { firstView: 1000, over: 150 };
const typed = " does the session backend store its data, and when is it cleared";
const views = { ask: "", budget: "&maxTokens=32000", why: "", text: "&maxTokens=100000&fill=true" };

type Answered = { total: number; server: number };

export async function measureInspector({ repo, out }: { repo: string; out?: string }): Promise<void> {
  const program = places.find((path) => path !== "" && existsSync(path));
  if (program === undefined) throw new Error("No Chromium is installed here; CHROMIUM names one.");
  const figures: Record<string, number> = { loadBefore: loadavg()[0]! };
  await withCopy(repo, async (copy) => {
    const index = await timeCommand("node", [resolve("dist/cli.js"), "index", "--json", "--path", copy], { cwd: copy });
    const { total } = JSON.parse(index.output) as { total: { files: number } };
    console.log(`${basename(copy)}, ${total.files} files, ${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}\n`);
    const { child, url } = await serve(copy);
    const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
    try {
      for (const [view, options] of Object.entries(views)) {
        const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, bypassCSP: true });
        Object.assign(figures, await measureView(page, `${url}/#/${view}?query=how${options}`, view));
        await page.close();
      }
    } finally {
      await browser.close();
      child.kill("SIGTERM");
      await once(child, "close");
    }
  });
  writeFigures("inspector", figures, out);
}

async function measureView(page: Page, address: string, view: string): Promise<Record<string, number>> {
  await page.goto(address);
  await page.locator(".summary[aria-busy=false]").waitFor({ timeout: 60_000 });
  const firstView = await page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0].startTime");
  await page.evaluate(watch);
  await page.locator("#question").focus();
  await page.keyboard.press("End");
  for (const letter of typed) {
    await page.keyboard.type(letter);
    await page.waitForFunction("!window.typing", undefined, { timeout: 60_000 });
  }
  const answers = await page.evaluate<Answered[]>("window.answers");
  const over = answers.map(({ total, server }) => total - server);
  const [p50, p95] = [percentile(over, 0.5), percentile(over, 0.95)];
  const server = percentile(
    answers.map((each) => each.server),
    0.95,
  );
  row(`${view}, first view`, `${firstView.toFixed(0)} ms`, `target ${targets.firstView}`);
  row(`${view}, typing to update`, `${p50.toFixed(0)} ms`, `p95 ${p95.toFixed(0)} ms, target ${targets.over}, over`);
  row("  the server's own", `${server.toFixed(0)} ms`, "p95");
  return { [`${view}FirstView`]: firstView, [`${view}OverP50`]: p50, [`${view}OverP95`]: p95 };
}

/** In the page: from the last key to the frame after the answer was drawn, and how long the request for it was away. */
const watch = `
  window.answers = [];
  performance.setResourceTimingBufferSize(10000);
  let key = 0;
  document.querySelector("#question").addEventListener("input", () => {
    key = performance.now();
    window.typing = true;
  });
  new MutationObserver(() => {
    if (!window.typing || document.querySelector(".summary")?.getAttribute("aria-busy") !== "false") return;
    const asked = performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/v1/context")).at(-1);
    if (!asked || asked.startTime < key) return;
    const began = key;
    window.typing = false;
    requestAnimationFrame(() => setTimeout(() => {
      window.answers.push({ total: performance.now() - began, server: asked.responseEnd - asked.requestStart });
    }));
  }).observe(document.querySelector("main"), { subtree: true, childList: true, attributes: true });
`;
