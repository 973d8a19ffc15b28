import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openWorkspace } from "../../workspace/workspace.ts";
import { firstDay, type History, Repository } from "./history.cases.ts";
import { refreshHistory } from "./history.ts";
import { readHistoryState, writeHistoryState } from "./history-state.ts";
import { HistoryWriter } from "./writer.ts";

/** As many commits, made at once; each touches one of ten files and says which it is. */
function long(count: number): Repository {
  const repository = Repository.empty();
  const commits = Array.from({ length: count }, (_, i) => {
    const message = `Commit number${i}\n\nIt touches file ${i % 10}.\n`;
    return (
      `commit refs/heads/main\ncommitter Test <test@example.org> ${firstDay + i * 60} +0000\n` +
      `data ${message.length}\n${message}M 100644 inline f${i % 10}.ts\ndata ${String(i).length}\n${i}\n`
    );
  });
  repository.gitAt(firstDay, ["fast-import", "--quiet"], commits.join(""));
  repository.git("reset", "-q", "--hard");
  return repository;
}

async function expectComplete(history: History, repository: Repository): Promise<void> {
  const { store, owner } = history.workspace;
  await history.expectExactly(repository.shas());
  expect(await history.shas()).toEqual(repository.shas());
  await store.check();
  const touched = await store.commits.touching(owner, ["f3.ts"], { limit: 1e6 });
  expect(touched).toEqual(repository.shas("HEAD", "--", "f3.ts"));
}

