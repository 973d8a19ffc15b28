import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Repository } from "../indexing/history/history.cases.ts";
import { countLines } from "./change-counts.ts";
import {
  commitTime,
  type LoggedCommit,
  LogParser,
  listCommits,
  type ReadOptions,
  readCommits,
  readMessages,
} from "./log.ts";

async function read(repository: Repository, options: ReadOptions = {}): Promise<LoggedCommit[]> {
  const commits: LoggedCommit[] = [];
  const take = (commit: LoggedCommit) => void commits.push(commit);
  expect(await readCommits(repository.root, repository.shas(), take, options)).toEqual({ ended: true });
  expect(commits.map(({ sha }) => sha)).toEqual(repository.shas());
  const bare: LoggedCommit[] = [];
  await readMessages(repository.root, repository.shas(), (commit) => void bare.push(commit));
  expect(bare).toEqual(commits.map((commit) => ({ ...commit, files: [] })));
  return commits;
}

const person = "Somebody <some@body.org> 1700000000 +0100";

/** A commit of the empty tree, with these bytes as its message and this line as its author. */
function commitObject(repository: Repository, message: string | Uint8Array, author = person, more = ""): string {
  const tree = repository.git("hash-object", "-t", "tree", "-w", "--stdin");
  return repository.commitObject([`tree ${tree}\nauthor ${author}\ncommitter ${person}\n${more}\n`, message]);
}

describe("files of a commit", () => {
  it("are added, modified, deleted, or renamed when they moved unchanged", async () => {
    const repository = Repository.empty();
    repository.commit("first", { files: { "a.ts": "1\n2\n3\n", "b.ts": "x\n", "c.ts": "y\n" } });
    repository.commit("second", {
      files: { "b.ts": "z\n", "deep/a.ts": "1\n2\n3\n" },
      remove: ["a.ts", "c.ts"],
    });
    const [second, first] = await read(repository);
    expect(first!.files).toEqual([
      { path: "a.ts", change: "added" },
      { path: "b.ts", change: "added" },
      { path: "c.ts", change: "added" },
    ]);
    expect(second!.files).toEqual([
      { path: "b.ts", change: "modified" },
      { path: "c.ts", change: "deleted" },
      { path: "deep/a.ts", change: "renamed", from: "a.ts" },
    ]);
    expect(await countLines(repository.root, repository.shas())).toEqual(
      new Map([
        [second!.sha, { insertions: 1, deletions: 2 }],
        [first!.sha, { insertions: 5, deletions: 0 }],
      ]),
    );
  });

  it("that moved and changed are renamed only where similar ones count", async () => {
    const repository = Repository.empty();
    const lines = Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join("");
    repository.commit("first", { files: { "a.ts": lines } });
    repository.commit("second", { files: { "b.ts": `${lines}more\n` }, remove: ["a.ts"] });
    expect((await read(repository))[0]!.files).toEqual([
      { path: "a.ts", change: "deleted" },
      { path: "b.ts", change: "added" },
    ]);
    expect((await read(repository, { renames: "similar" }))[0]!.files).toEqual([
      { path: "b.ts", change: "renamed", from: "a.ts" },
    ]);
  });

  it("of a merge are those that are as in none of its parents", async () => {
    const repository = Repository.empty();
    repository.commit("base", { files: { "a.ts": "1\n", "b.ts": "1\n" } });
    repository.git("checkout", "-q", "-b", "side");
    repository.commit("side", { files: { "a.ts": "side\n", "side.ts": "x\n" } });
    repository.git("checkout", "-q", "main");
    repository.commit("main", { files: { "a.ts": "main\n", "main.ts": "x\n" } });
    expect(() => repository.git("merge", "-q", "--no-commit", "side")).toThrow();
    repository.commit("Merge with care", { files: { "a.ts": "both\n", "new.ts": "x\n" }, remove: ["b.ts"] });
    const [merge] = await read(repository);
    expect(repository.git("rev-list", "--parents", "-1", "HEAD").split(" ")).toHaveLength(3);
    expect(merge).toMatchObject({ message: "Merge with care" });
    expect(merge!.files).toEqual([
      { path: "a.ts", change: "modified" },
      { path: "b.ts", change: "deleted" },
      { path: "new.ts", change: "added" },
    ]);
    repository.git("checkout", "-q", "-b", "plain", "HEAD~1");
    repository.git("merge", "-q", "--no-ff", "-s", "ours", "-m", "Merge without a trace", "side");
    expect((await read(repository))[0]).toMatchObject({ message: "Merge without a trace", files: [] });
  });

  it("may have names that look like anything", async () => {
    const names = [
      "line\nbreak.ts",
      "tab\there.ts",
      'qu"ote.ts',
      "-dash.ts",
      "ünï/cödé 🦊.ts",
      ":colon",
      " space ",
      "a\\b",
      "\u0001",
    ];
    const shaLike = "a".repeat(40);
    const repository = Repository.empty();
    repository.commit("hostile names", {
      files: Object.fromEntries([...names, shaLike].map((name) => [name, `${name}\n`])),
    });
    repository.commit("moved", { files: { "\nx": ":colon\n" }, remove: [":colon"] });
    const [moved, first] = await read(repository);
    expect(first!.files.map(({ path }) => path).sort()).toEqual([...names, shaLike].sort());
    expect(moved!.files).toEqual([{ path: "\nx", change: "renamed", from: ":colon" }]);
    const counts = await countLines(repository.root, repository.shas());
    expect(counts.get(first!.sha)).toEqual({ insertions: 11, deletions: 0 });
    expect(counts.get(moved!.sha)).toEqual({ insertions: 0, deletions: 0 });
  });

  it("whose mode or kind changes are modified; what is not text counts no lines", async () => {
    const repository = Repository.empty();
    repository.commit("first", { files: { "run.sh": "x\n", image: "\0\x01\0" } });
    repository.git("update-index", "--chmod=+x", "run.sh");
    repository.git("commit", "-qm", "executable");
    const [mode, first] = await read(repository);
    expect(mode!.files).toEqual([{ path: "run.sh", change: "modified" }]);
    expect((await countLines(repository.root, [first!.sha])).get(first!.sha)).toEqual({ insertions: 1, deletions: 0 });
  });
});

