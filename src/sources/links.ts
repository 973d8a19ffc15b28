import type { Item, Link } from "../item.ts";
import type { Extraction } from "./code/extraction.ts";
import { detectLanguage } from "./code/languages.ts";
import { testedName, testedPaths } from "./code/test-paths.ts";
import { configLanguage } from "./file/config.ts";
import { itemId, sourceOf } from "./itemize.ts";

/** All links of a file's items. `items[0]` is the file, the others its units in order. */
export function linksOf(path: string, extraction: Extraction, items: Item[]): Link[] {
  const fileItem = items[0]!;
  const links: Link[] = [];
  for (const module of new Set(extraction.imports.map((each) => each.module))) {
    if (module !== "") links.push({ from: fileItem.id, kind: "imports", name: module });
  }
  const inDocument = extraction.kind === "document";
  [extraction, ...extraction.units].forEach((part, index) => {
    const item = items[index]!;
    for (const { kind, name: last, receiver } of part.references) {
      const name = receiver === undefined ? last : `${receiver}.${last}`;
      if (inDocument) links.push({ from: item.id, kind, to: wholeFileId(resolvedPath(path, name)) });
      else {
        links.push({ from: item.id, kind, name });
        if (item.test && kind === "calls") links.push({ from: item.id, kind: "tests", name });
      }
    }
    for (const name of "declares" in part ? (part.declares ?? []) : [])
      links.push({ from: item.id, kind: "declares", name });
    const tested = item.test && index > 0 ? testedName(item.name) : undefined;
    if (tested) links.push({ from: item.id, kind: "tests", name: tested });
  });
  if (fileItem.test && extraction.kind === "file") {
    for (const target of testedPaths(path)) links.push({ from: fileItem.id, kind: "tests", to: wholeFileId(target) });
  }
  return links;
}

/** The id of a file's own item, by its name alone. */
export function wholeFileId(path: string): string {
  const kind = configLanguage(path) !== undefined ? "config" : detectLanguage(path) !== undefined ? "file" : "document";
  return itemId(sourceOf(kind), path, kind, path, 0);
}

/** A link's target as a workspace path: relative to the file, or to the root when it starts with `/`. */
function resolvedPath(from: string, target: string): string {
  const parts = target.startsWith("/") ? [] : from.split("/").slice(0, -1);
  for (const part of target.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}
