import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readOnly } from "../src/stores/read-only.ts";
import { dossier } from "./cli/run-cli.ts";
import { folder } from "./workspace.ts";

const home = mkdtempSync(join(tmpdir(), "dossier-home-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const env = { DOSSIER_HOME: home };
const nobody = 65534;
const program = join(import.meta.dirname, "../dist/cli.js");

/** Only root may mount, and not in every container. */
function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const place = mkdtempSync(join(tmpdir(), "dossier-mount-"));
  try {
    if (spawnSync("mount", ["--bind", place, place]).status !== 0) return false;
    return spawnSync("umount", [place]).status === 0;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function mountReadOnly(root: string): void {
  expect(spawnSync("mount", ["--bind", root, root]).status).toBe(0);
  if (spawnSync("mount", ["-o", "remount,ro,bind", root]).status === 0) return;
  spawnSync("umount", [root]);
  throw new Error(`${root} could not be made read-only.`);
}

/** Only root can be somebody else for a moment, who must be allowed to read the program. */
function canBeNobody(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  return spawnSync(process.execPath, [program, "--version"], { uid: nobody, gid: nobody }).status === 0;
}

/** Runs the program as a user who owns nothing, with a home of its own. */
function programAsNobody(root: string, home: string, more: Record<string, string> = {}) {
  return (...words: string[]) =>
    spawnSync(process.execPath, [program, ...words], {
      cwd: root,
      uid: nobody,
      gid: nobody,
      encoding: "utf8",
      env: { ...process.env, HOME: home, DOSSIER_HOME: home, ...more },
    });
}

describe("a folder that cannot be written", () => {
  it.skipIf(!canMount())("is read with what is there, and says so where something should be kept", async () => {
    const root = folder({ "src/a.ts": "export function chargeCard() { return 1; }\n" });
    await dossier(["index"], { cwd: root, env });
    await dossier(["remember", "Cards are charged at check-in"], { cwd: root, env });
    mountReadOnly(root);
    try {
      const listed = await dossier(["memories"], { cwd: root, env });
      expect(listed.stdout).toContain("Cards are charged at check-in");
      expect((await dossier(["chargeCard"], { cwd: root, env })).stdout).toContain("export function chargeCard");
      const refused = await dossier(["remember", "Something else"], { cwd: root, env });
      expect(refused.status).toBe(4);
      expect(refused.stderr).toContain("cannot be written, so nothing can be written down there");
      expect((await dossier(["memories"], { cwd: root, env })).stdout).not.toContain("Something else");
    } finally {
      spawnSync("umount", [root]);
    }
    expect((await dossier(["memories"], { cwd: root, env })).stdout).toContain("Cards are charged at check-in");
    expect(existsSync(join(root, ".dossier", "memory.db"))).toBe(true);
  });

  it.skipIf(!canMount())(
    "and was never asked before is read all the same: its index is in the user's cache",
    async () => {
      const root = folder({ "src/a.ts": "export function chargeCard() { return 1; }\n" });
      mountReadOnly(root);
      try {
        const asked = await dossier(["chargeCard", "--wait"], { cwd: root, env });
        expect([asked.stdout, asked.status]).toEqual([expect.stringContaining("export function chargeCard"), 0]);
        const refused = await dossier(["remember", "Something"], { cwd: root, env });
        expect(refused.stderr).toContain("cannot be written, so nothing can be written down there");
        const nowhere = await dossier(["chargeCard"], { cwd: root, env: { DOSSIER_HOME: join(root, "cache") } });
        expect(nowhere.stderr).toContain("There is no place to keep the index");
        expect(nowhere.status).toBe(4);
        const everywhere = await dossier(["remember", "x", "--scope", "~"], { cwd: home, env: { DOSSIER_HOME: root } });
        expect(everywhere.stderr).toMatch(/there is no folder|no place to keep the index/);
        expect(everywhere.status).toBe(4);
      } finally {
        spawnSync("umount", [root]);
      }
    },
  );

  it.skipIf(!canBeNobody())("says in a sentence that a folder which is closed to the user cannot be read", () => {
    const root = folder({ "a.ts": "export function chargeCard() { return 1; }\n" });
    chmodSync(root, 0o700);
    const asked = spawnSync(process.execPath, [program, "chargeCard", "-C", root], {
      ...{ uid: nobody, gid: nobody, cwd: "/", encoding: "utf8" as const },
      env: { ...process.env, DOSSIER_HOME: "/nonexistent", DOSSIER_ENGINE: "off" },
    });
    expect(asked.status).toBe(4);
    expect(asked.stderr).toBe(`error: ${root} cannot be read. Check the permissions of the file or folder.\n`);
  });

  it.skipIf(!canBeNobody())("says so where its records are another user's, and does not call them nothing", () => {
    const root = folder({ "a.ts": "export function chargeCard() { return 1; }\n" });
    const elsewhere = mkdtempSync(join(tmpdir(), "dossier-home-"));
    chmodSync(root, 0o755);
    mkdirSync(join(root, ".dossier"), { mode: 0o700 });
    chownSync(elsewhere, nobody, nobody);
    const asNobody = programAsNobody(root, elsewhere);
    const listed = asNobody("memory", "list");
    expect(listed.stderr).toContain("a folder .dossier that this user may not read");
    expect(listed.status).toBe(4);
    const asked = asNobody("chargeCard");
    expect(asked.stdout).toContain("export function chargeCard");
    expect(asked.stderr).toContain("They are not in this answer");
    rmSync(elsewhere, { recursive: true, force: true });
  });

  it.skipIf(!canBeNobody())("is read where each file of it was made read-only, too", async () => {
    const root = folder({ "a.ts": "export function chargeCard() { return 1; }\n" });
    const elsewhere = mkdtempSync(join(tmpdir(), "dossier-home-"));
    chownSync(elsewhere, nobody, nobody);
    await dossier(["index"], { cwd: root, env });
    await dossier(["remember", "Cards are charged at check-in"], { cwd: root, env });
    expect(spawnSync("chown", ["-R", String(nobody), root]).status).toBe(0);
    expect(spawnSync("chmod", ["-R", "a-w,a+rX", root]).status).toBe(0);
    const asNobody = programAsNobody(root, elsewhere, { DOSSIER_ENGINE: "off" });
    expect(asNobody("brief", "charge the card of a passenger").stdout).toContain("Cards are charged at check-in");
    const asked = asNobody("chargeCard");
    expect([asked.stdout, asked.stderr]).toEqual([expect.stringContaining("export function chargeCard"), ""]);
    expect(asNobody("remember", "Something else").stderr).toContain("nothing can be written down there");
    rmSync(elsewhere, { recursive: true, force: true });
  });

  it("has stores that are read and refuse to be changed", async () => {
    const store = readOnly(
      {
        changedSince: async () => [1],
        change: async () => 2,
        putDocument: async () => 3,
        touchDocuments: async () => 4,
      },
      "It cannot be written.",
    );
    expect(await store.changedSince()).toEqual([1]);
    expect(await store.touchDocuments()).toBeUndefined();
    await expect(store.change()).rejects.toMatchObject({ code: "not-readable", message: "It cannot be written." });
    await expect(store.putDocument()).rejects.toThrow("It cannot be written.");
  });
});
