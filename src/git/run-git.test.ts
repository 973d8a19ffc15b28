import { describe, expect, it } from "vitest";
import { folder, git } from "../../tests/workspace.ts";
import { runGit, streamGit } from "./run-git.ts";

describe("git's output", () => {
  it("comes in pieces, each taken before the next", async () => {
    const root = folder({ "large.txt": "line of text\n".repeat(50_000) }, { git: true });
    git(root, "add", ".");
    let taking = 0;
    let most = 0;
    const pieces: Buffer[] = [];
    const end = await streamGit(root, ["cat-file", "blob", ":large.txt"], async (piece) => {
      most = Math.max(most, ++taking);
      await new Promise((resume) => setTimeout(resume, 1));
      pieces.push(piece);
      taking--;
    });
    expect(end).toEqual({ ended: true });
    expect(pieces.length).toBeGreaterThan(1);
    expect(most).toBe(1);
    expect(Buffer.concat(pieces).length).toBe(13 * 50_000);
  });

  it("follows what is written to it", async () => {
    const root = folder({ "a.txt": "hello\n" }, { git: true });
    git(root, "add", ".");
    const output: Buffer[] = [];
    const take = (piece: Buffer) => void output.push(piece);
    await streamGit(root, ["cat-file", "--batch-check=%(objecttype)"], take, { input: ":a.txt\n:none\n" });
    expect(Buffer.concat(output).toString()).toBe("blob\n:none missing\n");
  });

  it("is stopped when taking it fails, and that failure is thrown", async () => {
    const root = folder({ "large.txt": "line of text\n".repeat(50_000) }, { git: true });
    git(root, "add", ".");
    const take = () => {
      throw new Error("enough");
    };
    await expect(streamGit(root, ["cat-file", "blob", ":large.txt"], take)).rejects.toThrow("enough");
  });

  it("ends in a failure when git fails, when it does not read its input, and when it is told to stop", async () => {
    const root = folder({}, { git: true });
    expect(await streamGit(root, ["log"], () => undefined)).toEqual({
      failure: expect.stringContaining("does not have any commits"),
    });
    const input = "x\n".repeat(500_000);
    expect(await streamGit(root, ["no-such-verb"], () => undefined, { input })).toHaveProperty("failure");
    const signal = AbortSignal.timeout(20);
    expect(await streamGit(root, ["cat-file", "--batch"], () => undefined, { signal, input: undefined })).toBeDefined();
    expect(await runGit(root, ["--version"], AbortSignal.abort())).toHaveProperty("failure");
  });

  it("ends in a failure where the arguments are such that no process can be started", async () => {
    const root = folder({}, { git: true });
    for (const argument of ["x".repeat(3_000_000), "a\0b"]) {
      expect(await runGit(root, ["log", argument])).toHaveProperty("failure");
      expect(await streamGit(root, ["log", argument], () => undefined)).toHaveProperty("failure");
    }
  });

  it("is an answer too when there is no git", async () => {
    const root = folder({});
    const path = process.env.PATH;
    process.env.PATH = root;
    try {
      expect(await runGit(root, ["--version"])).toEqual({ missing: true });
      expect(await streamGit(root, ["--version"], () => undefined, { input: "x" })).toEqual({ missing: true });
    } finally {
      process.env.PATH = path;
    }
  });

  it("never comes from a remote", async () => {
    const origin = folder({ "a.txt": "one\n" }, { git: true });
    git(origin, "config", "uploadpack.allowFilter", "true");
    git(origin, "add", ".");
    git(origin, "commit", "-qm", "one");
    const root = folder({});
    git(root, "clone", "-q", "--no-checkout", "--filter=blob:none", `file://${origin}`, "clone");
    const clone = `${root}/clone`;
    expect(await runGit(clone, ["cat-file", "blob", "HEAD:a.txt"])).toHaveProperty("failure");
    expect(git(clone, "cat-file", "blob", "HEAD:a.txt")).toBe("one\n");
  });
});
