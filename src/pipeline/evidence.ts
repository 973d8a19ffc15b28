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
};

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
  const [units, files, unitTerms, wholeFiles, spreadTerms] = await Promise.all([
    store.termStatistics(owner, "unit", terms),
    inFiles || spread ? store.termStatistics(owner, "file", spread ? [] : terms) : noStatistics,
    store.terms(owner, "unit", ids),
    inFiles ? store.wholeFiles(owner, paths) : new Map<string, never>(),
    spread ? store.terms(owner, "file", ids) : new Map<string, never>(),
  ]);
  return { units, files, unitTerms, wholeFiles, spreadTerms };
}