describe("what a commit says", () => {
  const messages = {
    "looks like git's own output": `commit ${"b".repeat(40)}\nAuthor: A <a@b>\nDate: now\n\n    :100644 100644 abc def M\ta.ts\n`,
    "has separators of records and of fields": "a\x1eb\x1fc\x01d\x7fe",
    "speaks of NUL without having one": "%x00 \\0 \\u0000 %00 &#0;",
    "begins with a sha": `${"c".repeat(40)}\nmore`,
    "begins with a colon": ":100644 100644 aaa bbb M",
    "has a line of 100 kB": `subject\n\n${"word ".repeat(20_000)}end`,
    "is in many scripts": "Zażółć 日本語 🦊 שלום\n\nعربى",
    "has carriage returns": "subject\r\n\r\nbody\r\nmore",
  };

  for (const [title, message] of Object.entries(messages)) {
    it(`${title}: it is taken word for word`, async () => {
      const repository = Repository.empty();
      repository.commit("before", { files: { "a.ts": "1\n" } });
      repository.commit(message, { files: { "a.ts": "2\n" } });
      repository.commit("after", { files: { "a.ts": "3\n" } });
      const commits = await read(repository);
      expect(commits[1]!.message).toBe(message.trimEnd());
      expect(commits.map(({ files }) => files)).toEqual([
        [{ path: "a.ts", change: "modified" }],
        [{ path: "a.ts", change: "modified" }],
        [{ path: "a.ts", change: "added" }],
      ]);
    });
  }

  it("may be nothing at all, or nothing but white space", async () => {
    const repository = Repository.empty();
    repository.commit("", { files: { "a.ts": "1\n" } });
    repository.commit(" \n\t\n  \n", { files: { "b.ts": "1\n" } });
    repository.commit("\n\n  indented\n\n", { files: { "c.ts": "1\n" } });
    const commits = await read(repository);
    expect(commits.map(({ message }) => message)).toEqual(["  indented", "", ""]);
    expect(commits.map(({ files }) => files.map(({ path }) => path))).toEqual([["c.ts"], ["b.ts"], ["a.ts"]]);
  });

  it("is mended where its bytes are not UTF-8, and read in the encoding it names", async () => {
    const repository = Repository.empty();
    commitObject(repository, Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x20, 0xff, 0xfe, 0x0a, 0xc3]));
    expect((await read(repository))[0]!.message).toMatch(/^caf\ufffd \ufffd+\n\ufffd$/);
    commitObject(repository, Buffer.from("caf\xe9", "latin1"), person, "encoding ISO-8859-1\n");
    expect((await read(repository))[0]!.message).toBe("café");
  });

  it("ends at a NUL, which git itself reads no further", async () => {
    const repository = Repository.empty();
    repository.commit("before");
    const sha = commitObject(repository, `seen\0${"d".repeat(40)}\0unseen\n`);
    expect((await read(repository))[0]).toMatchObject({ sha, message: "seen", files: [] });
  });

  it("is cut at a megabyte", async () => {
    const repository = Repository.empty();
    repository.commit("before", { files: { "a.ts": "1\n" } });
    repository.commit("x".repeat(3 * 1024 * 1024), { files: { "a.ts": "2\n" } });
    const [long, before] = await read(repository);
    expect(long!.message).toHaveLength(1024 * 1024);
    expect(long!.files).toHaveLength(1);
    expect(before!.message).toBe("before");
  });
});

