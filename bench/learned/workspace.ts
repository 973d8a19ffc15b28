import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWorkspace } from "../../src/index.ts";
import type { RecordWrite } from "../../src/stores/records.ts";
import { timeCommand } from "../shared/time-command.ts";
import { type HistorySize, historyStream, type Names } from "./history.ts";
import { learnedRecords, type RecordSize } from "./records.ts";

export type LearnedSize = HistorySize & RecordSize;
export type LearnedWorkspace = { folder: string; names: Names };

export const seed = 20260101;
/** Part of the marker: a changed generator makes the folder anew. */
const format = 2;
const recordsPerWrite = 500;
/** Characters that are handed to git at once. */
const chunk = 1 << 18;

/**
 * The workspace that is measured, in the system's folder for temporary files; made when there is none of this size and
 * format.
 */
export async function learnedWorkspace(size: LearnedSize): Promise<LearnedWorkspace> {
  const home = join(tmpdir(), "dossier-bench-learned");
  const folder = join(home, "repository");
  const marker = join(home, "marker.json");
  const key = JSON.stringify({ format, seed, ...size });
  const earlier = existsSync(marker) ? JSON.parse(readFileSync(marker, "utf8")) : {};
  if (earlier.key === key) return { folder, names: earlier.names };

  console.log(`making ${folder} (kept for the next run)`);
  rmSync(home, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const names: Names = { paths: [], symbols: [], gonePaths: [], goneSymbols: [] };
  await timeCommand("git", ["init", "--quiet", "-b", "main"], { cwd: folder });
  await fastImport(folder, historyStream(size, names, seed));
  await timeCommand("git", ["checkout", "--quiet", "--force", "main"], { cwd: folder });
  await writeRecords(folder, learnedRecords(size, names, seed));
  // Last, so that a run that was cut short is begun again.
  writeFileSync(marker, JSON.stringify({ key, names }));
  return { folder, names };
}

async function fastImport(folder: string, commits: Iterable<string>): Promise<void> {
  const git = spawn("git", ["fast-import", "--quiet"], { cwd: folder, stdio: ["pipe", "inherit", "inherit"] });
  const ended = once(git, "close");
  let waiting = "";
  for (const commit of commits) {
    waiting += commit;
    if (waiting.length < chunk) continue;
    if (!git.stdin.write(waiting)) await Promise.race([once(git.stdin, "drain"), ended]);
    waiting = "";
  }
  git.stdin.end(waiting);
  const [code] = await ended;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
}

async function writeRecords(folder: string, all: Iterable<RecordWrite>): Promise<void> {
  const workspace = await openWorkspace(folder);
  try {
    const records = await workspace.records();
    let batch: RecordWrite[] = [];
    for (const record of all) {
      batch.push(record);
      if (batch.length < recordsPerWrite) continue;
      await records.write(workspace.owner, batch);
      batch = [];
    }
    if (batch.length > 0) await records.write(workspace.owner, batch);
  } finally {
    await workspace.close();
  }
}
