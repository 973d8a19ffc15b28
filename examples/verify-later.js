// Save a result, and check later whether the files still have the lines that it cites.
//
//   node examples/verify-later.js /path/to/project "retry policy" bundle.json    the first time: writes the bundle
//   node examples/verify-later.js /path/to/project "retry policy" bundle.json    later: checks it

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { context, verify } from "dossier";

const [path = ".", query = "retry policy", file = "bundle.json"] = process.argv.slice(2);

if (existsSync(file)) {
  const { ok, citations } = await verify({ bundle: readFileSync(file, "utf8"), path });
  for (const { verdict, path, startLine, now } of citations) {
    console.log(`${verdict}: ${path}:${startLine}${now ? ` is now ${now.path}:${now.startLine}` : ""}`);
  }
  console.log(ok ? "The bundle still holds." : "The bundle is out of date.");
} else {
  const bundle = await context({ query, path });
  writeFileSync(file, JSON.stringify(bundle, null, 2));
  console.log(`Wrote ${file} with ${bundle.items.length} citations.`);
}
