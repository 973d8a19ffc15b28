import { isSha } from "./head.ts";
import type { LogOptions } from "./log.ts";
import { TokenReader } from "./log-tokens.ts";
import { streamGit } from "./run-git.ts";

export type LineCounts = { insertions: number; deletions: number };

/**
 * Inserted and deleted lines of these commits. Git must compare the content of every file, which may be slow, and which
 * a partial clone cannot do. A commit is absent if git failed at it or ran out of time.
 */
export async function countLines(
  folder: string,
  shas: string[],
  { below, signal }: LogOptions = {},
): Promise<Map<string, LineCounts>> {
  const counts = new Map<string, LineCounts>();
  if (shas.length === 0) return counts;
  const parser = new CountParser(counts);
  const args = ["diff-tree", "--stdin", "--root", "--always", "-r", "-M", "--numstat", "-z", "--format=%H"];
  const plain = ["--no-ext-diff", "--no-textconv", "--no-color"];
  const end = await streamGit(
    folder,
    [...args, ...plain, ...(below ? ["--relative", "--", "."] : [])],
    (chunk) => parser.take(chunk),
    { input: `${shas.join("\n")}\n`, signal },
  );
  if ("ended" in end) parser.finish();
  return counts;
}

/**
 * Output format: a commit's hash, then for each file `insertions TAB deletions TAB path`; after a rename the path is
 * empty and two paths follow.
 */
class CountParser {
  readonly #tokens = new TokenReader("\0");
  readonly #counts: Map<string, LineCounts>;
  #sha: string | undefined;
  #sum: LineCounts = { insertions: 0, deletions: 0 };
  #paths = 0;

  constructor(counts: Map<string, LineCounts>) {
    this.#counts = counts;
  }

  take(chunk: Buffer): void {
    for (const token of this.#tokens.take(chunk)) this.#token(token);
  }

  finish(): void {
    this.#token(this.#tokens.rest());
    if (this.#sha !== undefined) this.#counts.set(this.#sha, this.#sum);
  }

  #token(token: string): void {
    if (this.#paths > 0) {
      this.#paths--;
      return;
    }
    const text = token.replace(/^\n+/, "");
    const [, inserted, deleted, path] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(text) ?? [];
    if (inserted !== undefined) {
      // "-" means that the file is not text.
      this.#sum.insertions += Number(inserted) || 0;
      this.#sum.deletions += Number(deleted) || 0;
      if (path === "") this.#paths = 2;
    } else if (isSha(text)) {
      if (this.#sha !== undefined) this.#counts.set(this.#sha, this.#sum);
      this.#sha = text;
      this.#sum = { insertions: 0, deletions: 0 };
    }
  }
}
