import type { StoredNote } from "../../stores/graph.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { hasTag } from "./note-filter.ts";
import { closestNames, leastMeant, titledSo } from "./note-titles.ts";
import { bestOf, isEntity } from "./note-twins.ts";

/** Longer texts are questions: nobody calls a note so. */
const longestName = 300;
/** Notes of one name that are compared. */
const mostOfName = 8;
const mostSeeds = 8;

/** Parts of more words are no names, and what is between them no list. */
const mostWords = 6;
/** Names that are offered for one that nothing has. */
const mostOffered = 3;

/**
 * The notes that a text names, found by looking them up and not by its shape: one by its id, its key or its name, or several joined by
 * "and" or commas ("project Apollo and person Ada"). `only`: nothing else can be meant; a single name may as well be a topic. `missing`: of
 * several, what was not found, in sentences.
 */
export async function askedNotes(text: string, workspace: Workspace): Promise<Asked> {
  const asked = text.trim().replace(/^\[(not-[0-9a-z]+)\]$/, "$1");
  if (asked === "" || asked.length > longestName || asked.includes("\n")) return none;
  const byKey = await notesWithKey(asked, workspace);
  if (byKey.length > 0) return { notes: byKey, only: true };
  const byName = await notesNamed(asked, workspace);
  if (byName.length > 0) return { notes: byName, only: false };
  const parts = asked.split(/\s*[;,&+]\s*|\s+and\s+/i).filter((part) => part !== "");
  if (parts.length < 2 || parts.length > mostSeeds) return none;
  const found = await Promise.all(parts.map((part) => notesCalled(part.trim(), workspace)));
  const all = [...new Map(found.flat().map((note) => [note.id, note])).values()];
  if (found.every((notes) => notes.length > 0)) return { notes: all, only: true };
  return all.length === 0 ? none : withMissing(asked, parts, found, workspace);
}

type Asked = { notes: StoredNote[]; only: boolean; missing?: string[] };

/** Where some parts are names and others are not: the others may be parts of names; or all of it is one, or a question. */
async function withMissing(
  asked: string,
  parts: readonly string[],
  found: readonly StoredNote[][],
  workspace: Workspace,
): Promise<Asked> {
  if (/\?\s*$/.test(asked) || parts.some((part) => part.split(/\s+/).length > mostWords)) return none;
  const [whole] = await titledSo(asked, workspace);
  if (whole && whole.match >= leastMeant) return none;
  const notes = new Map<string, StoredNote>();
  const missing: string[] = [];
  for (const [at, part] of parts.entries()) {
    const [best] = found[at]!.length > 0 ? [] : await titledSo(part, workspace);
    const meant = found[at]!.length > 0 ? found[at]! : best && best.match >= leastMeant ? [best.note] : [];
    for (const note of meant) notes.set(note.id, note);
    if (meant.length === 0) missing.push(await notFound(part, workspace));
  }
  return { notes: [...notes.values()], only: true, missing };
}

async function notFound(part: string, workspace: Workspace): Promise<string> {
  const names = await closestNames(part, mostOffered, workspace);
  const offered = names.length > 0 ? ` The closest names: ${names.join("; ")}.` : "";
  return `No note is called ${JSON.stringify(part)}.${offered}`;
}

const none: Asked = { notes: [], only: false };

async function notesCalled(name: string, workspace: Workspace): Promise<StoredNote[]> {
  const byKey = await notesWithKey(name, workspace);
  return byKey.length > 0 ? byKey : notesNamed(name, workspace);
}

/** Notes of one key that are all meant: origins may share it. */
const mostOfKey = 5;

async function notesWithKey(key: string, { store, owner }: Workspace): Promise<StoredNote[]> {
  return (await store.graph.called(owner, key)).slice(0, mostOfKey);
}

async function notesNamed(name: string, { store, owner }: Workspace): Promise<StoredNote[]> {
  const { graph } = store;
  const byName = richest(await graph.named(owner, name, mostOfName));
  if (byName.length > 0) return byName;
  // "person Ada": the word before the name is a tag of what has the name; so is the word after it in "Ada person".
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

/** Of several notes of one name the one that is something and says something of itself; of lines, the first. */
function richest(notes: readonly StoredNote[]): StoredNote[] {
  const best = bestOf(notes.filter(isEntity)) ?? notes[0];
  return best ? [best] : [];
}
