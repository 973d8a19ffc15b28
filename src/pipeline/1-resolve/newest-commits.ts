import type { Candidate } from "../../item.ts";
import type { Recipe } from "../../recipes/recipe.ts";
import { commitItemId } from "../../sources/commits/commit-items.ts";
import { bringsLines } from "../../sources/source.ts";
import { asksForNewest, isHistoryQuestion, type Query } from "../../text/analysis/query.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Finding } from "../finding.ts";
import { bestFilesOf } from "../signals/measure-files.ts";

/**
 * For a question of what changed: how many files it is about, how many of their newest commits are added, and how many
 * commits are read.
 */
const mostFiles = 2;
const mostCommits = 5;
const mostTouching = 500;

/**
 * Marks the commits that touch the best files for a question about history with the signal `touching`. For "what
 * changed in the multipart parser recently" it also adds the newest of them, with the signal `newest`: a message often
 * uses other words than the code it changed.
 */
export async function withNewestCommits(
  findings: Finding[],
  query: Query,
  recipe: Recipe,
  { store, owner }: Workspace,
): Promise<Finding[]> {
  if (!isHistoryQuestion(query)) return findings;
  const files = findings.find(({ source, candidates }) => bringsLines(source) && candidates.length > 0);
  const commits = findings.find(({ ask }) => ask.historyFactor !== undefined);
  if (!files || !commits) return findings;
  const { wholeFiles } = files.evidence;
  const isChangelog = (path: string) => wholeFiles.get(path)?.item.role === "changelog";
  const paths = bestFilesOf(files, recipe)
    .filter((path) => !isChangelog(path))
    .slice(0, mostFiles);
  const shas = await store.commits.touching(owner, paths, { limit: mostTouching });
  const touching = new Set(shas.map(commitItemId));
  const newest = new Set([...touching].slice(0, asksForNewest(query) ? mostCommits : 0));
  const markedOf = (candidate: Candidate): Candidate => {
    const { id } = candidate.item;
    if (!touching.has(id)) return candidate;
    return { ...candidate, signals: { ...candidate.signals, touching: 1, ...(newest.has(id) && { newest: 1 }) } };
  };
  const shelf = store.shelf(commits.source.shelf);
  const known = new Set(commits.candidates.map(({ item }) => item.id));
  const added = await shelf.items(
    owner,
    [...newest].filter((id) => !known.has(id)),
  );
  const terms = await shelf.terms(
    owner,
    "unit",
    added.map(({ id }) => id),
  );
  const all = [...commits.candidates, ...added.map((item) => ({ item, signals: {}, distance: 0 }))].map(markedOf);
  const unitTerms = new Map([...commits.evidence.unitTerms, ...terms]);
  const withNewest = { ...commits, candidates: all, evidence: { ...commits.evidence, unitTerms } };
  return findings.map((finding) => (finding === commits ? withNewest : finding));
}
