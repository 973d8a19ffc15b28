import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { context, openWorkspace } from "../../src/index.ts";
import { hashTerm } from "../../src/text/hash.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { percentile, ratio, row, seconds } from "../shared/figures.ts";
import { sampleQueries } from "../shared/sample-queries.ts";
import { timeCommand } from "../shared/time-command.ts";

const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const copies = 10;
const queryCount = 40;

/**
 * How a question's time grows with the data: a checkout, and ten copies of it in one repository, in each of which three
 * of ten identifiers are other ones, so that no two files are the same. `folder` keeps the copies for another run.
 */
export async function measureTenfold({ repo, folder }: { repo: string; folder?: string }): Promise<void> {
  const kept = folder === undefined ? mkdtempSync(join(tmpdir(), "dossier-tenfold-")) : resolve(folder);
  try {
    if (!existsSync(join(kept, ".git"))) row("files written", String(writeCopies(resolve(repo), kept)), "");
    const cold = await timeCommand("node", [cli, "index", "-q", "--path", kept], { cwd: kept });
    row("index of the copies", seconds(cold.milliseconds), `${cold.peakMegabytes} MB`);
    const queries = await withWorkspace(resolve(repo), (workspace) => sampleQueries(workspace, queryCount));
    const [one, ten] = [await times(resolve(repo), queries), await times(kept, queries)];
    for (const share of [0.5, 0.95]) {
      const [before, after] = [percentile(one, share), percentile(ten, share)];
      row(
        `context, warm, p${share * 100}`,
        `${after.toFixed(1)} ms`,
        `${ratio(after, before)} of ${before.toFixed(1)} ms`,
      );
    }
  } finally {
    if (folder === undefined) rmSync(kept, { recursive: true, force: true });
  }
}

/** Milliseconds of each question, asked a second time. */
function times(path: string, queries: string[]): Promise<number[]> {
  return withWorkspace(path, async (workspace) => {
    for (const query of queries) await context({ query, path }, { workspace });
    const spent: number[] = [];
    for (const query of queries) {
      const start = performance.now();
      await context({ query, path }, { workspace });
      spent.push(performance.now() - start);
    }
    return spent;
  });
}

async function withWorkspace<Result>(path: string, work: (workspace: Workspace) => Promise<Result>): Promise<Result> {
  const workspace = await openWorkspace(path);
  try {
    return await work(workspace);
  } finally {
    await workspace.close();
  }
}

function writeCopies(repo: string, folder: string): number {
  const paths = execFileSync("git", ["-C", repo, "ls-files", "-z"], { encoding: "utf8", maxBuffer: 1 << 28 }).split(
    "\0",
  );
  let written = 0;
  for (const path of paths) {
    if (path === "" || !lstatSync(join(repo, path), { throwIfNoEntry: false })?.isFile()) continue;
    const text = readFileSync(join(repo, path), "utf8");
    if (text.includes("\0") || text.includes("\ufffd")) continue;
    for (let copy = 0; copy < copies; copy++) {
      const target = join(folder, `part${copy}`, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, copy === 0 ? text : varied(text, copy));
      written++;
    }
  }
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
  ])
    execFileSync("git", ["-C", folder, ...args]);
  return written;
}

/** Longer words, three of ten by their hash, end differently in each copy. */
function varied(text: string, copy: number): string {
  return text.replace(/\b[A-Za-z_]\w{5,}\b/g, (word) =>
    hashTerm(word) % 10 < 3 ? `${word}_${"abcdefghij"[copy]}` : word,
  );
}
