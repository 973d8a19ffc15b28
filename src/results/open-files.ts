import { isAbsolute, resolve } from "node:path";
import { LRUCache } from "lru-cache";
import type { Item } from "../item.ts";
import type { OpenedFile } from "../pipeline/open-file.ts";
import type { Extraction } from "../sources/code/extraction.ts";
import { detectLanguage } from "../sources/code/languages.ts";
import { extract } from "../sources/extract.ts";
import { itemsOf } from "../sources/itemize.ts";
import { isInside, relativePath, resolveInside } from "../tree/path-escape.ts";
import { type FileContent, fileReader, type ReadFailure } from "../tree/read-file.ts";
import { defaultMaxFileBytes, isHidden, reasonByPath } from "../tree/skip.ts";

/** A file as it is now, with what it is made of: the whole file first. */
export type DescribedFile = { path: string; file: OpenedFile; units: Item[]; language: string };
export type NotRead = { path: string; reason: ReadFailure["reason"] | "secret" | "binary" };

/** Opens files below a root by their callers' paths, each once. Nothing outside the root is ever read. */
export function openFiles(projectRoot: string, root: string): (path: string) => Promise<DescribedFile | NotRead> {
  const { read } = fileReader(root);
  const opened = new Map<string, Promise<DescribedFile | NotRead>>();

  async function open(path: string): Promise<DescribedFile | NotRead> {
    const resolved = resolveInside(root, path);
    if ("reason" in resolved) return { path, reason: resolved.reason };
    // A link inside the root may lead to a file that must stay hidden.
    if ([path, relativePath(root, resolved.target)].some(isPrivate)) return { path, reason: "secret" };
    const content = await read(path);
    if ("reason" in content) return { path, reason: content.reason };
    const { text, lines } = content;
    if (text.includes("\0")) return { path, reason: "binary" };
    const extraction = await extracted(path, content);
    const units = itemsOf(path, extraction, lines, 0);
    const { imports, language } = extraction;
    const file: OpenedFile = {
      text,
      lines,
      onDisk: true,
      unchanged: true,
      spans: [
        ...units
          .slice(1)
          .filter(({ kind }) => kind !== "field")
          .map(({ startLine, endLine, name }): [number, number, string] => [startLine, endLine, name]),
        ...imports.map(({ startLine, endLine }): [number, number, string] => [startLine, endLine, ""]),
      ],
      imports: async () => imports,
    };
    return { path, file, units, language };
  }

  return (stated) => {
    const path = pathInside(stated, projectRoot, root);
    if (path === undefined) return Promise.resolve({ path: stated, reason: "outside-root" });
    let file = opened.get(path);
    if (!file) opened.set(path, (file = open(path)));
    return file;
  };
}

/** Cached extractions by path and content: a caller asks about the same files again and again. */
const extractions = new LRUCache<string, Extraction>({
  maxSize: 4_000_000,
  sizeCalculation: (_, key) => Number(key.slice(0, key.indexOf(" "))) + 1000,
});

async function extracted(path: string, { text, hash, size }: FileContent): Promise<Extraction> {
  if (size > defaultMaxFileBytes) return unread(path);
  const key = `${text.length} ${hash} ${path}`;
  const cached = extractions.get(key);
  if (cached) return cached;
  const extraction = await extract(path, text);
  extractions.set(key, extraction);
  return extraction;
}

/**
 * The path below the root, normalised; undefined where it leads outside. Callers may keep absolute paths, by any name
 * of the root.
 */
function pathInside(stated: string, projectRoot: string, root: string): string | undefined {
  if (stated.includes("\0")) return undefined;
  const base = isAbsolute(stated) && !isInside(root, resolve(stated)) ? resolve(projectRoot) : root;
  const target = resolve(base, stated);
  return isInside(base, target) && target !== base ? relativePath(base, target) : undefined;
}

function isPrivate(path: string): boolean {
  return isHidden(path) || reasonByPath(path) === "secret";
}

/** Data is not parsed: it is printed by the lines that the caller names. */
function unread(path: string): Extraction {
  return {
    language: detectLanguage(path) ?? "text",
    kind: "file",
    units: [],
    imports: [],
    rest: { comment: "", string: "", code: "" },
    references: [],
  };
}
