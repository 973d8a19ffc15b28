import type { Item } from "../item.ts";
import type { Note } from "../note.ts";
import { noteItemId, type StoredNote } from "../stores/graph.ts";
import type { IndexedFile, IndexedItem } from "../stores/store.ts";
import { hashText } from "../text/hash.ts";
import { termsOf } from "./terms.ts";

/** Changes whenever notes would be described differently: then all of them are described again. */
export const noteFormat = 1;

const longestName = 80;
/** A longer name is a sentence, and matched as one. */
const longestTitle = 120;
/** Of a note's text that is searched: more would tell little about what it is. */
const longestText = 20_000;

/** A note as its index takes it. `owners`: the names of what owns it, nearest first: a bullet is about what it stands under. */
export function noteItem(origin: string, note: Note, owners: readonly string[]): IndexedItem {
  const { key, name, text = "", tags, inherited = [], fields } = note;
  const title = name.length <= longestTitle;
  return {
    item: itemOfNote({ ...note, id: noteItemId(origin, key), origin }),
    unit: termsOf({
      ...(title ? { name } : {}),
      doc: `${title ? "" : name}\n${text}`.slice(0, longestText),
      path: owners.join("\n"),
      signature: [...tags, ...inherited].join(" "),
      string: fields.map((field) => `${field.name} ${field.values.map((value) => value.text).join(" ")}`).join("\n"),
    }),
  };
}

/** Notes that are written together; the path names the page. */
export function notePage(path: string, items: IndexedItem[]): IndexedFile {
  let modified = 0;
  for (const { item } of items) {
    item.path = path;
    modified = Math.max(modified, item.changed ?? 0);
  }
  const hash = hashText(items.map(({ item }) => `${item.id} ${item.hash}`).join("\n"));
  return { path, hash, size: 0, modified, text: "", imports: [], items, links: [] };
}

/** The item that stands for a note, as its shelf has it but for the page it is on. */
export function itemOfNote({ id, origin, key, name, text = "", changed, created }: Omit<StoredNote, "sheet">): Item {
  const time = changed ?? created;
  return {
    id,
    source: "note",
    kind: "note",
    name: shortened(name) || key,
    qualifiedName: `${origin}::${key}`,
    path: "",
    startLine: 1,
    endLine: 1,
    hash: hashText(`${name}\n${text}`),
    ...(time === undefined ? {} : { changed: time }),
  };
}

function shortened(name: string): string {
  const line = name.replace(/\s+/g, " ").trim();
  if (line.length <= longestName) return line;
  return `${line
    .slice(0, longestName - 1)
    .replace(/[\ud800-\udbff]$/, "")
    .trimEnd()}…`;
}
