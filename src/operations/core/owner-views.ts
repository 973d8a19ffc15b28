import { closeModels } from "../../embed/opened-models.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/**
 * The one workspace as each owner sees it: the same stores, used with another owner. A view inherits from the
 * workspace instead of copying it, since its index may be reopened. `own`: further properties of each view.
 */
export function ownerViews(
  workspace: Workspace,
  own: Partial<Workspace> = {},
): ((owner: string) => Workspace) & { forget(): void } {
  const views = new Map<string, Workspace>();
  const viewOf = (owner: string) => {
    let view = views.get(owner);
    if (!view) {
      const descriptors = Object.getOwnPropertyDescriptors({ owner, ...own });
      views.set(owner, (view = Object.create(workspace, descriptors) as Workspace));
    }
    return view;
  };
  return Object.assign(viewOf, { forget: () => views.clear() });
}

/** Opens the workspace that a server serves, for a process that works for it. */
export async function openServed(root: string): Promise<Workspace> {
  const [{ openWorkspace }, { chosenDatabase }] = await Promise.all([
    import("../../workspace/workspace.ts"),
    import("../../workspace/store-choice.ts"),
  ]);
  // The server has opened this workspace before: it is permitted, and its file exists. In a database nothing exists
  // before the first write.
  return openWorkspace(root, { create: chosenDatabase() !== undefined, force: true });
}

/** The models that the workspace has opened to answer. */
export async function closeServed(workspace: Workspace): Promise<void> {
  await closeModels();
  await workspace.close();
}
