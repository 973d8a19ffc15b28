import { describe, expect, it } from "vitest";
import type { CommitFile } from "../../stores/commits.ts";
import { MovedPaths } from "./moved-paths.ts";

const modified = (path: string): CommitFile => ({ path, change: "modified" });
const added = (path: string): CommitFile => ({ path, change: "added" });
const deleted = (path: string): CommitFile => ({ path, change: "deleted" });
const renamed = (from: string, path: string): CommitFile => ({ path, change: "renamed", from });

/** Newest first, as history is read. */
function today(...commits: CommitFile[][]): string[][] {
  const moved = new MovedPaths();
  return commits.map((files) => moved.pass({ files }));
}

describe("what a file of an earlier commit is called today", () => {
  it("follows renames, one after the other", () => {
    expect(today([renamed("b", "c")], [renamed("a", "b")], [modified("a")])).toEqual([["c"], ["c"], ["c"]]);
  });

  it("is nothing for what was deleted since", () => {
    expect(today([deleted("a")], [modified("a"), modified("b")])).toEqual([[], ["b"]]);
  });

  it("is nothing for another file that had the name before", () => {
    expect(today([added("a")], [deleted("a")], [modified("a")])).toEqual([["a"], [], []]);
    expect(today([renamed("b", "a")], [modified("a")], [modified("b")])).toEqual([["a"], [], ["a"]]);
  });

  it("exchanges two names in one commit", () => {
    expect(today([renamed("a", "b"), renamed("b", "a")], [modified("a")], [modified("b")])).toEqual([
      ["b", "a"],
      ["b"],
      ["a"],
    ]);
  });
});