describe("a run that is interrupted", () => {
  it("keeps what it wrote, and the next run completes it", async () => {
    const repository = long(3300);
    const history = await repository.open();
    const controller = new AbortController();
    const progress = ({ done }: { done: number }) => void (done >= 3200 && controller.abort());
    await expect(history.refresh({ signal: controller.signal, progress })).rejects.toMatchObject({
      code: "interrupted",
    });
    const indexed = await history.shas();
    expect(indexed.length).toBeGreaterThan(0);
    expect(indexed.length).toBeLessThan(3300);
    const report = await history.refresh();
    expect(report).toEqual({ added: 3300 - indexed.length, removed: 0, total: 3300, warnings: [] });
    await expectComplete(history, repository);
    const { store, owner } = history.workspace;
    expect((await store.shelf("commit").statistics(owner)).vectors).toBe(3300);
  });

  it("leaves nothing wrong when the repository has changed before the next", async () => {
    const repository = long(1600);
    const history = await repository.open();
    const controller = new AbortController();
    const progress = ({ done }: { done: number }) => void (done >= 1200 && controller.abort());
    await expect(history.refresh({ signal: controller.signal, progress })).rejects.toThrow();
    repository.git("reset", "-q", "--hard", "HEAD~1100");
    repository.commit("another way", { files: { "f3.ts": "other\n" }, at: firstDay + 1e6 });
    expect(await history.refresh()).toMatchObject({ total: 501 });
    await expectComplete(history, repository);
  });

  it("stops before it begins, and while it removes", async () => {
    const repository = long(30);
    const history = await repository.open();
    await expect(history.refresh({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "interrupted" });
    expect(await history.shas()).toEqual([]);
    await history.refresh();
    repository.commit("amended", { amend: true });
    await expect(history.refresh({ signal: AbortSignal.abort() })).rejects.toThrow();
    expect(await history.refresh()).toMatchObject({ added: 1, removed: 1, total: 30 });
    await expectComplete(history, repository);
  });
});

describe("reading everything again", () => {
  it("may be interrupted: the next run completes it", async () => {
    const repository = long(1600);
    const history = await repository.open();
    await history.refresh({ years: 0 });
    const controller = new AbortController();
    const progress = ({ done }: { done: number }) => void (done >= 1200 && controller.abort());
    await expect(history.refresh({ force: true, signal: controller.signal, progress })).rejects.toThrow();
    const indexed = await history.shas();
    expect(indexed.length).toBeLessThan(1600);
    expect(await history.refresh()).toMatchObject({ added: 1600 - indexed.length, total: 1600 });
    await expectComplete(history, repository);
  });

  it("may be interrupted while it throws away: the next run begins anew", async () => {
    const repository = long(300);
    const history = await repository.open();
    await history.refresh();
    const { store, owner } = history.workspace;
    const shelf = store.shelf("commit");
    const stored = (await readHistoryState(shelf, owner))!;
    await writeHistoryState(shelf, owner, { ...stored, complete: false, anew: true });
    await store.commits.write(owner, { added: [], removed: repository.shas().slice(0, 120) });
    expect(await history.refresh()).toMatchObject({ added: 300, total: 300 });
    await expectComplete(history, repository);
    expect(await history.refresh()).toMatchObject({ added: 0, total: 300 });
  });

  it("is not disturbed by another that takes in something else", async () => {
    const repository = long(1600);
    const [one, two] = [await repository.open(), await repository.open()];
    await one.refresh();
    const commit = { sha: "f".repeat(40), author: "", email: "", time: 1, message: "", files: [] };
    const other = new HistoryWriter({ ...two.workspace, patience: 1000 });
    await other.add(commit);
    let wrote: Promise<void> | undefined;
    const progress = ({ done }: { done: number }) => void (done > 700 && (wrote ??= other.flush()));
    await one.refresh({ force: true, progress });
    await wrote;
    await one.expectExactly([...repository.shas(), commit.sha]);
  });
});

describe("several runs at once", () => {
  it("wait for each other in one process, and read each commit once", async () => {
    const repository = long(300);
    const history = await repository.open();
    const reports = await Promise.all([history.refresh(), history.refresh(), history.refresh()]);
    expect(reports.map(({ added }) => added).sort()).toEqual([0, 0, 300]);
    await expectComplete(history, repository);
  });

  it("do not end with one that fails", async () => {
    const repository = long(300);
    const history = await repository.open();
    const failing = history.refresh({ signal: AbortSignal.abort() });
    const other = history.refresh();
    await expect(failing).rejects.toMatchObject({ code: "interrupted" });
    expect(await other).toMatchObject({ added: 300, total: 300 });
  });

  it("of workspaces opened twice leave each commit once", async () => {
    const repository = long(1600);
    const [one, two] = [await repository.open(), await repository.open()];
    await Promise.all([one.refresh(), two.refresh()]);
    await expectComplete(one, repository);
    repository.commit("amended", { amend: true, at: firstDay + 1e6 - 60 });
    repository.commit("and one more", { files: { "f3.ts": "x\n" }, at: firstDay + 1e6 });
    await Promise.all([one.refresh(), two.refresh()]);
    await expectComplete(two, repository);
    expect(await one.refresh()).toMatchObject({ added: 0, removed: 0, total: 1601 });
  });
});

describe("several processes", () => {
  const cache = fileURLToPath(new URL("../../../node_modules/.cache/dossier/", import.meta.url));
  const program = join(cache, `history.${process.pid}.mjs`);

  beforeAll(async () => {
    mkdirSync(cache, { recursive: true });
    await build({
      stdin: {
        contents: `
          import { openWorkspace } from "../../workspace/workspace.ts";
          import { refreshHistory } from "./history.ts";
          const workspace = await openWorkspace(process.argv[2]);
          const progress = ({ done }) => done === 1200 && console.log("busy");
          await refreshHistory(workspace, { patience: 30000, progress });
          await workspace.close();
        `,
        resolveDir: fileURLToPath(new URL(".", import.meta.url)),
        loader: "ts",
      },
      outfile: program,
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
      logLevel: "error",
    });
  });
  afterAll(() => rmSync(program, { force: true }));

  function start(root: string): { child: ChildProcess; ended: Promise<{ status: number | null; complaint: string }> } {
    const child = spawn(process.execPath, [program, root], { stdio: ["ignore", "pipe", "pipe"] });
    let complaint = "";
    child.stderr.on("data", (chunk) => (complaint += chunk));
    return { child, ended: new Promise((done) => child.on("close", (status) => done({ status, complaint }))) };
  }

  it("may take in one history at once, and leave each commit once", async () => {
    const repository = long(1600);
    const ends = await Promise.all([start(repository.root).ended, start(repository.root).ended]);
    expect(ends).toEqual(ends.map(() => ({ status: 0, complaint: "" })));
    const history = await repository.open();
    await expectComplete(history, repository);
    expect(await history.refresh()).toEqual({ added: 0, removed: 0, total: 1600, warnings: [] });
  });

  it("may be killed in the middle without harm", async () => {
    const repository = long(1600);
    const { child, ended } = start(repository.root);
    child.stdout!.on("data", () => child.kill("SIGKILL"));
    await ended;
    const history = await repository.open();
    const count = (await history.shas()).length;
    expect(count).toBeLessThan(1600);
    expect(await history.refresh()).toMatchObject({ added: 1600 - count, total: 1600 });
    await expectComplete(history, repository);
  });
});

describe("owners of one store", () => {
  it("have each their own history", async () => {
    const repository = long(20);
    const mine = await repository.open(".", { owner: "me" });
    const yours = await repository.open(".", { owner: "you" });
    expect(await mine.refresh()).toMatchObject({ added: 20 });
    expect(await yours.shas()).toEqual([]);
    expect(await yours.found("number3")).toEqual([]);
    expect(await yours.refresh({ years: 0 })).toMatchObject({ added: 20, total: 20 });
    repository.git("reset", "-q", "--hard", "HEAD~5");
    expect(await mine.refresh()).toMatchObject({ removed: 5, total: 15 });
    await expectComplete(mine, repository);
    expect(await yours.shas()).toHaveLength(20);
    const workspace = await openWorkspace(repository.root, { owner: "nobody" });
    expect(await workspace.store.commits.shas("nobody")).toEqual([]);
    expect(await refreshHistory(workspace)).toMatchObject({ added: 15 });
    await workspace.close();
    await expectComplete(mine, repository);
  });
});
