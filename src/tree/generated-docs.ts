import { fstatSync, readSync } from "node:fs";
import { withFile } from "./read-file.ts";

/**
 * A folder of pages that a tool generated from code: often thousands of pages that only repeat the code. Folders end in
 * `/`.
 */
export type GeneratedDocs = { folder: string; pages: number; tool: string };

/** Fewer pages cost little: they are indexed, and rank low. */
const leastPages = 50;
/** Number of pages that are read, spread evenly over the folder. */
const sampleSize = 8;
const headBytes = 4096;
const tailBytes = 2048;
/** Share of the sample that must name the tool if no file name does. */
const sampleShare = 0.75;

const page = /\.x?html?$/i;
/** Files that tools write beside the pages; any other text among them was written by a person. */
const companion = /\.(?:x?html?|css|[cm]?js|json|xml|txt|svg|map|inv)$/i;

/** File names that only these tools use, in their output folder. */
const tellingNames = new Set([
  ..."index-all.html allclasses-index.html allclasses-frame.html".split(" "), // javadoc
  ..."doxygen.css annotated.html".split(" "), // doxygen
  ..."genindex.html searchindex.js".split(" "), // sphinx
  "search-index.js", // rustdoc
]);

const tools =
  "javadoc doxygen typedoc jsdoc esdoc yard sdoc rdoc scaladoc dokka phpdocumentor apigen sphinx pdoc3 pdoc epydoc gtk-doc ldoc jazzy mkdocs docfx rustdoc exdoc haddock docusaurus vitepress vuepress".replaceAll(
    " ",
    "|",
  );
const saysTool = new RegExp(
  `(?:generated|created|built|made|documentation)(?: [^<>]{0,40})? (?:by|with|using|from)\\s+(?:the )?(?:<a [^>]{0,200}>)?\\s*(${tools})\\b|<meta\\s+name=["']?generator["']?\\s+content=["']?(${tools})`,
  "i",
);

/**
 * Finds folders of generated pages by file names and by the content of a few sample pages; no other page is read. It
 * runs with every listing, so it only looks at names until there are many pages.
 */
export function generatedDocs(
  root: string,
  paths: readonly string[],
  isIncluded: (folder: string) => boolean,
): GeneratedDocs[] {
  const pages = paths.filter((path) => page.test(path));
  if (pages.length < leastPages) return [];
  const top = foldersOf(pages);
  const toolFolders = foldersWithToolNames(paths);
  const generated: GeneratedDocs[] = [];
  const look = (folder: Folder) => {
    if (folder.pages.length < leastPages || isIncluded(folder.path)) return;
    const hasToolName = toolFolders.has(folder.path);
    const mayBe =
      folder.path !== "" &&
      folder.isPage &&
      (hasToolName || pagesBelow(folder, toolFolders) < 0.5 * folder.pages.length);
    const tool = mayBe ? toolOf(root, folder.pages, hasToolName) : undefined;
    if (tool) generated.push({ folder: folder.path, pages: folder.pages.length, tool });
    else for (const inner of folder.folders.values()) look(inner);
  };
  look(top);
  // A workspace with only generated pages is indexed, since its user wants to ask about them.
  return paths.every((path) => generated.some(({ folder }) => isGeneratedDoc(path, folder))) ? [] : generated;
}

/** Folders with a file name that only a tool uses. */
function foldersWithToolNames(paths: readonly string[]): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    const slash = path.lastIndexOf("/") + 1;
    if (tellingNames.has(path.slice(slash).toLowerCase())) folders.add(path.slice(0, slash));
    else if (/(?:^|\/)search\/search_index\.json$/.test(path)) folders.add(path.slice(0, slash - "search/".length));
  }
  return folders;
}

/** How many of a folder's pages are in subfolders that a tool wrote. */
function pagesBelow(folder: Folder, toolFolders: ReadonlySet<string>): number {
  let pages = 0;
  for (const inner of folder.folders.values()) {
    pages += toolFolders.has(inner.path) ? inner.pages.length : pagesBelow(inner, toolFolders);
  }
  return pages;
}

export function isGeneratedDoc(path: string, folder: string): boolean {
  return path.startsWith(folder) && companion.test(path);
}

/** `pages`: at any depth; `isPage`: some are in the folder itself. */
type Folder = { path: string; pages: string[]; isPage: boolean; folders: Map<string, Folder> };

function foldersOf(pages: readonly string[]): Folder {
  const root: Folder = { path: "", pages: [], isPage: false, folders: new Map() };
  for (const path of pages) {
    let at = root;
    at.pages.push(path);
    for (let from = 0, slash = path.indexOf("/"); slash >= 0; from = slash + 1, slash = path.indexOf("/", from)) {
      const name = path.slice(from, slash);
      let inner = at.folders.get(name);
      if (!inner) {
        inner = { path: path.slice(0, slash + 1), pages: [], isPage: false, folders: new Map() };
        at.folders.set(name, inner);
      }
      inner.pages.push(path);
      at = inner;
    }
    at.isPage = true;
  }
  return root;
}

/** The tool that wrote these pages, if they name it. */
function toolOf(root: string, pages: readonly string[], hasToolName: boolean): string | undefined {
  const step = pages.length / sampleSize;
  const sample = Array.from({ length: sampleSize }, (_, i) => pages[Math.floor(i * step)]!);
  const tools = sample.map((path) => toolIn(`${root}/${path}`)).filter((tool) => tool !== undefined);
  if (tools.length >= (hasToolName ? 1 : sampleShare * sampleSize)) return tools[0];
  return undefined;
}

/** The tool that a page names in its head or at its end. */
function toolIn(path: string): string | undefined {
  const text = withFile(path, (file) => {
    const buffer = Buffer.alloc(headBytes + tailBytes);
    const { size } = fstatSync(file);
    const head = readSync(file, buffer, 0, headBytes, 0);
    const from = Math.max(head, size - tailBytes);
    const tail = readSync(file, buffer, head, tailBytes, from);
    return { text: buffer.toString("latin1", 0, head + tail) };
  });
  if (!("text" in text)) return undefined;
  const match = saysTool.exec(text.text);
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}
