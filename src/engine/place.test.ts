import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { enginePlace, fingerprint, isPrivate } from "./place.ts";
import { prepareToken } from "./token.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dossier-place-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("where an engine listens", () => {
  it("is another place for every workspace and every home, and the same for the same", () => {
    const variables = { XDG_RUNTIME_DIR: folder };
    const one = enginePlace("/work/one", variables)!;
    expect(one.address.startsWith(join(folder, "dossier"))).toBe(true);
    expect(enginePlace("/work/one", variables)).toEqual(one);
    expect(enginePlace("/work/two", variables)!.address).not.toBe(one.address);
    expect(enginePlace("/work/one", { ...variables, DOSSIER_HOME: "/elsewhere" })!.address).not.toBe(one.address);
  });

  it("is short enough for a socket, however long the workspace's path and the runtime folder are", () => {
    const long = join(folder, "x".repeat(120));
    mkdirSync(long);
    const { address } = enginePlace(`/${"deep/".repeat(500)}`, { XDG_RUNTIME_DIR: long })!;
    expect(Buffer.byteLength(address)).toBeLessThan(100);
    expect(address).not.toContain("xxx");
  });

  it("is no folder that another user gave us, nor a relative one", () => {
    expect(enginePlace("/work", { XDG_RUNTIME_DIR: "relative" })!.folder).not.toContain("relative");
    expect(enginePlace("/work", { XDG_RUNTIME_DIR: join(folder, "missing") })!.folder).not.toContain("missing");
  });

  it("is private only without links and with nothing for others", () => {
    const inside = join(folder, "dossier");
    mkdirSync(inside, { mode: 0o700 });
    expect(isPrivate(inside, "folder")).toBe(true);
    expect(isPrivate(inside, "file")).toBe(false);
    symlinkSync(inside, join(folder, "link"));
    expect(isPrivate(join(folder, "link"), "folder")).toBe(false);
    chmodSync(inside, 0o750);
    expect(isPrivate(inside, "folder")).toBe(false);
  });

  it("has a token that only its user can read, and none where others could", () => {
    const place = enginePlace("/work", { XDG_RUNTIME_DIR: folder })!;
    const token = prepareToken(place);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(isPrivate(place.tokenFile, "file")).toBe(true);
    expect(prepareToken(place)).toBe(token);
    chmodSync(place.tokenFile, 0o644);
    expect(prepareToken(place)).toBeUndefined();
    chmodSync(place.tokenFile, 0o600);
    chmodSync(place.folder, 0o755);
    expect(prepareToken(place)).toBeUndefined();
    rmSync(place.folder, { recursive: true });
    writeFileSync(place.folder, "a file in its place");
    expect(prepareToken(place)).toBeUndefined();
  });

  it("has names that differ for paths which differ in one letter", () => {
    const names = new Set(Array.from({ length: 5000 }, (_, at) => fingerprint(`/home/user/projects/p${at}`)));
    expect(names.size).toBe(5000);
  });
});
