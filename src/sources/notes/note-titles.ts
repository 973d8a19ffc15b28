import type { StoredNote } from "../../stores/graph.ts";
import type { Filter } from "../../stores/store.ts";
import { analyseQuery, type Query, searchedTerms } from "../../text/analysis/query.ts";
import { editDistance } from "../../text/similarity/levenshtein.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { itemOfStored } from "./note-items.ts";
import { type NoteMatch, noteMatcher } from "./note-match.ts";
import { twinsOf } from "./note-twins.ts";

/** Things that are looked for by what they are called. */
const mostTitled = 40;
/** Owners whose names tell what a note is about. */
const ownersRead = 3;
/** From here on a note is what was asked for, whatever else is said of the question. */
export const leastMeant = 0.6;

export type Titled = NoteMatch & { note: StoredNote };

/** Ids of things that are called something of the query, best first. */
export async function titledIds(query: Query, filter: Filter, { store, owner }: Workspace): Promise<string[]> {
  const terms = searchedTerms(query);
  const hits = await store.shelf("note").searchText(owner, { scope: "file", terms, limit: mostTitled, filter });
  return hits.map(({ item }) => item.id);
}

/** How well each of these notes is what was asked for, each once: what only stands for another note is that note. */
export async function matchesOf(
  query: Query,
  ids: readonly string[],
  passes: (note: StoredNote) => boolean,
  workspace: Workspace,
): Promise<Titled[]> {
  const { store, owner } = workspace;
  const read = (await store.graph.get(owner, [...ids])).filter(passes);
  const twins = await twinsOf(read, workspace);
  const notes = [...new Map(read.map((each) => twins.get(each.id) ?? each).map((each) => [each.id, each])).values()];
  const [owners, statistics] = await Promise.all([
    store.graph.ancestors(
      owner,
      notes.map(({ id }) => id),
      ownersRead,
    ),
    store.shelf("note").termStatistics(
      owner,
      "file",
      query.terms.map(({ term }) => term),
    ),
  ]);
  const matchOf = noteMatcher(query, statistics);
  return notes.map((note) => ({ note, ...matchOf(note, owners.get(note.id) ?? []) }));
}

/** Things that are called so, or something like it, the best first. */
export async function titledSo(name: string, workspace: Workspace): Promise<Titled[]> {
  const query = analyseQuery(name);
  const matches = await matchesOf(query, await titledIds(query, {}, workspace), () => true, workspace);
  return matches.sort((a, b) => b.match - a.match || (a.note.id < b.note.id ? -1 : 1));
}

/** Names that are compared letter by letter, and letters of a word for each that may differ. */
const mostCompared = 5000;
const lettersPerSlip = 3;
const shortestWord = 3;
const longestWord = 40;

/** The names that come closest to one that nothing has: those that share a word, then those with words that are written alike. */
export async function closestNames(name: string, most: number, workspace: Workspace): Promise<string[]> {
  const titled = (await titledSo(name, workspace)).filter(({ named }) => named > 0);
  const sharing = titled.map(({ note }) => itemOfStored(note).name);
  if (sharing.length >= most) return sharing.slice(0, most);
  const wanted = wordsOf(name);
  const alike = (await someNames(workspace))
    .map((called) => ({ called, words: alikeIn(wanted, wordsOf(called)) }))
    .filter(({ words }) => words > 0)
    .sort((a, b) => b.words - a.words || (a.called < b.called ? -1 : 1));
  return [...new Set([...sharing, ...alike.map(({ called }) => called)])].slice(0, most);
}

function wordsOf(name: string): string[] {
  return (name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
    ({ length }) => length >= shortestWord && length <= longestWord,
  );
}

/** How many of the wanted words a name has, but for a slip of the fingers. */
function alikeIn(wanted: readonly string[], words: readonly string[]): number {
  return wanted.filter((word) =>
    words.some((each) => editDistance(word, each) <= Math.max(1, Math.floor(word.length / lettersPerSlip))),
  ).length;
}

async function someNames({ store, owner }: Workspace): Promise<string[]> {
  const shelf = store.shelf("note");
  const names: string[] = [];
  for await (const batch of shelf.allTerms(owner, "file")) {
    const items = await shelf.items(
      owner,
      batch.map(({ id }) => id),
    );
    for (const { name } of items) names.push(name);
    if (names.length >= mostCompared) break;
  }
  return names;
}
