// Turn the results of your own search into one cited document for a model: the code itself, within a token budget.
//
//   node examples/assemble-your-own-results.js /path/to/project "password check"

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assembleResults, truncateSignatureFirst } from "dossier";

const [path = ".", query = "password check"] = process.argv.slice(2);

/** A stand-in for your search: functions by how many words of the query they contain. Any search that knows files and lines will do. */
function search(folder, words) {
  const files = readdirSync(folder).filter((name) => name.endsWith(".js"));
  const results = files.flatMap((filePath) => {
    const text = readFileSync(join(folder, filePath), "utf8");
    return [...text.matchAll(/\bfunction (\w+)/g)].map(({ 1: name, index }) => ({
      // Where a function ends need not be known.
      entity: { name, type: "function", filePath, startLine: text.slice(0, index).split("\n").length },
      score: words.filter((word) => text.slice(index).includes(word)).length / words.length,
    }));
  });
  return results.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
}

// No index is needed: the files are read now, and nothing outside the folder ever is.
const results = search(path, query.split(" "));
const { context, blocks, items, tokenCount, summary } = await assembleResults(results, {
  projectRoot: path,
  query,
  maxTokens: 400,
});
console.log(context);

// A sentence says what was shortened or left out, and every piece has its citation.
console.error(`${tokenCount} of 400 tokens. ${summary.sentence}`);
for (const { citation, name } of items)
  console.error(`  ${citation.id} ${name} ${citation.path}:${citation.startLine}`);

// The same truncation works on any text.
const [best] = blocks;
if (best) console.error(`In 20 tokens:\n${truncateSignatureFirst(best.code, 20, { language: "javascript" })}`);
