import type { Item } from "../../item.ts";
import type { Note } from "../../note.ts";
import { noteItemId, type StoredNote } from "../../stores/graph.ts";
import type { IndexedFile, IndexedItem } from "../../stores/store.ts";
import { packHashes, type TermField } from "../../text/analysis/terms.ts";
import { hashText } from "../../text/hash.ts";
import { termHashes } from "../terms.ts";
import { isEntity } from "./note-twins.ts";

/** Incremented when descriptions change: then all notes are described again. */
export const noteFormat = 5;

const longestName = 80;
/** A longer name is a sentence, and matched as one. */
const longestTitle = 120;
/** Limit of a note's searched text: the rest says little about the note's subject. */
const longestText = 20_000;

/**
 * A note as the index takes it. `owners`: names of its ancestors, nearest first: a bullet is about what it is nested
 * in.
 */
export function noteItem(origin: string, note: Note, owners: readonly string[]): IndexedItem {
  const { key, name, text = "", tags, inherited = [], fields } = note;
  const title = name.length <= longestTitle;
  const called: Partial<Record<TermField, number[]>> = {
    ...(title ? { name: termHashes(name) } : {}),
    path: hashesOf(owners),
    signature: hashesOf(tags, inherited),
    string: hashesOf(...fields.map((field) => [field.name, ...field.values.map(({ text }) => text)])),
  };
  const doc = termHashes(title ? text.slice(0, longestText) : `${name}\n${text}`.slice(0, longestText));
  return {
    item: itemOfNote({ ...note, id: noteItemId(origin, key), origin }),
    unit: packHashes({ ...called, doc }),
    // An entity is also indexed by name in an index of entities only, so that lines which quote its name do not
    // compete.
    ...(title && isEntity(note) ? { file: packHashes(called) } : {}),
  };
}

function hashesOf(...lists: (readonly string[])[]): number[] {
  const hashes: number[] = [];
  for (const list of lists) for (const name of list) for (const hash of hashesOfName(name)) hashes.push(hash);
  return hashes;
}

/** Cache by name: owners, tags and values repeat; a quarter of the notes own all others. */
const knownNames = new Map<string, number[]>();
const mostNames = 50_000;

function hashesOfName(name: string): number[] {
  let hashes = knownNames.get(name);
  if (!hashes) {
    hashes = termHashes(name);
    if (knownNames.size >= mostNames) knownNames.clear();
    knownNames.set(name, hashes);
  }
  return hashes;
}

/** A page of notes that are written together; the path names the page. */
export function notePage(path: string, items: IndexedItem[]): IndexedFile {
  let modified = 0;
  for (const { item } of items) {
    item.path = path;
    modified = Math.max(modified, item.changed ?? 0);
  }
  const hash = hashText(items.map(({ item }) => `${item.id} ${item.hash}`).join("\n"));
  return { path, hash, size: 0, modified, text: "", imports: [], items, links: [] };
}

/** Cache by note objects, which the store shares: many questions find the same ones. */
const rememberedItems = new WeakMap<StoredNote, Item>();

/** The item of a stored note. Shared: copy it to change it. */
export function itemOfStored(note: StoredNote): Item {
  let item = rememberedItems.get(note);
  if (!item) rememberedItems.set(note, (item = Object.freeze(itemOfNote(note))));
  return item;
}

/** The item of a note, as on its shelf apart from its page. */
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
