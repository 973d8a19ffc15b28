import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterEach, beforeAll, expect } from "vitest";
import { afterFile } from "../after-file.ts";
import { cli, dossier, folderWith } from "../cli/run-cli.ts";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const program = [process.env.CHROMIUM ?? "", ...places].find((path) => path !== "" && existsSync(path));

/** For `describe.skipIf`, and for the name of a skipped test. */
export const hasBrowser = program !== undefined;
export const titled = (title: string) => (hasBrowser ? title : `${title} (skipped: no Chromium is installed here)`);

/** `dossier serve` as users start it, over a folder of its own. */
export type RunningService = {
  url: string;
  folder: string;
  run: (...args: string[]) => Promise<string>;
  stop: () => Promise<void>;
  /** On the same port as before. */
  start: () => Promise<void>;
};

/** With workers it answers while they index, as it does for users; without them it starts quicker. */
export async function service(files: Record<string, string>, workers = 0): Promise<RunningService> {
  const { folder, remove } = folderWith(files);
  let child: ChildProcess | undefined;
  const stop = async () => {
    if (!child || child.exitCode !== null) return;
    const closed = once(child, "close");
    child.kill("SIGTERM");
    await closed;
  };
  const start = async (port: string) => {
    const started = spawn(
      process.execPath,
      [cli, "serve", "-C", folder, "--port", port, "--log", "silent", "--workers", String(workers)],
      {
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    child = started;
    let printed = "";
    return new Promise<string>((resolve, reject) => {
      started.stderr.on("data", (chunk) => {
        printed += chunk;
        const address = / at (http:\S+);/.exec(printed)?.[1];
        if (address) resolve(address);
      });
      started.on("close", (status) => reject(new Error(`It ended with ${status}: ${printed}`)));
    });
  };
  afterFile(async () => {
    await stop();
    remove();
  });
  const url = await start("0");
  return {
    url,
    folder,
    stop,
    start: async () => void (await start(new URL(url).port)),
    run: async (...args) => {
      const { status, stdout, stderr } = await dossier([...args, "-C", folder]);
      expect(`${status} ${stderr}`).toMatch(/^0 /);
      return stdout;
    },
  };
}

/** What a page did that it must not: whatever is in the workspace, this stays empty. */
export type Watched = { page: Page; errors: string[]; foreign: string[] };

/**
 * One for all test files of this process: to start it takes longer than most tests. It ends with the process, by its
 * pipe.
 */
let browser: Promise<Browser> | undefined;

/**
 * Emptied pages by the options of their context: a new context with its page costs as much processor time as the test
 * in it.
 */
const emptied = new Map<string, Page[]>();

/**
 * A page for each test. What tests keep in it, or listen to, is gone before the next one; one in which a test failed is
 * not used again.
 */
export function pages(): (url: string, options?: BrowserContextOptions) => Promise<Watched> {
  const open: { page: Page; key: string }[] = [];
  beforeAll(async () => {
    if (program) browser ??= chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
    await browser;
  });
  afterEach(async ({ task }) => {
    for (const { page, key } of open.splice(0)) {
      if (task.result?.state === "fail") await page.context().close();
      if (page.isClosed()) continue;
      page.removeAllListeners();
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await page.evaluate("localStorage.clear(); sessionStorage.clear()");
      await page.context().clearCookies();
      await page.goto("about:blank");
      emptied.set(key, [...(emptied.get(key) ?? []), page]);
    }
  });
  return async (url, options = {}) => {
    const key = JSON.stringify(options);
    const page = emptied.get(key)?.pop() ?? (await newPage(options));
    open.push({ page, key });
    const errors: string[] = [];
    const foreign: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("dialog", (dialog) => {
      errors.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
        errors.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(new URL(url).origin)) foreign.push(request.url());
    });
    await page.goto(url);
    return { page, errors, foreign };
  };
}

async function newPage(options: BrowserContextOptions): Promise<Page> {
  const context = await (await browser!).newContext({ viewport: { width: 1280, height: 860 }, ...options });
  context.setDefaultTimeout(20_000);
  return context.newPage();
}

/** The line that says what was answered, once it stands. */
export async function answered(page: Page): Promise<string> {
  const summary = page.locator(".summary[aria-busy=false]");
  await summary.waitFor();
  return (await summary.textContent()) ?? "";
}

/** A small shop: enough that budgets choose. */
export const shop: Record<string, string> = {
  "README.md": "# Shop\n\nPayments are charged by the ledger. Refunds go back the same way.\n",
  "docs/payments.md":
    "# Payments\n\n## Retry\n\nA payment is tried three times, with backoff.\n\n## Refund\n\nA refund books the amount back.\n",
  "src/ledger.ts": Array.from(
    { length: 8 },
    (_, i) =>
      `/** Books payment number ${i} into the ledger of cents. */\nexport function bookPayment${i}(amount: number): number {\n${Array.from({ length: 6 + 4 * i }, (_, line) => `  const cents${line} = Math.round(amount * 100) + ${line};`).join("\n")}\n  return cents0;\n}\n`,
  ).join("\n"),
  "src/retry.ts":
    "/** Tries a payment again with backoff. */\nexport async function retryPayment(pay: () => Promise<void>, times = 3): Promise<void> {\n  for (let attempt = 0; attempt < times; attempt++) {\n    try {\n      return await pay();\n    } catch (error) {\n      if (attempt === times - 1) throw error;\n    }\n  }\n}\n",
  "src/refund.py": 'def refund_payment(amount):\n    """Books a payment back."""\n    return -amount\n',
};
