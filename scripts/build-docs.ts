import { readFile, writeFile } from "node:fs/promises";
import { httpPage } from "./http-page.ts";
import { mcpPage } from "./mcp-page.ts";
import { commandPages, optionPages } from "./pages.ts";

/** Rewrites the generated pages of docs/; with --check only says whether they are as the schemas state. */
const pages = {
  "docs/options.md": await optionPages(),
  "docs/cli.md": await commandPages(),
  "docs/http.md": await httpPage(),
  "docs/mcp.md": await mcpPage(),
};
const check = process.argv.includes("--check");
for (const [path, text] of Object.entries(pages)) {
  const written = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  if (written === text) continue;
  if (check) {
    console.error(`${path} is not as the schemas state. Run npm run docs.`);
    process.exitCode = 1;
  } else {
    await writeFile(path, text);
    console.log(`wrote ${path}`);
  }
}
