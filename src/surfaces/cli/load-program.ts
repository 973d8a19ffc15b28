import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "../../engine/build.ts";
import { isPrivate } from "../../engine/place.ts";
import type { runHere } from "./process.ts";

/**
 * Loads the program with the code that V8 compiled for it in an earlier run: compiling was a third of a question's
 * time. Node can do that by itself from 22.8 on, for each file. This works on all versions, and three files are read
 * faster than a hundred: what a question needs, what an index needs besides, and the rest.
 */

type Program = { runHere: typeof runHere };

type Modules = Record<string, () => unknown>;

type LoadedFile = { exports: { modules: Modules }; keep: (word: string) => void };

export function loadProgram(): Program {
  setFlags();
  const files = new Map<string, LoadedFile>();
  const fileOf = (name: string) => {
    let file = files.get(name);
    if (!file) {
      file = loadFile(name, (other, path) => fileOf(other).exports.modules[path]!());
      files.set(name, file);
    }
    return file;
  };
  const program = fileOf("program").exports as unknown as Program;
  return {
    async runHere(args, alone, signal) {
      const status = await program.runHere(args, alone, signal);
      for (const file of files.values()) file.keep(commandOf(args));
      return status;
    },
  };
}

/** `otherFile` gives a module of another file. */
function loadFile(name: string, otherFile: (name: string, path: string) => unknown): LoadedFile {
  const file = join(dirname(fileURLToPath(import.meta.url)), `${name}.cjs`);
  const cacheFile = join(codeFolder(), `${build}-${process.version}-${process.arch}-${name}`);
  const cached = readCache(cacheFile);
  const source = readPart(file);
  // Loaded only here, since a command that an engine runs needs neither.
  const { Script } = process.getBuiltinModule("node:vm");
  const script = new Script(source, { filename: file, cachedData: cached?.data });
  const module = { exports: {} as LoadedFile["exports"] };
  script.runInThisContext()(module.exports, createRequire(file), module, file, otherFile);
  const words = cached && !script.cachedDataRejected ? cached.words : [];
  return {
    exports: module.exports,
    keep(word) {
      // The cache lacks functions that no command has called yet.
      if (!words.includes(word)) writeCache(cacheFile, [...words, word], script.createCachedData());
    },
  };
}

/**
 * A server loads parts when they are needed, and the program may have been updated in place since it began: parts of
 * two builds do not fit together. Each part ends with the name of its build.
 */
function readPart(file: string): string {
  const fail = (cause?: unknown) => {
    throw Object.assign(new Error(`Cannot find module '${file}' of ${build}`, { cause }), { code: "MODULE_NOT_FOUND" });
  };
  try {
    // The build writes nothing but ASCII, which is read twice as fast as UTF-8.
    const source = readFileSync(file, "latin1");
    return source.endsWith(`//${build}\n`) ? source : fail();
  } catch (error) {
    return fail(error);
  }
}

/** Modules of Node that nearly every command needs. */
const ownModules = ["child_process", "crypto", "fs/promises", "perf_hooks", "timers/promises", "zlib"];

/**
 * V8 flags for a process that soon ends.
 * - Hot code is optimised later: a function has to be called ten times as often first. A question takes an eighth less
 *   processor time on Node 24, a prompt's hook as much on Node 20. A server is as fast after its first answers.
 * - Patterns are compiled once, not for the first match and again for the second: 7 ms of a question instead of 20.
 *
 * Compiled code is only read under the flags it was written under, Node's own too, so Node's modules are loaded before. A
 * V8 that does not know a flag complains on standard error, so only versions that were tried are told.
 */
function setFlags(): void {
  const version = Number.parseInt(process.versions.v8, 10);
  if (version > 14) return;
  for (const name of ownModules) process.getBuiltinModule(`node:${name}`);
  const later =
    version < 12
      ? "--interrupt-budget=1000000"
      : "--invocation-count-for-maglev=4000 --invocation-count-for-turbofan=30000";
  process.getBuiltinModule("node:v8").setFlagsFromString(`${later} --no-regexp-tier-up`);
}

/** The command's name, as far as it decides which code runs. */
function commandOf(args: readonly string[]): string {
  const [first = ""] = args;
  return /^[a-z]{1,20}$/.test(first) ? first : "";
}

type Cache = { words: string[]; data: Buffer };

function codeFolder(): string {
  const { DOSSIER_HOME, XDG_CACHE_HOME } = process.env;
  return join(DOSSIER_HOME || join(XDG_CACHE_HOME || join(homedir(), ".cache"), "dossier"), "code");
}

/**
 * A line with the commands whose functions are cached, then V8's own data. Read only from a folder that nobody else
 * can write to.
 */
function readCache(path: string): Cache | undefined {
  if (!isPrivate(dirname(path), "folder") || !isPrivate(path, "file")) return undefined;
  try {
    const bytes = readFileSync(path);
    const end = bytes.indexOf(10);
    return { words: bytes.toString("latin1", 0, end).split(" "), data: bytes.subarray(end + 1) };
  } catch (error) {
    return ignoreFileError(error);
  }
}

const mostKept = 12;

function writeCache(path: string, words: readonly string[], data: Buffer): void {
  const folder = dirname(path);
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(temporary, Buffer.concat([Buffer.from(`${words.join(" ")}\n`, "latin1"), data]), { mode: 0o600 });
    renameSync(temporary, path);
    const age = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const others = readdirSync(folder).sort((one, other) => age(other) - age(one));
    for (const name of others.slice(mostKept)) rmSync(join(folder, name), { force: true });
  } catch (error) {
    ignoreFileError(error);
  }
}

/** A cache that cannot be read or written costs time, but no answer. */
function ignoreFileError(error: unknown): undefined {
  if (typeof (error as NodeJS.ErrnoException).code !== "string") throw error;
  return undefined;
}
