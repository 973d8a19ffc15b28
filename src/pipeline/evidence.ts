import type { Candidate, Item } from "../item.ts";
import type { Shelf, TermStatistics } from "../stores/store.ts";
import type { Query } from "../text/query.ts";
import type { Workspace } from "../workspace.ts";

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
  shelf: Shelf,
  workspace: Workspace,
): Promise<Evidence> {
  const { owner } = workspace;
  const store = workspace.store.shelf(shelf);
  const inFiles = shelf === "files";
  const terms = [...new Set([...query.terms, ...query.also, ...query.title, ...query.quoted].map(({ term }) => term))];
  const ids = candidates.map(({ item }) => item.id);
  const paths = [...new Set(candidates.map(({ item }) => item.path))];
  const spread = shelf === "message";
  const pages = shelf === "note" ? await pagesOf(ids, workspace) : new Map<string, never>();
  const withPages = pages.size > 0 ? [...new Set([...ids, ...[...pages.values()].map(({ page }) => page)])] : ids;
  const [units, files, unitTerms, wholeFiles, spreadTerms] = await Promise.all([
    store.termStatistics(owner, "unit", terms),
    inFiles || spread ? store.termStatistics(owner, "file", spread ? [] : terms) : noStatistics,
    store.terms(owner, "unit", withPages),
    inFiles ? store.wholeFiles(owner, paths) : new Map<string, never>(),
    spread ? store.terms(owner, "file", ids) : new Map<string, never>(),
  ]);
  return { units, files, unitTerms, wholeFiles, spreadTerms, pages };
}

/** How far above a note its page is looked for: what stands deeper counts for itself. */
const mostLevels = 12;

/** The page that each of these notes is on. */
export async function pagesOf(ids: string[], { store, owner }: Workspace): Promise<Map<string, NotePage>> {
  const [notes, above] = await Promise.all([
    store.graph.get(owner, ids),
    store.graph.ancestors(owner, ids, mostLevels),
  ]);
  const pages = new Map<string, NotePage>();
  for (const note of notes) {
    const page = [note, ...(above.get(note.id) ?? [])].find(({ size }) => size !== undefined);
    if (page) pages.set(note.id, { page: page.id, size: page.size! });
  }
  return pages;
}
