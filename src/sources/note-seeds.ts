import type { StoredNote } from "../stores/graph.ts";
import type { Workspace } from "../workspace.ts";
import { hasTag } from "./note-filter.ts";
import { bestOf, isEntity } from "./note-twins.ts";

/** Longer texts are questions: nobody calls a note so. */
const longestName = 300;
/** Notes of one name that are compared. */
const mostOfName = 8;
const mostSeeds = 8;

/**
 * The notes that a text names, found by looking them up and not by its shape: one by its id, its key or its name, or several joined by
 * "and" or commas ("project Apollo and person Ada"), where each of them must be there. `only`: nothing else can be meant; a single name
 * may as well be a topic.
 */
export async function askedNotes(text: string, workspace: Workspace): Promise<{ notes: StoredNote[]; only: boolean }> {
  const asked = text.trim().replace(/^\[(not-[0-9a-z]+)\]$/, "$1");
  if (asked === "" || asked.length > longestName || asked.includes("\n")) return none;
  const byKey = await workspace.store.graph.called(workspace.owner, asked);
  if (byKey.length > 0) return { notes: byKey.slice(0, mostOfName), only: true };
  const byName = await notesNamed(asked, workspace);
  if (byName.length > 0) return { notes: byName, only: false };
  const parts = asked.split(/\s*[;,&+]\s*|\s+and\s+/i).filter((part) => part !== "");
  if (parts.length < 2 || parts.length > mostSeeds) return none;
  const found = await Promise.all(parts.map((part) => notesCalled(part.trim(), workspace)));
  if (found.some((notes) => notes.length === 0)) return none;
  return { notes: [...new Map(found.flat().map((note) => [note.id, note])).values()], only: true };
}

const none = { notes: [], only: false };

async function notesCalled(name: string, workspace: Workspace): Promise<StoredNote[]> {
  const byKey = await workspace.store.graph.called(workspace.owner, name);
  return byKey.length > 0 ? byKey.slice(0, mostOfName) : notesNamed(name, workspace);
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
