import type { CountedFile } from "./file-tokens.ts";

/** A file, a folder with everything in it, or the rest of a folder for which there was no room. */
export type TreeEntry = {
  path: string;
  kind: "file" | "folder" | "rest";
  files: number;
  tokens: number;
  bytes: number;
  /** Of a folder: the one that most of its tokens are in. */
  language?: string;
};

type Folder = { path: string; files: CountedFile[]; tokens: number; children?: (Folder | CountedFile)[] };

/**
 * The content of a folder in at most so many entries that together cover all of it: the largest folders are expanded
 * first, as long as there is room for their content; the others stay closed. Where the first folder itself holds too
 * many, its smallest entries are merged into one.
 */
export function fileTree(files: readonly CountedFile[], under: string, limit: number): TreeEntry[] {
  const inside = under === "" ? files : files.filter(({ path }) => path.startsWith(`${under}/`));
  const all = childrenOf({ path: under, files: [...inside], tokens: 0 });
  const children = all.length <= limit ? all : all.slice(0, limit - 1);
  const rest = all.slice(children.length).flatMap((each) => ("files" in each ? each.files : [each]));
  const entries = rest.length === 0 ? [] : [entryOf(under, "rest", rest)];
  const closed: Folder[] = [];
  const place = (children: readonly (Folder | CountedFile)[]) => {
    for (const each of children) {
      if ("files" in each) closed.push(each);
      else entries.push(entryOf(each.path, "file", [each]));
    }
    closed.sort(bySize);
  };
  place(children);
  for (;;) {
    const room = limit - entries.length - closed.length;
    const next = closed.findIndex((folder) => childrenOf(folder).length - 1 <= room);
    if (next < 0) break;
    place(childrenOf(closed.splice(next, 1)[0]!));
  }
  entries.push(...closed.map(({ path, files: inFolder }) => entryOf(path, "folder", inFolder)));
  return entries.sort(bySize);
}

/** Folders and files that lie in a folder itself, the largest first. */
function childrenOf(folder: Folder): (Folder | CountedFile)[] {
  if (folder.children) return folder.children;
  const start = folder.path === "" ? 0 : folder.path.length + 1;
  const children: (Folder | CountedFile)[] = [];
  const folders = new Map<string, Folder>();
  for (const file of folder.files) {
    const slash = file.path.indexOf("/", start);
    if (slash < 0) {
      children.push(file);
      continue;
    }
    const path = file.path.slice(0, slash);
    const folder = folders.get(path) ?? { path, files: [], tokens: 0 };
    folder.files.push(file);
    folder.tokens += file.tokens;
    folders.set(path, folder);
  }
  folder.children = [...children, ...folders.values()].sort(bySize);
  return folder.children;
}

function bySize(a: { path: string; tokens: number }, b: { path: string; tokens: number }): number {
  return b.tokens - a.tokens || (a.path < b.path ? -1 : 1);
}

function entryOf(path: string, kind: TreeEntry["kind"], files: readonly CountedFile[]): TreeEntry {
  const [most] = byLanguage(files);
  return {
    path,
    kind,
    files: files.length,
    tokens: files.reduce((sum, each) => sum + each.tokens, 0),
    bytes: files.reduce((sum, each) => sum + each.bytes, 0),
    ...(most && most.language !== "" && { language: most.language }),
  };
}

/** Languages with their files and tokens, most tokens first; files of none under an empty name. */
export function byLanguage(files: readonly CountedFile[]): { language: string; files: number; tokens: number }[] {
  const counts = new Map<string, { files: number; tokens: number }>();
  for (const { language = "", tokens } of files) {
    const entry = counts.get(language) ?? { files: 0, tokens: 0 };
    counts.set(language, { files: entry.files + 1, tokens: entry.tokens + tokens });
  }
  return [...counts]
    .map(([language, each]) => ({ language, ...each }))
    .sort((a, b) => b.tokens - a.tokens || (a.language < b.language ? -1 : 1));
}
