import { LRUCache } from "lru-cache";
import type { Commit } from "../stores/commits.ts";
import type { Store } from "../stores/store.ts";
import type { Query } from "../text/analysis/query.ts";
import { detectLanguage } from "./code/languages.ts";
import { isTestPath } from "./code/test-paths.ts";
import { shaOfItem } from "./commits/commit-items.ts";

/**
 * Limit of commits that are evidence, and of files that such a commit may touch: a commit to fifty files says nothing
 * about any of them.
 */
const mostCommits = 100;
const mostFiles = 20;
/** A commit counts less for each file the more files it touches: by this power of their number. */
const spread = 0.25;
/** Milliseconds after which a commit counts only a third. */
const recencyScale = 8 * 365.25 * 24 * 3_600_000;
/** Number of renames that are followed from an old path to the current one. */
const mostRenames = 4;

/**
 * Files that were changed for the topic of the query: earlier commit messages describe similar problems. Current paths,
 * with the score of the best commit. `before`: only older commits.
 */
export async function filesByHistory(
  query: Query,
  { store, owner }: { store: Store; owner: string },
  before = Number.POSITIVE_INFINITY,
): Promise<Map<string, number>> {
  const limit = before === Number.POSITIVE_INFINITY ? mostCommits : 4 * mostCommits;
  const hits = await store.shelf("commit").searchText(owner, { scope: "unit", terms: query.terms, limit });
  const scores = new Map(
    hits
      .filter(({ item }) => (item.changed ?? 0) < before)
      .slice(0, mostCommits)
      .map(({ item, score }) => [shaOfItem(item.id), score]),
  );
  if (scores.size === 0) return scores;
  const contents = await purposesOf([...scores.keys()], store, owner);
  const newest = [...contents.values()].reduce((latest, { time }) => Math.max(latest, time), 0);
  const byPath = new Map<string, number>();
  for (const [sha, { time, paths }] of contents) {
    if (paths.length === 0 || paths.length > mostFiles) continue;
    const age = Math.exp((time - newest) / recencyScale);
    const score = scores.get(sha)! * paths.length ** -spread * age;
    for (const path of paths) keepBest(byPath, path, score);
  }
  return asCalledNow(byPath, store, owner);
}

type CommitPurpose = { time: number; paths: string[] };

/** Cache of commits: they never change, and many questions find the same ones. */
const cache = new WeakMap<Store, LRUCache<string, CommitPurpose>>();
const mostRemembered = 5000;

async function purposesOf(shas: string[], store: Store, owner: string): Promise<Map<string, CommitPurpose>> {
  let byCommit = cache.get(store);
  if (!byCommit) cache.set(store, (byCommit = new LRUCache({ max: mostRemembered })));
  const purposes = new Map(shas.map((sha) => [sha, byCommit.get(`${owner} ${sha}`)]));
  const missing = shas.filter((sha) => !purposes.get(sha));
  for (const commit of missing.length > 0 ? await store.commits.get(owner, missing) : []) {
    const each = { time: commit.time, paths: mainPaths(commit) };
    byCommit.set(`${owner} ${commit.sha}`, each);
    purposes.set(commit.sha, each);
  }
  return new Map([...purposes].flatMap(([sha, each]) => (each ? [[sha, each]] : [])));
}

/**
 * The files a commit is about: the code it changed, or all its files if it changed no code. Tests and changelog lines
 * come with any commit and are not its purpose, so they do not count beside code.
 */
function mainPaths({ files }: Commit): string[] {
  // A deleted file cannot be a result.
  const paths = files.filter(({ change }) => change !== "deleted").map(({ path }) => path);
  const code = paths.filter((path) => detectLanguage(path) !== undefined && !isTestPath(path));
  return code.length > 0 ? code : paths;
}

async function asCalledNow(scores: Map<string, number>, store: Store, owner: string): Promise<Map<string, number>> {
  const now = new Map<string, number>();
  let followed = scores;
  for (let step = 0; step < mostRenames && followed.size > 0; step++) {
    const touches = await store.commits.lastTouch(owner, [...followed.keys()]);
    const further = new Map<string, number>();
    for (const [path, score] of followed) {
      const touch = touches.get(path);
      if (touch?.change === "renamed" && touch.to !== undefined) keepBest(further, touch.to, score);
      else keepBest(now, path, score);
    }
    followed = further;
  }
  for (const [path, score] of followed) keepBest(now, path, score);
  return now;
}

function keepBest(scores: Map<string, number>, path: string, score: number): void {
  scores.set(path, Math.max(scores.get(path) ?? 0, score));
}
