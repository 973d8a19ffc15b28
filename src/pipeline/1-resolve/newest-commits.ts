import type { Candidate } from "../../item.ts";
import type { Recipe } from "../../recipes/recipe.ts";
import { bringsLines } from "../../sources/source.ts";
import { asksForNewest, isHistoryQuestion, type Query } from "../../text/analysis/query.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Finding } from "../finding.ts";
import { bestFilesOf } from "../signals/measure-files.ts";

/** How many files a question of what changed is about, and how many of their newest commits are added. */
const mostFiles = 2;
const mostCommits = 4;

/**
 * For "what changed in the multipart parser recently": adds the newest commits that touch the best files, with the signal `newest`. What a
 * message says is often not what the changed code is called.
 */
export async function withNewestCommits(
  findings: Finding[],
  query: Query,
  recipe: Recipe,
  { store, owner }: Workspace,
): Promise<Finding[]> {
  if (!isHistoryQuestion(query) || !asksForNewest(query)) return findings;
  const files = findings.find(({ source, candidates }) => bringsLines(source) && candidates.length > 0);
  const commits = findings.find(({ ask }) => ask.historyFactor !== undefined);
  if (!files || !commits) return findings;
  const paths = bestFilesOf(files, recipe).slice(0, mostFiles);
  const shas = await store.commits.touching(owner, paths, { limit: mostCommits });
  const ids = new Set(shas.map((sha) => `com-${sha}`));
  const shelf = store.shelf(commits.source.shelf);
  const marked = commits.candidates.map((candidate) => (ids.has(candidate.item.id) ? asNewest(candidate) : candidate));
  const known = new Set(commits.candidates.map(({ item }) => item.id));
  const added = await shelf.items(
    owner,
    [...ids].filter((id) => !known.has(id)),
  );
  const terms = await shelf.terms(
    owner,
    "unit",
    added.map(({ id }) => id),
  );
  const all = [...marked, ...added.map((item) => asNewest({ item, signals: {}, distance: 0 }))];
  const unitTerms = new Map([...commits.evidence.unitTerms, ...terms]);
  const withNewest = { ...commits, candidates: all, evidence: { ...commits.evidence, unitTerms } };
  return findings.map((finding) => (finding === commits ? withNewest : finding));
}

function asNewest(candidate: Candidate): Candidate {
  return { ...candidate, signals: { ...candidate.signals, newest: 1 } };
}
