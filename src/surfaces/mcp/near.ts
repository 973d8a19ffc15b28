import { localCaller } from "../../operations/access.ts";
import type { BackgroundVectors } from "../../operations/background-vectors.ts";
import { call } from "../../operations/call.ts";
import { fieldsOf } from "../../operations/fields.ts";
import type { OpenedWorkspaces } from "../../operations/opened.ts";
import type { Ground } from "./ground.ts";
import { snakeCase } from "./names.ts";

type Opened = Parameters<BackgroundVectors["changed"]>[0];

/** The agent of the person at this machine: each call goes to one of the folders that its client has opened. */
export function nearGround(opened: OpenedWorkspaces, session: string, background?: BackgroundVectors): Ground {
  return {
    from: "near",
    caller: localCaller,
    async run(operation, given, { project, folders, signal, progress }) {
      const folder = project === undefined ? folders[0]! : await folderOf(project, folders);
      const takesPath = fieldsOf(operation).some(({ key }) => key === "path");
      const { open, end } = opened.begin();
      const asked = background?.asking();
      // The workspace stays open until its vectors are made, though the call is over.
      const changed =
        background && ((workspace: Opened) => background.changed(workspace, () => held(opened, workspace)));
      try {
        const input = takesPath && folder !== "." ? { ...given, path: folder } : given;
        return await call(operation, input, { open, session, signal, progress, changed, nameOf: snakeCase });
      } finally {
        asked?.();
        await end();
      }
    },
    others: ({ folders }) => [...new Set([...folders.slice(1), ...opened.roots().reverse()])],
  };
}

function held(opened: OpenedWorkspaces, { root, owner }: Opened): () => void {
  const { open, end } = opened.begin();
  const opening = open(root, { owner });
  // What cannot be opened again was closed, and needs nobody to hold it.
  return () => void opening.then(end, () => undefined);
}

async function folderOf(project: string, folders: string[]): Promise<string> {
  const { projectFolder } = await import("../../operations/project.ts");
  return projectFolder(project, folders);
}
