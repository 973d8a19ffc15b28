import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder, write } from "./folder.cases.ts";
import { listFiles } from "./list.ts";
import { renewed, snapshotOf } from "./snapshot.ts";

/** Runs as a user for whom permissions count: for root they do not. */
async function asNobody<Result>(run: () => Promise<Result>): Promise<Result> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid!(65534);
  try {
    return await run();
  } finally {
    if (isRoot) process.seteuid!(0);
  }
}

it.skipIf(process.platform === "win32")(
  "skips folders that cannot be read with a warning, and lists the rest",
  async () => {
    const files = { "a.py": "a = 1\n", "closed/deep/b.py": "b = 1\n", "names/c.py": "c = 1\n", "z/d.py": "d = 1\n" };
    const root = folder(files);
    chmodSync(root, 0o755);
    // One that can be entered by nobody, and one whose names can be read but not what they stand for.
    chmodSync(join(root, "closed"), 0o000);
    chmodSync(join(root, "names"), 0o444);
    try {
      const { files, skipped, warnings } = await asNobody(() => listFiles(root));
      expect(files.map(({ path }) => path)).toEqual(["a.py", "z/d.py"]);
      expect(skipped.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
        { path: "closed/", reason: "unreadable" },
        { path: "names/c.py", reason: "unreadable" },
      ]);
      write(root, { ".dossierignore": "closed/\n" });
      expect((await asNobody(() => listFiles(root))).warnings).toEqual([]);
      expect(warnings).toEqual([expect.stringMatching(/closed\/ was left out.*permissions.*\.dossierignore/)]);
    } finally {
      for (const name of ["closed", "names"]) chmodSync(join(root, name), 0o755);
    }
  },
);

it.skipIf(process.platform === "win32")("sees that a folder may not be read any more", async () => {
  const root = folder();
  write(root, { "inner/a.py": "a = 1\n" });
  chmodSync(root, 0o755);
  const snapshot = snapshotOf(root, await listFiles(root), Date.now() + 60_000)!;
  expect(renewed(snapshot)).toBe(snapshot);
  chmodSync(root, 0o000);
  try {
    expect(await asNobody(async () => renewed(snapshot))).toBeUndefined();
  } finally {
    chmodSync(root, 0o755);
  }
});
