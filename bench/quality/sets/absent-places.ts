import { existsSync } from "node:fs";
import { join } from "node:path";
import { openWorkspace, type Workspace } from "../../../src/index.ts";
import { inPlace, putFiles } from "../data/place.ts";
import { rowsOf } from "../data/rows.ts";
import type { Run } from "../set.ts";
import { type Issue, isPrepared } from "./swe-trees.ts";
import { cosqaTexts, cranfieldTexts, scifactTexts } from "./text-sets.ts";

/** A workspace with questions that it can answer. */
export type Place = {
  name: string;
  /**
   * Questions of one kind of programs may be answered by another: snippets of Python are found in any repository of it.
   */
  kind: "snippets" | "repository" | "papers";
  questions: string[];
  open<T>(work: (opened: Opened) => Promise<T>): Promise<T>;
};

export type Opened = { path: string; workspace: Workspace };

/** Sets of texts that the data has, and one work tree of each repository that the cache has. */
export function placesOf(run: Run): Place[] {
  return [...textPlaces(run), ...repositories(run)];
}

export function areUnrelated(one: Place, other: Place): boolean {
  const kinds = new Set([one.kind, other.kind]);
  return one.name !== other.name && !(kinds.has("snippets") && kinds.has("repository"));
}

function textPlaces(run: Run): Place[] {
  return [cosqaTexts, scifactTexts, cranfieldTexts].flatMap((set): Place[] => {
    if (!existsSync(join(run.data, set.name, "corpus.jsonl"))) return [];
    const { texts, questions } = set.read(run.data);
    return [
      {
        name: set.name,
        kind: set === cosqaTexts ? "snippets" : "papers",
        questions: questions.map(({ query }) => query),
        open: (work) =>
          inPlace(run, set.name, (path) => {
            putFiles(path, new Map(texts.map((each) => [each.name, each.text])));
            return opened(path, work);
          }),
      },
    ];
  });
}

function repositories({ data, cache }: Run): Place[] {
  const file = join(data, "swe", "dev.jsonl");
  if (cache === undefined || !existsSync(file)) return [];
  const issues = rowsOf<Issue>(file);
  const repos = [...new Set(issues.map(({ repo }) => repo))].sort();
  return repos.flatMap((repo): Place[] => {
    const own = issues.filter((issue) => issue.repo === repo);
    const tree = own.find((issue) => isPrepared(cache, issue));
    if (!tree) return [];
    return [
      {
        name: repo.slice(repo.indexOf("/") + 1),
        kind: "repository",
        // The title is the question; the rest would tell repositories apart by their names alone.
        questions: own.map(({ query }) => query.split("\n")[0]!.trim()),
        open: (work) => opened(join(cache, tree.id), work),
      },
    ];
  });
}

async function opened<T>(path: string, work: (opened: Opened) => Promise<T>): Promise<T> {
  const workspace = await openWorkspace(path);
  try {
    return await work({ path, workspace });
  } finally {
    await workspace.close();
  }
}
