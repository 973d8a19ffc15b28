import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../src/stores/sqlite/engine/driver.ts";
import { type CommandRun, cli, dossier, dossierInside, execute, folderWith } from "./run-cli.ts";

/** Folders that are not as one would wish: nothing is lost, and what is wrong is said in a sentence. */

const python = (name: string) => `def ${name}():\n    """Does what ${name} says."""\n    return 1\n`;

const made: { remove(): void }[] = [];
afterEach(() => {
  for (const each of made.splice(0)) each.remove();
});

function folderOf(files: Record<string, string | Uint8Array>): string {
  const { folder, remove } = folderWith(files);
  made.push({ remove });
  return folder;
}

function expectSentence(run: CommandRun, status: number, pattern: RegExp): void {
  expect(run.stderr).toMatch(pattern);
  expect(run.stderr.trimEnd().split("\n").length).toBe(1);
  expect(run.stderr).not.toMatch(/^\s+at /m);
  expect(run.status).toBe(status);
}

const index = (folder: string, ...args: string[]) => dossierInside(["index", folder, "--json", ...args]);

describe("a folder", () => {
  it("that does not exist is named", async () => {
    expectSentence(await dossierInside(["login", "-C", "/nowhere/at/all"]), 3, /nowhere\/at\/all/);
  });

  it("that was deleted under the shell is named", async () => {
    const folder = folderOf({ inside: "" });
    const words = `cd '${folder}' && rm -r '${folder}' && exec '${process.execPath}' '${cli}' login`;
    expectSentence(await execute("/bin/sh", ["-c", words]), 3, /was deleted .*Change to an existing folder/);
  });

  it("of the user that is none, or relative, is not taken for one: nothing is made in the folder at hand", async () => {
    const folder = folderOf({ "login.py": python("login") });
    for (const HOME of ["", "relative"]) {
      const env = { HOME, XDG_CACHE_HOME: "cache", DOSSIER_HOME: "", DOSSIER_ENGINE: "off" };
      expect((await dossier(["status"], { cwd: folder, env })).status).toBe(5);
    }
    expect(readdirSync(folder)).toEqual(["login.py"]);
  });

  it("that is the root or the home folder is refused", async () => {
    expectSentence(await dossierInside(["index", "/"]), 4, /root of the file system\. Choose a project folder/);
    expectSentence(await dossierInside(["index", homedir()]), 4, /home folder/);
  });

  it("without an index has no status, and says how to get one", async () => {
    expectSentence(
      await dossierInside(["status", "-C", folderOf({})]),
      5,
      /has no index yet\. Run dossier index first/,
    );
  });

  it("that is empty has no answers, which is no error", async () => {
    const folder = folderOf({});
    expect(JSON.parse((await index(folder)).stdout)).toMatchObject({ total: { files: 0, items: 0 } });
    const asked = await dossierInside(["login", "-C", folder, "--json"]);
    expect(asked.status).toBe(0);
    expect(JSON.parse(asked.stdout).items).toEqual([]);
  });

  it("that is a bare repository is named", async () => {
    const folder = folderOf({});
    spawnSync("git", ["init", "-q", "--bare", folder]);
    expectSentence(await index(folder), 8, /bare repository/);
  });

  it("is indexed without git, too, and that is said", async () => {
    const folder = folderOf({
      "a.py": python("without_git"),
      ".gitignore": "ignored.py\n",
      "ignored.py": python("ignored"),
    });
    spawnSync("git", ["init", "-q", folder]);
    const { stdout, status } = await dossier(["index", folder, "--json"], {
      env: { PATH: dirname(process.execPath) + "-none" },
    });
    const report = JSON.parse(stdout);
    expect(status).toBe(0);
    expect(report.warnings.join()).toMatch(/git is not installed/);
    expect(report.files.indexed).toBe(2); // a.py and .gitignore, not what it names
  });

  it("with broken and circular links is indexed around them", async () => {
    const folder = folderOf({ "a.py": python("real"), "sub/b.py": python("other") });
    symlinkSync("nowhere.py", join(folder, "broken.py"));
    symlinkSync("..", join(folder, "sub", "up"));
    symlinkSync("loop.py", join(folder, "loop.py"));
    symlinkSync("/etc/passwd", join(folder, "outside.txt"));
    const { stdout, status } = await index(folder);
    const { total, files } = JSON.parse(stdout);
    expect(status).toBe(0);
    expect(total.files).toBe(2);
    expect(Object.keys(files.skipped)).toEqual(expect.arrayContaining(["broken-link", "outside-root"]));
  });

  it("with bytes that are no text keeps answering", async () => {
    const folder = folderOf({
      "latin.py": Buffer.concat([Buffer.from("# caf"), Buffer.from([0xe9]), Buffer.from(`\n${python("latin")}`)]),
      "picture.png": new Uint8Array([137, 80, 78, 71, 0, 0, 1, 2]),
      "odd name\twith tab.py": python("tabbed"),
    });
    const asked = await dossierInside(["latin", "-C", folder]);
    expect(asked.status).toBe(0);
    expect(asked.stdout).toContain("def latin():");
    expect((await dossierInside(["tabbed", "-C", folder])).stdout).toContain("def tabbed():");
  });

  it("with an unreadable file is indexed without it", async () => {
    const folder = folderOf({ "open.py": python("open_one"), "closed.py": python("closed_one") });
    chmodSync(join(folder, "closed.py"), 0);
    const { stdout, status } = await index(folder);
    expect(status).toBe(0);
    // Root may read everything.
    const { files, total } = JSON.parse(stdout);
    const unreadable = files.skipped.unreadable?.count ?? 0;
    expect(unreadable).toBe(process.getuid?.() === 0 ? 0 : 1);
    expect(total.files + unreadable).toBe(2);
  });
});

