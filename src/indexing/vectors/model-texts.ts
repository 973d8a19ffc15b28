import { type Item, isWholeFile } from "../../item.ts";
import { sources } from "../../sources/all.ts";
import type { Shelf } from "../../stores/store.ts";
import { splitLines } from "../../text/lines.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Most characters of a text that a model gets; it would cut longer ones anyway. */
const longestText = 2400;
/** The limit for a whole file, whose units have their own vectors. */
const longestFile = 1200;

/**
 * The texts of items of one shelf as a model reads them, by id. Removed items are absent, and so are files that their
 * units cover.
 */
export async function modelTexts(
  shelf: Shelf,
  items: readonly Item[],
  workspace: Workspace,
): Promise<Map<string, string>> {
  return shelf === "files" ? fileTexts(items, workspace) : recordTexts(shelf, items, workspace);
}

/** The indexed text, not the one on disk: a vector belongs to what the index holds. */
async function fileTexts(items: readonly Item[], { store, owner }: Workspace): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const paths = [...new Set(items.map((item) => item.path))];
  const outlines = await store.outlines(owner, paths);
  for (const path of paths) {
    const file = await store.file(owner, path);
    if (!file) continue;
    const lines = splitLines(file.text);
    const hasParts = (outlines.get(path)?.spans.length ?? 0) > 0;
    for (const item of items) {
      if (item.path === path && !(hasParts && isWholeFile(item.kind))) texts.set(item.id, textOf(item, lines));
    }
  }
  return texts;
}

/** Path and name, then the lines: a function's doc comment and signature are part of them. */
function textOf(item: Item, lines: readonly string[]): string {
  const isFile = item.qualifiedName === item.path;
  const place = isFile ? item.path : `${item.path} ${item.qualifiedName.slice(item.path.length + 2)}`;
  const own = lines.slice(item.startLine - 1, item.endLine);
  const doc = item.doc && !isAmong(item.doc, own) ? `${item.doc}\n` : "";
  return `${place}\n${doc}${own.join("\n")}`.slice(0, isFile ? longestFile : longestText);
}

/** Whether a doc comment is among a function's lines: a docstring is, a comment before the function is not. */
function isAmong(doc: string, lines: readonly string[]): boolean {
  const first = splitLines(doc.trim())[0]?.trim() ?? "";
  return first === "" || lines.slice(0, 12).some((line) => line.includes(first));
}

async function recordTexts(shelf: Shelf, items: readonly Item[], workspace: Workspace): Promise<Map<string, string>> {
  const source = sources.find((each) => each.shelf === shelf);
  const records = await source?.read?.([...items], workspace);
  const texts = new Map<string, string>();
  for (const { id, name } of items) {
    const record = records?.get(id);
    if (!record) continue;
    const { breadcrumb, title, path } = record.facts;
    const above = [path, title, ...(Array.isArray(breadcrumb) ? breadcrumb : [])].filter((each) => each !== undefined);
    const [first = ""] = record.lines;
    // The name of a record is mostly the beginning of its text.
    const heading = first.startsWith(name.replace(/…$/, "").slice(0, 40)) ? [] : [name];
    texts.set(id, [...above, ...heading, ...record.lines].join("\n").slice(0, longestText));
  }
  return texts;
}
