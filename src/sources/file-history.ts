import { LRUCache } from "lru-cache";
import type { Commit } from "../stores/commits.ts";
import type { Store } from "../stores/store.ts";
import type { Query } from "../text/analysis/query.ts";
import { detectLanguage } from "./code/languages.ts";
import { isTestPath } from "./code/tests.ts";
import { shaOfItem } from "./commits/commit-items.ts";

/** How many commits are evidence, and how many files one of them may touch: a commit to fifty files says nothing of any of them. */
const mostCommits = 100;
const mostFiles = 20;
/** A commit that touched several files counts less for each, by this power of their number. */
const spread = 0.25;
/** Milliseconds after which what a commit says counts only a third. */
const fades = 8 * 365.25 * 24 * 3_600_000;
/** Renames that are followed from what a file was called then to what it is called now. */
const mostRenames = 4;

/**
 * Files that were changed for what the query is about: whoever mended the like of it before wrote down what it was. Paths as they are
 * called now, with the score of the best commit. `before`: only commits older than that.
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
  const meant = await meantByEach([...scores.keys()], store, owner);
  const newest = [...meant.values()].reduce((latest, { time }) => Math.max(latest, time), 0);
  const byPath = new Map<string, number>();
  for (const [sha, { time, paths }] of meant) {
    if (paths.length === 0 || paths.length > mostFiles) continue;
    const age = Math.exp((time - newest) / fades);
    const score = scores.get(sha)! * paths.length ** -spread * age;
    for (const path of paths) keepBest(byPath, path, score);
  }
  return asCalledNow(byPath, store, owner);
}

type Meant = { time: number; paths: string[] };

/** A commit never changes, and the same ones come up again from question to question. */
const remembered = new WeakMap<Store, LRUCache<string, Meant>>();
const mostRemembered = 5000;

async function meantByEach(shas: string[], store: Store, owner: string): Promise<Map<string, Meant>> {
  let known = remembered.get(store);
  if (!known) remembered.set(store, (known = new LRUCache({ max: mostRemembered })));
  const meant = new Map(shas.map((sha) => [sha, known.get(`${owner} ${sha}`)]));
  const missing = shas.filter((sha) => !meant.get(sha));
  for (const commit of missing.length > 0 ? await store.commits.get(owner, missing) : []) {
    const each = { time: commit.time, paths: meantBy(commit) };
    known.set(`${owner} ${commit.sha}`, each);
    meant.set(commit.sha, each);
  }
  return new Map([...meant].flatMap(([sha, each]) => (each ? [[sha, each]] : [])));
}

/**
 * What a commit is about: the code it changed, or all it changed where that is no code. Its tests and a line in the change log go with
 * any commit: they neither thin out what it says of the code nor are they what it was made for.
 */
function meantBy({ files }: Commit): string[] {
  // What is deleted cannot be found any more.
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
