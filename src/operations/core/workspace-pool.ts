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
  return new WorkspacePool();
}

class WorkspacePool implements OpenedWorkspaces {
  readonly #entries = new Map<string, Entry>();
  /** Entries that are closed when their last call ends. */
  readonly #leaving = new Set<Entry>();

  begin(): ReturnType<OpenedWorkspaces["begin"]> {
    const used: Entry[] = [];
    return {
      open: async (folder, options) => {
        const entry = await this.#take(folder, options);
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
      end: async () => {
        await Promise.all(used.splice(0).map((entry) => this.#release(entry)));
      },
    };
  }

  roots(): string[] {
    return [...this.#entries.keys()];
  }

  async closeUnused(): Promise<void> {
    const unused = [...this.#entries].filter(([, { uses }]) => uses === 0);
    await Promise.all(unused.map(([root, entry]) => this.#remove(root, entry)));
  }

  async close(): Promise<void> {
    const open = [...this.#entries.values(), ...this.#leaving];
    this.#entries.clear();
    this.#leaving.clear();
    // The failure to open was reported to its caller.
    await Promise.all(open.map(async ({ opening }) => (await opening.catch(() => undefined))?.close()));
  }

  async #take(folder: string, options: OpenOptions): Promise<Entry> {
    const [{ openWorkspace }, { findRoot }] = await Promise.all([
      import("../../workspace/workspace.ts"),
      import("../../workspace/root.ts"),
    ]);
    const root = findRoot(folder);
    await this.#removeReplaced(root);
    const entry = this.#entries.get(root) ?? this.#open(root, () => openWorkspace(folder, options));
    // Inserted last, so that the first entry is the one that was not used for the longest time.
    this.#entries.delete(root);
    this.#entries.set(root, entry);
    entry.uses++;
    for (const [other, each] of this.#entries) {
      if (this.#entries.size <= mostKept) break;
      if (each.uses === 0) await this.#remove(other, each);
    }
    return entry;
  }

  /**
   * Another process may have deleted the index and made a new one: the open workspace would go on answering from the
   * old file.
   */
  async #removeReplaced(root: string): Promise<void> {
    const entry = this.#entries.get(root);
    if (entry?.stamp === undefined) return;
    if (entry.stamp !== stampOf((await entry.opening).databasePath)) await this.#remove(root, entry);
  }

  #open(root: string, open: () => Promise<Workspace>): Entry {
    const entry: Entry = { opening: open(), uses: 0 };
    this.#entries.set(root, entry);
    entry.opening.then(
      ({ databasePath }) => (entry.stamp = stampOf(databasePath)),
      // The failure goes to the caller that waits for it; the next caller tries again.
      () => this.#entries.get(root) === entry && this.#entries.delete(root),
    );
    return entry;
  }

  async #release(entry: Entry): Promise<void> {
    entry.uses--;
    if (entry.uses > 0 || !this.#leaving.delete(entry)) return;
    await (await entry.opening).close();
  }

  /** Removes the entry, and closes its workspace as soon as no call uses it. */
  async #remove(root: string, entry: Entry): Promise<void> {
    this.#entries.delete(root);
    if (entry.uses > 0) this.#leaving.add(entry);
    else await (await entry.opening).close();
  }
}

/** Identifies a file by more than its name. Inode numbers are reused, so the time of birth is part of it. */
function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.birthtimeMs}` : "gone";
}
