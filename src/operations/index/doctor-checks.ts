import { accessSync, constants, existsSync, readFileSync, statfsSync } from "node:fs";
import { platform } from "node:os";
import { asDossierError, DossierError } from "../../errors.ts";
import { runGit } from "../../git/run-git.ts";
import { recordTypes } from "../../stores/records.ts";
import { findRoot, refusal } from "../../workspace/root.ts";
import { hasReadableRecords } from "../core/closed-records.ts";
import type { Environment } from "../core/operation.ts";
import { bytes, counted, grouped } from "../terminal/phrases.ts";

export const states = ["ok", "warn", "fail"] as const;
type DoctorFinding = { state: (typeof states)[number]; found: string; fix?: string };
export type DoctorCheck = { name: string; run(path: string, environment: Environment): Promise<DoctorFinding> };

const ok = (message: string): DoctorFinding => ({ state: "ok", found: message });
const warn = (message: string, fix: string): DoctorFinding => ({ state: "warn", found: message, fix });
const fail = (message: string, fix: string): DoctorFinding => ({ state: "fail", found: message, fix });

/** A check that throws is a failed check. */
function guarded(name: string, run: DoctorCheck["run"]): DoctorCheck {
  return {
    name,
    async run(path, environment) {
      try {
        return await run(path, environment);
      } catch (thrown) {
        if (environment.signal?.aborted) throw thrown;
        const error = asDossierError(thrown);
        return fail(error.message, error.fix);
      }
    },
  };
}

const oldestNode = [20, 19];
/** An index is at most some three times the text it holds; below this most projects will not fit. */
const littleSpace = 500_000_000;
/** One watch per folder: fewer than this and `--watch` fails on a large project. */
const fewWatches = 16_384;

export const checks: DoctorCheck[] = [
  guarded("node", async () => {
    const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
    const recent = major > oldestNode[0]! || (major === oldestNode[0] && minor >= oldestNode[1]!);
    const message = `version ${process.versions.node}`;
    return recent ? ok(message) : fail(message, `Install Node ${oldestNode.join(".")} or newer.`);
  }),

  guarded("git", async (path) => {
    const answer = await runGit(findRoot(path), ["--version"]);
    if ("output" in answer) return ok(answer.output.toString().trim().replace(/^git /, ""));
    const advice = "Install git: without it, ignored files are judged by Dossier's own reading of .gitignore.";
    return warn("missing" in answer ? "not installed, or not on the PATH" : answer.failure, advice);
  }),

  guarded("sqlite", async () => {
    const { openDatabase } = await import("../../stores/sqlite/engine/driver.ts");
    const database = await openDatabase(":memory:");
    try {
      return ok(database.engine);
    } finally {
      database.close();
    }
  }),

  guarded("full-text search", async () => {
    const { openDatabase } = await import("../../stores/sqlite/engine/driver.ts");
    const database = await openDatabase(":memory:");
    try {
      database.execute("CREATE VIRTUAL TABLE words USING fts5(body, content='', contentless_delete=1)");
      database.execute("CREATE VIRTUAL TABLE parts USING fts5(body, tokenize='trigram')");
      return ok("FTS5 with contentless_delete and trigrams");
    } finally {
      database.close();
    }
  }),

  guarded("languages", async () => {
    const [{ languages }, { parse }] = await Promise.all([
      import("../../sources/code/languages.ts"),
      import("../../sources/code/parser.ts"),
    ]);
    const parsed = languages.filter((language) => language.grammar);
    const broken: string[] = [];
    for (const { name, grammar, grammars = {} } of parsed) {
      try {
        for (const each of [grammar!, ...Object.values(grammars)])
          await parse(each, "\n", { always: [], withoutBraces: [] });
      } catch (error) {
        broken.push(`${name} (${(error as Error).message})`);
      }
    }
    if (broken.length === 0) return ok(`${parsed.length} grammars load`);
    return fail(`no grammar for ${broken.join(", ")}`, "Install Dossier again: its packages are not complete.");
  }),

  guarded("folder", async (path) => {
    const root = findRoot(path);
    accessSync(root, constants.R_OK | constants.X_OK);
    const refused = refusal(root);
    if (refused)
      return warn(`${root} is ${refused}`, "Choose a project folder with -C, or pass --force to dossier index.");
    return ok(root);
  }),

  guarded("settings", async (path) => {
    const root = findRoot(path);
    const { configPath, readConfig } = await import("../../workspace/config/config.ts");
    await readConfig(root);
    return ok(existsSync(configPath(root)) ? configPath(root) : "none, which is fine");
  }),

  guarded("index", checkIndex),

  guarded("memory", checkMemory),

  guarded("disk", async (path) => {
    const { bavail, bsize } = statfsSync(findRoot(path));
    const free = bavail * bsize;
    return free < littleSpace
      ? warn(`${bytes(free)} free`, "Free some disk space before indexing a large project.")
      : ok(`${bytes(free)} free`);
  }),

  guarded("watching", async () => {
    if (platform() !== "linux") return ok("by the operating system");
    const watches = Number(readFileSync("/proc/sys/fs/inotify/max_user_watches", "utf8"));
    const message = `${grouped(watches)} folders can be watched`;
    return watches < fewWatches
      ? warn(message, "Raise it for dossier index --watch: sysctl fs.inotify.max_user_watches=524288")
      : ok(message);
  }),
];

/** Records cannot be made again, so it is worth knowing early whether they can be read. */
async function checkMemory(_path: string, environment: Environment): Promise<DoctorFinding> {
  try {
    const workspace = await environment.workspace({ create: false });
    if (!hasReadableRecords(workspace)) return ok("nothing written down yet");
    const records = await workspace.records();
    const totals = await Promise.all(
      recordTypes.map(async (type) => (await records.list(environment.owner, { type, limit: 1 })).total),
    );
    const [memories = 0, experiences = 0, values = 0] = totals;
    return ok(
      `${counted(memories, "memory", "memories")}, ${counted(experiences, "experience")}, ${counted(values, "value")}`,
    );
  } catch (error) {
    if (!(error instanceof DossierError)) throw error;
    if (error.code === "not-indexed" || error.code === "refused-root") return ok("nothing written down yet");
    throw error;
  }
}

async function checkIndex(_path: string, environment: Environment): Promise<DoctorFinding> {
  try {
    const workspace = await environment.workspace({ create: false });
    await workspace.store.check();
    const { files, bytes: size } = await workspace.store.statistics(environment.owner);
    return ok(`sound, ${counted(files, "file")}, ${bytes(size)} at ${workspace.server ?? workspace.databasePath}`);
  } catch (error) {
    if (!(error instanceof DossierError)) throw error;
    if (error.code === "not-indexed") return ok("none yet; the first question or dossier index makes one");
    if (error.code === "refused-root") return ok("none");
    throw error;
  }
}
