// Walk a notes graph: a folder of Markdown notes (Obsidian, Logseq) or a Tana export.
//
//   node examples/walk-notes.js /path/to/notes "launch plan" planning

import { tanaContext } from "dossier";

const [path = ".", query = "launch plan", lens = "general"] = process.argv.slice(2);

const { text, nodes, overflow, meta, warnings } = await tanaContext({ query, path, lens, depth: 2, maxTokens: 2000 });
console.log(text);

for (const { name, score, distance, path: way } of nodes) {
  const steps = way.map((step) => `${step.name} (${step.type})`).join(" > ");
  console.error(`${score.toFixed(2)}  ${name}${distance > 0 ? `, by ${steps}` : ""}`);
}
console.error(`${meta.tokens.used} of ${meta.tokens.budget} tokens, ${overflow.length} more notes by name only`);
for (const warning of warnings) console.error(warning);
