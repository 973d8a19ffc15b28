import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ChangeWatch, changeWatch, type SeenFolders } from "./change-watch.ts";

let root: string;
let watch: ChangeWatch;
let compared: number;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "dossier-watch-"));
  for (let folder = 0; folder < 150; folder++) {
    mkdirSync(join(root, `folder${folder}`));
    writeFileSync(join(root, `folder${folder}`, "file.txt"), "first");
  }
  watch = changeWatch();
  compared = 0;
});

afterEach(() => {
  watch.close();
  rmSync(root, { recursive: true, force: true });
});

const folders = () => [".", ...Array.from({ length: 150 }, (_, at) => `folder${at}`)];

function seenNow(): SeenFolders {
  return { root, folders: folders().map((folder) => [folder, statSync(join(root, folder)).ctimeMs] as const) };
}

/** Always the same, as far as it looks: what is asked is whether it was called. */
const compare = () => {
  compared++;
  return true;
};

async function isWatching(seen: SeenFolders): Promise<void> {
  for (;;) {
    const before = compared;
    await watch.isUnchanged(seen, compare);
    if (compared === before) return;
    await new Promise((next) => setTimeout(next, 60));
  }
}

describe.runIf(process.platform === "linux")("watching instead of looking at every file", () => {
  it("compares until every folder is watched, and then no more while nothing changes", async () => {
    const seen = seenNow();
    expect(await watch.isUnchanged(seen, compare)).toBe(true);
    expect(compared).toBe(1);
    await isWatching(seen);
    const before = compared;
    for (let time = 0; time < 50; time++) expect(await watch.isUnchanged(seen, compare)).toBe(true);
    expect(compared).toBe(before);
  });

  it("never misses a change that was made before it is asked, of whatever kind", async () => {
    const place = (at: number, name = "file.txt") => join(root, `folder${at}`, name);
    const changes: [string, (at: number) => void][] = [
      ["appended", (at) => appendFileSync(place(at), "x")],
      ["written again", (at) => writeFileSync(place(at), "other")],
      ["created", (at) => writeFileSync(place(at, "new.txt"), "")],
      ["removed", (at) => rmSync(place(at))],
      ["renamed over", (at) => renameSync(place(at), place(at + 1))],
      ["touched", (at) => utimesSync(place(at), 1, 1)],
      ["a folder is made", (at) => mkdirSync(place(at, "inner"))],
      ["a folder is moved away", (at) => renameSync(join(root, `folder${at}`), join(root, "moved"))],
    ];
    for (const [at, [what, change]] of changes.entries()) {
      const seen = { root, folders: seenFolders() };
      await isWatching(seen);
      const before = compared;
      change(100 + at * 3);
      let answer = true;
      answer = await watch.isUnchanged(seen, () => {
        compared++;
        return false;
      });
      expect([what, answer, compared]).toEqual([what, false, before + 1]);
    }
  });

  it("compares again for what was seen anew, though nothing was told", async () => {
    const seen = seenNow();
    await isWatching(seen);
    const before = compared;
    await watch.isUnchanged(seenNow(), compare);
    expect(compared).toBe(before + 1);
  });

  it("compares for ever where the system cannot watch", async () => {
    const seen = { root: "/proc", folders: [["self", 0]] as const };
    for (let time = 0; time < 5; time++) {
      await watch.isUnchanged(seen, compare);
      await new Promise((next) => setTimeout(next, 40));
    }
    expect(compared).toBe(5);
    watch.close();
    const other = seenNow();
    for (let time = 0; time < 3; time++) await watch.isUnchanged(other, compare);
    expect(compared).toBe(8);
  });

  function seenFolders(): [string, number][] {
    return folders()
      .filter((folder) => statSync(join(root, folder), { throwIfNoEntry: false }))
      .map((folder) => [folder, 0]);
  }
});
