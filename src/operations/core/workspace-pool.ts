import { statSync } from "node:fs";
import type { OpenOptions, Workspace } from "../../workspace/workspace.ts";

/** Workspaces that stay open between calls. */
export type OpenedWorkspaces = {
  /** What one call opens; `end` gives it back. */
  begin(): { open: (folder: string, options: OpenOptions) => Promise<Workspace>; end(): Promise<void> };
  /** Roots of those that are open, the one used last at the end. */
  roots(): string[];
  /** Closes those that no call uses. */
  rest(): Promise<void>;
  close(): Promise<void>;
};

/** More than this many are not kept open while nobody uses them. */
const mostKept = 4;

type Entry = { opening: Promise<Workspace>; stamp?: string; uses: number };

export function openedWorkspaces(): OpenedWorkspaces {
  const entries = new Map<string, Entry>();
  const leaving = new Set<Entry>();

  async function release(entry: Entry): Promise<void> {
    entry.uses--;
    if (entry.uses > 0 || !leaving.delete(entry)) return;
    await (await entry.opening).close();
  }

  /** Closes it as soon as no call uses it. */
  async function leave(root: string, entry: Entry): Promise<void> {
    entries.delete(root);
    if (entry.uses > 0) leaving.add(entry);
    else await (await entry.opening).close();
  }

  async function take(folder: string, options: OpenOptions): Promise<Entry> {
    const [{ openWorkspace }, { findRoot }] = await Promise.all([
      import("../../workspace/workspace.ts"),
      import("../../workspace/root.ts"),
    ]);
    const root = findRoot(folder);
    const known = entries.get(root);
    // Another process may have thrown the index away and begun anew: what is open would answer from the old one for ever.
    if (known?.stamp !== undefined && known.stamp !== stampOf((await known.opening).databasePath)) {
      await leave(root, known);
    }
    let entry = entries.get(root);
    if (!entry) {
      const made: Entry = { opening: openWorkspace(folder, options), uses: 0 };
      entries.set(root, (entry = made));
      made.opening.then(
        ({ databasePath }) => (made.stamp = stampOf(databasePath)),
        // Whoever waits for it is told; the next one tries again.
        () => entries.get(root) === made && entries.delete(root),
      );
    }
    entries.delete(root);
    entries.set(root, entry);
    entry.uses++;
    for (const [other, each] of entries) {
      if (entries.size <= mostKept) break;
      if (each.uses === 0) await leave(other, each);
    }
    return entry;
  }

  return {
    begin() {
      const taken: Entry[] = [];
      return {
        async open(folder, options) {
          const entry = await take(folder, options);
          try {
            const workspace = await entry.opening;
            taken.push(entry);
            const { owner } = options;
            return owner === undefined || owner === workspace.owner ? workspace : { ...workspace, owner };
          } catch (error) {
            entry.uses--;
            throw error;
          }
        },
        async end() {
          await Promise.all(taken.splice(0).map(release));
        },
      };
    },
    roots: () => [...entries.keys()],
    async rest() {
      await Promise.all([...entries].filter(([, { uses }]) => uses === 0).map(([root, entry]) => leave(root, entry)));
    },
    async close() {
      const open = [...entries.values(), ...leaving];
      entries.clear();
      leaving.clear();
      // One that could not be opened was reported to whoever asked for it.
      await Promise.all(open.map(async ({ opening }) => (await opening.catch(() => undefined))?.close()));
    },
  };
}

/** Which file it is, however it is called: numbers of files come again, their births do not. */
function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.birthtimeMs}` : "gone";
}
