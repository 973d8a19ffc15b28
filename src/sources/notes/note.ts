import type { Candidate, Facts } from "../../item.ts";
import type { StoredNote } from "../../stores/graph.ts";
import type { Query } from "../../text/analysis/query.ts";
import { splitLines } from "../../text/lines.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { findOnShelf } from "../shelf.ts";
import type { Source, SourceSearch } from "../source.ts";
import { passes } from "./note-filter.ts";
import { itemOfStored } from "./note-items.ts";
import { askedNotes } from "./note-seeds.ts";
import { matchesOf, titledIds } from "./note-titles.ts";

/** Notes of Tana, of a vault: wherever their user keeps them. */
export const note: Source = {
  name: "note",
  brings: ["note"],
  shelf: "note",
  measuredAs: "notes",
  async find(query, search, workspace) {
    const { notes, only, missing = [] } = await askedNotes(query.text, workspace);
    for (const sentence of missing) search.warn?.(sentence);
    // However old, what is named is wanted.
    const { newerThan: _, ...others } = search.notes ?? { excludeTags: [] };
    const within = search.filter.ids && new Set(search.filter.ids);
    const isWithin = (id: string) => within?.has(id) ?? true;
    const asked = notes.filter((each) => passes(each, others) && isWithin(each.id)).map(askedFor);
    // Of a few notes that were chosen by what they are, also those that are found by the name of another.
    if (only && !within) return asked;
    const named = new Set(asked.map(({ item }) => item.id));
    const found = await findByText(query, search, workspace);
    return [...asked, ...found.filter(({ item }) => !named.has(item.id) && isWithin(item.id))];
  },
  async read(items, { store, owner }, linked = new Set()) {
    const ids = items.map(({ id }) => id);
    const found = ids.filter((id) => !linked.has(id));
    const [notes, above] = await Promise.all([
      store.graph.get(owner, ids),
      store.graph.ancestors(owner, found, mostOwners),
    ]);
    return new Map(
      notes.map((each) => [each.id, { lines: linesOf(each), facts: factsOf(each, above.get(each.id) ?? []) }]),
    );
  },
};

/** Owners that are named above a note. */
const mostOwners = 4;

/** Named by whoever asks: there is no doubt that it is meant. */
function askedFor(found: StoredNote): Candidate {
  return { item: itemOfStored(found), signals: { asked: 1 }, distance: 0 };
}

/** Bullets are short: what is said of a question on a page is said in many of them. */
const fewestCandidates = 100;

/** What is called something of the question and says nothing of it is worth a look from here on. */
const leastTitled = 0.3;

async function findByText(query: Query, search: SourceSearch, workspace: Workspace): Promise<Candidate[]> {
  const limit = Math.max(fewestCandidates, search.limit);
  const byText = search.strategies.includes("text");
  const [found, titled] = await Promise.all([
    findOnShelf("note", query, { ...search, limit }, workspace),
    byText ? titledIds(query, search.filter, workspace) : [],
  ]);
  const raw = new Map(found.map((candidate) => [candidate.item.id, candidate]));
  const ids = [...new Set([...raw.keys(), ...titled])];
  const matches = await matchesOf(query, ids, (each) => passes(each, search.notes), workspace);
  return matches.flatMap(({ note: each, match, named }): Candidate[] => {
    const known = raw.get(each.id);
    if (!known && match < leastTitled) return [];
    const found = known ?? { item: itemOfStored(each), signals: {}, distance: 0 };
    return [{ ...found, signals: { ...found.signals, titled: match, called: named } }];
  });
}

/** The whole name and what is written below it. */
function linesOf({ name, text, key }: StoredNote): string[] {
  return [name === "" ? key : name, ...(text ? splitLines(text.trimEnd()) : [])];
}

function factsOf({ key, origin, tags, fields, done, place, order }: StoredNote, above: StoredNote[]): Facts {
  const shown = new Map<string, string[]>();
  for (const { name, values } of fields) {
    if (values.length > 0) shown.set(name, [...(shown.get(name) ?? []), ...values.map(({ text }) => text)]);
  }
  const breadcrumb = above.map(({ name }) => name).filter((name) => name !== "");
  return {
    id: key,
    origin,
    ...(tags.length > 0 ? { tags } : {}),
    ...(shown.size > 0 ? { fields: Object.fromEntries(shown) } : {}),
    ...(done === undefined ? {} : { done }),
    ...(order === undefined ? {} : { order }),
    ...(place ? { place: `${place.path}:${place.line}` } : {}),
    ...(breadcrumb.length > 0 ? { breadcrumb: breadcrumb.reverse() } : {}),
  };
}
