import { type Item, sourceTraits, type UsageSite } from "../../item.ts";
import { withoutLiterals } from "../../sources/code/same-code.ts";
import { mayCall } from "../../stores/scope/visibility.ts";
import { analyse } from "../../text/analysis/analyse.ts";
import { redact } from "../../text/secrets/secrets.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { openFile } from "../open-file.ts";

/** Most files that are read for one name: those that contain its words most often. */
const mostFiles = 40;
const longestText = 120;

/** The kinds that are called, with brackets after the name. In these languages the brackets can be left out. */
const withoutBrackets = new Set(["ruby", "crystal", "elixir", "haskell", "ocaml", "shell", "bash", "scala"]);

/**
 * Where code writes the name of a function as a call; it may mean another function of this name. This is for a function
 * that no link leads to, so that it does not look unused. One place for each line, without definitions of the name.
 */
export async function writtenCalls(item: Item, workspace: Workspace): Promise<UsageSite[]> {
  const { store, owner } = workspace;
  const terms = [...new Set(analyse(item.name))].map((term) => ({ term, weight: 1 }));
  if (terms.length === 0) return [];
  const [files, named] = await Promise.all([
    store.searchText(owner, { scope: "file", terms, limit: mostFiles }),
    store.searchNames(owner, { text: item.name, mode: "exact", limit: mostFiles }),
  ]);
  const paths = files
    .filter(
      ({ item: { source, language } }) => sourceTraits[source].lines === "code" && mayCall(language, item.language),
    )
    .map(({ item: { path } }) => path);
  const outlines = await store.outlines(owner, paths);
  const sites: UsageSite[] = [];
  for (const path of [...new Set([item.path, ...paths])].sort()) {
    const file = await openFile(path, outlines.get(path), workspace);
    if (!file.onDisk || !file.text.includes(item.name)) continue;
    const declared = named
      .map(({ item: other }) => other)
      .filter((other) => other.path === path && other.name === item.name);
    const code = withoutLiterals(file.text, path).split("\n");
    const printed = redact(file.text).text.split("\n");
    const declarations = new Set(declared.map((each) => declarationOf(each, code)));
    for (const line of callLines(code, item)) {
      if (declarations.has(line)) continue;
      const around = file.spans.filter(([start, end]) => start <= line && line <= end);
      // Import statements are spans without a name.
      if (around.some(([, , name]) => name === "")) continue;
      const inner = around.sort((a, b) => a[1] - a[0] - (b[1] - b[0]))[0];
      const name = inner?.[2] ?? path.slice(path.lastIndexOf("/") + 1);
      sites.push({ path, line, text: (printed[line - 1] ?? "").trim().slice(0, longestText), name });
    }
  }
  return sites;
}

function callLines(code: readonly string[], { name, language = "" }: Item): number[] {
  const after = withoutBrackets.has(language) ? "" : "(?=\\s?(?:[(!]|::<|<[^<>()]{0,80}>\\())";
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_$])${name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}(?![\\p{L}\\p{N}_$])${after}`,
    "u",
  );
  return code.flatMap((line, index) => (pattern.test(line) ? [index + 1] : []));
}

/** The line of a definition that has its name: comments and decorators may be above it. */
function declarationOf({ startLine, endLine, name }: Item, code: readonly string[]): number {
  for (let line = startLine; line <= endLine; line++) if (code[line - 1]?.includes(name)) return line;
  return startLine;
}
