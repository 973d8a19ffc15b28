import { describe, expect, it } from "vitest";
import { Repository } from "../../indexing/history/history.cases.ts";
import { call } from "../core/call.ts";
import { index } from "./index-workspace.ts";

/** Two branches with a file and a commit each that the other has not. */
function branched(): Repository {
  const repository = Repository.empty();
  repository.commit("Begin", { files: { "a.py": "def both():\n    return 1\n" } });
  repository.git("branch", "other");
  repository.commit("Add one", { files: { "one.py": "def one():\n    return 1\n" } });
  repository.git("branch", "-f", "first");
  repository.git("checkout", "-q", "other");
  repository.commit("Add two", { files: { "two.py": "def two():\n    return 2\n" } });
  repository.git("checkout", "-q", "first");
  return repository;
}

describe("an index after a branch switch", () => {
  it("has the files and the commits of the branch, and counts both", async () => {
    const repository = branched();
    const { workspace } = await repository.open();
    const run = async () => (await call(index, { path: repository.root }, { workspace })).output;
    expect((await run()).history).toEqual({ added: 2, removed: 0, total: 2 });
    repository.git("checkout", "-q", "other");
    const { files, history } = await run();
    expect(files).toMatchObject({ indexed: 1, removed: 1 });
    expect(history).toEqual({ added: 1, removed: 1, total: 2 });
    expect((await workspace.store.commits.shas(workspace.owner)).sort()).toEqual(repository.shas().sort());
    expect((await run()).history).toEqual({ added: 0, removed: 0, total: 2 });
  });

  it("is whole after the run that follows an interrupted one", async () => {
    const repository = branched();
    const opened = await repository.open();
    const { workspace } = opened;
    await call(index, { path: repository.root }, { workspace });
    repository.git("checkout", "-q", "other");
    const stopping = new AbortController();
    const progress = ({ stage }: { stage: string }) => stage === "indexing" && stopping.abort();
    const stopped = call(index, { path: repository.root }, { workspace, signal: stopping.signal, progress });
    await expect(stopped).rejects.toMatchObject({ code: "interrupted" });
    await call(index, { path: repository.root }, { workspace });
    await opened.expectExactly(repository.shas());
    const paths = (await workspace.store.files(workspace.owner)).map(({ path }) => path);
    expect(paths).toEqual(["a.py", "two.py"]);
  });
});
