import { DossierError } from "../errors.ts";
import { gitTop, isBareRepository } from "../git/run-git.ts";
import { Examination, type ListedFile, type TreeListing } from "./examine-files.ts";
import { IgnoreFiles } from "./ignore.ts";
import { type GitPaths, type GitProblem, listWithGit, nestedRepository } from "./list-git-files.ts";
import { isHidden } from "./skip.ts";
import { walk } from "./walk.ts";

export type ListOptions = { signal?: AbortSignal };

const ignoreFileName = ".dossierignore";

/**
 * Lists a workspace: with git in a work tree, otherwise (or if git fails) with our own walk. The root must be a real
 * path (see tree/root.ts).
 */
export async function listFiles(root: string, options: ListOptions = {}): Promise<TreeListing> {
  if (isBareRepository(root)) {
    throw new DossierError("bare-repository", `${root} is a bare repository: it has no files to index.`);
  }
  const examination = new Examination(root);
  const warnings: string[] = [];
  try {
    if (gitTop(root)) await listRepository(root, "", examination, warnings, options.signal);
    else await walk(root, "", examination, options.signal);
    options.signal?.throwIfAborted();
  } catch (error) {
    if (options.signal?.aborted)
      throw new DossierError("interrupted", "Listing the workspace was interrupted.", { cause: error });
    throw error;
  }
  const ignored = ownIgnoreFiles(root, examination.files);
  examination.finish(ignored);
  const { files, skipped, generatedDocs } = examination;
  const unreadable = examination.unreadableFolders.filter((folder) => !ignored.ignores(folder));
  if (unreadable.length > 0) warnings.push(describeUnreadable(unreadable));
  return { files, skipped, warnings, generatedDocs };
}

/** One repository and those inside it; `folder` is "" or ends in `/`. */
async function listRepository(
  root: string,
  folder: string,
  examination: Examination,
  warnings: string[],
  signal?: AbortSignal,
): Promise<void> {
  const { tracked, untracked } = listWithGit(`${root}/${folder}`, signal);
  // Both are awaited together, so that a failure of one while the other is examined does not become an unhandled
  // rejection.
  const other = untracked.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  const first = await tracked;
  if ("paths" in first) examineAll(first, folder, examination);
  const second = await other;
  if ("error" in second) throw second.error;
  if ("paths" in second.value) examineAll(second.value, folder, examination);

  const problem = [first, second.value].find((answer): answer is GitProblem => !("paths" in answer));
  if (problem) {
    if (signal?.aborted) return;
    warnings.push(describeProblem(problem, folder));
    examination.expectRepeats();
    await walk(root, folder, examination, signal);
  }
  for (const nested of examination.folders.splice(0)) {
    const path = nested.endsWith("/") ? nested : `${nested}/`;
    const action = nestedRepository(root, path);
    if (action === "worktree") examination.skip(path, "worktree");
    else if (action === "list") await listRepository(root, path, examination, warnings, signal);
  }
}

function examineAll(answer: GitPaths, folder: string, examination: Examination): void {
  for (const path of answer.paths) {
    // Git never lists `.git`, but it lists our own folder if the folder's ignore file is missing.
    if (path.startsWith(".") && isHidden(path)) continue;
    examination.examine(folder + path);
  }
  for (const { path, reason } of answer.skipped) examination.skip(folder + path, reason);
}

const shownFolders = 3;

function describeUnreadable(folders: string[]): string {
  const listed = folders.sort().slice(0, shownFolders).join(", ");
  const more = folders.length > shownFolders ? ` and ${folders.length - shownFolders} more` : "";
  return `Not all of this workspace may be read: ${listed}${more} was left out. Check the permissions, or name it in ${ignoreFileName}.`;
}

function describeProblem(problem: GitProblem, folder: string): string {
  const where = folder === "" ? "this repository" : folder;
  const cause = problem.missing ? "git is not installed or not on the PATH" : `git says: ${problem.failure}`;
  return `Listed ${where} without git, so untracked and ignored files may be judged differently (${cause}).`;
}

function ownIgnoreFiles(root: string, files: ListedFile[]): IgnoreFiles {
  const ignores = new IgnoreFiles();
  // The ignore file at the root counts even when git ignores it.
  ignores.add(root, "", ignoreFileName);
  for (const { path } of files) {
    if (path.endsWith(`/${ignoreFileName}`)) ignores.add(root, path.slice(0, -ignoreFileName.length), ignoreFileName);
  }
  return ignores;
}
