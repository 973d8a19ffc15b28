import { localCaller } from "../../operations/access.ts";
import { call } from "../../operations/call.ts";
import { fieldsOf } from "../../operations/fields.ts";
import type { OpenedWorkspaces } from "../../operations/opened.ts";
import type { Ground } from "./ground.ts";
import { snakeCase } from "./names.ts";

/** The agent of the person at this machine: each call goes to one of the folders that its client has opened. */
export function nearGround(opened: OpenedWorkspaces, session: string | undefined): Ground {
  return {
    from: "near",
    caller: localCaller,
    async run(operation, given, { project, folders, signal, progress, session: said }) {
      const folder = project === undefined ? folders[0]! : await folderOf(project, folders);
      const takesPath = fieldsOf(operation).some(({ key }) => key === "path");
      const { open, end } = opened.begin();
      try {
        const input = takesPath && folder !== "." ? { ...given, path: folder } : given;
        return await call(operation, input, { open, session: session ?? said, signal, progress, nameOf: snakeCase });
      } finally {
        await end();
      }
    },
    others: ({ folders }) => [...new Set([...folders.slice(1), ...opened.roots().reverse()])],
  };
}

async function folderOf(project: string, folders: string[]): Promise<string> {
  const { projectFolder } = await import("../../operations/project.ts");
  return projectFolder(project, folders);
}
