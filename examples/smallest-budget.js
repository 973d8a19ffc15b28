// Find the smallest budget that a question needs: double it until nothing relevant is left out for lack of room.
//
//   node examples/smallest-budget.js /path/to/project "how are users logged in?"

import { context, openWorkspace } from "dossier";

const [path = ".", query = "how are users logged in?"] = process.argv.slice(2);

// Opened once for all questions; without this every call would open and close the workspace itself.
const workspace = await openWorkspace(path);
try {
  for (let maxTokens = 250; maxTokens <= 16_000; maxTokens *= 2) {
    const { tokens, items, dropped } = await context({ query, maxTokens }, { workspace });
    const tooLarge = dropped.filter(({ reason }) => reason === "over-budget").length;
    const shortened = items.filter(({ level }) => level !== "full").length;
    console.log(
      `${maxTokens} tokens: ${items.length} items, ${shortened} shortened, ${tooLarge} left out (${tokens.used} used)`,
    );
    if (tooLarge === 0 && shortened === 0) break;
  }
} finally {
  await workspace.close();
}
