import { type Item, isWholeFile } from "../../item.ts";
import { sources } from "../../sources/all.ts";
import type { Shelf } from "../../stores/store.ts";
import { splitLines } from "../../text/lines.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** Characters of a text that a model is given: what it cuts off anyway need not be copied. */
const longestText = 2400;
/** Of a whole file, which its units tell in detail. */
const longestFile = 1200;

/** What a model reads of items of one shelf, by id; what is gone is absent, and so are files that their parts tell in detail. */
export async function modelTexts(
  shelf: Shelf,
  items: readonly Item[],
  workspace: Workspace,
): Promise<Map<string, string>> {
  return shelf === "files" ? fileTexts(items, workspace) : recordTexts(shelf, items, workspace);
}

/** The text as it was indexed, not as it is on disk now: a vector belongs to what the index holds. */
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

/** Where it is and what it is called, then itself: a function's doc comment and signature are part of its lines. */
function textOf(item: Item, lines: readonly string[]): string {
  const whole = item.qualifiedName === item.path;
  const place = whole ? item.path : `${item.path} ${item.qualifiedName.slice(item.path.length + 2)}`;
  const own = lines.slice(item.startLine - 1, item.endLine);
  const doc = item.doc && !isAmong(item.doc, own) ? `${item.doc}\n` : "";
  return `${place}\n${doc}${own.join("\n")}`.slice(0, whole ? longestFile : longestText);
}

/** Doc comments before a function are not among its lines, docstrings are. */
function isAmong(doc: string, lines: readonly string[]): boolean {
  const first = splitLines(doc.trim())[0]?.trim() ?? "";
  return first === "" || lines.slice(0, 12).some((line) => line.includes(first));
}

async function recordTexts(shelf: Shelf, items: readonly Item[], workspace: Workspace): Promise<Map<string, string>> {
  const source = sources.find((each) => each.shelf === shelf);
  const read = await source?.read?.([...items], workspace);
  const texts = new Map<string, string>();
  for (const { id, name } of items) {
    const record = read?.get(id);
    if (!record) continue;
    const { breadcrumb, title, path } = record.facts;
    const above = [path, title, ...(Array.isArray(breadcrumb) ? breadcrumb : [])].filter((each) => each !== undefined);
    const [first = ""] = record.lines;
    // Names of records are mostly the beginning of their text.
    const called = first.startsWith(name.replace(/…$/, "").slice(0, 40)) ? [] : [name];
    texts.set(id, [...above, ...called, ...record.lines].join("\n").slice(0, longestText));
  }
  return texts;
}
