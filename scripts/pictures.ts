import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

/**
 * Makes the README's pictures of the inspector anew, of a folder: `npm run pictures -- /srv/flask`. Needs the built
 * program and Chromium (CHROMIUM names another one).
 */

const question = "how are application contexts torn down?";
const pictures = { budget: `budget?query=${encodeURIComponent(question)}`, workspace: "workspace" };

const [folder] = process.argv.slice(2);
const browser = [process.env.CHROMIUM ?? "", "/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path),
);
if (!folder || !browser) {
  console.error(folder ? "There is no Chromium here: CHROMIUM names one." : "Usage: npm run pictures -- <folder>");
  process.exit(2);
}

const server = spawn(process.execPath, ["dist/cli.js", "serve", "-C", folder, "--port", "0", "--log", "silent"], {
  stdio: ["ignore", "ignore", "pipe"],
});
const url = await new Promise<string>((listening, ended) => {
  let printed = "";
  server.stderr.on("data", (chunk) => {
    printed += chunk;
    const address = / at (http:\S+);/.exec(printed)?.[1];
    if (address) listening(address);
  });
  server.on("close", (status) => ended(new Error(`The server ended with ${status}: ${printed}`)));
});
try {
  const indexed = await fetch(`${url}/v1/index`, {
    method: "POST",
    body: "{}",
    headers: { "Content-Type": "application/json" },
  });
  if (!indexed.ok) throw new Error(await indexed.text());
  const chrome = await chromium.launch({ executablePath: browser, args: ["--no-sandbox"] });
  for (const [name, address] of Object.entries(pictures)) {
    const page = await chrome.newPage({ viewport: { width: 1280, height: 860 } });
    // Twice: the first answer loads what the next one finds loaded.
    for (let visit = 0; visit < 2; visit++) {
      await page.goto(`${url}/#/${address}`);
      await page.reload();
      await page.waitForLoadState("networkidle");
    }
    await page.screenshot({ path: `docs/images/${name}.png` });
  }
  await chrome.close();
} finally {
  server.removeAllListeners("close");
  server.kill();
}
