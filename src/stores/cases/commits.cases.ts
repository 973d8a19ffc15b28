import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Commit, CommitFile } from "../commits.ts";
import type { Store } from "../store.ts";

/** What the commits of every engine must do. `open` gives a new, empty store each time. */
export function commitCases(name: string, open: () => Promise<Store>): void {
  describe(`${name} commits`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      await store.close();
    });
    const commits = () => store.commits;
    const write = (added: Commit[], removed: string[] = [], owner = "me") => commits().write(owner, { added, removed });
    const all = async (owner = "me", since?: number) => {
      const all: Commit[] = [];
      for await (const batch of commits().all(owner, since)) all.push(...batch);
      return all;
    };

    it("gives back every field of a commit, in the order asked, and leaves out unknown ones", async () => {
      const full = sample(2, [added("a.ts"), modified("b.ts"), deleted("c.ts"), renamed("d.ts", "e.ts")], {
        author: 'Zoë "Z" 🦊',
        email: "Z@Example.org",
        message: "Subject\n\nBody with \\ and \t and ünïcode\n",
        insertions: 12,
        deletions: 0,
      });
      const bare = sample(1, []);
      await write([full, bare]);
      expect(await commits().get("me", [bare.sha, "f".repeat(40), full.sha])).toStrictEqual([bare, full]);
      expect(await commits().get("me", [])).toEqual([]);
    });

    it("lists shas newest first; of one time, a later write and what comes first in a write are newer", async () => {
      await write([sample(30), sample(20), { ...sample(19), time: at(20) }, sample(10)]);
      await write([
        { ...sample(22), time: at(20) },
        { ...sample(21), time: at(20) },
      ]);
      expect(await commits().shas("me")).toEqual([30, 22, 21, 20, 19, 10].map(sha));
      expect((await all()).map((commit) => commit.sha)).toEqual([30, 22, 21, 20, 19, 10].map(sha));
    });

    it("replaces a commit that is known, and removes what is asked", async () => {
      await write([sample(2, [added("a.ts")]), sample(1, [added("b.ts")])]);
      await write([sample(2, [modified("c.ts")], { message: "other" })], [sha(1), "f".repeat(40)]);
      expect(await all()).toEqual([sample(2, [modified("c.ts")], { message: "other" })]);
      expect(await commits().paths("me")).toEqual(["c.ts"]);
      expect(await commits().touching("me", ["a.ts", "b.ts"], { limit: 9 })).toEqual([]);
      expect(await commits().lastTouch("me", ["a.ts", "b.ts"])).toEqual(new Map());
    });

    it("keeps the one that is added when the same sha is also removed", async () => {
      await write([sample(1)]);
      await write([sample(1, [added("a.ts")])], [sha(1)]);
      expect(await all()).toEqual([sample(1, [added("a.ts")])]);
    });

    it("finds commits by the beginning of their sha, up to the limit", async () => {
      const shas = ["abc0", "abc1", "abd0"].map((start) => start.padEnd(40, "0"));
      await write(shas.map((each, i) => ({ ...sample(i + 1), sha: each })));
      expect((await commits().byPrefix("me", "abc", 5)).map((commit) => commit.sha)).toEqual(shas.slice(0, 2));
      expect(await commits().byPrefix("me", "abc", 1)).toHaveLength(1);
      expect(await commits().byPrefix("me", "%", 5)).toEqual([]);
      expect(await commits().byPrefix("me", "", 2)).toHaveLength(2);
    });

    it("finds the commits that touched any of some paths once each, newest first, since a time, up to a limit", async () => {
      await write([
        sample(4, [renamed("b.ts", "a.ts")]),
        sample(3, [modified("a.ts"), modified("x.ts")]),
        sample(2, [modified("x.ts")]),
        sample(1, [added("a.ts"), added("x.ts")]),
      ]);
      const touching = (paths: string[], options = { limit: 9 }) => commits().touching("me", paths, options);
      expect(await touching(["a.ts"])).toEqual([4, 3, 1].map(sha));
      expect(await touching(["b.ts"])).toEqual([4].map(sha));
      expect(await touching(["x.ts", "a.ts", "x.ts"])).toEqual([4, 3, 2, 1].map(sha));
      expect(await touching(["x.ts", "a.ts"], { limit: 2 })).toEqual([4, 3].map(sha));
      expect(await commits().touching("me", ["x.ts"], { limit: 9, since: at(2) })).toEqual([3, 2].map(sha));
      expect(await touching(["never.ts"])).toEqual([]);
      expect(await touching([])).toEqual([]);
    });

    it("says what last happened to a path: changed, deleted, or renamed and to what", async () => {
      await write([
        sample(5, [added("back.ts")]),
        sample(4, [deleted("gone.ts"), renamed("new.ts", "old.ts"), deleted("back.ts")]),
        sample(3, [modified("gone.ts"), modified("old.ts"), modified("stays.ts")]),
        sample(1, [added("gone.ts"), added("old.ts"), added("stays.ts"), added("back.ts")]),
      ]);
      const paths = ["gone.ts", "old.ts", "new.ts", "stays.ts", "back.ts", "never.ts"];
      expect(await commits().lastTouch("me", paths)).toEqual(
        new Map([
          ["gone.ts", { sha: sha(4), time: at(4), change: "deleted" }],
          ["old.ts", { sha: sha(4), time: at(4), change: "renamed", to: "new.ts" }],
          ["new.ts", { sha: sha(4), time: at(4), change: "added" }],
          ["stays.ts", { sha: sha(3), time: at(3), change: "modified" }],
          ["back.ts", { sha: sha(5), time: at(5), change: "added" }],
        ]),
      );
    });

    it("lists the paths below a folder, and only those", async () => {
      await write([sample(1, ["src/a.ts", "src/b/c.ts", "src.ts", "src-old/a.ts", "src0", "z"].map(added))]);
      expect(await commits().paths("me", "src")).toEqual(["src/a.ts", "src/b/c.ts"]);
      expect(await commits().paths("me")).toHaveLength(6);
      expect(await commits().paths("me", "sr")).toEqual([]);
    });

    it("adds counts later, to the commits that are known", async () => {
      await write([sample(1), sample(2)]);
      const counts = { insertions: 3, deletions: 4 };
      await commits().writeCounts("me", new Map([sha(1), sha(9)].map((each) => [each, counts])));
      expect(await all()).toEqual([sample(2), sample(1, [], counts)]);
    });

    it("gives everything since a time, over more than one batch", async () => {
      const many = Array.from({ length: 2500 }, (_, i) => sample(2500 - i, [modified(`src/${i % 7}.ts`)]));
      await write(many);
      expect(await all()).toEqual(many);
      expect((await all("me", at(1200))).map((commit) => commit.sha)).toEqual(
        many.slice(0, 1301).map((commit) => commit.sha),
      );
    });

    it("keeps any text: quotes, control characters, any script, a very long message", async () => {
      const strange = [
        "\u0001\u001f\u007f",
        'a"b\\c\nd\te',
        "日本語 العربية",
        "'; DROP TABLE commits; --",
        "x".repeat(200_000),
      ];
      const strangeCommits = strange.map((text, i) =>
        sample(i + 1, [added(`${text.slice(0, 50)}.ts`), renamed(text.slice(0, 50), "[1,2]")], {
          author: text.slice(0, 90),
          message: text,
        }),
      );
      await write(strangeCommits.toReversed());
      expect(await all()).toEqual(strangeCommits.toReversed());
    });

    it("keeps times before 1970 and far ahead", async () => {
      const early = { ...sample(1, [added("a")]), time: -5_000_000_001 };
      const late = { ...sample(2, [modified("a")]), time: 253_402_300_799_000 };
      await write([late, early]);
      expect(await all()).toEqual([late, early]);
      expect(await commits().touching("me", ["a"], { limit: 9 })).toEqual([late.sha, early.sha]);
    });

    it("never shows one owner the commits of another", async () => {
      await write([sample(1, [added("mine.ts")])]);
      await write([sample(1, [added("yours.ts")]), sample(2, [deleted("yours.ts")])], [], "you");
      await write([], [sha(1)], "they");
      expect(await commits().shas("me")).toEqual([sha(1)]);
      expect(await commits().paths("me")).toEqual(["mine.ts"]);
      expect(await commits().paths("they")).toEqual([]);
      expect(await commits().get("me", [sha(1), sha(2)])).toEqual([sample(1, [added("mine.ts")])]);
      expect(await commits().byPrefix("me", "", 9)).toHaveLength(1);
      expect(await commits().touching("me", ["yours.ts"], { limit: 9 })).toEqual([]);
      expect(await commits().lastTouch("me", ["yours.ts"])).toEqual(new Map());
      await commits().writeCounts("me", new Map([[sha(2), { insertions: 1, deletions: 1 }]]));
      await write([], [sha(1), sha(2)]);
      expect(await all("you")).toEqual([sample(2, [deleted("yours.ts")]), sample(1, [added("yours.ts")])]);
    });

    it("leaves everything as it was when a write fails", async () => {
      await write([sample(1, [added("a.ts")])]);
      const broken = { ...sample(3), time: null as unknown as number };
      await expect(write([sample(2, [deleted("a.ts")]), broken], [sha(1)])).rejects.toThrow();
      expect(await all()).toEqual([sample(1, [added("a.ts")])]);
      expect((await commits().lastTouch("me", ["a.ts"])).get("a.ts")?.change).toBe("added");
    });

    it("is empty for an owner who never wrote", async () => {
      expect(await commits().shas("nobody")).toEqual([]);
      expect(await all("nobody")).toEqual([]);
    });
  });
}

const sha = (number: number) => number.toString(16).padStart(40, "0");
const at = (number: number) => 1_700_000_000_000 + number * 1000;
const added = (path: string): CommitFile => ({ path, change: "added" });
const modified = (path: string): CommitFile => ({ path, change: "modified" });
const deleted = (path: string): CommitFile => ({ path, change: "deleted" });
const renamed = (path: string, from: string): CommitFile => ({ path, change: "renamed", from });

function sample(number: number, files: CommitFile[] = [], rest: Partial<Commit> = {}): Commit {
  return {
    sha: sha(number),
    author: "Ann",
    email: "ann@example.org",
    time: at(number),
    message: `Change ${number}\n`,
    files,
    ...rest,
  };
}
