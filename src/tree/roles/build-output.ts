import { declarationEnding, type Folder, scriptEnding } from "./layout.ts";

/** Folders that compilers and bundlers write to, beside the sources. A name alone is no proof: `lib/` is where most gems are. */

const outputFolders = new Set(
  "dist build out output release lib libs es esm cjs umd amd commonjs module target".split(" "),
);
const sourceFolders = ["src", "source", "sources", "ts", "coffee"];

/** What is written for browsers and Node: elsewhere `lib` and `src` are two parts of one program (curl). */
const webEnding = /\.(?:[cm]?jsx?|d\.[cm]?ts|css)$/i;
const compiledEnding = /\.(?:[cm]?tsx?|jsx|coffee|ls|litcoffee|vue|svelte|scss|sass|less|styl|elm|res|re|purs|es6)$/i;

/** Where half or so of the names are, the rest is what a compiler adds: an index, helpers. */
const leastShare = 0.6;

export function buildOutputIn(folder: Folder): Folder[] {
  return [...folder.folders.values()].filter((inner) => isBuildOutput(inner, folder));
}

function isBuildOutput(output: Folder, folder: Folder): boolean {
  const name = output.name.toLowerCase();
  if (!outputFolders.has(name)) return false;
  if (name === "target") return folder.files.some((file) => file === "Cargo.toml" || file === "pom.xml");
  const written = webFiles(output);
  if (written === undefined || written.stems.size === 0) return false;
  // Nobody calls a folder so that is written by hand, but it may be all there is.
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
  for (const stem of written.stems) if (stems.has(stem)) common++;
  // One file of the same name is a compiler's only where the sources are in another language.
  return common / written.stems.size >= leastShare && (common > 1 || compiled);
}

/** What a browser or Node could run; undefined where most of the code is something else. */
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
