import type { StoredNote } from "../../stores/graph.ts";
import type { Filter } from "../../stores/store.ts";
import { analyseQuery, type Query, searchedTerms } from "../../text/analysis/query.ts";
import { editDistance } from "../../text/similarity/levenshtein.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { itemOfStored } from "./note-items.ts";
import { type NoteMatch, noteMatcher } from "./note-match.ts";
import { twinsOf } from "./note-twins.ts";

/** Limit of entities that are searched by name. */
const mostTitled = 40;
/** Number of ancestors whose names describe a note. */
const ownersRead = 3;
/** Least score at which a note counts as the one that the question asks for. */
export const leastMeant = 0.6;

export type Titled = NoteMatch & { note: StoredNote };

/** Ids of entities whose names share words with the query, best first. */
export async function titledIds(query: Query, filter: Filter, { store, owner }: Workspace): Promise<string[]> {
  const terms = searchedTerms(query);
  const hits = await store.shelf("note").searchText(owner, { scope: "file", terms, limit: mostTitled, filter });
  return hits.map(({ item }) => item.id);
}

/** The match of each of these notes. Each note occurs once; a note that only points to another counts as the other. */
export async function matchesOf(
  query: Query,
  ids: readonly string[],
  passes: (note: StoredNote) => boolean,
  workspace: Workspace,
): Promise<Titled[]> {
  const { store, owner } = workspace;
  const stored = (await store.graph.get(owner, [...ids])).filter(passes);
  const twins = await twinsOf(stored, workspace);
  const notes = [...new Map(stored.map((each) => twins.get(each.id) ?? each).map((each) => [each.id, each])).values()];
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

/** Entities with this name or a similar one, best first. */
export async function notesTitled(name: string, workspace: Workspace): Promise<Titled[]> {
  const query = analyseQuery(name);
  const matches = await matchesOf(query, await titledIds(query, {}, workspace), () => true, workspace);
  return matches.sort((a, b) => b.match - a.match || (a.note.id < b.note.id ? -1 : 1));
}

/** Limit of names that are compared letter by letter, and letters per allowed error. */
const mostCompared = 5000;
const lettersPerSlip = 3;
const shortestWord = 3;
const longestWord = 40;

/** The names closest to an unknown one: those that share a word, then those with similarly spelled words. */
export async function closestNames(name: string, most: number, workspace: Workspace): Promise<string[]> {
  const titled = (await notesTitled(name, workspace)).filter(({ named }) => named > 0);
  const sharing = titled.map(({ note }) => itemOfStored(note).name);
  if (sharing.length >= most) return sharing.slice(0, most);
  const words = wordsOf(name);
  const alike = (await sampleNames(workspace))
    .map((title) => ({ called: title, words: alikeIn(words, wordsOf(title)) }))
    .filter(({ words }) => words > 0)
    .sort((a, b) => b.words - a.words || (a.called < b.called ? -1 : 1));
  return [...new Set([...sharing, ...alike.map(({ called }) => called)])].slice(0, most);
}

function wordsOf(name: string): string[] {
  return (name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
    ({ length }) => length >= shortestWord && length <= longestWord,
  );
}

/** How many of the sought words a name has; misspelt words count too. */
function alikeIn(sought: readonly string[], words: readonly string[]): number {
  return sought.filter((word) =>
    words.some((each) => editDistance(word, each) <= Math.max(1, Math.floor(word.length / lettersPerSlip))),
  ).length;
}

async function sampleNames({ store, owner }: Workspace): Promise<string[]> {
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
