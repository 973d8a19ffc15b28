import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";

/**
 * Works on a copy of a checkout, without its index and what is installed in it, so that the checkout stays as it is.
 */
export async function withCopy<Result>(repo: string, work: (copy: string) => Promise<Result>): Promise<Result> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dossier-bench-")));
  const copy = join(folder, basename(resolve(repo)));
  try {
    cpSync(resolve(repo), copy, { recursive: true, filter: (path) => !/node_modules|\.dossier/.test(path) });
    return await work(copy);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