describe("an index", () => {
  const databaseOf = (folder: string) => join(folder, ".dossier", "index.db");

  it.skipIf(process.platform === "win32")("is no stack trace where too few files may be open", async () => {
    const folder = folderOf({ "a.py": python("few") });
    expect(spawnSync("git", ["init", "-q"], { cwd: folder }).status).toBe(0);
    for (const most of [20, 24, 26, 28, 30, 32, 34, 36, 38]) {
      const words = `ulimit -n ${most}; exec '${process.execPath}' '${cli}' index '${folder}'`;
      const run = await execute("/bin/sh", ["-c", words], { env: { DOSSIER_ENGINE: "off" } });
      if (run.status !== 0) expectSentence(run, run.status!, /^error: .*(?:open files|EMFILE|cannot be opened)/);
    }
  });

  it("that is damaged is named, and can be rebuilt", async () => {
    const folder = folderOf({ "a.py": python("rebuilt") });
    await index(folder);
    for (const name of readdirSync(join(folder, ".dossier"))) {
      if (name !== "index.db" && name.startsWith("index.db")) rmSync(join(folder, ".dossier", name));
    }
    writeFileSync(databaseOf(folder), "this is no database".repeat(1000));
    expectSentence(await dossierInside(["rebuilt", "-C", folder]), 6, /dossier index --rebuild/);
    const doctor = await dossierInside(["doctor", "-C", folder]);
    expect(doctor.status).toBe(1);
    expect(doctor.stdout).toMatch(/fail index: [^\n]+\n +Run dossier index --rebuild/);
    expect((await index(folder, "--rebuild")).status).toBe(0);
    expect((await dossierInside(["rebuilt", "-C", folder])).stdout).toContain("def rebuilt():");
  });

  it("is not called sound by doctor where the settings beside it cannot be read", async () => {
    const folder = folderOf({ "a.py": python("settled"), "dossier.json": '{ "lenses": { "x": 5 } }' });
    const doctor = await dossierInside(["doctor", "-C", folder]);
    expect(doctor.status).toBe(1);
    expect(doctor.stdout).toMatch(/fail settings: [^\n]+dossier\.json, line 1: lenses\.x takes an object/);
    writeFileSync(join(folder, "dossier.json"), "{}");
    expect((await dossierInside(["doctor", "-C", folder])).stdout).toMatch(/ok {3}settings: [^\n]+dossier\.json/);
  });

  it("of a newer Dossier is left alone", async () => {
    const folder = folderOf({ "a.py": python("newer") });
    await index(folder);
    const database = await openDatabase(databaseOf(folder));
    database.execute("PRAGMA user_version = 9999");
    database.close();
    expectSentence(await dossierInside(["newer", "-C", folder]), 6, /Update Dossier/);
  });

  it("that another process is writing still answers questions", async () => {
    const folder = folderOf({ "a.py": python("locked_one") });
    await index(folder);
    writeFileSync(join(folder, "b.py"), python("second"));
    const database = await openDatabase(databaseOf(folder));
    database.execute("BEGIN IMMEDIATE");
    try {
      const asked = await dossier(["locked_one", "-C", folder]);
      expect(asked.status).toBe(0);
      expect(asked.stdout).toContain("def locked_one():");
      expect(asked.stderr).toMatch(/warning: The index was not brought up to date/);
    } finally {
      database.execute("ROLLBACK");
      database.close();
    }
  });

  it.runIf(canMount())("on a full disk is as it was before, and that is said", async () => {
    const folder = folderOf({});
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", folder]);
    expect(mounted.status).toBe(0);
    try {
      writeFileSync(join(folder, "a.py"), python("small"));
      expect((await dossier(["index", folder])).status).toBe(0);
      const line = (name: string, i: number) =>
        `def ${name}_${i}(argument_${i}):\n    return unique_${name}_${i * 7919}\n`;
      for (let file = 0; file < 8; file++) {
        const text = Array.from({ length: 700 }, (_, i) => line(`f${file}`, i)).join("");
        writeFileSync(join(folder, `big${file}.py`), text);
      }
      expectSentence(await dossier(["index", folder]), 7, /disk space/);
      const asked = await dossier(["small", "-C", folder, "--no-refresh"]);
      expect(asked.stdout).toContain("def small():");
    } finally {
      spawnSync("umount", [folder]);
    }
  });
});

