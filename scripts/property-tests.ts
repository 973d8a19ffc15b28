import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

const rooms = ["src", "tests", "bench"];

/** Test files that check properties, themselves or in the case suites they import; paths from `root`, with slashes. */
export function propertyTests(root: string): string[] {
  const importers = new Map<string, string[]>();
  const reached = new Set<string>();
  for (const file of rooms.flatMap((room) => sourcesIn(join(root, room)))) {
    const text = readFileSync(file, "utf8");
    if (/\bfrom "fast-check"/.test(text)) reached.add(file);
    for (const [, path] of text.matchAll(/\bfrom "(\.[^"]+)"/g)) {
      const imported = join(dirname(file), path!);
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  // A set that grows while it is walked through: importers of importers are reached too.
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
  const tests = [...reached].filter((file) => file.endsWith(".test.ts"));
  return tests.map((file) => relative(root, file).replaceAll(sep, "/")).sort();
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => join(folder, path));
}
