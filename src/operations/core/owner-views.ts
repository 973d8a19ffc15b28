import { closeModels } from "../../embed/opened-models.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/**
 * The one workspace as each owner sees it: the same stores, asked with another name. Made on top of the workspace, not copied from it: its
 * index may be opened anew. `own`: what each view has of its own besides.
 */
export function ownerViews(
  workspace: Workspace,
  own: Partial<Workspace> = {},
): ((owner: string) => Workspace) & { forget(): void } {
  const known = new Map<string, Workspace>();
  const viewOf = (owner: string) => {
    let view = known.get(owner);
    if (!view) {
      const descriptors = Object.getOwnPropertyDescriptors({ owner, ...own });
      known.set(owner, (view = Object.create(workspace, descriptors) as Workspace));
    }
    return view;
  };
  return Object.assign(viewOf, { forget: () => known.clear() });
}

/** The workspace that a server serves, once more: for a process that works for it. */
export async function openServed(root: string): Promise<Workspace> {
  const [{ openWorkspace }, { chosenDatabase }] = await Promise.all([
    import("../../workspace/workspace.ts"),
    import("../../workspace/store-choice.ts"),
  ]);
  // The server has opened it before: whether it may be is decided, and its file is there. In a database nothing is there before the first write.
  return openWorkspace(root, { create: chosenDatabase() !== undefined, force: true });
}

/** With the models that it has opened to answer. */
export async function closeServed(workspace: Workspace): Promise<void> {
  await closeModels();
  await workspace.close();
}
