import type { StoredNote } from "../../stores/graph.ts";
import { originsInside } from "../../workspace/config/config.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Case, type Mined, type Mining, withoutPlaces } from "../case.ts";
import { Draw } from "../sample.ts";
import { sentenceAround } from "./link-sentence.ts";
import { stemsOf } from "./phrases.ts";

/** Most notes mention nothing in a sentence, so more are read than are wanted. */
const drawnFrom = 40;
const batchSize = 200;
const mostReferences = 20;

/**
 * A sentence that mentions a note, without the mention -> that note. The note that the sentence is from is no answer,
 * and links are not followed: they would lead straight from one to the other.
 */
export async function mineNotes(workspace: Workspace, { limit, seed, signal }: Mining): Promise<Mined> {
  const { store, owner, root } = workspace;
  const draw = new Draw<string>(limit * drawnFrom, seed);
  for await (const batch of store.shelf("note").allTerms(owner, "unit")) {
    signal?.throwIfAborted();
    for (const { id } of batch) draw.add(id, id);
  }
  const ids = draw.values();
  const folders = new Map(
    (await originsInside(root)).filter(({ folder }) => folder).map((each) => [each.name, each.path]),
  );
  const cases: Case[] = [];
  let mentions = 0;
  for (let from = 0; from < ids.length && cases.length < limit; from += batchSize) {
    signal?.throwIfAborted();
    for (const note of await store.graph.get(owner, ids.slice(from, from + batchSize))) {
      if (cases.length >= limit) break;
      mentions += note.references.length;
      const mined = note.references.length === 0 ? undefined : await caseOf(workspace, note, folders);
      if (mined) cases.push(mined);
    }
  }
  if (draw.seen === 0) return { cases, found: 0, why: "No notes are connected." };
  const none =
    mentions === 0 ? "No note mentions another one." : "No sentence that mentions a note says enough without it.";
  return { cases, found: draw.seen, ...(cases.length === 0 ? { why: none } : {}) };
}

async function caseOf(
  workspace: Workspace,
  note: StoredNote,
  folders: ReadonlyMap<string, string>,
): Promise<Case | undefined> {
  const { store, owner } = workspace;
  const ownPlace = placeOfNote(note, folders);
  for (const key of note.references.slice(0, mostReferences)) {
    const target = (await store.graph.called(owner, key)).find(({ origin }) => origin === note.origin);
    if (!target || target.id === note.id) continue;
    const place = placeOfNote(target, folders);
    if (place === ownPlace || !(await hasContent(workspace, target))) continue;
    const names = namesOf(target, key);
    const query = sentenceAround(`${note.name}\n${note.text ?? ""}`, names);
    if (query === undefined) continue;
    return {
      id: `note ${note.id} ${target.id}`,
      kind: "note",
      query,
      expect: [{ place, shown: target.name || target.key }],
      from: `${note.origin}: ${note.name || note.key}`,
      limits: withoutPlaces([ownPlace]),
      hidden: [ownPlace],
    };
  }
  return undefined;
}

const fewestTerms = 3;

/** A page that is only a name, such as a person's, cannot be found by what a sentence says of it. */
async function hasContent({ store, owner }: Workspace, { id, text = "" }: StoredNote): Promise<boolean> {
  if (stemsOf(text.slice(0, 1000)).size >= fewestTerms) return true;
  return (await store.graph.neighbours(owner, [id], ["child"], 1)).edges.length > 0;
}

/** Longest first, since the rest of a longer name would give the note away. */
function namesOf({ name, aliases = [] }: StoredNote, key: string): string[] {
  const spellings = [name, key, ...aliases].flatMap((each) => [
    each,
    each.replace(/^.*\//, ""),
    each.replace(/^.*\/|\.\w{1,5}$/g, ""),
  ]);
  return [...new Set(spellings)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
}

/** A vault inside the workspace is indexed as files, with lines to cite. */
function placeOfNote({ id, origin, place }: StoredNote, folders: ReadonlyMap<string, string>): string {
  const folder = folders.get(origin);
  if (folder === undefined || place === undefined) return id;
  return folder === "" || folder === "." ? place.path : `${folder}/${place.path}`;
}
