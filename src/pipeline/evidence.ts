import type { Candidate, Item } from "../item.ts";
import type { TermStatistics } from "../stores/store.ts";
import type { Query } from "../text/query.ts";
import type { Workspace } from "../workspace.ts";

/** What the second phase ranks by: the same numbers on every engine, fetched once for all candidates. */
export type Evidence = {
  units: TermStatistics;
  files: TermStatistics;
  /** Packed term vectors of the candidates, by id. */
  unitTerms: Map<string, Uint8Array>;
  /** Whole files of the candidates, by path. */
  wholeFiles: Map<string, { item: Item; terms: Uint8Array }>;
};

export async function gatherEvidence(query: Query, candidates: Candidate[], workspace: Workspace): Promise<Evidence> {
  const { store, owner } = workspace;
  const terms = [...new Set([...query.terms, ...query.title, ...query.quoted].map(({ term }) => term))];
  const paths = [...new Set(candidates.map(({ item }) => item.path))];
  const [units, files, unitTerms, wholeFiles] = await Promise.all([
    store.termStatistics(owner, "unit", terms),
    store.termStatistics(owner, "file", terms),
    store.terms(
      owner,
      "unit",
      candidates.map(({ item }) => item.id),
    ),
    store.wholeFiles(owner, paths),
  ]);
  return { units, files, unitTerms, wholeFiles };
}
