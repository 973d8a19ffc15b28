import type { Candidate, Facts } from "../../item.ts";
import type { StoredNote } from "../../stores/graph.ts";
import type { Query } from "../../text/analysis/query.ts";
import { splitLines } from "../../text/lines.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { findOnShelf } from "../find-on-shelf.ts";
import type { Source, SourceSearch } from "../source.ts";
import { passes } from "./note-filter.ts";
import { itemOfStored } from "./note-items.ts";
import { askedNotes } from "./note-seeds.ts";
import { matchesOf, titledIds } from "./note-titles.ts";

/** Notes of Tana or a vault. */
export const note: Source = {
  name: "note",
  brings: ["note"],
  shelf: "note",
  measuredAs: "notes",
  async find(query, search, workspace) {
    const { notes, only, missing = [] } = await askedNotes(query.text, workspace);
    for (const sentence of missing) search.warn?.(sentence);
    // A named note is a result regardless of its age.
    const { newerThan: _, ...others } = search.notes ?? { excludeTags: [] };
    const within = search.filter.ids && new Set(search.filter.ids);
    const isWithin = (id: string) => within?.has(id) ?? true;
    const namedNotes = notes.filter((each) => passes(each, others) && isWithin(each.id)).map(askedFor);
    // Among preselected notes, those that mention the name count too.
    if (only && !within) return namedNotes;
    const namedIds = new Set(namedNotes.map(({ item }) => item.id));
    const byText = await findByText(query, search, workspace);
    return [...namedNotes, ...byText.filter(({ item }) => !namedIds.has(item.id) && isWithin(item.id))];
  },
  async read(items, { store, owner }, linked = new Set()) {
    const ids = items.map(({ id }) => id);
    const unlinked = ids.filter((id) => !linked.has(id));
    const [notes, above] = await Promise.all([
      store.graph.get(owner, ids),
      store.graph.ancestors(owner, unlinked, mostOwners),
    ]);
    return new Map(
      notes.map((each) => [each.id, { lines: linesOf(each), facts: factsOf(each, above.get(each.id) ?? []) }]),
    );
  },
};

/** Limit of ancestors in the breadcrumb. */
const mostOwners = 4;

/** The candidate for a note that the user named, which is certainly meant. */
function askedFor(stored: StoredNote): Candidate {
  return { item: itemOfStored(stored), signals: { asked: 1 }, distance: 0 };
}

/** Fewest candidates. Bullets are short, so a page's text on a question is spread over many of them. */
const fewestCandidates = 100;

/** Least match of a note that is a candidate only because of its name. */
const leastTitled = 0.3;

async function findByText(query: Query, search: SourceSearch, workspace: Workspace): Promise<Candidate[]> {
  const limit = Math.max(fewestCandidates, search.limit);
  const byText = search.strategies.includes("text");
  const [hits, titled] = await Promise.all([
    findOnShelf("note", query, { ...search, limit }, workspace),
    byText ? titledIds(query, search.filter, workspace) : [],
  ]);
  const raw = new Map(hits.map((candidate) => [candidate.item.id, candidate]));
  const ids = [...new Set([...raw.keys(), ...titled])];
  const matches = await matchesOf(query, ids, (each) => passes(each, search.notes), workspace);
  return matches.flatMap(({ note: each, match, named }): Candidate[] => {
    const hit = raw.get(each.id);
    if (!hit && match < leastTitled) return [];
    const candidate = hit ?? { item: itemOfStored(each), signals: {}, distance: 0 };
    return [{ ...candidate, signals: { ...candidate.signals, titled: match, called: named } }];
  });
}

/** The full name, and the text below it. */
function linesOf({ name, text, key }: StoredNote): string[] {
  return [name === "" ? key : name, ...(text ? splitLines(text.trimEnd()) : [])];
}

function factsOf({ key, origin, tags, fields, done, place, order }: StoredNote, above: StoredNote[]): Facts {
  const fieldTexts = new Map<string, string[]>();
  for (const { name, values } of fields) {
    if (values.length > 0) fieldTexts.set(name, [...(fieldTexts.get(name) ?? []), ...values.map(({ text }) => text)]);
  }
  const breadcrumb = above.map(({ name }) => name).filter((name) => name !== "");
  return {
    id: key,
    origin,
    ...(tags.length > 0 ? { tags } : {}),
    ...(fieldTexts.size > 0 ? { fields: Object.fromEntries(fieldTexts) } : {}),
    ...(done === undefined ? {} : { done }),
    ...(order === undefined ? {} : { order }),
    ...(place ? { place: `${place.path}:${place.line}` } : {}),
    ...(breadcrumb.length > 0 ? { breadcrumb: breadcrumb.reverse() } : {}),
  };
}
