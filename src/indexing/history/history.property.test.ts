import { readdirSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../tests/seed.ts";
import { type History, Repository } from "./history.cases.ts";

type Step =
  | { do: "commit" | "amend"; file: number; text: number }
  | { do: "remove" | "rename"; file: number }
  | { do: "branch" | "switch" | "merge"; branch: number }
  | { do: "reset"; back: number }
  | { do: "refresh" };

const small = fc.nat({ max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("commit" as const), file: small, text: small }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("amend" as const), file: small, text: small }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("remove" as const, "rename" as const), file: small }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("branch" as const, "switch" as const, "merge" as const),
      branch: small,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("reset" as const), back: small }) },
  { weight: 4, arbitrary: fc.constant({ do: "refresh" as const }) },
);

/** Takes a step where it can be taken; the others do nothing. */
function take(repository: Repository, step: Exclude<Step, { do: "refresh" }>, number: number): void {
  const files = readdirSync(repository.root).filter((name) => name.endsWith(".ts"));
  switch (step.do) {
    case "commit":
    case "amend": {
      const text = `${step.text}\n`.repeat(step.file + 1);
      repository.commit(`step${number} ${step.do}`, {
        files: { [`f${step.file}.ts`]: text },
        amend: step.do === "amend",
      });
      return;
    }
    case "remove":
      if (files.length > 0) repository.commit(`step${number} remove`, { remove: [files[step.file % files.length]!] });
      return;
    case "rename":
      if (files.length === 0) return;
      repository.git("mv", "-f", files[step.file % files.length]!, `moved${number}.ts`);
      repository.commit(`step${number} rename`);
      return;
    case "branch":
      repository.git("checkout", "-q", "-B", `b${step.branch}`);
      return;
    case "switch":
      if (exists(repository, `b${step.branch}`)) repository.git("checkout", "-q", `b${step.branch}`);
      return;
    case "merge":
      if (!exists(repository, `b${step.branch}`)) return;
      repository.commit(`step${number} before the merge`);
      merge(repository, `b${step.branch}`);
      return;
    case "reset":
      if (exists(repository, `HEAD~${step.back}`)) repository.git("reset", "-q", "--hard", `HEAD~${step.back}`);
  }
}

/**
 * Conflicts are settled by our side; where that cannot be (one renames what the other removes), nothing of theirs is
 * taken.
 */
function merge(repository: Repository, branch: string): void {
  try {
    repository.git("merge", "-q", "--no-edit", "-X", "ours", branch);
  } catch (error) {
    if ((error as { status?: number }).status !== 1) throw error;
    repository.git("merge", "--abort");
    repository.git("merge", "-q", "--no-edit", "-s", "ours", branch);
  }
}

function exists(repository: Repository, name: string): boolean {
  try {
    repository.git("rev-parse", "-q", "--verify", name);
    return true;
  } catch (error) {
    if ((error as { status?: number }).status === 1) return false;
    throw error;
  }
}

const letters: Record<string, string> = { A: "added", M: "modified", D: "deleted" };

/** What last happened to each path, as `git log` tells it; of a rename, both paths. */
function lastTouches(repository: Repository): Map<string, unknown> {
  const touches = new Map<string, unknown>();
  // Every step is a day after the one before, on whichever branch.
  const log = repository.git("log", "-c", "-M100%", "--name-status", "--date-order", "--format=commit %H %ct");
  let commit = { sha: "", time: 0 };
  for (const line of log.split("\n").filter(Boolean)) {
    if (line.startsWith("commit ")) {
      const [, sha, seconds] = line.split(" ");
      commit = { sha: sha!, time: Number(seconds) * 1000 };
      continue;
    }
    const [status, path, to] = line.split("\t") as [string, string, string | undefined];
    if (to !== undefined) {
      if (!touches.has(path)) touches.set(path, { ...commit, change: "renamed", to });
      if (!touches.has(to)) touches.set(to, { ...commit, change: "added" });
    } else if (!touches.has(path)) touches.set(path, { ...commit, change: letters[status[0]!] });
  }
  return touches;
}

async function expectInStep(history: History, repository: Repository): Promise<void> {
  await history.refresh();
  await history.expectExactly(repository.shas());
  const { store, owner } = history.workspace;
  const touches = lastTouches(repository);
  expect(await store.commits.paths(owner)).toEqual([...touches.keys()].sort());
  expect(await store.commits.lastTouch(owner, [...touches.keys()])).toEqual(touches);
}

describe("whatever happens to a repository", () => {
  it("its commits are known, each once, and what last happened to each file", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const repository = Repository.empty();
        repository.commit("beginning", { files: { "f0.ts": "0\n" } });
        const history = await repository.open();
        for (const [number, step] of steps.entries()) {
          if (step.do === "refresh") await expectInStep(history, repository);
          else take(repository, step, number);
        }
        await expectInStep(history, repository);
        await history.workspace.close();
      }),
      { numRuns: runs(20, 8) },
    );
  });
});
