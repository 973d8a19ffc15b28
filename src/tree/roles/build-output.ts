import { declarationEnding, type Folder, scriptEnding } from "./layout.ts";

/**
 * Output folders of compilers and bundlers, beside the sources. The name alone is not proof: `lib/` is where most gems
 * keep their code.
 */

const outputFolders = new Set(
  "dist build out output release lib libs es esm cjs umd amd commonjs module target".split(" "),
);
const sourceFolders = ["src", "source", "sources", "ts", "coffee"];

/** Files for browsers and Node. In other languages `lib` and `src` may be two parts of one program (curl). */
const webEnding = /\.(?:[cm]?jsx?|d\.[cm]?ts|css)$/i;
const compiledEnding = /\.(?:[cm]?tsx?|jsx|coffee|ls|litcoffee|vue|svelte|scss|sass|less|styl|elm|res|re|purs|es6)$/i;

/** A compiler adds files of its own (an index, helpers), so not every name must match. */
const leastShare = 0.6;

export function buildOutputIn(folder: Folder): Folder[] {
  return [...folder.folders.values()].filter((inner) => isBuildOutput(inner, folder));
}

function isBuildOutput(output: Folder, folder: Folder): boolean {
  const name = output.name.toLowerCase();
  if (!outputFolders.has(name)) return false;
  if (name === "target") return folder.files.some((file) => file === "Cargo.toml" || file === "pom.xml");
  const webOutput = webFiles(output);
  if (webOutput === undefined || webOutput.stems.size === 0) return false;
  // A folder `dist` is never handwritten, but it may contain all the code that exists.
  if (name === "dist") return folder.counts.own > output.counts.own;
  const sources = sourceFolders.map((source) => folder.folders.get(source)).filter((source) => source !== undefined);
  if (sources.length === 0) return false;
  const stems = new Set<string>();
  let compiled = false;
  for (const source of sources) {
    eachFile(source, (file) => {
      stems.add(stemOf(file));
      compiled ||= compiledEnding.test(file) && !declarationEnding.test(file);
    });
  }
  let common = 0;
  for (const stem of webOutput.stems) if (stems.has(stem)) common++;
  // A single common name is proof only if the sources are in another language.
  return common / webOutput.stems.size >= leastShare && (common > 1 || compiled);
}

/** Files that a browser or Node can run; undefined if most of the code is in other languages. */
function webFiles(folder: Folder): { stems: Set<string> } | undefined {
  const stems = new Set<string>();
  let web = 0;
  eachFile(folder, (file) => {
    if (!webEnding.test(file)) return;
    stems.add(stemOf(file));
    if (scriptEnding.test(file)) web++;
  });
  return folder.counts.own > 2 * (web + stems.size) ? undefined : { stems };
}

function stemOf(file: string): string {
  return file.slice(0, file.indexOf(".", 1) >>> 0).toLowerCase();
}

function eachFile(folder: Folder, take: (file: string) => void): void {
  for (const file of folder.files) take(file);
  for (const inner of folder.folders.values()) eachFile(inner, take);
}
