import type { Workspace } from "../../workspace/workspace.ts";
import { grouped } from "../terminal/phrases.ts";
import type { Environment } from "./operation.ts";

/** The part of a question that decides what is read first. `wait`: the answer must use everything. */
export type FirstQuestion = { query: string; hints?: string; paths?: string[]; wait: boolean };

/** The state of the index for an answer before everything is indexed. */
export type FirstAnswer = {
  /** The files needed for this answer were read; they need no further refresh. */
  files: boolean;
  /** The answer uses no history. */
  withoutHistory: boolean;
  warnings: string[];
  unread?: Workspace["unread"];
};

/** A history with fewer commits is read at once. */
const fewCommits = 200;

/**
 * In a workspace that is not fully indexed, reads the files most likely to answer the question; the rest is indexed
 * after the answer. Undefined if everything is indexed, or if nothing would index the rest.
 */
export async function firstAnswer(
  workspace: Workspace,
  { later, signal, progress, nameOf = (key) => key }: Environment,
  sources: readonly string[],
  { wait, ...question }: FirstQuestion,
): Promise<FirstAnswer | undefined> {
  if (!later || wait) return undefined;
  const looks = sources.includes("files") && !(await isWhole(workspace));
  // Git counts commits while files are read.
  const [look, withoutHistory] = await Promise.all([
    looks ? readFirst(question, workspace, { signal, progress }) : undefined,
    sources.includes("commit") && isLongHistory(workspace, signal),
  ]);
  if (!look && !withoutHistory) return undefined;
  later(workspace);
  const unread = look ? look.files - look.indexed : 0;
  const remaining = [
    ...(look && unread > 0 ? [`${grouped(unread)} of ${grouped(look.files)} files`] : []),
    ...(withoutHistory ? ["the history"] : []),
  ];
  const chosen = unread > 0 ? " This answer is from the files that have most of the question's words;" : "";
  const sentence = `Still being indexed: ${remaining.join(" and ")}.${chosen} ${nameOf("wait")} waits for all.`;
  const isUnread = remaining.length > 0;
  return {
    files: look !== undefined,
    withoutHistory,
    warnings: [...(look?.warnings ?? []), ...(isUnread ? [sentence] : [])],
    ...(isUnread && { unread: { sentence, files: unread > 0 } }),
  };
}

/** Whether it was ever fully indexed. Checked before every question, so it loads as little as possible. */
export async function isWhole({ store, owner }: Workspace): Promise<boolean> {
  const { readIndexState: readMemory } = await import("../../indexing/files/index-state.ts");
  return Boolean((await readMemory(store, owner))?.checkedAt);
}

async function readFirst(
  question: Omit<FirstQuestion, "wait">,
  workspace: Workspace,
  options: Pick<Environment, "signal" | "progress">,
) {
  const { firstLook } = await import("../../indexing/first/first-look.ts");
  return firstLook(workspace, question, options);
}

/** Whether there are many commits and not all of them are indexed. */
async function isLongHistory({ root, owner, store }: Workspace, signal: AbortSignal | undefined): Promise<boolean> {
  const { isHistoryBegun } = await import("../../indexing/history/history.ts");
  if (await isHistoryBegun({ owner, store })) return false;
  const { countCommits } = await import("../../git/head.ts");
  return (await countCommits(root, fewCommits, signal)) >= fewCommits;
}
