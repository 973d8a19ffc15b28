import { once } from "node:events";
import { updateIndex } from "../../indexing/files/update.ts";
import { watchFiles } from "../../tree/watch.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Environment } from "../core/operation.ts";
import { counted, duration } from "../terminal/phrases.ts";
import { vectorsInBackground } from "./background-vectors.ts";

/** Follows the disk until the signal; every update is reported as progress of the stage "watching". */
export async function watchIndex(workspace: Workspace, environment: Environment): Promise<void> {
  const { signal, progress } = environment;
  let updates = 0;
  const background = vectorsInBackground({
    onRun({ made, warnings }) {
      for (const warning of warnings) report(`warning: ${warning}`);
      if (made > 0) report(`${counted(made, "vector")} made`);
    },
  });
  const report = (detail: string) => progress?.({ stage: "watching", done: updates, detail });
  const watcher = await watchFiles(workspace.root, {
    async onChange() {
      const { files, milliseconds, warnings } = await updateIndex(workspace, { signal });
      for (const warning of warnings) report(`warning: ${warning}`);
      if (files.indexed + files.removed === 0) return;
      background.changed(workspace);
      updates++;
      report(`${counted(files.indexed, "file")} indexed, ${files.removed} removed in ${duration(milliseconds)}`);
    },
    onWarning(warning) {
      // An update that was aborted is not worth a warning: the next one goes on from there.
      if (!signal?.aborted) report(`warning: ${warning}`);
    },
  });
  const engine = await environment.answerOthers?.(workspace.root);
  report(`Watching ${workspace.root}; press Ctrl-C to stop.`);
  try {
    if (signal && !signal.aborted) await once(signal, "abort");
  } finally {
    await engine?.close();
    await background.close();
    await watcher.close();
  }
}