describe("who made a commit, and when", () => {
  it("is read whatever the names are", async () => {
    const authors = ["", 'Zoë "Z" O\'Neil, Jr.', "a\\nb\\0c", "\x01\x1e", "%an", ":100644", "e".repeat(40)];
    for (const author of authors) {
      const repository = Repository.empty();
      commitObject(repository, "message", `${author} <> 1700000000 +0000`);
      const [commit] = await read(repository);
      expect([commit!.author, commit!.email]).toEqual([author, ""]);
    }
  });

  it("is the time of the commit, and none where it cannot be a date", async () => {
    const repository = Repository.empty();
    repository.commit("one", { at: 1_600_000_000 });
    expect(await commitTime(repository.root, repository.head())).toBe(1_600_000_000_000);
    expect(await commitTime(repository.root, "f".repeat(40))).toBeUndefined();
    const tree = repository.git("hash-object", "-t", "tree", "-w", "--stdin");
    for (const bad of ["never", "99999999999999 +0000", "-5 +0000", ""]) {
      repository.commitObject([`tree ${tree}\nauthor A <a@b> ${bad}\ncommitter A <a@b> ${bad}\n\nbroken clock\n`]);
      const [commit] = await read(repository);
      expect(commit!.message).toBe("broken clock");
      expect(new Date(commit!.time).getTime()).toBe(commit!.time);
      const list = await listCommits(repository.root, { head: commit!.sha });
      // Git does not agree with itself on what a time before 1970 is.
      const time = bad.startsWith("-") ? expect.any(Number) : commit!.time;
      expect(list).toEqual({ added: [{ sha: commit!.sha, time }], removed: [] });
    }
  });

  it("does not depend on what the user or the repository configured for people", async () => {
    const repository = Repository.empty();
    repository.commit("one", { files: { "a.ts": "1\n", "ü.ts": "1\n" } });
    repository.commit("two", { files: { "b.ts": "1\n" }, remove: ["a.ts"] });
    const plain = await read(repository);
    const settings = {
      "log.showSignature": "true",
      "log.mailmap": "true",
      "log.decorate": "full",
      "log.follow": "true",
      "log.diffMerges": "separate",
      "color.ui": "always",
      "core.quotePath": "true",
      "core.abbrev": "7",
      "diff.renames": "false",
      "diff.noprefix": "true",
      "diff.relative": "true",
      "diff.orderFile": "/dev/null",
      "diff.external": "false",
      "format.pretty": "oneline",
      "i18n.logOutputEncoding": "ISO-8859-1",
      "notes.displayRef": "refs/notes/*",
    };
    for (const [key, value] of Object.entries(settings)) repository.git("config", key, value);
    repository.git("notes", "add", "-m", "a note", "HEAD");
    expect(await read(repository)).toEqual(plain);
  });
});

