import type { Candidate, Item } from "../item.ts";
import type { Source } from "../sources/source.ts";
import { noteItemId, type StoredNote } from "../stores/graph.ts";
import type { TermStatistics } from "../stores/store.ts";
import { asOfWhole } from "../stores/whole-statistics.ts";
import type { Query } from "../text/analysis/query.ts";
import type { Workspace } from "../workspace/workspace.ts";

/**
 * Term statistics and term vectors for the second ranking phase: the same numbers on every store, fetched once for all
 * candidates of a shelf.
 */
export type Evidence = {
  units: TermStatistics;
  /** Packed term vectors of the candidates, by id. */
  unitTerms: Map<string, Uint8Array>;
  /** Of files: term statistics of whole files, and the whole files of the candidates by path. */
  files: TermStatistics;
  wholeFiles: Map<string, { item: Item; terms: Uint8Array }>;
  /**
   * Of messages: their terms together with those of the turns around them, by id; `files` then has the average length
   * of these.
   */
  spreadTerms: Map<string, Uint8Array>;
  /** Of notes: the page that each is on, by id, where there is one. `unitTerms` contains the pages' own terms too. */
  pages: Map<string, NotePage>;
};

/** `size`: the length of its text. */
export type NotePage = { page: string; size: number };

const noStatistics: TermStatistics = { count: 0, averageLength: 0, frequencies: new Map() };

/** Fetches everything the second ranking phase needs for these candidates. */
export async function gatherEvidence(
  query: Query,
  candidates: Candidate[],
  { shelf, measuredAs }: Source,
  workspace: Workspace,
): Promise<Evidence> {
  const { owner } = workspace;
  const store = workspace.store.shelf(shelf);
  const inFiles = measuredAs === "files";
  const terms = [...new Set([...query.terms, ...query.also, ...query.title, ...query.quoted].map(({ term }) => term))];
  const ids = candidates.map(({ item }) => item.id);
  const paths = [...new Set(candidates.map(({ item }) => item.path))];
  const isMessages = measuredAs === "messages";
  const pages = measuredAs === "notes" ? await pagesOf(ids, workspace) : new Map<string, never>();
  const withPages = pages.size > 0 ? [...new Set([...ids, ...[...pages.values()].map(({ page }) => page)])] : ids;
  const [units, files, unitTerms, wholeFiles, spreadTerms] = await Promise.all([
    store.termStatistics(owner, "unit", terms),
    inFiles || isMessages ? store.termStatistics(owner, "file", isMessages ? [] : terms) : noStatistics,
    store.terms(owner, "unit", withPages),
    inFiles ? store.wholeFiles(owner, paths) : new Map<string, never>(),
    isMessages ? store.terms(owner, "file", ids) : new Map<string, never>(),
  ]);
  const statistics = inFiles && workspace.whole ? asOfWhole({ units, files }, workspace.whole) : { units, files };
  return { ...statistics, unitTerms, wholeFiles, spreadTerms, pages };
}

/** How many levels above a note its page is looked for. A deeper note has no page. */
const mostLevels = 12;

/** Memoised per note object: the store returns new objects after any write, so entries never go stale. */
const pageByNote = new WeakMap<StoredNote, { page?: NotePage }>();

/** The page that each of these notes is on. */
export async function pagesOf(ids: readonly string[], { store, owner }: Workspace): Promise<Map<string, NotePage>> {
  const notes = await store.graph.get(owner, [...ids]);
  const ancestors = new Map(notes.filter((note) => !pageByNote.has(note)).map((note) => [note, note]));
  for (let level = 0; level <= mostLevels && ancestors.size > 0; level++) {
    const parentIds = new Map<StoredNote, string>();
    for (const [note, { id, origin, parent, size }] of ancestors) {
      if (size !== undefined) pageByNote.set(note, { page: { page: id, size } });
      else if (parent === undefined || level === mostLevels) pageByNote.set(note, {});
      else parentIds.set(note, noteItemId(origin, parent));
    }
    const owners = await store.graph.get(owner, [...new Set(parentIds.values())]);
    const byId = new Map(owners.map((note) => [note.id, note]));
    for (const note of [...ancestors.keys()]) {
      const next = byId.get(parentIds.get(note) ?? "");
      const cached = next && pageByNote.get(next);
      if (cached) pageByNote.set(note, cached);
      if (next && !cached) ancestors.set(note, next);
      else ancestors.delete(note);
      if (!next && !pageByNote.has(note)) pageByNote.set(note, {});
    }
  }
  return new Map(
    notes.flatMap((note) => {
      const page = pageByNote.get(note)?.page;
      return page ? [[note.id, page]] : [];
    }),
  );
}
