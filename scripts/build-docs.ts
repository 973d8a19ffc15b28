import { readFile, writeFile } from "node:fs/promises";
import { commandTablePage } from "./command-table.ts";
import { httpPage } from "./http-page.ts";
import { mcpPage } from "./mcp-page.ts";
import { commandPages, optionPages } from "./pages.ts";

/**
 * Rewrites the generated pages of docs/ and the table of commands; with --check only says whether they are as the
 * operations state.
 */
const pages = {
  "src/operations/core/command-table.ts": await commandTablePage(),
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
