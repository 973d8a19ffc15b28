import type { StoredNote } from "../../stores/graph.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { hasTag } from "./note-filter.ts";
import { closestNames, leastMeant, notesTitled } from "./note-titles.ts";
import { bestOf, isEntity } from "./note-twins.ts";

/** Longer texts are questions, not names. */
const longestName = 300;
/** Limit of notes with one name that are compared. */
const mostOfName = 8;
const mostSeeds = 8;

/** A part with more words is not a name, so the text is not a list of names. */
const mostWords = 6;
/** Number of suggestions for an unknown name. */
const mostOffered = 3;

/**
 * The notes that a text names, by looking them up: one by its id, its key or its name, or several joined by "and" or
 * commas ("project Apollo and person Ada"). `only`: nothing else can be meant; a single name may also be a topic.
 * `missing`: sentences about the parts that were not found.
 */
export async function askedNotes(text: string, workspace: Workspace): Promise<AskedNotes> {
  const name = text.trim().replace(/^\[(not-[0-9a-z]+)\]$/, "$1");
  if (name === "" || name.length > longestName || name.includes("\n")) return none;
  const byKey = await notesWithKey(name, workspace);
  if (byKey.length > 0) return { notes: byKey, only: true };
  const byName = await notesNamed(name, workspace);
  if (byName.length > 0) return { notes: byName, only: false };
  const parts = name.split(/\s*[;,&+]\s*|\s+and\s+/i).filter((part) => part !== "");
  if (parts.length < 2 || parts.length > mostSeeds) return none;
  const byPart = await Promise.all(parts.map((part) => notesCalled(part.trim(), workspace)));
  const all = [...new Map(byPart.flat().map((note) => [note.id, note])).values()];
  if (byPart.every((notes) => notes.length > 0)) return { notes: all, only: true };
  return all.length === 0 ? none : withMissing(name, parts, byPart, workspace);
}

type AskedNotes = { notes: StoredNote[]; only: boolean; missing?: string[] };

/**
 * The notes of a list in which only some parts are exact names. The other parts may be parts of names; or the whole
 * text is one name or a question.
 */
async function withMissing(
  name: string,
  parts: readonly string[],
  byPart: readonly StoredNote[][],
  workspace: Workspace,
): Promise<AskedNotes> {
  if (/\?\s*$/.test(name) || parts.some((part) => part.split(/\s+/).length > mostWords)) return none;
  const [wholeName] = await notesTitled(name, workspace);
  if (wholeName && wholeName.match >= leastMeant) return none;
  const notes = new Map<string, StoredNote>();
  const missing: string[] = [];
  for (const [at, part] of parts.entries()) {
    const [best] = byPart[at]!.length > 0 ? [] : await notesTitled(part, workspace);
    const intended = byPart[at]!.length > 0 ? byPart[at]! : best && best.match >= leastMeant ? [best.note] : [];
    for (const note of intended) notes.set(note.id, note);
    if (intended.length === 0) missing.push(await notFound(part, workspace));
  }
  return { notes: [...notes.values()], only: true, missing };
}

async function notFound(part: string, workspace: Workspace): Promise<string> {
  const names = await closestNames(part, mostOffered, workspace);
  const offered = names.length > 0 ? ` The closest names: ${names.join("; ")}.` : "";
  return `No note is called ${JSON.stringify(part)}.${offered}`;
}

const none: AskedNotes = { notes: [], only: false };

async function notesCalled(name: string, workspace: Workspace): Promise<StoredNote[]> {
  const byKey = await notesWithKey(name, workspace);
  return byKey.length > 0 ? byKey : notesNamed(name, workspace);
}

/** Limit of notes with one key. All of them are meant, since several origins may use the same key. */
const mostOfKey = 5;

async function notesWithKey(key: string, { store, owner }: Workspace): Promise<StoredNote[]> {
  return (await store.graph.called(owner, key)).slice(0, mostOfKey);
}

async function notesNamed(name: string, { store, owner }: Workspace): Promise<StoredNote[]> {
  const { graph } = store;
  const byName = richest(await graph.named(owner, name, mostOfName));
  if (byName.length > 0) return byName;
  // "person Ada": the word before the name is a tag of the note; so is the word after it in "Ada person".
  const [, first, rest] = /^(\S+)\s+(.+)$/.exec(name) ?? [];
  const [, front, last] = /^(.+)\s+(\S+)$/.exec(name) ?? [];
  for (const [tag, called] of [
    [first, rest],
    [last, front],
  ]) {
    if (tag === undefined || called === undefined) continue;
    const tagged = richest((await graph.named(owner, called, mostOfName)).filter((note) => hasTag(note, [tag])));
    if (tagged.length > 0) return tagged;
  }
  return [];
}

/** Of several notes with one name: the entity with most content, or else the first line. */
function richest(notes: readonly StoredNote[]): StoredNote[] {
  const best = bestOf(notes.filter(isEntity)) ?? notes[0];
  return best ? [best] : [];
}
