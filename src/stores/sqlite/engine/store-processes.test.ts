import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleProgram, printed, runProgram } from "./child.samples.ts";
import { openSqliteStore } from "./open.ts";

const folder = mkdtempSync(join(tmpdir(), "dossier-processes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A writer rewrites a file pair with one number in both; a reader checks that it never sees two numbers. */
const program = `
import { openSqliteStore } from "./open.ts";
import { sampleFile, termsOf } from "../../cases/store.samples.ts";

const [, , role, path, name] = process.argv as string[];
const pair = (who: string, number: number) => ["left", "right"].map((side) =>
  sampleFile(who + "/" + side + ".py", [{ name: "unit", text: "shared number" + number }]));

const store = await openSqliteStore(path!);
if (role === "write") {
  for (let number = 1; number <= 25; number++) await store.write("me", { files: pair(name!, number), removed: [] });
  console.log("written");
} else if (role === "read") {
  let seen = 0;
  for (let turn = 0; turn < 150; turn++) {
    const hits = await store.searchText("me", { scope: "unit", terms: termsOf("shared"), limit: 100 });
    const sides = new Map<string, Set<string>>();
    for (const { item } of hits) {
      const who = item.path.split("/")[0]!;
      sides.set(who, (sides.get(who) ?? new Set()).add(item.hash));
    }
    for (const hashes of sides.values()) if (hashes.size !== 1) throw new Error("a half-written pair");
    seen += hits.length;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  console.log("seen " + seen);
} else if (role === "hang") {
  // Stops inside the transaction, as if the power went: the last item cannot be read.
  const [left, right] = pair(name!, 99);
  const block = { get item() { console.log("inside"); for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000); } };
  await store.write("me", { files: [left!, { ...right!, get links() { return block.item; } } as never], removed: [] });
}
await store.close();
`;

let child: string;
beforeAll(async () => {
  child = await bundleProgram(folder, "child", program, import.meta.url);
});

describe("several processes on one database", () => {
  it("may make the same database at the same moment", async () => {
    for (let round = 0; round < 3; round++) {
      const path = join(folder, `new-${round}.db`);
      const all = Array.from({ length: 4 }, () => runProgram(child, "open", path));
      const codes = await Promise.all(all.map((each) => each.ended));
      expect({ codes, errors: all.map((each) => each.errors()).join("") }).toEqual({ codes: [0, 0, 0, 0], errors: "" });
    }
  });

  it("write and read at once, losing nothing and seeing only whole changes", async () => {
    const path = join(folder, "shared.db");
    const all = [
      runProgram(child, "write", path, "one"),
      runProgram(child, "write", path, "two"),
      runProgram(child, "read", path),
    ];
    const codes = await Promise.all(all.map((each) => each.ended));
    expect({ codes, errors: all.map((each) => each.errors()) }).toEqual({ codes: [0, 0, 0], errors: ["", "", ""] });
    const store = await openSqliteStore(path);
    expect(await store.revision("me")).toBe(50);
    expect((await store.files("me")).map((file) => file.path)).toEqual([
      "one/left.py",
      "one/right.py",
      "two/left.py",
      "two/right.py",
    ]);
    expect((await store.termStatistics("me", "unit", ["number25", "number24"])).frequencies).toEqual(
      new Map([["number25", 4]]),
    );
    await store.check();
    await store.close();
  });

  it("see what another process wrote, without opening anew", async () => {
    const path = join(folder, "fresh.db");
    const store = await openSqliteStore(path);
    await store.write("me", { files: [], removed: [] });
    const search = () => store.searchNames("me", { text: "unit", mode: "exact", limit: 10 });
    expect(await search()).toEqual([]);
    const writer = runProgram(child, "write", path, "one");
    expect(await writer.ended).toBe(0);
    expect(await search()).toHaveLength(2);
    expect(await store.revision("me")).toBe(26);
    await store.close();
  });

  it("lose nothing but the unfinished change when a writer is killed in the middle of it", async () => {
    const path = join(folder, "killed.db");
    await runProgram(child, "write", path, "one").ended;
    const hanging = runProgram(child, "hang", path, "one");
    await printed(hanging, "inside");
    hanging.process.kill("SIGKILL");
    await hanging.ended;
    const store = await openSqliteStore(path);
    expect(await store.revision("me")).toBe(25);
    expect((await store.termStatistics("me", "unit", ["number25", "number99"])).frequencies).toEqual(
      new Map([["number25", 2]]),
    );
    await store.check();
    const again = runProgram(child, "write", path, "two");
    expect(await again.ended).toBe(0);
    expect(await store.files("me")).toHaveLength(4);
    await store.close();
  });
});