describe("listing commits", () => {
  it("says what has come and what has gone between two of them", async () => {
    const repository = Repository.empty();
    const base = repository.commit("base");
    const left = repository.commit("left");
    repository.git("checkout", "-q", "-b", "right", base);
    const right = repository.commit("right");
    const list = await listCommits(repository.root, { head: right, since: left });
    expect(list).toMatchObject({ added: [{ sha: right }], removed: [{ sha: left }] });
    expect(await listCommits(repository.root, { head: right, since: right })).toEqual({ added: [], removed: [] });
    expect(await listCommits(repository.root, { head: right, since: "f".repeat(40) })).toHaveProperty("failure");
  });

  it("hands over what was complete before git failed, and not the commit it failed at", async () => {
    const repository = Repository.empty();
    const first = repository.commit("first", { files: { "a.ts": "1\n" } });
    const subjects: string[] = [];
    const end = await readCommits(repository.root, [first, "f".repeat(40)], ({ sha }) => void subjects.push(sha));
    expect(subjects.length).toBeLessThanOrEqual(1);
    if ("ended" in end) expect(subjects).toEqual([first]);
    expect(await readCommits(repository.root, [], () => undefined)).toEqual({ ended: true });
  });
});

describe("taking git's output apart", () => {
  const word = fc
    .string({ unit: "binary", maxLength: 20 })
    .map((text) => text.replaceAll("\0", "").replace(/[\ud800-\udfff]/g, ""));
  const path = word.map((text) => text || "x");
  const sha = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 40, maxLength: 40 });
  const file = fc.oneof(
    fc.record({ path, change: fc.constantFrom("added" as const, "modified" as const, "deleted" as const) }),
    fc.record({ path, change: fc.constant("renamed" as const), from: path }),
  );
  const commit = fc.record({
    sha,
    author: word,
    email: word,
    time: fc.integer({ min: 0, max: 4e9 }).map((seconds) => seconds * 1000),
    message: word.map((text) => text.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd()),
    files: fc.array(file, { maxLength: 4 }),
  });
  const letters = { added: "A", modified: "M", deleted: "D", renamed: "R100" };

  function output(commits: LoggedCommit[]): Buffer {
    const text = commits.map(({ sha, author, email, time, message, files }) => {
      const header = [sha, time / 1000, author, email, `${message}\n`].join("\0");
      const changes = files.map(({ path, change, from }) => {
        const paths = from === undefined ? path : `${from}\0${path}`;
        return `:100644 100644 ${sha} ${sha} ${letters[change]}\0${paths}\0`;
      });
      return files.length > 0 ? `${header}\0\n${changes.join("")}` : `${header}\0`;
    });
    return Buffer.from(text.join(""));
  }

  it("gives back every field, however the output is cut into pieces", () => {
    fc.assert(
      fc.property(fc.array(commit, { maxLength: 6 }), fc.array(fc.integer({ min: 1, max: 50 })), (commits, sizes) => {
        const parser = new LogParser();
        const bytes = output(commits);
        const parsed: LoggedCommit[] = [];
        let at = 0;
        for (const size of sizes) {
          parsed.push(...parser.take(bytes.subarray(at, at + size)));
          at += size;
        }
        parsed.push(...parser.take(bytes.subarray(at)));
        const last = parser.finish();
        expect(last ? [...parsed, last] : parsed).toEqual(commits);
      }),
    );
  });
});
