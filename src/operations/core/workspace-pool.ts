import { statSync } from "node:fs";
import type { OpenOptions, Workspace } from "../../workspace/workspace.ts";

/** Workspaces that stay open between calls. */
export type OpenedWorkspaces = {
  /** Opens workspaces for one call; `end` releases them. */
  begin(): { open: (folder: string, options: OpenOptions) => Promise<Workspace>; end(): Promise<void> };
  /** Roots of the open workspaces, the most recently used one last. */
  roots(): string[];
  /** Closes those that no call uses. */
  closeUnused(): Promise<void>;
  close(): Promise<void>;
};

/** Most unused workspaces that are kept open. */
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

  /** Removes the entry, and closes its workspace as soon as no call uses it. */
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
    const existing = entries.get(root);
    // Another process may have deleted the index and made a new one: the open workspace would go on answering from the
    // old file.
    if (existing?.stamp !== undefined && existing.stamp !== stampOf((await existing.opening).databasePath)) {
      await leave(root, existing);
    }
    let entry = entries.get(root);
    if (!entry) {
      const created: Entry = { opening: openWorkspace(folder, options), uses: 0 };
      entries.set(root, (entry = created));
      created.opening.then(
        ({ databasePath }) => (created.stamp = stampOf(databasePath)),
        // The failure goes to the caller that waits for it; the next caller tries again.
        () => entries.get(root) === created && entries.delete(root),
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
      const used: Entry[] = [];
      return {
        async open(folder, options) {
          const entry = await take(folder, options);
          try {
            const workspace = await entry.opening;
            used.push(entry);
            const { owner } = options;
            return owner === undefined || owner === workspace.owner ? workspace : { ...workspace, owner };
          } catch (error) {
            entry.uses--;
            throw error;
          }
        },
        async end() {
          await Promise.all(used.splice(0).map(release));
        },
      };
    },
    roots: () => [...entries.keys()],
    async closeUnused() {
      await Promise.all([...entries].filter(([, { uses }]) => uses === 0).map(([root, entry]) => leave(root, entry)));
    },
    async close() {
      const open = [...entries.values(), ...leaving];
      entries.clear();
      leaving.clear();
      // The failure to open was reported to its caller.
      await Promise.all(open.map(async ({ opening }) => (await opening.catch(() => undefined))?.close()));
    },
  };
}

/** Identifies a file by more than its name. Inode numbers are reused, so the time of birth is part of it. */
function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.birthtimeMs}` : "gone";
}
