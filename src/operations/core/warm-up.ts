import { DossierError } from "../../errors.ts";
import type { Environment } from "./operation.ts";
import type { OpenedWorkspaces } from "./workspace-pool.ts";

/**
 * Loads the modules that answering a question takes, step by step, so that the first one does not wait for them.
 * Opens nothing.
 */
export async function loadForQuestions(): Promise<void> {
  await import("../ask/context-query.ts");
  await import("../../workspace/workspace.ts");
  await import("../../stores/sqlite/engine/open.ts");
  await import("../../indexing/files/fresh.ts");
  await import("../../assemble.ts");
  const { tokenCounter } = await import("../../text/tokens/tokens.ts");
  tokenCounter("o200k_base");
}

/**
 * Compares the index of a folder with the disk, if it has one, and updates it, so that the first question need not.
 * Done twice: the second time finds nothing new, and from then on files are watched instead.
 */
export async function warmIndex(folder: string, workspaces: OpenedWorkspaces): Promise<void> {
  const { open, end } = workspaces.begin();
  try {
    const workspace = await open(folder, { create: false });
    const { ensureFresh } = await import("../../indexing/files/fresh.ts");
    for (let time = 0; time < 2; time++) await ensureFresh(workspace, { askedAt: performance.now() });
  } catch (error) {
    if (!(error instanceof DossierError)) throw error;
  } finally {
    await end();
  }
}

/** Questions about nothing in particular: the answers are thrown away. */
const questions = ["how does it begin and what is configured?", "where are errors of a test handled?"];

/**
 * Asks the workspace of a folder, where it has an index, and throws the answers away: files are open and listed,
 * statistics read and code compiled when the first real question comes. Nothing is written and nothing is indexed; it
 * ends as soon as `isNeeded` says no.
 */
export async function warmQuestions(
  folder: string,
  workspaces: OpenedWorkspaces,
  isNeeded: () => boolean,
): Promise<void> {
  const { open, end } = workspaces.begin();
  try {
    const workspace = await open(folder, { create: false });
    const environment: Environment = { workspace: async () => workspace, owner: workspace.owner };
    const [{ context }, { staleFiles }] = await Promise.all([
      import("../ask/context.ts"),
      import("../index/staleness.ts"),
    ]);
    if (isNeeded()) await staleFiles(workspace);
    for (const query of questions) {
      if (isNeeded()) await context.run(context.input.parse({ query, refresh: false }), environment);
    }
  } catch (error) {
    // There is no index yet, or it cannot be read: the next question reports that.
    if (!(error instanceof DossierError)) throw error;
  } finally {
    await end();
  }
}
