import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Run } from "../set.ts";

/** Does something in a folder of its own: the cache's of that name, or one that is gone afterwards. */
export async function inPlace<T>(
  { cache }: Pick<Run, "cache">,
  name: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  if (cache !== undefined) {
    const folder = join(cache, name);
    mkdirSync(folder, { recursive: true });
    return work(folder);
  }
  const folder = mkdtempSync(join(tmpdir(), "dossier-quality-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Makes these the files of a flat folder. What is there already is not written again, so that an index of it stays
 * true.
 */
export function putFiles(folder: string, files: ReadonlyMap<string, string>): void {
  const there = new Set(readdirSync(folder).filter((name) => !name.startsWith(".")));
  for (const name of there) if (!files.has(name)) rmSync(join(folder, name), { recursive: true });
  for (const [name, text] of files) {
    const path = join(folder, name);
    if (!there.has(name) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
  }
}
