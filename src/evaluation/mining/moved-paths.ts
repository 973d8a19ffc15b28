import type { Commit } from "../../stores/commits.ts";

/**
 * Today's names of the files of earlier commits. Commits must come newest first. A path that was added later is
 * another file than the one that had its name before, and a path that was deleted has no name today.
 */
export class MovedPaths {
  readonly #today = new Map<string, string | undefined>();

  /** Today's names of the files this commit left; then the map steps back to before the commit. */
  pass({ files }: Pick<Commit, "files">): string[] {
    const names = files.flatMap(({ path, change }) => (change === "deleted" ? [] : (this.#nameOf(path) ?? [])));
    const renamed = files.map((file) => ({ ...file, today: this.#nameOf(file.path) }));
    for (const { path, change } of files) if (change !== "modified") this.#today.set(path, undefined);
    for (const { change, from, today } of renamed) {
      if (change === "renamed" && from !== undefined) this.#today.set(from, today);
    }
    return [...new Set(names)];
  }

  #nameOf(path: string): string | undefined {
    return this.#today.has(path) ? this.#today.get(path) : path;
  }
}
