import { execFileSync } from "node:child_process";
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashText } from "../text/hash.ts";
import { folder } from "./folder.cases.ts";
import { resolveInside } from "./path-escape.ts";
import { type FileReader, fileReader, readSteadily } from "./read-file.ts";

async function text(reader: FileReader, path: string): Promise<string> {
  const content = await reader.read(path);
  return "reason" in content ? `(${content.reason})` : content.text;
}

describe("the file reader", () => {
  it("returns text, lines, hash and size of what is on disk", async () => {
    const root = folder({ "a/b.ts": "one\r\ntwo\n" });
    expect(await fileReader(root).read("a/b.ts")).toMatchObject({
      text: "one\r\ntwo\n",
      lines: ["one", "two"],
      hash: hashText("one\r\ntwo\n"),
      size: 9,
    });
  });

  it("never returns what the file held before, however it was changed", async () => {
    const root = folder({ "a.ts": "first" });
    const reader = fileReader(root);
    const old = new Date(Date.now() - 60_000);
    utimesSync(join(root, "a.ts"), old, old);
    expect(await text(reader, "a.ts")).toBe("first");
    writeFileSync(join(root, "a.ts"), "other");
    utimesSync(join(root, "a.ts"), old, old);
    expect(await text(reader, "a.ts")).toBe("other");
    writeFileSync(join(root, "b.ts"), "third");
    utimesSync(join(root, "b.ts"), old, old);
    renameSync(join(root, "b.ts"), join(root, "a.ts"));
    expect(await text(reader, "a.ts")).toBe("third");
    unlinkSync(join(root, "a.ts"));
    expect(await text(reader, "a.ts")).toBe("(gone)");
  });

  it("is right after every one of many quick edits of the same length", async () => {
    const root = folder({ "a.ts": "0000" });
    const reader = fileReader(root);
    for (let i = 1; i < 300; i++) {
      const content = String(i).padStart(4, "0");
      writeFileSync(join(root, "a.ts"), content);
      expect(await text(reader, "a.ts")).toBe(content);
    }
  });

  it("reads a file that is unchanged for a while only once", async () => {
    // A system file is old enough to be trusted at once.
    const own = fileReader("/etc");
    const first = await own.read("passwd");
    expect(await own.read("passwd")).toBe(first);
    const bounded = fileReader("/etc", { cacheBytes: 10 });
    expect(await bounded.read("passwd")).not.toBe(await bounded.read("passwd"));
  });

  it("names why there is no content", async () => {
    const root = folder({ "a.ts": "x", "large.ts": "x".repeat(100) });
    mkdirSync(join(root, "dir"));
    execFileSync("mkfifo", [join(root, "pipe")]);
    const reader = fileReader(root, { maxFileBytes: 50 });
    expect(await reader.read("missing.ts")).toEqual({ reason: "gone" });
    expect(await reader.read("a.ts/below.ts")).toEqual({ reason: "gone" });
    expect(await reader.read("dir")).toEqual({ reason: "not-a-file" });
    expect(await reader.read("pipe")).toEqual({ reason: "not-a-file" });
    expect(await reader.read("large.ts")).toEqual({ reason: "too-large" });
  });

  it("refuses every way out of the root", async () => {
    const outside = folder({ "secret.txt": "hunter2", "dir/x.txt": "hunter2" });
    const root = folder({ "a.ts": "x" });
    symlinkSync(join(outside, "secret.txt"), join(root, "link.txt"));
    symlinkSync(join(outside, "dir"), join(root, "dir"));
    symlinkSync("a.ts", join(root, "fine.ts"));
    const reader = fileReader(root);
    const ways = [
      "../secret.txt",
      join(outside, "secret.txt"),
      "/etc/passwd",
      "a/../../etc/passwd",
      "link.txt",
      "dir/x.txt",
      "a.ts\0.txt",
    ];
    for (const way of ways) expect([way, await reader.read(way)]).toEqual([way, { reason: "outside-root" }]);
    expect(await text(reader, "fine.ts")).toBe("x");
    expect(await text(reader, "./a.ts")).toBe("x");
  });

  it("resolves no path whatever to a place outside the root", () => {
    const root = folder({ "a/b/c.ts": "" });
    const part = fc.constantFrom("..", ".", "a", "b", "c.ts", "", "~", "/etc", "%2e%2e", "..\\..", "\\", "...");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.boolean(), (parts, absolute) => {
        const resolved = resolveInside(root, (absolute ? "/" : "") + parts.join("/"));
        if ("target" in resolved) expect(`${resolved.target}/`.startsWith(`${root}/`)).toBe(true);
      }),
    );
  });

  it("reads again what changed while it was read", () => {
    const root = folder({ "a.ts": "short" });
    const file = openSync(join(root, "a.ts"), "r");
    const before = fstatSync(file, { bigint: true });
    writeFileSync(join(root, "a.ts"), "much longer than before");
    const { bytes, steady, stats } = readSteadily(file, before);
    closeSync(file);
    expect([bytes.toString(), steady, stats.size]).toEqual(["much longer than before", true, 23n]);
  });
});
