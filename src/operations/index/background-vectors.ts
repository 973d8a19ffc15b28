import { setTimeout as sleep } from "node:timers/promises";
import { closeModels } from "../../embed/opened-models.ts";
import type { VectorRun } from "../../indexing/vectors/model-vectors.ts";
import { shelves } from "../../stores/store.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/**
 * Makes vectors while a process serves questions: one workspace at a time, and questions take precedence between
 * batches. May be notified of changes as often as they occur; a complete workspace costs next to nothing.
 */
export type BackgroundVectors = {
  /** The workspace may have new items. `hold` keeps it open until what it returns is called. */
  changed(workspace: Workspace, hold?: () => () => void): void;
  /** Marks the beginning of a question; the returned function marks its end. */
  asking(): () => void;
  /** Stops, and resolves when no work is left. */
  close(): Promise<void>;
};

export type BackgroundOptions = { onRun?: (run: VectorRun, workspace: Workspace) => void };

/** Milliseconds to wait after a change: several come together, and the answer that caused them goes first. */
const afterChange = 200;
/** Milliseconds to wait for running questions; a long stream of them does not starve the work. */
const longestWait = 2000;
const between = 20;
/** Milliseconds until the next attempt after a failure, or while another process makes the vectors. */
const untilAgain = 30_000;

export function vectorsInBackground({ onRun }: BackgroundOptions = {}): BackgroundVectors {
  const stop = new AbortController();
  const waiting = new Map<string, { workspace: Workspace; release: () => void }>();
  const restUntil = new Map<string, number>();
  /** The revisions at which a workspace was found complete. */
  const completeAt = new Map<string, string>();
  let questions = 0;
  let working: Promise<void> | undefined;

  const whenQuiet = async () => {
    for (const began = performance.now(); questions > 0 && performance.now() - began < longestWait; )
      await sleep(between);
  };

  const work = async () => {
    // Cut short when the process ends: then there is nothing to wait for.
    await sleep(afterChange, undefined, { signal: stop.signal }).catch(() => undefined);
    for (;;) {
      const [next] = waiting;
      if (!next || stop.signal.aborted) return;
      const [key, { workspace, release }] = next;
      waiting.delete(key);
      try {
        const [{ makeVectors }, { configuredModel }] = await Promise.all([
          import("../../indexing/vectors/model-vectors.ts"),
          import("../../indexing/vectors/configured-model.ts"),
        ]);
        const stamp = JSON.stringify([(await configuredModel(workspace)).config, await revisionsOf(workspace)]);
        if (completeAt.get(key) === stamp) continue;
        const run = await makeVectors(workspace, { signal: stop.signal, whenQuiet });
        if (run.state === "complete") completeAt.set(key, stamp);
        if (run.state !== "complete" && run.state !== "none") restUntil.set(key, performance.now() + untilAgain);
        onRun?.(run, workspace);
      } finally {
        release();
      }
    }
  };

  return {
    changed(workspace, hold) {
      const key = `${workspace.databasePath}\n${workspace.owner}`;
      if (stop.signal.aborted || waiting.has(key) || (restUntil.get(key) ?? 0) > performance.now()) return;
      waiting.set(key, { workspace, release: hold?.() ?? (() => undefined) });
      // A locked or missing store is reported to the next question.
      working ??= work()
        .catch(() => restUntil.set(key, performance.now() + untilAgain))
        .then(() => {
          working = undefined;
        });
    },
    asking() {
      questions++;
      return () => void questions--;
    },
    async close() {
      stop.abort();
      await working;
      for (const { release } of waiting.values()) release();
      waiting.clear();
      await closeModels();
    },
  };
}

/** Searching for missing vectors reads much; comparing revisions first is cheap. */
async function revisionsOf({ store, owner }: Workspace): Promise<number[]> {
  return Promise.all(shelves.map((shelf) => store.shelf(shelf).revision(owner)));
}
