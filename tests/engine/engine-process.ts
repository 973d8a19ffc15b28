import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readToken, tellEngine } from "../../src/engine/client.ts";
import { type EnginePlace, enginePlace } from "../../src/engine/place.ts";
import { type CommandOptions, type CommandRun, dossier, dossierInside, folderWith } from "../cli/run-cli.ts";

/** A workspace with an index, a home of its own and a private folder for its engine. */
export type EngineWorkspace = {
  folder: string;
  home: string;
  runtime: string;
  place: EnginePlace;
  env: Record<string, string>;
  /** A command, over the engine where one runs. */
  run(args: string[], options?: CommandOptions): Promise<CommandRun>;
  /** The same without any, inside this process: what the answers of engines are compared with. */
  alone(args: string[], options?: Omit<CommandOptions, "started">): Promise<CommandRun>;
  status(): Promise<EngineState>;
  /** Waits until an engine answers. */
  running(): Promise<EngineState>;
  start(): Promise<EngineState>;
  /** Ends the engine and removes everything. */
  remove(): Promise<void>;
};

type Engine = { pid: number; version: string; answered: number; host: string; megabytes: number };
type EngineState = { state: string; engine?: Engine };

/** Of the built program, as the first engine states it. An engine answers only programs of its own build. */
let version: string | undefined;

const sources = {
  "src/session.ts":
    "/** Ends a session and forgets its cookie. */\nexport function endSession(id: string): void {\n  cookies.delete(id);\n}\n\nconst cookies = new Map<string, string>();\n",
  "src/login.ts":
    'import { endSession } from "./session.ts";\n\n/** Logs a user in by name and password. */\nexport function login(name: string, password: string): boolean {\n  if (password === "") endSession(name);\n  return password.length > 8;\n}\n',
  "README.md": "# Sample\n\nHow sessions are ended and users are logged in.\n",
};

export async function engineWorkspace(): Promise<EngineWorkspace> {
  const { folder, remove: removeFolder } = folderWith(sources);
  const home = realpathSync(mkdtempSync(join(tmpdir(), "dossier-home-")));
  const runtime = realpathSync(mkdtempSync(join(tmpdir(), "dossier-run-")));
  const env = { DOSSIER_HOME: home, XDG_RUNTIME_DIR: runtime, DOSSIER_ENGINE: "on", CI: "" };
  const place = enginePlace(folder, env)!;
  const run: EngineWorkspace["run"] = (args, options = {}) =>
    dossier(args, { cwd: folder, ...options, env: { ...env, ...options.env } });
  /**
   * What `dossier engine status` says, but asked from this process where an engine is known to be there: a process for
   * every question costs more than all else here.
   */
  const status = async (): Promise<EngineState> => {
    const token = readToken(place);
    const greeting = version === undefined || token === undefined ? undefined : { version, token, root: folder };
    const reply = greeting && (await tellEngine(place, greeting, { type: "status" }));
    if (reply?.type === "status") return { state: "running", engine: reply.status };
    const state = JSON.parse((await run(["engine", "status", "--json"])).stdout) as EngineState;
    version ??= state.engine?.version;
    return state;
  };
  const running = async () => {
    await until(
      async () => readToken(place),
      (token) => token !== undefined,
    );
    return until(status, ({ state }) => state === "running");
  };
  const workspace: EngineWorkspace = {
    folder,
    home,
    runtime,
    place,
    env,
    run,
    alone: (args, options = {}) =>
      dossierInside(args, { cwd: folder, ...options, env: { ...env, ...options.env, DOSSIER_ENGINE: "off" } }),
    status,
    running,
    async start() {
      await run(["engine", "start"]);
      return running();
    },
    async remove() {
      const engine = existsSync(folder) && readToken(place) ? (await status()).engine : undefined;
      if (engine && engine.pid !== process.pid) {
        // It would leave by itself when its folder is gone, which it sees within two seconds.
        process.kill(engine.pid, "SIGTERM");
        await until(
          async () => isRunning(engine.pid),
          (runs) => !runs,
        );
      }
      removeFolder();
      rmSync(home, { recursive: true, force: true });
      rmSync(runtime, { recursive: true, force: true });
    },
  };
  await workspace.alone(["index"]);
  return workspace;
}

/** Asks until it is so. */
export async function until<Value>(ask: () => Promise<Value>, isSo: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await ask();
    if (isSo(value)) return value;
    await new Promise((next) => setTimeout(next, 50));
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended and that nobody has asked about is not running.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch (error) {
    if (["ESRCH", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}
