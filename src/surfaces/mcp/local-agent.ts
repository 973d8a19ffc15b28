import { clientSession, rememberAnswered } from "../../operations/briefings/client-session.ts";
import { bundleGiven } from "../../operations/briefings/session-claims.ts";
import { localCaller } from "../../operations/core/access.ts";
import { call } from "../../operations/core/call.ts";
import { fieldsOf } from "../../operations/core/fields.ts";
import type { OpenedWorkspaces } from "../../operations/core/workspace-pool.ts";
import type { BackgroundVectors } from "../../operations/index/background-vectors.ts";
import type { CallTarget } from "./call-target.ts";
import { snakeCase } from "./tools/snake-case.ts";

type Opened = Parameters<BackgroundVectors["changed"]>[0];

/** Calls of the local agent: each goes to one of the folders that its client has opened. */
export function localTarget(
  workspaces: OpenedWorkspaces,
  session: string | undefined,
  background?: BackgroundVectors,
  client = clientSession(),
): CallTarget {
  return {
    from: "local",
    caller: localCaller,
    async run(operation, sent, { project, folders, signal, progress, sharesGiven, session: clientOwnSession }) {
      // An agent asks right after its own edits, which must be seen.
      const askedAt = performance.now();
      const folder = project === undefined ? folders[0]! : await folderOf(project, folders);
      const takesPath = fieldsOf(operation).some(({ key }) => key === "path");
      const { open, end } = workspaces.begin();
      const done = background?.asking();
      let used: Awaited<ReturnType<typeof open>> | undefined;
      const opening: typeof open = async (...args) => (used = await open(...args));
      // The workspace stays open until its vectors are made, even after the call has ended.
      const changed =
        background && ((workspace: Opened) => background.changed(workspace, () => keepOpen(workspaces, workspace)));
      const completesLater = process.env.DOSSIER_BACKGROUND !== "off";
      const later = completesLater ? (workspace: Opened) => void completeLater(workspace) : undefined;
      try {
        const input = takesPath && folder !== "." ? { ...sent, path: folder } : sent;
        const options = {
          open: opening,
          askedAt,
          session: session ?? clientOwnSession,
          signal,
          progress,
          changed,
          later,
          nameOf: snakeCase,
        };
        if (client === undefined || !sharesGiven) return await call(operation, input, options);
        const receivedBundle = (root: string) => bundleGiven("given", root, client);
        const answered = await call(operation, input, { ...options, receivedBundle });
        const { bundle } = answered.output as { bundle?: string };
        if (used && bundle !== undefined) await rememberAnswered(used, client, bundle);
        return answered;
      } finally {
        done?.();
        await end();
      }
    },
    others: ({ folders }) => [...new Set([...folders.slice(1), ...workspaces.roots().reverse()])],
  };
}

/** In another process: writing an index would keep this one from answering. */
async function completeLater(workspace: Opened): Promise<void> {
  const { buildInBackground } = await import("../../operations/index/background-build.ts");
  buildInBackground(workspace);
}

function keepOpen(workspaces: OpenedWorkspaces, { root, owner }: Opened): () => void {
  const { open, end } = workspaces.begin();
  const opening = open(root, { owner });
  // A workspace that cannot be opened again was already closed.
  return () => void opening.then(end, () => undefined);
}

async function folderOf(project: string, folders: string[]): Promise<string> {
  const { projectFolder } = await import("../../operations/serve/project.ts");
  return projectFolder(project, folders);
}
