import type { Workspace } from "../../workspace/workspace.ts";
import type { Case, CaseKind, Mined, Mining } from "../case.ts";
import { mineCommits } from "./commits.ts";
import { mineNotes } from "./notes.ts";
import { ownCases } from "./own-cases.ts";
import { mineTests } from "./tests.ts";
import { mineThreads } from "./threads.ts";

/** What mining one kind of question yielded. */
export type Yield = Omit<Mined, "cases"> & { kind: CaseKind; cases: number };

const miners: Record<Exclude<CaseKind, "own">, (workspace: Workspace, mining: Mining) => Promise<Mined>> = {
  commit: mineCommits,
  test: mineTests,
  note: mineNotes,
  thread: mineThreads,
};

/** All cases, kind by kind; a kind that yielded none says why. `own`: the lines of a user's own cases. */
export async function mine(
  workspace: Workspace,
  kinds: readonly CaseKind[],
  own: string | undefined,
  mining: Mining,
): Promise<{ cases: Case[]; yields: Yield[]; warnings: string[] }> {
  const cases: Case[] = [];
  const yields: Yield[] = [];
  const warnings: string[] = [];
  for (const kind of kinds) {
    if (kind === "own" && own === undefined) continue;
    const mined =
      kind === "own" ? await ownCases(workspace, own!, mining.limit) : await miners[kind](workspace, mining);
    cases.push(...mined.cases);
    if ("warnings" in mined) warnings.push(...(mined.warnings as string[]));
    yields.push({ kind, found: mined.found, cases: mined.cases.length, ...(mined.why ? { why: mined.why } : {}) });
  }
  return { cases, yields, warnings };
}
