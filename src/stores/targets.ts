import { folderOf, sharedFolders } from "./modules.ts";

/** An item that a name may mean; its qualified name with dots for separators (see `dotted`). */
export type Definition = { id: string; path: string; qualified: string; test: boolean };

/** Where the name stands: the file, the files it imports (asked only when they matter), and the whole of what is written there (`Outer.inner`). */
export type Mention = { path: string; imported: () => ReadonlySet<string>; whole?: string };

const mostTargets = 5;
/** A name defined this often elsewhere (`get`, `toString`) says nothing about which one is meant. */
const mostElsewhere = 20;

/** What a mentioned name means: the nearest definitions, by file, imports, folder, then anywhere. */
export function chooseTargets(definitions: Definition[], mention: Mention): Definition[] {
  const candidates = qualifiedMatches(definitions, mention.whole);
  if (candidates.length <= 1) return candidates;
  const near = nearest(candidates, mention);
  if (!near && candidates.length > mostElsewhere) return [];
  const chosen = [...(near ?? candidates)];
  chosen.sort(
    (a, b) =>
      Number(a.test) - Number(b.test) ||
      sharedFolders(b.path, mention.path) - sharedFolders(a.path, mention.path) ||
      (a.id < b.id ? -1 : 1),
  );
  return chosen.slice(0, mostTargets);
}

function nearest(candidates: Definition[], { path: from, imported }: Mention): Definition[] | undefined {
  const inFile = candidates.filter(({ path }) => path === from);
  if (inFile.length > 0) return inFile;
  const inImports = candidates.filter(({ path }) => imported().has(path));
  if (inImports.length > 0) return inImports;
  const inFolder = candidates.filter(({ path }) => folderOf(path) === folderOf(from));
  return inFolder.length > 0 ? inFolder : undefined;
}

/** `Outer.inner` prefers an `inner` inside an `Outer`; what stands before the last name is often a variable, so it only prefers. */
function qualifiedMatches(definitions: Definition[], whole: string | undefined): Definition[] {
  if (whole === undefined) return definitions;
  const wanted = dotted(whole);
  const ending = `.${wanted}`;
  const matches = definitions.filter(({ qualified }) => qualified === wanted || qualified.endsWith(ending));
  return matches.length > 0 ? matches : definitions;
}

/** Of items that share a name, what is meant first: a definition, then a declaration without a body, then a field. */
export function definitionRank({ kind, signature }: { kind: string; signature?: string }): number {
  if (kind === "field") return 2;
  return (kind === "function" || kind === "method") && signature?.endsWith(";") ? 1 : 0;
}

/** True when a qualified name is `name` or ends in it after a separator, whatever separators the language writes. */
export function endsInName(qualified: string, name: string): boolean {
  const wanted = dotted(name);
  return wanted !== "" && `.${dotted(qualified)}`.endsWith(`.${wanted}`);
}

/** A qualified name with a dot for every separator. */
export function dotted(name: string): string {
  return name.replace(/::|->|#| > /g, ".");
}