describe("an interruption", () => {
  const fileCount = 1200;
  const many = () =>
    Object.fromEntries(Array.from({ length: fileCount }, (_, i) => [`p${i % 50}/m${i}.py`, python(`f${i}`).repeat(6)]));

  it("stops indexing with a sentence, loses nothing, and the next run goes on", async () => {
    const folder = folderOf(many());
    const stopped = await dossier(["index", folder], {
      started(child) {
        const begun = setInterval(() => {
          if (!existsSync(join(folder, ".dossier", "index.db"))) return;
          clearInterval(begun);
          setTimeout(() => child.kill("SIGINT"), 100);
        }, 20);
        child.on("close", () => clearInterval(begun));
      },
    });
    expectSentence(stopped, 130, /^error: .*[Ii]nterrupted.* run the command again to go on\.\n$/);
    expect(stopped.stdout).toBe("");
    const next = await index(folder);
    expect(next.status).toBe(0);
    expect(JSON.parse(next.stdout).total.files).toBe(fileCount);
  });

  it("ends watching, which picks up changes until then", async () => {
    const folder = folderOf({ "a.py": python("first") });
    mkdirSync(join(folder, "sub"));
    let watching = "";
    const ended = await dossier(["index", folder, "--watch", "--json"], {
      started(child) {
        child.stderr?.on("data", (chunk) => {
          const before = watching;
          watching += chunk;
          if (!before.includes("Watching") && watching.includes("Watching"))
            writeFileSync(join(folder, "b.py"), python("second"));
          if (!before.includes("indexed,") && watching.includes("indexed,")) child.kill("SIGINT");
        });
      },
    });
    expect(ended.stderr).toMatch(/^Watching .*; press Ctrl-C to stop\.\n1 file indexed, 0 removed in [^\n]+\n$/);
    expect(ended.status).toBe(0);
    expect(JSON.parse(ended.stdout).total.files).toBe(1);
    expect((await dossier(["second", "-C", folder, "--no-refresh"])).stdout).toContain("def second():");
  });

  it("stops waiting for standard input", async () => {
    // A pipe holds less than a megabyte: once that much was written, the command is reading, and waits for the rest.
    const marker = join(folderOf({}), "reading");
    const script = `exec "$0" dist/cli.js - < <(head -c 1000000 /dev/zero; touch "$1"; exec sleep 30 2> /dev/null)`;
    const stopped = await execute("bash", ["-c", script, process.execPath, marker], {
      started(child) {
        const reading = setInterval(() => {
          if (!existsSync(marker)) return;
          clearInterval(reading);
          child.kill("SIGINT");
        }, 20);
        child.on("close", () => clearInterval(reading));
      },
    });
    expectSentence(stopped, 130, /Interrupted\./);
  });
});

/** Only root may mount, and not in every container. */
function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const { folder, remove } = folderWith({});
  try {
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]).status !== 0) return false;
    return spawnSync("umount", [folder]).status === 0;
  } finally {
    remove();
  }
}
