import type { Candidate, Item } from "../item.ts";
import type { Source } from "../sources/source.ts";
import { noteItemId, type StoredNote } from "../stores/graph.ts";
import type { TermStatistics } from "../stores/store.ts";
import { asOfWhole } from "../stores/whole-statistics.ts";
import type { Query } from "../text/analysis/query.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** What the second phase ranks by: the same numbers on every engine, fetched once for all candidates of a shelf. */
export type Evidence = {
  units: TermStatistics;
  /** Packed term vectors of the candidates, by id. */
  unitTerms: Map<string, Uint8Array>;
  /** Of files: their statistics, and the whole files of the candidates by path. */
  files: TermStatistics;
  wholeFiles: Map<string, { item: Item; terms: Uint8Array }>;
  /** Of messages: their terms together with those of the turns around them, by id; `files` then tells how long these are. */
  spreadTerms: Map<string, Uint8Array>;
  /** Of notes: the page that each is on, by id, where there is one. The pages' own terms are among those of the candidates. */
  pages: Map<string, NotePage>;
};

/** `size`: how much is written on it. */
export type NotePage = { page: string; size: number };

const noStatistics: TermStatistics = { count: 0, averageLength: 0, frequencies: new Map() };

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
  const spread = measuredAs === "messages";
  const pages = measuredAs === "notes" ? await pagesOf(ids, workspace) : new Map<string, never>();
  const withPages = pages.size > 0 ? [...new Set([...ids, ...[...pages.values()].map(({ page }) => page)])] : ids;
  const [units, files, unitTerms, wholeFiles, spreadTerms] = await Promise.all([
    store.termStatistics(owner, "unit", terms),
    inFiles || spread ? store.termStatistics(owner, "file", spread ? [] : terms) : noStatistics,
    store.terms(owner, "unit", withPages),
    inFiles ? store.wholeFiles(owner, paths) : new Map<string, never>(),
    spread ? store.terms(owner, "file", ids) : new Map<string, never>(),
  ]);
  const statistics = inFiles && workspace.whole ? asOfWhole({ units, files }, workspace.whole) : { units, files };
  return { ...statistics, unitTerms, wholeFiles, spreadTerms, pages };
}

/** How far above a note its page is looked for: what stands deeper counts for itself. */
const mostLevels = 12;

/** By notes as the store shares them, which are others once anything was written. */
const remembered = new WeakMap<StoredNote, { page?: NotePage }>();

/** The page that each of these notes is on. */
export async function pagesOf(ids: readonly string[], { store, owner }: Workspace): Promise<Map<string, NotePage>> {
  const notes = await store.graph.get(owner, [...ids]);
  const ways = new Map(notes.filter((note) => !remembered.has(note)).map((note) => [note, note]));
  for (let level = 0; level <= mostLevels && ways.size > 0; level++) {
    const above = new Map<StoredNote, string>();
    for (const [note, { id, origin, parent, size }] of ways) {
      if (size !== undefined) remembered.set(note, { page: { page: id, size } });
      else if (parent === undefined || level === mostLevels) remembered.set(note, {});
      else above.set(note, noteItemId(origin, parent));
    }
    const owners = await store.graph.get(owner, [...new Set(above.values())]);
    const byId = new Map(owners.map((note) => [note.id, note]));
    for (const note of [...ways.keys()]) {
      const next = byId.get(above.get(note) ?? "");
      const cached = next && remembered.get(next);
      if (cached) remembered.set(note, cached);
      if (next && !cached) ways.set(note, next);
      else ways.delete(note);
      if (!next && !remembered.has(note)) remembered.set(note, {});
    }
  }
  return new Map(
    notes.flatMap((note) => {
      const page = remembered.get(note)?.page;
      return page ? [[note.id, page]] : [];
    }),
  );
}
