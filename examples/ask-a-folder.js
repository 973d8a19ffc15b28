// Ask a folder a question and pass the answer to a language model.
//
//   node examples/ask-a-folder.js /path/to/project "how are users logged in?"

import { context } from "dossier";

const [path = ".", query = "how are users logged in?"] = process.argv.slice(2);

const { text, tokens, items, warnings } = await context({ query, path, maxTokens: 2000 });

// The text is what a model reads. It never exceeds the budget, and every piece in it carries a citation.
console.log(text);

for (const warning of warnings) console.error(`warning: ${warning}`);
console.error(`${tokens.used} of ${tokens.budget} tokens, ${items.length} items:`);
for (const { citation, name } of items) {
  console.error(`  ${citation.id} ${name} ${citation.path}:${citation.startLine}-${citation.endLine}`);
}
