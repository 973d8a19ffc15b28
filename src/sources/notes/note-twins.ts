import type { Note } from "../../note.ts";
import { foldName, type StoredNote } from "../../stores/graph.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/**
 * Twins: applications store notes that only represent another note, such as a pointer in Tana or a page that was linked
 * but never written. Such a note has only the other's name. Results and links lead to the other note.
 */

/** Limit of notes with one name that are compared. */
const mostOfName = 8;
/** A page is empty when it has only its name; sizes are powers of two, so a little more is allowed. */
const roundedUp = 1.45;

/** The plain name in a link: `[[Science fiction#category]]` becomes Science fiction. */
export function plainName(name: string): string {
  const [, inner] = /^\s*\[\[([^[\]]+)\]\]\s*$/.exec(name) ?? [];
  return (inner ?? name).replace(/\s*#[\p{L}\p{N}_-]+$/u, "").trim();
}

/** An entity: it has fields, is a page, or has a tag that is more than a word in a line. */
export function isEntity({ tags, fields, size, parent, place }: Note): boolean {
  if (fields.length > 0 || size !== undefined) return true;
  return place === undefined ? tags.length > 0 : parent === undefined;
}

/** True when a note has no content. Whether it has children is unknown for a note without a page of its own. */
export function isEmpty({ name, text, fields, size }: StoredNote): boolean {
  if ((text ?? "").trim() !== "" || fields.length > 0) return false;
  return size === undefined || size <= Math.max(1, name.length) * roundedUp;
}

/** Higher for notes with more content. */
function richness(note: StoredNote): number {
  return (isEmpty(note) ? 0 : 4) + (note.tags.length > 0 ? 2 : 0) + (note.parent === undefined ? 0 : 1);
}

/** Cache by note objects, which the store shares and replaces after every write. */
const cache = new WeakMap<StoredNote, { twin: StoredNote }>();

/** The note that each of these notes represents: itself, unless it only points to another note of its origin. */
export async function twinsOf(
  notes: readonly StoredNote[],
  { store, owner }: Workspace,
): Promise<Map<string, StoredNote>> {
  const twins = new Map<string, StoredNote>();
  for (const note of notes) {
    let entry = cache.get(note);
    if (!entry && !mayStandForAnother(note)) cache.set(note, (entry = { twin: note }));
    if (!entry) {
      const sameName = await store.graph.named(owner, plainName(note.name), mostOfName);
      const richest = bestOf(sameName.filter(({ origin }) => origin === note.origin));
      const isTwin =
        richest !== undefined &&
        richest.id !== note.id &&
        isEntity(richest) &&
        (richness(richest) > richness(note) || plainName(note.name) !== note.name || sameKind(note, richest)) &&
        (await store.graph.neighbours(owner, [note.id], ["child"], 1)).edges.length === 0;
      cache.set(note, (entry = { twin: isTwin ? richest : note }));
    }
    if (entry.twin !== note) twins.set(note.id, entry.twin);
  }
  return twins;
}

/** True for a bare name without content, and without a parent unless the name is a link. */
function mayStandForAnother(note: StoredNote): boolean {
  if (note.name.trim() === "" || !isEmpty(note)) return false;
  return note.parent === undefined || plainName(note.name) !== note.name;
}

/** Two empty notes with the same tag and name count as one. */
function sameKind(a: StoredNote, b: StoredNote): boolean {
  return a.parent === undefined && foldName(a.tags.join()) === foldName(b.tags.join());
}

/** The note with most content; among equals, the first. */
export function bestOf(notes: readonly StoredNote[]): StoredNote | undefined {
  return notes.reduce<StoredNote | undefined>(
    (best, note) => (best === undefined || richness(note) > richness(best) ? note : best),
    undefined,
  );
}

/** The notes that only point to this one: references to them count for it. */
export async function pointersTo(note: StoredNote, workspace: Workspace): Promise<StoredNote[]> {
  const { store, owner } = workspace;
  const called = await store.graph.named(owner, plainName(note.name), mostOfName);
  const others = called.filter(({ id, origin }) => id !== note.id && origin === note.origin);
  const twins = await twinsOf(others, workspace);
  return others.filter(({ id }) => twins.get(id)?.id === note.id);
}
